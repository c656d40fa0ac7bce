"""A real Chromium, started once; and a page in it whose scripts take any model."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import frozen
import rubricate as rb
from rubricate.browser.export import model_text

ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run",
)  # fmt: skip
ABOUT = {"left_out": 0, "min_documents": 1, "small": False}
OPENED = "html[data-state]"  # waiting for a function would need eval, which the page's policy forbids


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("there is no Chromium on this machine")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def stemming_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a model with English stems."""
    path = tmp_path_factory.mktemp("pages") / "stems.html"
    model = rb.TextClassifier("multinomial", recipe=rb.Recipe(stem="english"), folds=2, jobs=1)
    model.fit(frozen.TEXTS, frozen.LISTS).to_page(path)
    return path


class Scorer:
    """The scripts of an opened page, which score with any model."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def evaluate(self, function: str, argument: Any = None) -> Any:
        return self.page.evaluate(function, argument)

    def predictions(self, predictor: Any, fields: list[list[str]]) -> dict[str, Any]:
        """What the scripts say of documents, given by the texts of their fields. All goes as text: nested values take long."""
        answers = self.page.evaluate(PREDICT, [model_text(predictor, ABOUT), json.dumps(fields)])
        size = (len(fields), len(predictor.labels))
        numbers = {name: np.frombuffer(base64.b64decode(answers[name])).reshape(size) for name in NUMBERS}
        return {
            "terms": json.loads(answers["terms"]),
            "reasons": answers["reasons"],
            "problems": answers["problems"],
            **numbers,
        }


NUMBERS = ("scores", "probabilities", "decisions")
PREDICT = """async ([text, documents]) => {
  const payload = new Payload(await unzip(bytesOfBase64(text)));
  const model = new Model(payload, payload.head.recipe.stem ? makeStemmer() : null);
  const answers = JSON.parse(documents).map((texts) => model.predict(texts));
  const coded = (name) => {
    const bytes = new Uint8Array(new Float64Array(answers.flatMap((answer) => Array.from(answer[name]))).buffer);
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  };
  const asked = answers.filter((_, n) => n < 60 && n % 11 === 0);
  return {
    terms: JSON.stringify(answers.map((answer) => answer.terms)), problems: differences(model, payload),
    reasons: asked.map((answer) => model.labels.map((_, c) => model.explain(answer, c, 8))),
    scores: coded("scores"), probabilities: coded("probabilities"), decisions: coded("decisions"),
  };
}"""


@pytest.fixture(scope="session")
def scorer(browser: Any, stemming_page: Path) -> Scorer:
    page = browser.new_page()
    page.goto(stemming_page.as_uri())
    page.wait_for_selector(OPENED, state="attached")
    return Scorer(page)
