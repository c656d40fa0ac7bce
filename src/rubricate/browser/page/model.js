// The whole: texts to terms, scores, probabilities, decisions and reasons, as `scoring/predictor.py` does it. No part of this
// looks at the page.

const WORD = /[\p{L}\p{M}\p{N}_]+/gu, STRETCH = /\S+/gu; // to mark words in a text; scores never depend on these

class Model {
  constructor(payload, stemmer) {
    const { head } = payload, n = head.labels.length;
    this.head = head;
    this.labels = head.labels;
    this.recipe = new Recipe(head.recipe, new Characters(payload), stemmer);
    this.columns = new Map(head.terms.map((term, column) => [term, column]));
    this.weighting = head.weighting ? new Weighting(payload, new Logarithms(payload)) : null;
    this.form = head.form.kind === "linear" ? new Linear(payload, n) : new Additive(payload, n);
    this.calibration = new Calibration(payload);
    this.rule = new Rule(payload);
    // what is said of a document without a known word is always the same
    this.unknown = {
      scores: payload.array("unknown.scores"),
      probabilities: payload.array("unknown.probabilities"),
      decisions: payload.array("unknown.decisions"),
    };
  }

  // texts: of the document's fields, one after the other.
  predict(texts) {
    const terms = this.recipe.terms(texts), counts = this.count(terms);
    if (counts.columns.length === 0) return { terms, counts, ...this.unknown };
    const scores = this.form.scores(this.weigh(counts));
    const perWord = this.head.per_word ? scaledDown(scores, runningSum(counts.values)) : scores;
    const probabilities = this.calibration.probabilities(perWord);
    return { terms, counts, scores: perWord, probabilities, decisions: this.rule.decide(perWord, probabilities) };
  }

  // The columns of known terms, ascending, and how often each occurs.
  count(terms) {
    const times = new Map();
    for (const term of terms) {
      const column = this.columns.get(term);
      if (column !== undefined) times.set(column, (times.get(column) ?? 0) + 1);
    }
    const columns = Uint32Array.from(times.keys()).sort();
    return { columns, values: Float64Array.from(columns, (column) => times.get(column)) };
  }

  weigh(counts) { return this.weighting ? this.weighting.of(counts) : counts; }

  // Why a document has a label or has not: terms with what they add, the largest first; what the others add; what is there
  // without terms.
  explain({ counts, scores }, label, limit = 20) {
    if (counts.columns.length === 0) return { terms: [], others: 0, base: scores[label] };
    const words = this.head.per_word ? runningSum(counts.values) : 1, document = this.weigh(counts);
    const { contributions, base } = this.form.explain(document, label);
    const terms = contributions.map((x, i) => [this.head.terms[document.columns[i]], x / words]);
    terms.sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
    return { terms: terms.slice(0, limit), others: runningSum(terms.slice(limit).map(([, x]) => x)), base: base / words };
  }

  // Places by probability: the labels that are given first, then the others, the most probable first.
  ranking({ decisions, probabilities }) {
    return [...probabilities.keys()].sort((a, b) => decisions[b] - decisions[a] || probabilities[b] - probabilities[a] || a - b);
  }

  // The probability at each label's threshold, where one curve leads from a score to its probability; otherwise null.
  thresholdProbabilities() {
    if (this.rule.name === "half" && this.rule.multilabel) return new Float64Array(this.labels.length).fill(0.5);
    return this.rule.thresholds && !this.calibration.exclusive ? this.calibration.probabilities(this.rule.thresholds) : null;
  }

  // Where words of a text stand that become one of these terms: start, end, what the term adds. A word is a run of letters and
  // digits or, where that is no term by itself (`don't`), what stands between spaces. adds: a Map by term.
  spans(text, adds, prefix = "") {
    const termsOf = (part) => this.recipe.termsOf(part).map((term) => prefix + term), out = [];
    for (const stretch of text.matchAll(STRETCH)) {
      const whole = { text: stretch[0], start: stretch.index, terms: termsOf(stretch[0]) };
      const runs = [...stretch[0].matchAll(WORD)].map((run) => {
        return { text: run[0], start: stretch.index + run.index, terms: termsOf(run[0]) };
      });
      const apart = runs.every((run) => run.terms.every((term) => whole.terms.includes(term)));
      for (const word of apart ? runs : [whole]) {
        const end = word.start + word.text.length;
        if (word.terms.length === 1 && adds.has(word.terms[0])) out.push([word.start, end, adds.get(word.terms[0])]);
      }
    }
    return out;
  }
}
