// Counts to weights, for models of weighted documents: `scoring/weighting.py` has the formulas. A document is
// { columns, values }: the columns of its terms, ascending, and beside each how often it occurs, or its weight.

const K = 1.2, B = 0.75; // of BM25
const TINY = 1e-300;

class Weighting {
  constructor(payload, logarithms) {
    Object.assign(this, payload.head.weighting); // name, average_length
    this.perTerm = payload.array("weighting.per_term"); // idf, or what a formula has in its place
    this.logarithms = logarithms;
  }

  // The document with weights in place of counts; terms that weigh nothing are left out.
  of({ columns, values }) {
    const weights = this.weights(columns, values);
    const places = [...weights.keys()].filter((i) => weights[i] !== 0);
    return { columns: Uint32Array.from(places, (i) => columns[i]), values: Float64Array.from(places, (i) => weights[i]) };
  }

  weights(columns, tf) {
    const length = runningSum(tf), highest = tf.reduce((a, b) => Math.max(a, b), 0);
    const local = tf.map((n) => this.local(n, length, highest));
    if (this.perTerm === null) return local;
    const weights = local.map((x, i) => x * this.perTerm[columns[i]]);
    if (!["ltc", "tfc", "wilbur_tfidf", "wilbur_idf"].includes(this.name)) return weights;
    return scaled(weights, lengthFactor(runningSum(weights.map((x) => x * x))));
  }

  // What n occurrences count. length: of the document; highest: n of its commonest term.
  local(n, length, highest) {
    const average = Math.max(this.average_length, TINY);
    switch (this.name) {
      case "binary": case "wilbur_idf": return 1;
      case "tf": case "tfc": return n;
      case "log_tf": case "wilbur_tfidf": return this.logarithms.log1p(n);
      case "ltc": return 1 + this.logarithms.log(n);
      case "bm25": return n * (K + 1) / (n + K * (1 - B + B * length / average));
      case "inquery_okapi": return 0.6 * (n / (n + 0.5 + 1.5 * length / average));
      case "inquery": {
        const h = highest <= 200 ? 1 : 200 / highest;
        return 0.6 * (0.4 * h + 0.6 * Math.log(n + 0.5) / this.logarithms.log(highest + 1));
      }
      default: throw new Error(`unknown weighting ${this.name}`);
    }
  }
}
