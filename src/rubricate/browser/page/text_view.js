// One text: boxes to type in, and its labels with their probabilities. A label that is clicked is explained by the WhyView.

const SHOWN_LABELS = 6;
const PAUSE = 150; // milliseconds after the last key
const INVITATION = "Type or paste a text: its labels appear here.";

class TextView {
  constructor(model) {
    this.model = model;
    this.why = new WhyView(model);
    this.thresholds = model.thresholdProbabilities();
    this.everyLabel = false;
    const fields = model.head.recipe.fields ?? ["Text"];
    this.boxes = fields.map((name, i) => this.makeBox(name, i, fields.length === 1 ? 8 : i === 0 ? 2 : 6));
    byId("legend").textContent = `The bar is the probability of a label${this.ruleText()}.`;
    byId("summary").textContent = INVITATION;
    byId("every").addEventListener("click", () => { this.everyLabel = !this.everyLabel; this.showLabels(); });
  }

  makeBox(name, i, rows) {
    const box = element("textarea", { id: `text-${i}`, rows, dir: "auto", spellcheck: false, autocomplete: "off" });
    byId("boxes").append(element("label", { htmlFor: box.id, text: name }), box);
    box.addEventListener("input", () => { clearTimeout(this.waiting); this.waiting = setTimeout(() => this.show(), PAUSE); });
    return box;
  }

  ruleText() {
    const { name, multilabel, k } = this.model.rule;
    if (this.thresholds) return "; the line across it is the label's threshold. A label is given above its threshold";
    if (!multilabel) return "; the most probable one is given";
    return name === "top" ? `; the best ${k} by score are given` : "";
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
    const isEmpty = this.texts.every((text) => text.trim() === "");
    byId("result").hidden = isEmpty;
    byId("summary").className = isEmpty ? "quiet" : "";
    byId("summary").textContent = INVITATION;
    if (isEmpty) return;
    this.prediction = this.model.predict(this.texts);
    this.ranking = this.model.ranking(this.prediction);
    this.chosen = this.ranking[0];
    byId("summary").replaceChildren(...this.summary());
    this.showLabels();
  }

  summary() {
    const { decisions, counts } = this.prediction, given = this.ranking.filter((c) => decisions[c]);
    const names = given.map((c) => element("strong", {}, element("bdi", { text: this.model.labels[c] })));
    const list = names.flatMap((name, i) => i ? [", ", name] : [name]);
    const sentence = given.length ? ["It gets ", ...list, "."] : ["It gets no label; the most probable are shown."];
    return counts.columns.length ? sentence : [...sentence, " The model knows none of its words: a person should look at it."];
  }

  showLabels() {
    const given = runningSum(this.prediction.decisions), all = this.ranking.length;
    const some = Math.min(all, Math.max(SHOWN_LABELS, given + 2)), shown = this.everyLabel ? all : some;
    byId("every").hidden = all <= some;
    byId("every").textContent = this.everyLabel ? "Show fewer labels" : `Show all ${counted(all, "label")}`;
    byId("labels").replaceChildren(...this.ranking.slice(0, shown).map((c) => element("li", {}, this.labelButton(c))));
    this.choose(this.chosen);
  }

  labelButton(c) {
    const p = this.prediction.probabilities[c], given = this.prediction.decisions[c] === 1;
    const aloud = element("span", { kind: "unseen", text: given ? ": given, probability" : ": not given, probability" });
    const name = element("span", {}, given ? "✓ " : "", element("bdi", { text: this.model.labels[c] }), aloud);
    const line = element("span", { kind: "line" }, name, element("span", { kind: "number", text: probabilityText(p) }));
    const button = element("button", { type: "button", kind: given ? "given" : "" }, line, this.meter(c, p));
    button.dataset.label = c;
    button.addEventListener("click", () => this.choose(c));
    return button;
  }

  // A bar for the eye alone: the number beside it says the same.
  meter(c, p) {
    const threshold = this.threshold(c), meter = element("span", { kind: threshold === null ? "meter" : "meter cut", ariaHidden: "true" });
    meter.style.setProperty("--p", p);
    if (threshold !== null) {
      meter.style.setProperty("--t", threshold);
      meter.title = `threshold at a probability of ${probabilityText(threshold)}`;
    }
    return meter;
  }

  // The threshold as a probability; null where there is none, or none that a score could reach.
  threshold(c) {
    const score = this.model.rule.thresholds?.[c] ?? 0;
    return this.thresholds === null || !Number.isFinite(score) ? null : this.thresholds[c];
  }

  choose(c) {
    this.chosen = c;
    for (const button of byId("labels").querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.label) === c));
    }
    this.why.show(this.texts, this.prediction, c, this.rival(c));
  }

  // Of labels that exclude each other the most probable other one; null where each label is decided by itself.
  rival(c) { return this.model.rule.multilabel ? null : this.ranking.find((other) => other !== c) ?? null; }
}
