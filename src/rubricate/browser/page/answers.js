// Files out: the rows that came in with their labels, as CSV for spreadsheets, or as the JSON Lines of `rubricate predict`.

const LEAST = 0.0005; // probabilities below are written only of labels that are given
const BETWEEN = "|"; // labels in a cell
const FORMULA = /^[=+\-@\t\r]/; // a spreadsheet would take such a cell for a formula

// To six digits, halves to the even one, as Python has it.
function sixDigits(p) {
  const whole = Math.floor(p * 1e6), rest = p * 1e6 - whole;
  return (rest > 0.5 || rest === 0.5 && whole % 2 === 1 ? whole + 1 : whole) / 1e6;
}

// Labels that are given, or probable enough to be told: [label, probability, given], the most probable first.
function shownLabels(labels, { probabilities, decisions }) {
  const rows = labels.map((label, c) => [label, sixDigits(probabilities[c]), decisions[c] === 1, probabilities[c]]);
  return rows.filter(([, , given, p]) => given || p >= LEAST).sort((a, b) => b[1] - a[1]);
}

// answers: { id, row, prediction } or { id, row, problem }
function jsonLines(labels, answers) {
  return answers.map(({ id, prediction, problem }) => {
    if (problem) return JSON.stringify({ id, problem }) + "\n";
    const shown = shownLabels(labels, prediction);
    const given = shown.filter((row) => row[2]).map(([label]) => label);
    return JSON.stringify({ id, labels: given, probabilities: Object.fromEntries(shown.map(([label, p]) => [label, p])) }) + "\n";
  }).join("");
}

// All columns of the file, then what was found; with a byte order mark and CR LF, as Excel wants it.
function csvTable(labels, columns, answers) {
  const lines = answers.map(({ id, row, prediction, problem }) => {
    const given = problem ? [] : shownLabels(labels, prediction).filter((shown) => shown[2]);
    const cells = columns.map((name) => cellText(row.cells?.get(name)));
    return [id, ...cells, given.map(([label]) => label).join(BETWEEN), given.map(([, p]) => p).join(BETWEEN), problem ?? ""];
  });
  const header = ["row", ...columns, "predicted_labels", "predicted_probabilities", "problem"];
  return "\uFEFF" + [header, ...lines].map((line) => line.map(csvCell).join(",") + "\r\n").join("");
}

const cellText = (value) => value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);

function csvCell(value) {
  const text = FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
