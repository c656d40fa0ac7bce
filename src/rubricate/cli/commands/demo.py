"""rubricate demo: a tour. Each step is a command that a person could type, run as it stands, and its result in a few lines."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import click

from .. import command_of
from ..options import FOLDER, json_option, setting
from ..output import bar, echo, interval, next_command, number, plural, print_json, printable, table

MODEL, PAGE, PREDICTIONS = "enquiries.rub", "report.html", "answers.jsonl"
EXAMPLE_ID = "HV-1273"  # of the new enquiries: short, and about two things at once


class Step(NamedTuple):
    """A heading that says why a person would type a command, the command, and the function that shows its result."""

    heading: str
    arguments: list[str]
    show: Callable[[Any], None]


@click.command("demo")
@setting(
    "--out",
    "-o",
    type=FOLDER,
    default=Path("rubricate-demo"),
    help="Folder for the model, the report and the answers; made if it is not there.",
)
@json_option
def command(out: Path, as_json: bool) -> None:
    """A tour with the sample that ships inside: enquiries to a public library's help desk.

    Trains on those of 2025, evaluates on the next three months, explains one enquiry, labels those that came later, and writes
    model, report and answers into a folder. Each step shows its command; typed by hand, it does the same.
    """
    out.mkdir(parents=True, exist_ok=True)
    results: dict[str, Any] = {}
    for n, step in enumerate(tour(out), 1):
        if not as_json:
            echo(bold=("" if n == 1 else "\n") + f"{n}. {step.heading}")
            echo(f"$ {shlex.join(['rubricate', *step.arguments])}")
            echo()
        result = results[step.arguments[0]] = json_of(step.arguments)
        if not as_json:
            step.show(result)
    if as_json:
        print_json({"files": {name: str(out / name) for name in (MODEL, PAGE, PREDICTIONS)}, "steps": results})
        return
    echo(bold="\nWhat there is now")
    files = {
        MODEL: "the model: one file that runs no code",
        PAGE: "the report: open it in a browser",
        PREDICTIONS: "labels and probabilities of the new enquiries",
    }
    table([(str(out / name), what) for name, what in files.items()], ["file", "what it is"])
    next_command("rubricate info YOUR-FILE   (JSONL, CSV, Parquet, a folder per label, mbox, fastText lines, or -)")


def tour(out: Path) -> list[Step]:
    model = str(out / MODEL)
    test_part = ["enquiries", "--part", "test", "--report", str(out / PAGE)]
    new_documents = ["enquiries", "--version", "new", "--abstain", "0.5", "-o", str(out / PREDICTIONS)]
    learn = "Learn from the enquiries of 2025; what is not said is chosen by trials on documents not seen (held-out)"
    judge = "Judge it on enquiries that it has not seen, those of the next three months"
    label = "Label the enquiries that came later; doubtful ones are left to a person"
    return [
        Step("A first look at the documents and their labels", ["info", "enquiries"], show_info),
        Step(learn, ["train", "enquiries", "--part", "train", "-o", model], show_training),
        Step(judge, ["evaluate", model, *test_part], show_evaluation),
        Step("The words it goes by", ["inspect", model, "--terms", "6"], show_terms),
        Step("Why one enquiry gets its labels", ["explain", model, enquiry_text(), "--top", "5"], show_reasons),
        Step(label, ["predict", model, *new_documents], show_predictions),
    ]


def json_of(arguments: list[str]) -> Any:
    import io
    from contextlib import redirect_stdout

    import orjson

    printed = io.TextIOWrapper(io.BytesIO(), "utf-8")
    command = command_of(arguments[0])
    with redirect_stdout(printed):
        command.main([*arguments[1:], "--json"], standalone_mode=False)
    printed.flush()
    return orjson.loads(printed.buffer.getvalue())


def enquiry_text() -> str:
    from ...corpus import collections

    new = collections.read("enquiries", version="new")
    return next(document.text for document in new.documents() if document.id == EXAMPLE_ID).strip()


def show_info(result: Any) -> None:
    sizes = result["labels"]
    several = sum(n for labels, n in result["labels_a_document"].items() if int(labels) > 1)
    echo(f"{result['documents']:,} enquiries, {result['terms']:,} different terms; {several:,} have several labels")
    largest = max(sizes.values())
    table([(label, n, bar(n / largest, 24)) for label, n in sizes.items()], ["label", "documents", ""], right=[1])


def show_training(result: Any) -> None:
    from ...training.choice_sentences import more_labels_sentence

    trials, rows = result["tried"], []
    choice = next(trial for trial in trials if not trial["significantly_worse"])
    for trial in trials:
        verdict = "chosen" if trial is choice else "significantly worse" if trial["significantly_worse"] else ""
        rows.append((number(trial["value"]), interval(trial["low"], trial["high"]), trial["candidate"], verdict))
    table(rows, [result["measure"], "95 % interval", "tried, the simplest first", ""])
    echo("chosen: the simplest that is not significantly worse than the best")
    if more_labels := more_labels_sentence(result):
        echo(f"would more labels help? {more_labels}")


def show_evaluation(result: Any) -> None:
    for sentence in result["sentences"]:
        echo(printable(sentence, 1000))
    labels = sorted(result["labels"], key=lambda row: -row["documents"])
    rows = [
        (row["label"], row["documents"], *(number(row[name]["value"]) for name in ("precision", "recall", "f1")))
        for row in labels
    ]
    table(rows, ["label", "documents", "precision", "recall", "F1"], right=range(1, 5))


def show_terms(result: Any) -> None:
    rows = [(row["label"], ", ".join(term["term"] for term in row["terms"])) for row in result["label_rows"]]
    table(rows, ["label", "terms that add most"])


def show_reasons(result: Any) -> None:
    for reason in result:
        words = ", ".join(f"{term} {value:+.2f}" for term, value in reason["terms"])
        echo(
            f"{printable(reason['label'])}: {'yes' if reason['decided'] else 'no'}, probability "
            f"{number(reason['probability'])}; {printable(words, 300)}"
        )


def show_predictions(result: Any) -> None:
    import orjson

    echo(
        f"{plural(result['documents'], 'document')}, {plural(result['labels'], 'label')} given, "
        f"{result['to_a_person']:,} left to a person; the first:"
    )
    for line in Path(result["file"]).read_bytes().splitlines()[:3]:
        row = orjson.loads(line)
        labels = [row["labels"]] if isinstance(row["labels"], str) else row["labels"]
        label_text = ", ".join(labels) or ("left to a person" if row.get("person") else "none fits")
        echo(f"  {printable(row['id'])}: {printable(label_text, 100)}")
