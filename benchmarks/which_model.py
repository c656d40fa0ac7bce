"""Which model when: every model with its usual settings through TextClassifier, on five collections, whole and small.

    python -m benchmarks.which_model                          all models; a line of JSON for each fit
    python -m benchmarks.which_model -m auto -c enquiries     some of them
    python -m benchmarks.which_model --page                   put the tables of which_model.jsonl, beside this, into pages

A small training set has 20 documents of each label (all, where there are fewer), drawn three times; its figures are means.
CPU seconds are those of all threads: reading terms out of the text, five folds to choose cuts and probabilities by, and the
fit of all documents. Files are as `save` writes them, with what `learn` and `forget` need.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import rubricate as rb
from rubricate import collections, metrics, models
from rubricate.cli.commands.train import parse_model
from rubricate.decisions.rules import fit_rule, parse_rule
from rubricate.training.out_of_fold import without_words

from .texts import data_folder

KEPT = Path(__file__).parent / "which_model.jsonl"
ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "docs" / "which-model.md", ROOT / "README.md")
# name, version, what it is called in the tables
COLLECTIONS = {
    "enquiries": (None, "the sample"),
    "reuters21578": ("90", "Reuters-90"),
    "20newsgroups": ("bydate", "20 Newsgroups by date"),
    "ohsumed": (None, "OHSUMED"),
    "webkb": (None, "WebKB"),
}
ALL = [*models.MODELS, "multinomial:smoothing=0.01"]
FEW = 20  # documents a label in a small training set
DRAWS = 3
# small sets are easily judged on fewer documents; all of them are taken where they are not many
JUDGED = 3100


def parts(name: str) -> tuple[rb.Corpus, rb.Corpus]:
    """Training and test part, in memory, so that unpacking is not measured."""
    train, test = collections.load(name, version=COLLECTIONS[name][0], data=data_folder())
    return train.in_memory(), test.in_memory()


def made(name: str) -> Any:
    """A model as the command line has it; "auto" as it is."""
    return name if name == "auto" else parse_model(name)


def few_of_each(labels: list[list[str]], draw: int) -> list[int]:
    """Documents in random order, each kept if one of its labels has not yet FEW."""
    seen: dict[str, int] = {}
    kept = []
    for place in np.random.default_rng(draw).permutation(len(labels)).tolist():
        own = labels[place]
        if any(seen.get(label, 0) < FEW for label in own):
            kept.append(place)
            for label in own:
                seen[label] = seen.get(label, 0) + 1
    return sorted(kept)


def by_macro_cuts(trial: Any, train: rb.Corpus, scores: Any, order: list[str]) -> Any:
    """What is decided if cuts are those of the best F of each label: the same scores, as with measure="macroF1"."""
    truth = metrics.indicator(train.labels, order)
    decision = fit_rule(
        parse_rule("scut", multilabel=True),
        trial.scores,
        truth,
        multilabel=True,
        by=metrics.measure("macroF1"),
        draws=0,
    )
    return decision.decide(scores, scores)


def one_fit(name: str, train: rb.Corpus, test: rb.Corpus) -> dict[str, Any]:
    """A model learned and judged."""
    trials: list[Any] = []
    start, cpu = time.perf_counter(), time.process_time()
    model = rb.TextClassifier(made(name)).fit(train, progress=trials.append)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "m.rub")
        model.save(file)
        size = file.stat().st_size
        model.save(file, slim=True)
        slim = file.stat().st_size
    start = time.process_time()
    counted = rb.tabulate(test, model.recipe_, terms=model.terms_).X
    scores, unknown = model.score_table(counted), without_words(counted)
    answering = time.process_time() - start
    order = list(model._order)
    given = model.decide_scores(scores, unknown)
    truth = metrics.indicator(test.labels, order)
    told: dict[str, Any] = {
        "documents": len(train.labels),
        "seconds": round(seconds, 2),
        "cpu": round(cpu, 2),
        "answering_cpu": round(answering, 2),
        "bytes": size,
        "slim": slim,
        "chosen": str(model.candidate_),
    }
    p = model.probabilities_of_scores(scores, unknown)
    if model.several_labels_:
        trial = next(one for one in trials if one.candidate == model.candidate_)
        told["microF1"] = float(metrics.measure("microF1")(given, truth))
        told["macroF1"] = float(metrics.measure("macroF1")(by_macro_cuts(trial, train, scores, order), truth))
    else:
        told["accuracy"] = float((given * truth).sum() / len(given))
        told["macroF1"] = float(metrics.measure("macroF1")(given, truth))
        right = p.argmax(axis=1) == np.asarray(truth.argmax(axis=1)).ravel()
        told["calibration_error"] = float(metrics.calibration_error(p.max(axis=1), right.astype(int)))
    return told


def measured(collection: str, names: list[str], leave_out: list[str], only: str) -> Iterator[dict[str, Any]]:
    """All fits on a collection."""
    train, test = parts(collection)
    labels = train.labels
    some = np.random.default_rng(0).permutation(len(test.labels))[:JUDGED]
    judged = test.at(np.sort(some)).in_memory()
    small = [train.at(few_of_each(labels, draw)).in_memory() for draw in range(DRAWS)]
    for name in names:
        if f"{collection}:{name}" in leave_out:
            continue
        one_fit(name, small[0], judged)  # loads what is compiled
        if only in ("", "small"):
            for draw, own in enumerate(small):
                told = one_fit(name, own, judged)
                yield {"collection": collection, "model": name, "set": f"small {draw}", **told}
        if only in ("", "whole"):
            yield {"collection": collection, "model": name, "set": "whole", **one_fit(name, train, test)}


# -- the page

COLUMNS = [
    ("enquiries", "microF1"),
    ("enquiries", "macroF1"),
    ("reuters21578", "microF1"),
    ("reuters21578", "macroF1"),
    ("20newsgroups", "accuracy"),
    ("ohsumed", "microF1"),
    ("ohsumed", "macroF1"),
    ("webkb", "accuracy"),
    ("webkb", "macroF1"),
]
MARKED = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", flags=re.DOTALL)


def kept() -> dict[tuple[str, str, str], list[dict[str, Any]]]:
    """What was measured, by collection, model, and whole or small; of what was measured again, the last."""
    lines = [json.loads(line) for line in KEPT.read_text("utf-8").splitlines()]
    last = {(told["collection"], told["model"], told["set"]): told for told in lines}
    out: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for (collection, model, which), told in last.items():
        out.setdefault((collection, model, which.split()[0]), []).append(told)
    return out


def row_order(found: Any) -> list[str]:
    """Models as in their table, one with settings after the one without; auto last."""
    names = {model for _, model, _ in found}
    place = {name: n for n, name in enumerate([*models.MODELS, "auto"])}
    return sorted(names, key=lambda name: (place[name.partition(":")[0]], name))


def shown_name(name: str) -> str:
    model, _, settings = name.partition(":")
    return f"`{model}`" + (f", {settings.replace('=', ' ')}" if settings else "")


def table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [["model", *heads], ["---"] + ["---:"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def quality(which: str) -> str:
    """Figures, means of the draws; the best of a column in bold, as shown."""
    found = kept()

    def mean(name: str, collection: str, measure: str) -> str:
        rows = found.get((collection, name, which), [])
        return f"{statistics.mean(row[measure] for row in rows):.3f}" if rows else "–"

    heads = [f"{COLLECTIONS[collection][1]} {measure}" for collection, measure in COLUMNS]
    rows = [[shown_name(name), *(mean(name, *column) for column in COLUMNS)] for name in row_order(found)]
    for column in range(1, len(heads) + 1):
        best = max(row[column] for row in rows if row[column] != "–")  # strings of one form sort as numbers do
        for row in rows:
            row[column] = f"**{row[column]}**" if row[column] == best else row[column]
    return table(heads, rows)


def cost() -> str:
    """CPU seconds of the training and megabytes of the file, whole training sets."""
    found = kept()

    def one(name: str, collection: str, key: str, by: float) -> str:
        rows = found.get((collection, name, "whole"), [])
        return f"{rows[0][key] / by:.1f}" if rows else "–"

    heads = [f"{title} CPU s" for _, title in COLLECTIONS.values()]
    heads += [f"{title} MB" for _, title in COLLECTIONS.values()]
    rows = [
        [
            shown_name(name),
            *(one(name, collection, "cpu", 1) for collection in COLLECTIONS),
            *(one(name, collection, "bytes", 1e6) for collection in COLLECTIONS),
        ]
        for name in row_order(found)
    ]
    return table(heads, rows)


SHORT = ("auto", "support_vector", "least_squares", "widrow_hoff", "prtfidf", "multinomial:smoothing=0.01")


def short() -> str:
    """A few models on the real collections, for the README."""
    found = kept()
    columns = [(collection, measure) for collection, measure in COLUMNS if collection != "enquiries"]
    heads = [f"{COLLECTIONS[collection][1]} {measure}" for collection, measure in columns]
    rows = []
    for name in SHORT:
        held = {collection: found.get((collection, name, "whole")) for collection, _ in columns}
        if all(held.values()):
            figures = [f"{held[collection][0][measure]:.3f}" for collection, measure in columns]
            rows.append([shown_name(name), *figures, f"{sum(own[0]['cpu'] for own in held.values()):.0f}"])
    return table([*heads, "CPU s in all"], rows)


TABLES = {"whole": lambda: quality("whole"), "small": lambda: quality("small"), "cost": cost, "short": short}


def with_tables(text: str) -> str:
    """The page with its tables made anew."""
    return MARKED.sub(lambda found: found.group(1) + TABLES[found.group(2)]() + found.group(3), text)


def main() -> int:
    asked = argparse.ArgumentParser()
    asked.add_argument("-m", "--model", action="append", help="as in `rubricate train`; auto too")
    asked.add_argument("-c", "--collection", action="append", choices=list(COLLECTIONS))
    asked.add_argument("--leave-out", action="append", default=[], metavar="COLLECTION:MODEL")
    asked.add_argument("--only", default="", choices=["small", "whole"])
    asked.add_argument("--page", action="store_true", help="put the tables into the pages")
    asked.add_argument("--check", action="store_true", help="say whether they are there")
    given = asked.parse_args()
    if given.page or given.check:
        stale = [page for page in PAGES if page.read_text("utf-8") != with_tables(page.read_text("utf-8"))]
        for page in stale if given.page else ():
            page.write_text(with_tables(page.read_text("utf-8")), "utf-8")
        names = ", ".join(page.name for page in stale)
        print(f"{'made anew' if given.page else 'stale'}: {names}" if stale else "tables are fresh")
        return 1 if stale and given.check else 0
    for collection in given.collection or COLLECTIONS:
        for told in measured(collection, given.model or ALL, given.leave_out, given.only):
            print(json.dumps(told), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
