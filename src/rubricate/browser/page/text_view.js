// One text: boxes to type in, its labels with their probabilities, and why. Text enters the page by textContent alone.

const SHOWN_LABELS = 6, SHOWN_TERMS = 12;
const WORTH_MARKING = 0.04; // of what the strongest word adds
const PAUSE = 150; // milliseconds after the last key

const byId = (id) => document.getElementById(id);

function element(name, { kind = "", text = "", ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  if (kind) made.className = kind;
  made.append(...(text === "" ? [] : [text]), ...children);
  return made;
}

// a probability is not shown as 0 or 1 unless it is
const probabilityText = (p) => p > 0 && p < 0.0005 ? "< 0.001" : p < 1 && p > 0.9995 ? "> 0.999" : p.toFixed(3);
const infinite = (x) => x > 0 ? "∞" : "−∞";
const scoreText = (x) => Number.isFinite(x) ? x.toFixed(3).replace("-", "−") : infinite(x);
const signedText = (x) => (x >= 0 ? "+" : "") + scoreText(x);

class TextView {
  constructor(model) {
    this.model = model;
    this.thresholds = model.thresholdProbabilities();
    this.everyLabel = false;
    const fields = model.head.recipe.fields ?? ["Text"];
    this.boxes = fields.map((name, i) => this.makeBox(name, i, fields.length === 1 ? 8 : i === 0 ? 2 : 6));
    byId("legend").textContent = this.legend();
    byId("every").addEventListener("click", () => { this.everyLabel = !this.everyLabel; this.showLabels(); });
  }

  makeBox(name, i, rows) {
    const box = element("textarea", { id: `text-${i}`, rows, dir: "auto", spellcheck: false, autocomplete: "off" });
    byId("boxes").append(element("label", { htmlFor: box.id, text: name }), box);
    box.addEventListener("input", () => { clearTimeout(this.waiting); this.waiting = setTimeout(() => this.show(), PAUSE); });
    return box;
  }

  legend() {
    if (this.thresholds) return "The bar is the probability of a label; the line across it is the label's threshold. A label is given above its threshold.";
    const { multilabel, k } = this.model.rule;
    if (!multilabel) return "The bar is the probability of a label; the most probable one is given.";
    return this.model.rule.name === "top" ? `The bar is the probability of a label; the best ${k} by score are given.` : "The bar is the probability of a label.";
  }

  // Puts texts into the boxes, as if somebody had typed them.
  fill(texts) {
    if (this.boxes.length === texts.length) this.boxes.forEach((box, i) => { box.value = texts[i]; });
    else this.boxes[0].value = texts.join("\n\n");
    this.show();
    this.boxes[0].focus();
    this.boxes[0].scrollIntoView({ block: "start" });
  }

  show() {
    this.texts = this.boxes.map((box) => box.value);
    const empty = this.texts.every((text) => text.trim() === "");
    byId("result").hidden = empty;
    byId("summary").className = empty ? "quiet" : "";
    if (empty) { byId("summary").textContent = "Type or paste a text: its labels appear here."; return; }
    this.prediction = this.model.predict(this.texts);
    this.ranking = this.model.ranking(this.prediction);
    this.chosen = this.ranking[0];
    byId("summary").replaceChildren(...this.summary());
    this.showLabels();
  }

  summary() {
    const { decisions, counts } = this.prediction, given = this.ranking.filter((c) => decisions[c]);
    const names = given.flatMap((c, i) => [i ? ", " : "", element("strong", {}, element("bdi", { text: this.model.labels[c] }))]);
    const sentence = given.length ? ["It gets ", ...names, "."] : ["It gets no label; the most probable are shown."];
    if (counts.columns.length) return sentence;
    return [...sentence, " The model knows none of its words: a person should look at it."];
  }

  showLabels() {
    const given = this.prediction.decisions.reduce((a, b) => a + b, 0), all = this.ranking.length;
    const some = Math.min(all, Math.max(SHOWN_LABELS, given + 2)), shown = this.everyLabel ? all : some;
    byId("every").hidden = all <= some;
    byId("every").textContent = this.everyLabel ? "Show fewer labels" : `Show all ${all.toLocaleString("en")} labels`;
    byId("labels").replaceChildren(...this.ranking.slice(0, shown).map((c) => element("li", {}, this.labelButton(c))));
    this.explain(this.chosen);
  }

  labelButton(c) {
    const p = this.prediction.probabilities[c], given = this.prediction.decisions[c] === 1, label = this.model.labels[c];
    const name = element("span", {}, given ? "✓ " : "", element("bdi", { text: label }), element("span", { kind: "unseen", text: given ? ": given, probability" : ": not given, probability" }));
    const button = element("button", { type: "button", kind: given ? "given" : "" },
      element("span", { kind: "line" }, name, element("span", { kind: "number", text: probabilityText(p) })), this.meter(c, p));
    button.dataset.label = c;
    button.addEventListener("click", () => this.explain(c));
    return button;
  }

  meter(c, p) {
    const threshold = this.threshold(c), meter = element("span", { kind: threshold === null ? "meter" : "meter cut" });
    meter.style.setProperty("--p", p);
    if (threshold !== null) { meter.style.setProperty("--t", threshold); meter.title = `threshold at a probability of ${probabilityText(threshold)}`; }
    meter.setAttribute("aria-hidden", "true"); // the number beside it says the same
    return meter;
  }

  // The threshold as a probability; null where there is none, or none that a score could reach.
  threshold(c) {
    const score = this.model.rule.thresholds?.[c] ?? 0;
    return this.thresholds === null || !Number.isFinite(score) ? null : this.thresholds[c];
  }

  explain(c) {
    this.chosen = c;
    for (const button of byId("labels").querySelectorAll("button")) button.setAttribute("aria-pressed", String(Number(button.dataset.label) === c));
    byId("why-label").textContent = this.model.labels[c];
    byId("verdict").textContent = this.verdict(c);
    const reason = this.model.explain(this.prediction, c, Infinity);
    this.mark(new Map(reason.terms));
    const shown = reason.terms.slice(0, SHOWN_TERMS), others = runningSum(reason.terms.slice(SHOWN_TERMS).map(([, x]) => x));
    const rest = reason.terms.length - shown.length;
    byId("terms").replaceChildren(
      ...shown.map(([term, adds]) => termRow(term, adds, adds >= 0 ? "for" : "against")),
      ...(rest > 0 ? [termRow(`${rest.toLocaleString("en")} other terms`, others, "", "sum")] : []),
      termRow("before any term", reason.base, "", "sum"),
      termRow("score", this.prediction.scores[c], "", "sum"),
    );
  }

  verdict(c) {
    const { decisions, scores, probabilities } = this.prediction, { rule } = this.model, given = decisions[c] === 1;
    const start = `${given ? "Given" : "Not given"}, probability ${probabilityText(probabilities[c])}`;
    if (rule.thresholds === null) return `${start}.`;
    return `${start}: the score ${scoreText(scores[c])} is ${given ? "above" : "not above"} the threshold ${scoreText(rule.thresholds[c])}.`;
  }

  mark(adds) {
    const most = [...adds.values()].reduce((a, b) => Math.max(a, Math.abs(b)), 1e-12), { fields, prefix_fields: prefix } = this.model.head.recipe;
    byId("marked").replaceChildren(...this.texts.map((text, i) => {
      const line = element("div");
      let end = 0;
      for (const [start, stop, x] of this.model.spans(text, adds, prefix ? `${fields[i]}:` : "")) {
        const share = Math.abs(x) / most, strength = share > 0.66 ? 3 : share > 0.33 ? 2 : 1;
        if (share < WORTH_MARKING) continue;
        line.append(text.slice(end, start), element("mark", { kind: `${x >= 0 ? "for" : "against"} s${strength}`, title: signedText(x), text: text.slice(start, stop) }));
        end = stop;
      }
      line.append(text.slice(end));
      return line;
    }));
  }
}

function termRow(name, adds, kind, rowKind = "") {
  const title = rowKind ? name : element("bdi", { text: name });
  return element("tr", { kind: rowKind }, element("td", {}, title), element("td", { kind: `number ${kind}`, text: name === "score" ? scoreText(adds) : signedText(adds) }));
}
