// Why a text has a label or has not: the score beside its threshold, the words marked in the text, and what each term adds.
//
// Of labels that exclude each other a word speaks for one rather than for another, the rival. What it adds to each by itself
// says little: with naive Bayes that is the logarithm of a probability, always below 0.

const SHOWN_TERMS = 12;
const WORTH_MARKING = 0.04; // of what the strongest word adds

const less = (x, y) => x === y ? 0 : x - y; // two equal infinities differ by nothing

class WhyView {
  constructor(model) { this.model = model; }

  // c: the label; rival: another one, or null.
  show(texts, prediction, c, rival) {
    const { scores } = prediction, { base } = this.model.explain(prediction, c);
    const baseAhead = rival === null ? base : less(base, this.model.explain(prediction, rival).base);
    const scoreAhead = rival === null ? scores[c] : less(scores[c], scores[rival]);
    const rows = this.reasons(prediction, c, rival), shown = rows.slice(0, SHOWN_TERMS), others = rows.slice(SHOWN_TERMS);
    const sum = (part) => runningSum(others.map((row) => row[part]));
    this.showHeading(prediction.decisions[c] === 1, c, rival);
    byId("verdict").textContent = this.verdict(prediction, c);
    this.mark(texts, new Map(rows.map(({ term, speaks }) => [term, speaks])));
    byId("terms").replaceChildren(
      ...shown.map(({ term, adds, speaks }) => termRow(element("bdi", { text: term }), adds, speaks, rival)),
      ...(others.length ? [sumRow(counted(others.length, "other term"), signedText(sum("adds")), sum("speaks"), rival)] : []),
      sumRow("before any term", signedText(base), baseAhead, rival),
      sumRow("score", scoreText(scores[c]), scoreAhead, rival),
    );
  }

  // Terms: what each adds to the score, and how much it speaks for the label; the strongest first.
  reasons(prediction, c, rival) {
    const { terms } = this.model.explain(prediction, c, Infinity);
    if (rival === null) return terms.map(([term, adds]) => ({ term, adds, speaks: adds }));
    const rivals = new Map(this.model.explain(prediction, rival, Infinity).terms);
    const rows = terms.map(([term, adds]) => ({ term, adds, speaks: less(adds, rivals.get(term)) }));
    return rows.sort((a, b) => Math.abs(b.speaks) - Math.abs(a.speaks));
  }

  showHeading(given, c, rival) {
    byId("why-not").textContent = given ? "Why" : "Why not";
    byId("why-label").textContent = this.model.labels[c];
    byId("rival").textContent = rival === null ? "" : given ? " rather than " : " but ";
    for (const id of ["rival-label", "rival-column"]) byId(id).textContent = rival === null ? "" : this.model.labels[rival];
    byId("rival-heading").hidden = rival === null;
  }

  verdict({ decisions, scores, probabilities }, c) {
    const { thresholds } = this.model.rule, given = decisions[c] === 1;
    const start = `${given ? "Given" : "Not given"}, probability ${probabilityText(probabilities[c])}`;
    if (thresholds === null) return `${start}.`;
    return `${start}: the score ${scoreText(scores[c])} is ${given ? "above" : "not above"} the threshold ${scoreText(thresholds[c])}.`;
  }

  mark(texts, speaks) {
    const { fields, prefix_fields: prefixed } = this.model.head.recipe;
    const most = [...speaks.values()].reduce((a, b) => Math.max(a, Math.abs(b)), 1e-12);
    byId("marked").replaceChildren(...texts.map((text, i) => {
      const spans = this.model.spans(text, speaks, prefixed ? `${fields[i]}:` : "");
      return markedText(text, spans.filter(([, , x]) => Math.abs(x) / most >= WORTH_MARKING), most);
    }));
  }
}

// A text with marks at [start, end, x]; the stronger, the nearer x is to the most.
function markedText(text, spans, most) {
  const line = element("div");
  let end = 0;
  for (const [start, stop, x] of spans) {
    const share = Math.abs(x) / most, strength = share > 0.66 ? "s3" : share > 0.33 ? "s2" : "s1";
    const kind = `${x >= 0 ? "for" : "against"} ${strength}`;
    line.append(text.slice(end, start), element("mark", { kind, title: signedText(x), text: text.slice(start, stop) }));
    end = stop;
  }
  line.append(text.slice(end));
  return line;
}

// A term: what it adds and, beside a rival, how much more that is.
function termRow(name, adds, speaks, rival) {
  const direction = speaks >= 0 ? "number for" : "number against";
  const first = [signedText(adds), rival === null ? direction : "number"];
  return tableRow("", name, rival === null ? [first] : [first, [signedText(speaks), direction]]);
}

function sumRow(name, adds, ahead, rival) {
  return tableRow("sum", name, rival === null ? [[adds, "number"]] : [[adds, "number"], [signedText(ahead), "number"]]);
}

function tableRow(kind, name, numbers) {
  return element("tr", { kind }, element("td", {}, name), ...numbers.map(([text, cell]) => element("td", { kind: cell, text })));
}
