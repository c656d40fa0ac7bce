// Files in: bytes to rows with named cells. CSV as `corpus/readers/delimited.py` reads it, JSON Lines, and text with a document
// a line. A row is { line, cells: Map } or, where it cannot be used, { line, problem }.

const SEPARATORS = [",", "\t", ";", "|"];
const BODIES = ["text", "body", "content", "document", "message", "abstract"], TITLES = ["title", "subject"], IDS = ["id", "uid", "docid"];
const HALF_CHARACTER = /\p{Surrogate}/u;

// UTF-8, or UTF-16 with its mark; what is neither is read as Windows writes it, and that is said.
function decodeBytes(bytes) {
  if (bytes[0] === 0xFF && bytes[1] === 0xFE) return { text: new TextDecoder("utf-16le").decode(bytes), encoding: "UTF-16" };
  if (bytes[0] === 0xFE && bytes[1] === 0xFF) return { text: new TextDecoder("utf-16be").decode(bytes), encoding: "UTF-16" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "UTF-8" };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "not UTF-8, taken for Windows-1252" };
  }
}

// { columns, rows } of a file, by the end of its name or, failing that, by how it begins.
function readRows(name, text) {
  if (/\.(csv|tsv)$/i.test(name)) return csvRows(text);
  if (/\.(jsonl|ndjson|json)$/i.test(name) || text.trimStart().startsWith("{")) return jsonRows(text);
  const rows = linesOf(text).map(([line, content]) => ({ line, cells: new Map([["text", content]]) }));
  return { columns: ["text"], rows };
}

// Lines that are not blank, with their numbers.
function linesOf(text) {
  return text.split(/\r\n|\n|\r/).map((content, i) => [i + 1, content]).filter(([, content]) => content.trim() !== "");
}

function jsonRows(text) {
  const columns = new Set(), rows = linesOf(text).map(([line, content]) => {
    let value;
    try {
      value = JSON.parse(content);
    } catch {
      return { line, problem: "not valid JSON" };
    }
    if (value === null || typeof value !== "object" || Array.isArray(value)) return { line, problem: "not an object" };
    const cells = new Map(Object.entries(value));
    for (const name of cells.keys()) columns.add(name);
    return { line, cells };
  });
  return { columns: [...columns], rows };
}

function csvRows(text) {
  const header = text.match(/^.*$/m)[0], outside = header.split('"').filter((_, i) => i % 2 === 0).join("");
  const times = (separator) => outside.split(separator).length;
  const separator = SEPARATORS.reduce((best, candidate) => times(candidate) > times(best) ? candidate : best);
  const records = csvRecords(text, separator), first = records.shift();
  if (first === undefined) throw new Error("the file is empty; a header line and rows are needed");
  if (first.problem) throw new Error(`the header cannot be read: ${first.problem}`);
  const columns = first.cells, twice = columns.find((name, i) => columns.indexOf(name) < i);
  if (twice !== undefined) throw new Error(`two columns are called ${JSON.stringify(twice)}; rename one in the header`);
  const rows = records.map(({ line, cells, problem }) => {
    if (problem) return { line, problem };
    if (cells.length !== columns.length) return { line, problem: `${cells.length} cells where the header has ${columns.length}` };
    if (cells.every((cell) => cell === "")) return { line, problem: "all cells are empty" };
    return { line, cells: new Map(columns.map((name, i) => [name, cells[i]])) };
  });
  return { columns, rows };
}

// Records with the line on which each begins. Of one whose quotes are broken only the first line is left out, so that no
// row is swallowed by a quote above it.
function csvRecords(text, separator) {
  const records = [];
  let at = 0, line = 1;
  while (at < text.length) {
    const record = csvRecord(text, at, separator);
    if (record.problem) record.end = endOfLine(text, at);
    if (record.problem || record.cells.length > 1 || record.cells[0] !== "") records.push({ line, ...record });
    line += text.slice(at, record.end).split(/\r\n|\n|\r/).length - 1;
    at = record.end;
  }
  return records;
}

function endOfLine(text, at) {
  const found = text.slice(at).search(/\r\n|\n|\r/);
  return found < 0 ? text.length : at + found + (text.startsWith("\r\n", at + found) ? 2 : 1);
}

// The cells of the record that begins at `at`, and where the next one does.
function csvRecord(text, at, separator) {
  const cells = [];
  for (;;) {
    let cell = "";
    if (text[at] === '"') {
      for (;;) {
        const quote = text.indexOf('"', at + 1);
        if (quote < 0) return { problem: "a quote in this line is not closed" };
        cell += text.slice(at + 1, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        cell += '"';
      }
      if (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r") {
        return { problem: "a quote in this line is not closed properly" };
      }
    } else {
      const start = at;
      while (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r") at++;
      cell = text.slice(start, at);
    }
    cells.push(cell);
    if (text[at] !== separator) break;
    at++;
  }
  return { cells, end: at < text.length ? endOfLine(text, at) : at };
}

// -- which cells are the text, and which is the id

function columnNamed(names, columns) {
  const places = new Map(columns.map((column) => [column.trim().toLowerCase(), column]).reverse()); // the first of a name stays
  const name = names.find((candidate) => places.has(candidate));
  return name === undefined ? null : places.get(name);
}

const idColumn = (columns) => columnNamed(IDS, columns);

// The columns of text: those that the model names, or a title and a body by their usual names, or the first one.
function textColumns(columns, fields) {
  if (fields !== null) {
    const missing = fields.filter((name) => !columns.includes(name));
    if (missing.length) {
      throw new Error(`there is no column ${missing.join(", ")}, which this model reads; columns are: ${columns.join(", ")}`);
    }
    return fields;
  }
  const usual = [columnNamed(TITLES, columns), columnNamed(BODIES, columns)].filter((name) => name !== null);
  return usual.length && columnNamed(BODIES, columns) !== null ? usual : columns.filter((name) => name !== idColumn(columns)).slice(0, 1);
}

// The texts of a row; an error says why there are none.
function textsOf(row, columns) {
  if (row.problem) throw new Error(row.problem);
  const values = columns.map((name) => row.cells.get(name) ?? null);
  if (values.every((value) => value === null)) throw new Error(`no text: ${columns.join(" and ")} missing or null`);
  return values.map((value, i) => {
    const text = Array.isArray(value) && value.every((part) => typeof part === "string") ? value.join("\n") : value ?? "";
    if (typeof text !== "string") throw new Error(`${columns[i]} is not text`);
    if (HALF_CHARACTER.test(text)) throw new Error(`${columns[i]} holds half a character (a surrogate by itself)`);
    return text;
  });
}

function idOf(row, column, n) {
  const value = row.cells?.get(column) ?? "";
  return value === "" || typeof value === "object" ? `row-${n}` : String(value);
}
