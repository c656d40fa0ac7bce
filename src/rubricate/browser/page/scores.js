// Scores: sums over the terms of a document, additive or linear. `scoring/additive.py` and `scoring/linear.py` have the
// equations; every sum is made in their order.

// Weights, terms x labels. Of a sparse table the entries of a term stand together, its labels ascending.
class TableByTerm {
  constructor(payload, name, nLabels) {
    this.values = payload.array(`${name}.values`);
    this.labels = payload.array(`${name}.labels`); // null: dense
    this.nLabels = nLabels;
    if (this.labels === null) return;
    const sizes = payload.array(`${name}.sizes`);
    this.ends = new Uint32Array(sizes.length + 1);
    sizes.forEach((size, i) => { this.ends[i + 1] = this.ends[i] + size; });
  }

  // scores[c] += value * weight, term after term and label after label.
  addProduct({ columns, values }, scores) {
    for (let i = 0; i < columns.length; i++) {
      const [start, end] = this.stretch(columns[i]);
      for (let j = start; j < end; j++) scores[this.labels ? this.labels[j] : j - start] += values[i] * this.values[j];
    }
  }

  at(column, label) {
    const [start, end] = this.stretch(column);
    if (this.labels === null) return this.values[start + label];
    for (let j = start; j < end; j++) if (this.labels[j] === label) return this.values[j];
    return 0;
  }

  stretch(column) {
    return this.labels ? [this.ends[column], this.ends[column + 1]] : [column * this.nLabels, (column + 1) * this.nLabels];
  }
}

// bias + sum over terms of gain (default + common + table[group] + weights); the dense parts may be missing.
class Layer {
  constructor(payload, name, nLabels) {
    for (const part of ["bias", "default", "common", "groups", "table"]) this[part] = payload.array(`${name}.${part}`);
    this.weights = new TableByTerm(payload, name, nLabels);
  }

  scores(gains) {
    const { columns, values } = gains, scores = Float64Array.from(this.bias), n = scores.length;
    if (this.default) addScaled(scores, this.default, runningSum(values));
    if (this.common) {
      const sum = dotAt(values, this.common, columns);
      for (let c = 0; c < n; c++) scores[c] += sum;
    }
    if (this.groups) addScaled(scores, this.groupedScores(gains, n), 1);
    this.weights.addProduct(gains, scores);
    return scores;
  }

  // Groups are added in reverse order of first appearance, as the package does it.
  groupedScores({ columns, values }, n) {
    const sums = new Map(), out = new Float64Array(n);
    columns.forEach((v, i) => sums.set(this.groups[v], (sums.get(this.groups[v]) ?? 0) + values[i]));
    for (const [group, sum] of [...sums].reverse()) addScaled(out, this.table.subarray(group * n, (group + 1) * n), sum);
    return out;
  }

  // What each term adds to one label.
  contributions({ columns, values }, label) {
    return Array.from(columns, (v, i) => {
      let weight = this.weights.at(v, label);
      if (this.default) weight += this.default[label];
      if (this.common) weight += this.common[v];
      if (this.groups) weight += this.table[this.groups[v] * this.bias.length + label];
      return weight * values[i];
    });
  }
}

function addScaled(out, numbers, factor) {
  for (let c = 0; c < out.length; c++) out[c] += factor * numbers[c];
}

class Additive {
  constructor(payload, nLabels) {
    const { gain, cosine, layers, rest } = payload.head.form;
    Object.assign(this, { gain, cosine });
    this.layers = Array.from({ length: layers }, (_, k) => new Layer(payload, `layer${k}`, nLabels));
    this.rest = rest ? new Layer(payload, "rest", nLabels) : null;
    for (const part of ["whole", "scale"]) this[part] = payload.array(`rest.${part}`);
    for (const part of ["log_prior", "fallback", "idf", "known"]) this[part] = payload.array(part);
  }

  // What each term of a document counts, in every gain but "levels".
  gains({ columns, values: tf }) {
    let values = tf;
    if (this.gain === "presence") values = tf.map(() => 1);
    if (this.gain === "tfidf") {
      values = tf.map((n, i) => n * this.idf[columns[i]]);
      if (this.cosine) values = scaled(values, lengthFactor(sumOfSquares(values)));
    }
    if (this.gain === "shares") {
      values = tf.map((n, i) => n * this.known[columns[i]]);
      const total = runningSum(values);
      values = scaled(values, 1 / (total > 0 ? total : 1));
    }
    return { columns, values };
  }

  // The layers that the document reaches, with the terms that reach them: the first all, layer k those that occur k times.
  levels({ columns, values }) {
    const out = [];
    for (let k = 1; k <= this.layers.length; k++) {
      const reached = columns.filter((_, i) => values[i] >= k);
      if (k > 1 && reached.length === 0) break;
      out.push([this.layers[k - 1], { columns: reached, values: new Float64Array(reached.length).fill(1) }]);
    }
    return out;
  }

  scores(document) {
    let scores;
    if (this.gain === "levels") {
      const [first, ...higher] = this.levels(document).map(([layer, gains]) => layer.scores(gains));
      scores = first;
      for (const more of higher) addScaled(scores, more, 1);
    } else {
      const gains = this.gains(document);
      scores = this.layers[0].scores(gains);
      if (this.fallback && runningSum(gains.values) <= 0) scores = Float64Array.from(this.fallback);
      if (this.rest) addScaled(scores, this.restScores(gains), -1);
    }
    addScaled(scores, this.log_prior, 1);
    return scores;
  }

  restScores(gains) {
    const scores = this.rest.scores(gains);
    addScaled(scores, this.scale, dotAt(gains.values, this.whole, gains.columns));
    return scores;
  }

  // What each term adds to one label, and what is there without terms.
  explain(document, label) {
    const contributions = this.gain === "levels" ? this.levelContributions(document, label) : this.gainContributions(document, label);
    return { contributions, base: this.scores(document)[label] - runningSum(contributions) };
  }

  levelContributions(document, label) {
    const sums = new Map();
    for (const [layer, gains] of this.levels(document)) {
      layer.contributions(gains, label).forEach((x, i) => sums.set(gains.columns[i], (sums.get(gains.columns[i]) ?? 0) + x));
    }
    return Array.from(document.columns, (v) => sums.get(v));
  }

  gainContributions(document, label) {
    const gains = this.gains(document), contributions = this.layers[0].contributions(gains, label);
    if (!this.rest) return contributions;
    const rest = this.rest.contributions(gains, label);
    return contributions.map((x, i) => x - (rest[i] + this.whole[gains.columns[i]] * gains.values[i] * this.scale[label]));
  }
}

// As numpy's reduceat makes it: the first square, and the pairwise sum of the others; zeros are not there.
function sumOfSquares(values) {
  const squares = values.map((x) => x * x).filter((x) => x !== 0);
  return squares.length ? squares[0] + pairwiseSum(squares, 1, squares.length - 1) : 0;
}

// bias + w . x, w = weights + factor * shared
class Linear {
  constructor(payload, nLabels) {
    for (const part of ["bias", "factors", "shared"]) this[part] = payload.array(`linear.${part}`);
    this.weights = new TableByTerm(payload, "linear", nLabels);
  }

  scores(document) {
    const scores = Float64Array.from(this.bias);
    if (this.factors) addScaled(scores, this.factors, dotAt(document.values, this.shared, document.columns));
    this.weights.addProduct(document, scores);
    return scores;
  }

  explain({ columns, values }, label) {
    const shared = (v) => this.factors ? this.shared[v] * this.factors[label] : 0;
    return { contributions: Array.from(columns, (v, i) => (this.weights.at(v, label) + shared(v)) * values[i]), base: this.bias[label] };
  }
}
