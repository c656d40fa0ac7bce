// Opening: unpack the model, check that this browser scores as Python does, then let texts and files in.

let payload, model; // for tests, and for people who look at them in the browser's console

async function openModel() {
  if (typeof DecompressionStream === "undefined") throw new Error("this browser is too old; use one of 2023 or later");
  payload = new Payload(await unzip(bytesOfBase64(byId("model").textContent)));
  model = new Model(payload, makeStemmer());
  const problems = differences(model, payload);
  if (problems.length) throw new Error(`this browser does not score as Python does, so nothing is sorted here (${problems[0]})`);
}

function showAbout({ about, labels, terms, check, recipe }) {
  const several = model.rule.multilabel ? "one, several or none" : "one", checked = counted(check.texts.length, "text");
  const learned = about.documents ? ` Learned from ${counted(about.documents, "document")}.` : "";
  byId("about").textContent = `Gives a text ${several} of ${counted(labels.length, "label")}.${learned}`;
  byId("state").textContent = `✓ Checked: ${checked} come out here as in Python. Nothing that you type or drop leaves this computer.`;
  byId("state").className = "good";
  const rare = about.left_out ? `; ${counted(about.left_out, "term")} of fewer than ${about.min_documents} documents were left out` : "";
  const made = [about.model, ...(recipe.stem ? [`${recipe.stem} stems`] : []), ...(about.small ? ["weights of 7 digits"] : [])];
  const digest = about.digest ? `; SHA-256 of the model file ${about.digest}` : "", held = counted(terms.length, "term");
  const sentences = [
    `This file holds ${held} of the documents that the model learned from${rare}: give it to nobody who may not know them.`,
    ...(about.statement ? [`How good it is: ${about.statement}.`] : []),
    `Model: ${made.join(", ")}; rubricate ${about.version}${digest}.`,
  ];
  byId("footer").replaceChildren(...sentences.map((text) => element("p", { text })));
}

openModel().then(() => {
  showAbout(payload.head);
  new FileView(model, new TextView(model));
  byId("main").hidden = false;
  document.documentElement.dataset.state = "good";
}).catch((problem) => {
  byId("state").textContent = `Not usable: ${problem.message}.`;
  byId("state").className = "problem";
  document.documentElement.dataset.state = "bad";
});
