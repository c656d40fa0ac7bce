// A file: dropped or chosen, its rows sorted in slices so that the page stays alive, a table to look at and to download.

const LARGEST = 200e6; // bytes
const SLICE = 40; // milliseconds of work between two looks at the page
const SHOWN_ROWS = 300, EXCERPT = 200;

class FileView {
  constructor(model, textView) {
    this.model = model;
    this.textView = textView;
    this.turn = 0; // a later file or choice of columns ends the work on an earlier one
    const fields = model.head.recipe.fields;
    const kinds = fields ? `CSV or JSON Lines with the columns ${fields.join(", ")}` : "CSV, JSON Lines, or text with a document a line";
    byId("drop-help").textContent = `${kinds}. It stays on this computer.`;
    byId("file").addEventListener("change", () => { if (byId("file").files[0]) this.take(byId("file").files[0]); });
    byId("save-csv").addEventListener("click", () => {
      save(`${this.name}.labels.csv`, "text/csv", csvTable(model.labels, this.table.columns, this.answers));
    });
    byId("save-jsonl").addEventListener("click", () => {
      save(`${this.name}.labels.jsonl`, "application/jsonl", jsonLines(model.labels, this.answers));
    });
    this.watchDrops();
  }

  // Dropped anywhere on the page; a drop that is not taken would make the browser leave it.
  watchDrops() {
    const over = (event, isOver) => { event.preventDefault(); byId("drop").classList.toggle("over", isOver); };
    document.addEventListener("dragover", (event) => over(event, true));
    document.addEventListener("dragleave", (event) => over(event, event.relatedTarget !== null));
    document.addEventListener("drop", (event) => {
      over(event, false);
      if (event.dataTransfer.files[0]) this.take(event.dataTransfer.files[0]);
    });
  }

  async take(file) {
    const turn = ++this.turn;
    for (const id of ["file-problem", "file-result", "saves", "rows"]) byId(id).hidden = true;
    try {
      if (file.size > LARGEST) throw new Error("has more than 200 MB; the command `rubricate predict` takes files of any size");
      const { text, encoding } = decodeBytes(new Uint8Array(await file.arrayBuffer()));
      if (turn !== this.turn) return;
      this.name = file.name.replace(/\.[^.]*$/, "");
      this.table = readRows(file.name, text);
      if (this.table.rows.length === 0) throw new Error("has no rows");
      this.from = `${file.name}: ${counted(this.table.rows.length, "row")}${encoding === "UTF-8" ? "" : ` (${encoding})`}`;
      this.chosen = new Set(textColumns(this.table.columns, this.model.head.recipe.fields));
      this.offerColumns();
      byId("file-result").hidden = false;
      await this.sort(turn);
    } catch (problem) {
      byId("file-problem").textContent = `${file.name}: ${problem.message}`;
      byId("file-problem").hidden = false;
    }
  }

  // Which columns are the text; a model with named fields has no choice.
  offerColumns() {
    const fixed = this.model.head.recipe.fields !== null || this.table.columns.length < 2;
    const boxes = this.table.columns.map((name) => {
      const box = element("input", { type: "checkbox", checked: this.chosen.has(name) });
      box.addEventListener("change", () => { this.chosen[box.checked ? "add" : "delete"](name); this.sort(++this.turn); });
      return element("label", {}, box, " ", element("bdi", { text: name }));
    });
    byId("columns").hidden = fixed;
    byId("columns").replaceChildren(element("legend", { text: "The text is in" }), ...boxes);
  }

  async sort(turn) {
    const { columns, rows } = this.table, fields = this.model.head.recipe.fields;
    const names = fields ?? columns.filter((name) => this.chosen.has(name)), ids = idColumn(columns), answers = [];
    let usable = 0; // rows without an id are numbered as Python numbers them: those that cannot be read do not count
    const progress = Object.assign(byId("progress"), { max: rows.length, value: 0, hidden: false });
    byId("file-summary").textContent = this.from;
    let pause = performance.now();
    for (const [n, row] of rows.entries()) {
      const { texts, problem } = this.texts(row, names);
      if (problem) answers.push({ id: `line ${row.line}`, row, problem });
      else answers.push({ id: idOf(row, ids, ++usable), row, texts, prediction: this.model.predict(texts) });
      if (performance.now() - pause < SLICE) continue;
      progress.value = n + 1;
      await new Promise((resume) => setTimeout(resume));
      if (turn !== this.turn) return;
      pause = performance.now();
    }
    this.answers = answers;
    progress.hidden = true;
    byId("file-summary").textContent = `${this.from}. ${this.summary()}`;
    this.showRows();
    for (const id of ["saves", "rows"]) byId(id).hidden = false;
    document.documentElement.dataset.rows = String(answers.length); // tests wait for it, as for `data-state`
  }

  texts(row, names) {
    try {
      if (names.length === 0) throw new Error("no column of text is chosen");
      return { texts: textsOf(row, names) };
    } catch (problem) {
      return { problem: problem.message };
    }
  }

  summary() {
    const sorted = this.answers.filter(({ problem }) => !problem), n = this.answers.length - sorted.length;
    const given = sorted.map(({ prediction }) => runningSum(prediction.decisions));
    const without = given.filter((labels) => labels === 0).length;
    const unknown = sorted.filter(({ prediction }) => prediction.counts.columns.length === 0).length;
    return [
      `${counted(runningSum(given), "label")} given`,
      ...(without ? [`${counted(without, "row")} without any`] : []),
      ...(unknown ? [`${counted(unknown, "row")} without a word that the model knows: a person should look at them`] : []),
      ...(n ? [`${counted(n, "row")} could not be read, and ${n === 1 ? "says" : "say"} why below`] : []),
    ].join("; ") + ".";
  }

  showRows() {
    const headings = [["Row", ""], ["Labels", ""], ["Text", "excerpt"]].map(([text, kind]) => element("th", { scope: "col", kind, text }));
    const body = element("tbody"), head = element("tr", {}, ...headings);
    const problemsFirst = [...this.answers].sort((a, b) => (b.problem ? 1 : 0) - (a.problem ? 1 : 0));
    for (const answer of problemsFirst.slice(0, SHOWN_ROWS)) body.append(this.row(answer));
    byId("rows").replaceChildren(element("table", {}, element("thead", {}, head), body));
    if (this.answers.length <= SHOWN_ROWS) return;
    byId("rows").append(element("p", { kind: "quiet", text: `The first ${SHOWN_ROWS} rows; the download has all.` }));
  }

  row({ id, texts, prediction, problem }) {
    if (problem) return element("tr", {}, element("td", { text: id }), element("td", { text: problem, colSpan: 2 }));
    const open = element("button", { type: "button", title: "Look at this row above" }, element("bdi", { text: id }));
    open.addEventListener("click", () => this.textView.fill(texts));
    const given = shownLabels(this.model.labels, prediction).filter((shown) => shown[2]);
    const labels = given.flatMap(([label, p], i) => [
      i ? ", " : "", element("bdi", { text: label }), element("span", { kind: "quiet", text: ` ${probabilityText(p)}` }),
    ]);
    if (given.length === 0) labels.push(element("span", { kind: "quiet", text: "none" }));
    const text = texts.filter((part) => part.trim() !== "").join(" · ").slice(0, EXCERPT);
    const cells = [element("td", {}, open), element("td", { kind: "labels" }, ...labels), element("td", { kind: "excerpt", dir: "auto", text })];
    return element("tr", {}, ...cells);
  }
}

function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}
