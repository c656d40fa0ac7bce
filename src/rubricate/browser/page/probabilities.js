// Scores to probabilities: by the calibration curves that were fitted on held-out documents, as `scoring/calibrated.py` has
// them, or without any by a sigmoid or softmax.

const SUREST = 1e-12; // a probability of 0 has no logarithm
const LEAST_KEPT = 0.01; // of what the most probable label is ahead, where nothing is borne out

class Calibration {
  constructor(payload) {
    Object.assign(this, payload.head.calibration); // curve, joint, exclusive, multilabel, temperature, of_probabilities, surest
    for (const part of ["lowest", "highest", "slope", "offset", "a", "b", "c", "at", "value", "ends"]) {
      this[part] = payload.array(`curves.${part}`);
    }
    const [lowest, highest] = ["lowest", "highest"].map((part) => payload.array(`bounds.${part}`));
    this.bounds = lowest && { lowest, highest };
  }

  probabilities(scores) {
    if (this.curve === null) return this.multilabel ? scores.map(expit) : softmax(scores);
    const s = (this.joint ? logPosteriors(scores) : scores).map((x, c) => this.finite(x, c));
    const p = this.curves(s), total = runningSum(p);
    const shares = this.exclusive ? p.map((x) => total > 0 ? x / total : 1 / p.length) : p;
    if (!this.bounds) return shares;
    return this.exclusive ? this.mixed(shares) : shares.map((x, c) => squeezed(x, this.bounds.lowest[c], this.bounds.highest[c]));
  }

  // Infinite scores count as the lowest or highest that was seen.
  finite(x, c) { return x === -Infinity ? this.lowest[c] : x === Infinity ? this.highest[c] : x; }

  curves(s) {
    switch (this.curve) {
      case "sigmoid": return s.map((x, c) => expit(this.slope[c] * x + this.offset[c]));
      case "isotonic": return s.map((x, c) => {
        const [start, end] = [this.ends[c], this.ends[c + 1]];
        return interpolate(x, this.at.subarray(start, end), this.value.subarray(start, end));
      });
      case "temperature": {
        const tempered = s.map((x) => this.logit(x) / this.temperature);
        return this.exclusive ? softmax(tempered) : tempered.map(expit);
      }
      case "beta": return s.map((x, c) => {
        const p = clip(x, this.surest, 1 - this.surest);
        return expit(this.a[c] * Math.log(p) + this.b[c] * -Math.log1p(-p) + this.c[c]);
      });
      case "unchanged": return s.map((x) => clip(x, 0, 1));
      default: throw new Error(`unknown calibration ${this.curve}`);
    }
  }

  logit(x) {
    if (!this.of_probabilities) return x;
    const p = clip(x, SUREST, 1 - SUREST);
    return this.exclusive ? Math.log(p) : Math.log(p) - Math.log1p(-p);
  }

  // Exclusive labels, no surer than the bounds: what is taken from the most probable is spread over all alike.
  mixed(p) {
    if (p.length < 2) return p;
    const best = p.reduce((a, b) => Math.max(a, b)), even = 1 / p.length, highest = this.bounds.highest[0];
    const knee = Math.max(2 * highest - 1, even), above = Math.max(best - knee, 0);
    const moved = 1 - Math.max((highest - knee) / (1 - knee), LEAST_KEPT);
    const spread = above > 0 ? moved * above / (best - even) : 0;
    return p.map((x) => (1 - spread) * x + spread * even);
  }
}

const clip = (x, low, high) => Math.min(Math.max(x, low), high);
const expit = (x) => 1 / (1 + Math.exp(-x));

function softmax(s) {
  const highest = s.reduce((a, b) => Math.max(a, b), -Infinity), powers = s.map((x) => Math.exp(x - highest));
  return scaledDown(powers, runningSum(powers));
}

const scaledDown = (numbers, total) => numbers.map((x) => x / total);

// log Pr(C|d) of log Pr(C, d): the highest, and what equals it, stand apart from the sum.
function logPosteriors(joint) {
  const highest = joint.reduce((a, b) => Math.max(a, b), -Infinity), others = joint.filter((x) => x !== highest);
  const m = joint.length - others.length, s = runningSum(others.map((x) => Math.exp(x - highest)));
  const total = Math.log1p(s === 0 ? s : s / m) + Math.log(m) + highest;
  return joint.map((x) => x - (Number.isFinite(total) ? total : 0));
}

// Straight between corners, level outside them.
function interpolate(x, at, value) {
  const last = at.length - 1;
  if (!(x > at[0])) return value[0];
  if (!(x < at[last])) return value[last];
  let low = 0, high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (at[middle] <= x) low = middle; else high = middle;
  }
  return (value[high] - value[low]) / (at[high] - at[low]) * (x - at[low]) + value[low];
}

// 0 becomes the lowest and 1 the highest; what is farther from 0 and 1 than twice that stays, if anything is.
function squeezed(p, lowest, highest) {
  const low = 2 * lowest, high = 2 * highest - 1;
  if (low > high) return lowest + p * (highest - lowest);
  if (p < low) return lowest + p * (low - lowest) / low;
  return p > high ? high + (p - high) * (highest - high) / (1 - high) : p;
}
