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
  const sorts = model.rule.multilabel ? `Gives a text one, several or none of ${counted(labels.length, "label")}` : `Gives a text one of ${counted(labels.length, "label")}`;
  byId("about").textContent = `${sorts}.${about.documents ? ` Learned from ${counted(about.documents, "document")}.` : ""}`;
  byId("state").textContent = `✓ Checked: ${check.texts.length} texts come out here as in Python. Nothing that you type or drop leaves this computer.`;
  byId("state").className = "good";
  const rare = about.left_out ? `; ${counted(about.left_out, "term")} of fewer than ${about.min_documents} documents were left out` : "";
  byId("footer").replaceChildren(
    element("p", { text: `This file holds ${counted(terms.length, "term")} of the documents that the model learned from${rare}: give it to nobody who may not know them.` }),
    ...(about.statement ? [element("p", { text: `How good it is: ${about.statement}.` })] : []),
    element("p", { text: `Model: ${about.model}${recipe.stem ? `, ${recipe.stem} stems` : ""}${about.small ? ", weights of 7 digits" : ""}; rubricate ${about.version}${about.digest ? `; SHA-256 of the model file ${about.digest}` : ""}.` }),
  );
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
