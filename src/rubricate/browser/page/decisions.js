// Scores and probabilities to decisions, a 0 or 1 for each label: `scoring/rules.py` has the rules.

const TIE = 1e-12; // values so near to the best are as good
const SAME = 1e-12; // two scores are the same score if they agree to so many digits

class Rule {
  constructor(payload) {
    Object.assign(this, payload.head.rule); // name, multilabel, k, model_threshold, only_best, ties_by_score
    this.thresholds = payload.array("rule.thresholds");
  }

  decide(scores, probabilities) {
    if (this.name === "own") return this.byModel(scores);
    if (this.thresholds) return decisions(scores, (c) => scores[c] > this.thresholds[c]);
    if (this.name === "half" && this.multilabel) return decisions(scores, (c) => probabilities[c] > 0.5);
    if (this.multilabel) {
      const best = new Set(ranked(scores).slice(0, this.k));
      return decisions(scores, (c) => best.has(c));
    }
    const best = firstBest(probabilities, this.ties_by_score ? bounded(scores) : null);
    return decisions(scores, (c) => c === best);
  }

  byModel(scores) {
    const best = firstBest(this.multilabel ? scores : bounded(scores));
    if (!this.multilabel) return decisions(scores, (c) => c === best);
    return decisions(scores, (c) => scores[c] > this.model_threshold && (!this.only_best || c === best));
  }
}

const decisions = (scores, isGiven) => Uint8Array.from(scores, (_, c) => isGiven(c) ? 1 : 0);

// Labels of which nothing is known (-Infinity) come last, not nowhere.
const bounded = (scores) => scores.map((x) => x === -Infinity ? -1e300 : x);

// The place of the best value; of those within a tie the best by `ties`, then the first.
function firstBest(values, ties = null) {
  const best = values.reduce((a, b) => Math.max(a, b), -Infinity);
  if (ties !== null) return firstBest(ties.map((x, c) => values[c] >= best - TIE ? x : -Infinity));
  return values.findIndex((x) => x >= best - TIE);
}

// Places by score, the highest first; of scores that are the same to 12 digits the first.
function ranked(scores) {
  const order = [...scores.keys()].sort((a, b) => compare(scores[b], scores[a]) || a - b), steps = new Map([[order[0], 0]]);
  for (let i = 1; i < order.length; i++) {
    const step = isHigher(scores[order[i - 1]], scores[order[i]]) ? 1 : 0;
    steps.set(order[i], steps.get(order[i - 1]) + step);
  }
  return order.sort((a, b) => steps.get(a) - steps.get(b) || a - b);
}

const compare = (x, y) => x < y ? -1 : x > y ? 1 : 0; // a difference of two infinities would be no number

function isHigher(x, y) {
  const size = Number.isFinite(x) && Number.isFinite(y) ? Math.max(Math.abs(x), Math.abs(y)) : 0;
  return x - y > SAME * size;
}
