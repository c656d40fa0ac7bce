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

const counted = (n, what) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;
// a probability is not shown as 0 or 1 unless it is
const probabilityText = (p) => p > 0 && p < 0.0005 ? "< 0.001" : p < 1 && p > 0.9995 ? "> 0.999" : p.toFixed(3);
const infinite = (x) => x > 0 ? "∞" : "−∞";
const scoreText = (x) => Number.isFinite(x) ? x.toFixed(3).replace("-", "−") : infinite(x);
const less = (x, y) => x === y ? 0 : x - y; // two equal infinities differ by nothing
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
    const rival = this.rival(c), rows = this.reasons(c, rival), shown = rows.slice(0, SHOWN_TERMS), others = rows.slice(SHOWN_TERMS);
    this.showHeading(c, rival);
    byId("verdict").textContent = this.verdict(c);
    this.mark(new Map(rows.map(([term, , speaks]) => [term, speaks])));
    const sum = (place) => runningSum(others.map((row) => row[place])), { scores } = this.prediction;
    const [base, rivalBase] = [c, rival].map((label) => label === null ? 0 : this.model.explain(this.prediction, label).base);
    byId("terms").replaceChildren(
      ...shown.map((row) => this.termRow(...row)),
      ...(others.length ? [this.termRow(counted(others.length, "other term"), sum(1), sum(2), "sum")] : []),
      this.termRow("before any term", base, less(base, rivalBase), "sum"),
      this.termRow("score", scores[c], rival === null ? 0 : less(scores[c], scores[rival]), "sum"),
    );
  }

  // Of labels that exclude each other the most probable other one: a word then speaks for one rather than for the other.
  // What it adds to each by itself says little; with naive Bayes that is the logarithm of a probability, always below 0.
  rival(c) { return this.model.rule.multilabel ? null : this.ranking.find((other) => other !== c) ?? null; }

  // Terms: what each adds to the score, and how much it speaks for the label; the strongest first.
  reasons(c, rival) {
    const { terms } = this.model.explain(this.prediction, c, Infinity);
    if (rival === null) return terms.map(([term, adds]) => [term, adds, adds]);
    const rivals = new Map(this.model.explain(this.prediction, rival, Infinity).terms);
    return terms.map(([term, adds]) => [term, adds, less(adds, rivals.get(term))]).sort((a, b) => Math.abs(b[2]) - Math.abs(a[2]));
  }

  showHeading(c, rival) {
    const given = this.prediction.decisions[c] === 1;
    byId("why-not").textContent = given ? "Why" : "Why not";
    byId("why-label").textContent = this.model.labels[c];
    byId("rival").textContent = rival === null ? "" : given ? " rather than " : " but ";
    for (const id of ["rival-label", "rival-column"]) byId(id).textContent = rival === null ? "" : this.model.labels[rival];
    byId("rival-heading").hidden = rival === null;
  }

  termRow(name, adds, speaks, kind = "") {
    const rival = !byId("rival-heading").hidden, isTerm = kind === "", direction = isTerm ? speaks >= 0 ? "for" : "against" : "";
    const numbers = [[name === "score" ? scoreText(adds) : signedText(adds), rival ? "" : direction], ...(rival ? [[signedText(speaks), direction]] : [])];
    return element("tr", { kind }, element("td", {}, isTerm ? element("bdi", { text: name }) : name),
      ...numbers.map(([text, colour]) => element("td", { kind: `number ${colour}`, text })));
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
