"""The page as somebody opens it: it checks itself, sends and loads nothing, sorts a text and a file, and notices damage."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import frozen
import rubricate as rb
from rubricate.scoring.predictor import Predictor

pytestmark = pytest.mark.xdist_group("browser")

OPENED = "html[data-state]"  # waiting for a function would need eval, which the page's policy forbids
SAMPLE = Path(rb.__file__).parent / "data" / "enquiries.jsonl"
NEW = SAMPLE.with_name("enquiries_new.jsonl")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of the sample that ships inside."""
    path = tmp_path_factory.mktemp("sample") / "enquiries.rub"
    rb.TextClassifier("support_vector", calibrate="isotonic", folds=2).fit(rb.read(SAMPLE)).save(path)
    return path


@pytest.fixture(scope="module")
def page_file(model: Path) -> Path:
    path = model.with_suffix(".html")
    rb.load(model).to_page(path)
    return path


class Opened:
    """A page in a context of its own, with all that it asked for and complained of."""

    def __init__(self, browser: Any, path: Path, **context: Any) -> None:
        self.context = browser.new_context(**context)
        self.page = self.context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(path.as_uri())
        self.answered: list[str] = []
        self.page.on("requestfinished", lambda request: self.answered.append(request.url))

    def state(self) -> str:
        self.page.wait_for_selector(OPENED, state="attached")
        return str(self.page.get_attribute("html", "data-state"))


@pytest.fixture
def opened(browser: Any, page_file: Path) -> Iterator[Opened]:
    result = Opened(browser, page_file)
    assert result.state() == "good"
    yield result
    result.context.close()


def test_the_page_of_the_sample_is_small_and_holds_no_document(page_file: Path) -> None:
    assert page_file.stat().st_size < 500_000


def test_a_text_gets_the_labels_and_reasons_of_python_and_nothing_is_sent(
    opened: Opened, model: Path, page_file: Path
) -> None:
    page, predictor = opened.page, Predictor.load(model)
    text = "The app says my card has expired, and the <b>reading room</b> is closed"
    page.fill("#text-0", text)
    page.wait_for_selector("#labels button")
    given = [str(label) for label in predictor.decide([text])[0]]
    assert sorted(page.locator("#summary strong").all_text_contents()) == sorted(given)
    page.locator("#labels button").first.click()
    label = page.text_content("#why-label")
    (reason,) = predictor.explain(text, label, limit=12)
    assert page.locator("#terms bdi").all_text_contents() == [term for term, _ in reason.terms]
    assert f"{reason.score:.3f}".replace("-", "−") in page.text_content("#verdict")
    assert page.text_content("#marked") == text  # what is typed is text, not markup
    assert page.locator("#marked mark").count() > 3
    assert opened.requests == [page_file.as_uri()]
    assert opened.complaints == []


def test_of_exclusive_labels_words_speak_for_one_rather_than_for_the_next(browser: Any, tmp_path: Path) -> None:
    """What a word adds to a score of naive Bayes is the logarithm of a probability: always below 0, for every label."""
    model = rb.TextClassifier("multinomial", folds=2).fit(frozen.TEXTS, frozen.labels_in("one"))
    model.to_page(tmp_path / "one.html")
    result, text = Opened(browser, tmp_path / "one.html"), "the bank lends money on corn"
    assert result.state() == "good"
    result.page.fill("#text-0", text)
    result.page.wait_for_selector("#labels button")
    first, second = (model.classes_[place] for place in model.predict_proba([text])[0].argsort()[::-1][:2])
    assert result.page.text_content("h3") == f"Why {first} rather than {second}"
    adds = [dict(model.explain(text, label)[0].terms) for label in (first, second)]
    for row in result.page.locator("#terms tr:not(.sum)").all():
        term, to_first, more = row.locator("td").all_text_contents()
        assert to_first == f"{adds[0][term]:+.3f}".replace("-", "−")
        assert more == f"{adds[0][term] - adds[1][term]:+.3f}".replace("-", "−")
    assert result.page.locator("#marked mark.for").count() > 0
    result.context.close()


def test_an_unknown_word_is_told(opened: Opened) -> None:
    opened.page.fill("#text-0", "zzzz qqqq")
    opened.page.wait_for_selector("#labels button")
    assert "none of its words" in opened.page.text_content("#summary")


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_file_comes_back_with_the_answers_of_predict(
    opened: Opened, model: Path, tmp_path: Path, kind: str, run: Any
) -> None:
    rows = [json.loads(line) for line in NEW.read_text("utf-8").splitlines()]
    source = tmp_path / f"new.{kind}"
    if kind == "csv":
        with source.open("w", encoding="utf-8", newline="") as out:
            table = csv.DictWriter(out, rows[0])
            table.writeheader()
            table.writerows(rows)
    else:
        source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    opened.page.set_input_files("#file", source)
    opened.page.wait_for_selector("html[data-rows]", state="attached")
    with opened.page.expect_download() as download:
        opened.page.click("#save-jsonl")
    answers = [json.loads(line) for line in Path(download.value.path()).read_text("utf-8").splitlines()]
    run("predict", model, source, "-o", tmp_path / "python.jsonl")
    assert answers == [json.loads(line) for line in (tmp_path / "python.jsonl").read_text("utf-8").splitlines()]
    with opened.page.expect_download() as download:
        opened.page.click("#save-csv")
    text = Path(download.value.path()).read_bytes().decode("utf-8-sig")
    table_rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["predicted_labels"].split("|") if row["predicted_labels"] else [] for row in table_rows] == [
        row["labels"] for row in answers
    ]
    assert [row["subject"].lstrip("'") for row in table_rows] == [row["subject"].lstrip("'") for row in rows]
    assert opened.complaints == []
    assert len(opened.requests) == 1 or all(url.startswith("blob:") for url in opened.requests[1:])


def test_a_dropped_file_and_other_columns_of_text(opened: Opened) -> None:
    drop = """() => {
      const data = new DataTransfer();
      data.items.add(new File(["id,text,note\\na,my card has expired,borrow\\nb,\\"open"], "rows.csv"));
      document.dispatchEvent(new DragEvent("drop", { dataTransfer: data }));
    }"""
    opened.page.evaluate(drop)
    opened.page.wait_for_selector("html[data-rows]", state="attached")
    assert "2 rows" in opened.page.text_content("#file-summary")
    assert "not closed" in opened.page.text_content("#rows")
    opened.page.get_by_label("note").check()
    opened.page.get_by_text("my card has expired · borrow").wait_for()
    opened.page.locator("#rows button").first.click()
    assert opened.page.input_value("#text-0") == "my card has expired\n\nborrow"


def test_a_file_that_cannot_be_read_is_told_in_a_sentence(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_bytes(b"")
    opened.page.set_input_files("#file", tmp_path / "empty.csv")
    opened.page.wait_for_selector("#file-problem:not([hidden])")
    assert (
        opened.page.text_content("#file-problem") == "empty.csv: the file is empty; a header line and rows are needed"
    )


ADDRESS = "example.org/x.png"
FORBIDDEN = {
    "fetch": f"fetch('https://{ADDRESS}').then(() => 'sent', () => 'stopped')",
    "a data address": "fetch('data:text/plain,x').then(() => 'sent', () => 'stopped')",
    "WebSocket": f"""new Promise((end) => {{
        const socket = new WebSocket('wss://{ADDRESS}');
        socket.onerror = () => end('stopped');
        socket.onopen = () => end('sent');
    }})""",
    "an image": f"""new Promise((end) => {{
        const image = new Image();
        image.onerror = () => end('stopped');
        image.onload = () => end('sent');
        image.src = 'https://{ADDRESS}';
    }})""",
    "markup": "(() => { try { document.body.innerHTML = '<b>x</b>'; return 'run'; } catch { return 'stopped'; } })()",
    "a worker": "(() => { try { new Worker('blob:x'); return 'run'; } catch { return 'stopped'; } })()",
    "an inline script": """(() => {
        const script = document.createElement('script');
        try { script.textContent = 'window.ran = 1'; document.body.append(script); } catch { }
        return window.ran ? 'run' : 'stopped';
    })()""",
    "a style attribute": """(() => {
        document.body.setAttribute('style', 'color: red');
        return document.body.style.color ? 'run' : 'stopped';
    })()""",
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_the_policy_stops(opened: Opened, what: str) -> None:
    assert opened.page.evaluate(FORBIDDEN[what]) == "stopped"
    assert opened.answered == []


@pytest.mark.parametrize(
    ("place", "state"), [("script", None), ("style", "good"), ("payload", "bad"), ("threshold", "bad")]
)
def test_a_changed_byte_is_noticed(
    browser: Any, page_file: Path, tmp_path: Path, place: str, state: str | None
) -> None:
    """A changed script is not run, and the line that says so stays; a changed style is not applied; a damaged model is told."""
    text = page_file.read_text("utf-8")
    data = text.index('id="model">') + len('id="model">')
    changed = {
        "script": lambda: text.replace("const NEAR = 1e-9", "const NEAR = 1e+9"),
        "style": lambda: text.replace("max-width: 64rem", "max-width: 63rem"),
        "payload": lambda: text[: data + 5000] + ("A" if text[data + 5000] != "A" else "B") + text[data + 5001 :],
        "threshold": lambda: text[: data + 40] + text[data + 44 :],
    }[place]()
    assert changed != text
    (tmp_path / "changed.html").write_text(changed, "utf-8")
    result = Opened(browser, tmp_path / "changed.html")
    if state is None:
        result.page.wait_for_load_state()
        assert result.page.get_attribute("html", "data-state") is None
        assert "do not use it" in result.page.text_content("#state")
        assert result.page.is_hidden("#main")
    else:
        assert result.state() == state
        assert state == "good" or "damaged" in result.page.text_content("#state")
        assert result.page.is_hidden("#main") == (state == "bad")
    if place == "style":
        assert result.page.evaluate("getComputedStyle(document.body).maxWidth") == "none"
    result.context.close()


def test_a_model_that_this_browser_scores_otherwise_is_not_used(scorer: Any) -> None:
    told = scorer.evaluate(
        """() => {
          const nearly = (texts) => ({ ...model.predict(texts), scores: model.predict(texts).scores.map((x) => x + 1e-6) });
          const other = Object.create(model, { predict: { value: nearly } });
          return [differences(model, payload), differences(other, payload)];
        }"""
    )
    assert told[0] == []
    assert re.match(r"text 1, label .*: scores ", told[1][0])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1100])
def test_nothing_is_wider_than_the_screen(browser: Any, page_file: Path, width: int, scheme: str) -> None:
    result = Opened(browser, page_file, viewport={"width": width, "height": 800}, color_scheme=scheme)
    assert result.state() == "good"
    result.page.fill("#text-0", "my card has expired " + "x" * 300)
    result.page.wait_for_selector("#labels button")
    assert result.page.evaluate("document.documentElement.scrollWidth") <= width
    result.context.close()


def test_everything_can_be_reached_by_name(opened: Opened) -> None:
    opened.page.fill("#text-0", "my card has expired")
    opened.page.wait_for_selector("#labels button")
    unnamed = """() => Array.from(document.querySelectorAll("textarea, input, button, progress, [role=region]")).filter((node) =>
      !node.labels?.length && !node.getAttribute("aria-label") && !node.textContent.trim()).map((node) => node.outerHTML)"""
    assert opened.page.evaluate(unnamed) == []
    opened.page.keyboard.press("Tab")
    assert opened.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_a_model_of_two_fields_has_two_boxes(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "fields.html"
    recipe = rb.Recipe(fields=("title", "body"), prefix_fields=True)
    model = rb.TextClassifier("multinomial", recipe=recipe, folds=2).fit(frozen.FIELDS, frozen.LISTS)
    model.to_page(path, title="Two fields & <more>")
    result = Opened(browser, path)
    assert result.state() == "good"
    assert result.page.text_content("h1") == "Two fields & <more>"
    assert result.page.locator("#boxes label").all_text_contents() == ["title", "body"]
    result.page.fill("#text-0", "corn")
    result.page.fill("#text-1", "the wheat harvest of corn and rye")
    result.page.wait_for_selector("#labels button")
    (tmp_path / "plain.csv").write_text("text\ncorn\n", "utf-8")
    result.page.set_input_files("#file", tmp_path / "plain.csv")
    result.page.wait_for_selector("#file-problem:not([hidden])")
    assert "there is no column title, body, which this model reads" in result.page.text_content("#file-problem")
    result.context.close()
