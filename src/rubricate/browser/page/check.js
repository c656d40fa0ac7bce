// The self-check: some texts with what Python says of them, worked out again in this browser when the page is opened.

const NEAR = 1e-9; // of scores (relative above 1) and of probabilities

// A sentence for each thing that comes out otherwise than in Python; none if all is well.
function differences(model, payload) {
  const { texts } = payload.head.check, n = model.labels.length, problems = [];
  const [scores, probabilities, decisions] = ["scores", "probabilities", "decisions"].map((name) => payload.array(`check.${name}`));
  const row = (table, i) => table.subarray(i * n, (i + 1) * n);
  texts.forEach(({ fields, terms }, i) => {
    const prediction = model.predict(fields);
    const differs = (name, table, isNear) => {
      const c = prediction[name].findIndex((x, label) => !isNear(x, row(table, i)[label]));
      if (c >= 0) problems.push(`text ${i + 1}, label ${model.labels[c]}: ${name} ${prediction[name][c]}, not ${row(table, i)[c]}`);
    };
    if (JSON.stringify(prediction.terms) !== JSON.stringify(terms)) problems.push(`text ${i + 1}: other terms`);
    differs("scores", scores, (x, then) => x === then || Math.abs(x - then) <= NEAR * Math.max(1, Math.abs(then)));
    differs("probabilities", probabilities, (x, then) => Math.abs(x - then) <= NEAR);
    differs("decisions", decisions, (x, then) => x === then);
  });
  return problems;
}
