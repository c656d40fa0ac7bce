// Paste a text, see its labels, probabilities, thresholds and the words behind them. Text enters the page by textContent alone.
"use strict";

const byId = (id) => document.getElementById(id);
const cards = new Map();

async function ask(path, body) {
  const headers = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (byId("token").value) headers.authorization = `Bearer ${byId("token").value}`;
  const answer = await fetch(path, {method: body === undefined ? "GET" : "POST", headers, body: body === undefined ? undefined : JSON.stringify(body)});
  const content = await answer.json();
  if (answer.status === 401) for (const id of ["token", "token-label"]) byId(id).hidden = false;
  if (!answer.ok) throw new Error(typeof content.detail === "string" ? content.detail : JSON.stringify(content.detail));
  return content;
}

function cell(row, content, kind = "") {
  const made = row.insertCell();
  made.className = kind;
  made.append(content);
  return made;
}

const number = (value, digits) => value === null || value === undefined ? "–" : value.toFixed(digits);
// a probability is not shown as 0 or 1 unless it is
const probability = (p) => p > 0 && p < 0.0005 ? "< 0.001" : p < 1 && p > 0.9995 ? "> 0.999" : p.toFixed(3);

async function listModels() {
  const answer = await ask("v1/models");
  cards.clear();
  byId("model").replaceChildren(...answer.models.map((card) => {
    cards.set(card.name, card);
    return new Option(card.name, card.name);
  }));
  showCard();
}

function showCard() {
  const card = cards.get(byId("model").value);
  if (!card) return;
  const kind = card.multilabel ? "several labels a document" : "one label a document";
  byId("card").textContent = `${card.name}: ${card.labels.length} labels, ${kind}, ${card.terms.toLocaleString("en")} terms, `
    + `learned from ${(card.documents ?? 0).toLocaleString("en")} documents. ${card.statement ?? ""}`;
}

function documentOf(card, text) {
  return card.fields.length > 1 ? {fields: Object.fromEntries(card.fields.map((name) => [name, text]))} : {text};
}

async function sort(event) {
  event?.preventDefault();
  byId("problem").hidden = true;
  try {
    if (!cards.size) await listModels();
    const card = cards.get(byId("model").value), body = documentOf(card, byId("text").value), path = `v1/models/${encodeURIComponent(card.name)}`;
    const answer = await ask(`${path}/predict?every_label=true`, body);
    const given = new Set(answer.labels);
    const shown = Object.entries(answer.probabilities).filter(([name], place) => place < 10 || given.has(name));
    const reasons = await Promise.all(shown.map(([name]) => ask(`${path}/explain?spans=true&label=${encodeURIComponent(name)}`, body)));
    byId("summary").textContent = given.size ? `It gets ${[...given].join(", ")}.` : "It gets no label; the most probable are:";
    byId("labels").replaceChildren();
    shown.forEach(([name, p], place) => {
      const reason = reasons[place][0], row = byId("labels").insertRow(), button = document.createElement("button");
      row.className = given.has(name) ? "given" : "";
      button.type = "button";
      button.textContent = name;
      button.addEventListener("click", () => explain(reason));
      cell(row, button);
      cell(row, given.has(name) ? "yes" : "no");
      cell(row, probability(p), "number");
      cell(row, number(reason.score, 3), "number");
      cell(row, number(reason.cut, 3), "number");
    });
    const first = shown.findIndex(([name]) => given.has(name));
    explain(reasons[Math.max(first, 0)][0]);
    byId("result").hidden = false;
  } catch (problem) {
    byId("problem").textContent = problem.message;
    byId("problem").hidden = false;
  }
}

function explain(reason) {
  byId("label").textContent = reason.label;
  const text = [...byId("text").value], marked = byId("marked"), most = Math.max(...reason.terms.map(([, adds]) => Math.abs(adds)), 1e-12);
  marked.replaceChildren();
  let end = 0;
  for (const [start, stop, adds] of reason.spans) {
    if (start < end) continue;
    marked.append(text.slice(end, start).join(""));
    const mark = document.createElement("mark"), share = Math.abs(adds) / most;
    mark.className = `${adds >= 0 ? "for" : "against"} s${share > 0.66 ? 3 : share > 0.33 ? 2 : 1}`;
    mark.title = `${adds >= 0 ? "+" : ""}${adds.toFixed(3)}`;
    mark.textContent = text.slice(start, stop).join("");
    marked.append(mark);
    end = stop;
  }
  marked.append(text.slice(end).join(""));
  byId("terms").replaceChildren();
  const rows = [...reason.terms, ["(all other terms)", reason.others], ["(before any term)", reason.base]];
  for (const [term, adds] of rows) {
    const row = byId("terms").insertRow();
    cell(row, term);
    cell(row, `${adds >= 0 ? "+" : ""}${adds.toFixed(3)}`, "number");
  }
}

byId("form").addEventListener("submit", sort);
byId("model").addEventListener("change", showCard);
byId("text").addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) sort(event); });
listModels().catch((problem) => {
  byId("card").textContent = "";
  byId("problem").textContent = problem.message;
  byId("problem").hidden = false;
});
