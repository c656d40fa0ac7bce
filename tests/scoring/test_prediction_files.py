"""Answers in every form that `predict` writes are read back by `compare`: same decisions, same measures, clear refusals."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rubricate as rb
from rubricate.errors import InputError
from rubricate.scoring.prediction_files import answers_in, form_of, unbare
from rubricate.scoring.prediction_writer import FORMATS, OutputRows, bare

DECIDED = ["fasttext", "jsonl", "tsv"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models and labelled documents of each kind: several labels a document, and one."""
    out = tmp_path_factory.mktemp("forms")
    train, test = rb.collections.load("enquiries")
    for kind, own in (("several", slice(None)), ("one", slice(1))):
        for name in ("prtfidf", "complement"):
            model = rb.TextClassifier(name, folds=3).fit(train.texts, given_labels(train.labels, own, kind))
            # as if there had been very many documents: without bounds, probabilities may be too small to be written
            model.calibrated_ = replace(model.calibrated_, bounds=None)
            model.save(out / f"{kind}-{name}.rub")
        rows = zip(test.ids, test.texts, test.labels, strict=True)
        lines = [json.dumps({"id": n, "text": text, "label": labels[own]}) for n, text, labels in rows]
        (out / f"{kind}.jsonl").write_text("\n".join(lines) + "\n")
    return out


def given_labels(labels: list[list[str]], own: slice, kind: str) -> list[Any]:
    return [one[own] if kind == "several" else one[0] for one in labels]


def predicted(run: Any, folder: Path, tmp_path: Path, kind: str, form: str, *more: str) -> Path:
    out: Path = tmp_path / f"{form}.answers"
    model, labelled = folder / f"{kind}-prtfidf.rub", folder / f"{kind}.jsonl"
    assert run("predict", model, labelled, "--to", form, "-o", out, *more).code == 0
    return out


def compared(run: Any, *arguments: Any) -> Any:
    return run("compare", *arguments, "--json", "--draws", 50).json


@pytest.mark.parametrize("kind", ["several", "one"])
@pytest.mark.parametrize("form", FORMATS)
def test_answers_in_each_form_are_worth_what_their_model_is(
    run: Any, folder: Path, tmp_path: Path, kind: str, form: str
) -> None:
    own = predicted(run, folder, tmp_path, kind, form)
    assert form_of(own) == form
    labelled = folder / f"{kind}.jsonl"
    for measure in ("auto", "macroF1", "subset") if kind == "several" else ("auto", "macroF1"):
        found = compared(run, folder / f"{kind}-prtfidf.rub", own, labelled, "--measure", measure)
        model, file = (system["overall"] for system in found["systems"])
        assert found["forms"] == {f"{kind}-prtfidf": "model", form: form}
        if form in DECIDED or kind == "one":
            assert model == file
            assert (found["pairs"][0]["test"]["n"], found["pairs"][0]["test"]["p"]) == (0, 1.0)
        else:  # a run has no decisions: they are read off its probabilities
            halves = predicted(run, folder, tmp_path, kind, "jsonl", "--threshold", "0.5")
            again = compared(run, halves, own, labelled, "--measure", measure)
            assert again["systems"][0]["overall"] == again["systems"][1]["overall"] == file


@pytest.mark.parametrize("kind", ["several", "one"])
def test_how_a_run_was_read_is_told_and_only_where_it_matters(
    run: Any, folder: Path, tmp_path: Path, kind: str
) -> None:
    own = predicted(run, folder, tmp_path, kind, "trec", "--every-label")
    arguments = [folder / f"{kind}-complement.rub", own, folder / f"{kind}.jsonl"]
    how = "its probability is above 0.5" if kind == "several" else "it is the document's best"
    note = f"{own}: a run has scores and no decisions; a label is taken as given where {how}"
    assert compared(run, *arguments)["notes"] == [note]
    assert note in run("compare", *arguments, "--draws", 50).out
    ranked = compared(run, *arguments, "--measure", "AP")
    assert ranked["notes"] == []
    model = compared(run, folder / f"{kind}-prtfidf.rub", arguments[0], arguments[2], "--measure", "AP")
    assert ranked["systems"][1]["overall"]["value"] == pytest.approx(
        model["systems"][0]["overall"]["value"], abs=2e-3 if kind == "one" else 1e-2
    )


def test_lines_without_ids_must_be_as_many_as_the_documents(run: Any, folder: Path, tmp_path: Path) -> None:
    own = predicted(run, folder, tmp_path, "several", "fasttext")
    model, labelled = folder / "several-complement.rub", folder / "several.jsonl"
    told = compared(run, model, own, labelled)
    assert told["notes"] == [f"{own}: no ids; its lines are taken in the order of the documents"]
    lines = own.read_text().splitlines(keepends=True)
    for wrong in (lines[:-1], [*lines, "\n"]):
        own.write_text("".join(wrong))
        refused = run("compare", model, own, labelled)
        assert refused.code == 65
        assert f"{len(wrong)} lines for {len(lines)} documents" in refused.err
        assert "in their order" in refused.err
    own.write_text("\n" * len(lines))
    assert compared(run, model, own, labelled)["systems"][1]["overall"]["value"] == 0
    own.write_text(
        "".join(line.partition(" ")[0].strip() + "\n" for line in lines)
    )  # fastText's predict has no numbers
    first = compared(run, predicted(run, folder, tmp_path, "several", "jsonl", "-k", "1"), own, labelled)
    assert first["documents"] == len(lines)


def test_documents_that_a_run_does_not_name_are_given_nothing_and_counted(
    run: Any, folder: Path, tmp_path: Path
) -> None:
    own = predicted(run, folder, tmp_path, "several", "trec")
    model, labelled = folder / "several-complement.rub", folder / "several.jsonl"
    lines = own.read_text().splitlines(keepends=True)
    first = lines[0].split()[2]
    own.write_text("".join(line for line in lines if line.split()[2] != first))
    assert (
        f"{own}: 1 document is not in the run; taken as given no label" in compared(run, model, own, labelled)["notes"]
    )
    own.write_text("".join(line.replace("Q0 ", "Q0 another-") for line in lines))
    refused = run("compare", model, own, labelled)
    assert refused.code == 65
    assert "no answer to 190 documents" in refused.err


def test_what_a_form_does_not_hold_is_refused(run: Any, folder: Path, tmp_path: Path) -> None:
    model, labelled = folder / "several-complement.rub", folder / "several.jsonl"
    for form in ("tsv", "fasttext"):
        own = predicted(run, folder, tmp_path, "several", form)
        for measure in ("AP", "logloss"):
            refused = run("compare", model, own, labelled, "--measure", measure)
            assert refused.code == 65
            assert "--every-label" in refused.err
    run_ = predicted(run, folder, tmp_path, "several", "trec")
    fields = [line.split() for line in run_.read_text().splitlines()]
    run_.write_text("".join(" ".join([*one[:4], str(20 * float(one[4])), one[5]]) + "\n" for one in fields))
    refused = run("compare", model, run_, labelled)
    assert refused.code == 65
    assert "are no probabilities" in refused.err
    assert compared(run, model, run_, labelled, "--measure", "AP")["documents"] == 190


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("__label__a 0.5\n0.5 __label__a\n", 2),
        ("__label__a 0.5 0.5\n", 1),
        ("__label__a high\n", 1),
        ("a Q0 d 0 0.5 x\na Q0 d 0\n", 2),
        ("a Q0 d 0 0.5 x\na Q0 d 0 0.4 x\n", 2),
        ("a Q0 d 0 best x\n", 1),
        ("id\tlabels\tprobabilities\nd\ta|b\t0.5\n", 2),
        ('{"id": 1, "labels": "a"}\n', 1),
        ("nothing of the kind\n", 1),
    ],
)
def test_a_line_that_is_no_answer_is_named(tmp_path: Path, content: str, line: int) -> None:
    (tmp_path / "x").write_text(content)
    with pytest.raises(InputError, match=f"line {line}: is neither a model nor an answer"):
        answers_in(tmp_path / "x")


def test_of_equal_scores_the_first_line_of_a_document_is_its_best(run: Any, tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text('{"id":"1","text":"x","label":"b"}\n{"id":"2","text":"y","label":"a"}\n')
    (tmp_path / "one").write_text("a Q0 2 0 0.4 x\nb Q0 1 0 0.5 x\na Q0 1 0 0.5 x\n")
    (tmp_path / "two").write_text("a Q0 2 0 0.4 x\na Q0 1 0 0.5 x\nb Q0 1 0 0.5 x\n")
    told = compared(run, tmp_path / "one", tmp_path / "two", tmp_path / "d.jsonl")
    assert [system["overall"]["value"] for system in told["systems"]] == [1.0, 0.5]


names = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=8)
words = st.text(alphabet="ab %\t\n\r\"'{|\u2028\xa0é", max_size=6)


@given(names | words)
def test_names_come_back_as_they_were(name: str) -> None:
    assert unbare(bare(name)) == name
    assert not bare(name).split()[1:]


labels = st.lists(words | names, min_size=1, max_size=4, unique=True)
documents = st.lists(st.lists(st.floats(0, 1).map(lambda p: round(p, 6)), min_size=4, max_size=4), max_size=6)


@given(labels, documents, st.lists(words | names, min_size=6, max_size=6, unique=True), st.sampled_from(list(FORMATS)))
def test_what_is_written_in_a_form_is_read_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], p: list[list[float]], ids: list[str], form: str
) -> None:
    if form == "tsv":  # labels with a | are refused by predict; cells of no label are nothing
        names = [f"{n}{name.replace('|', '')}" for n, name in enumerate(names)]
    rows = [sorted(enumerate(row[: len(names)]), key=lambda cell: -cell[1]) for row in p]
    cells = [cell for row in rows for cell in row]
    ends = [0, *(len(names) * (n + 1) for n in range(len(rows)))]
    assigned = [n for n, (_, value) in enumerate(cells) if value > 0.5]
    assigned_ends = [sum(n < end for n in assigned) for end in ends]
    block = OutputRows(ids[: len(rows)], [c for c, _ in cells], [v for _, v in cells], ends, assigned, assigned_ends)
    path = tmp_path_factory.mktemp("x") / "answers"
    path.write_bytes(b"".join(FORMATS[form](names).lines([block], person=False)))
    found, lines = answers_in(path)
    assert len(lines) == len(rows)
    assert found == form or not rows
    for n, ((a, b), line) in enumerate(zip(pairwise(assigned_ends), lines, strict=True)):
        every = {names[c]: value for c, value in rows[n]}
        decided = [names[cells[place][0]] for place in assigned[a:b]]
        assert line.id == (None if form == "fasttext" else ids[n])
        assert line.labels == (None if form == "trec" else decided)
        assert line.values == (every if form in ("jsonl", "trec") else {label: every[label] for label in decided})


@pytest.mark.parametrize("kind", ["several", "one"])
@pytest.mark.parametrize("form", ["jsonl", "trec"])
def test_probabilities_that_were_not_written_are_small_and_not_nothing(
    run: Any, folder: Path, tmp_path: Path, kind: str, form: str
) -> None:
    model, labelled = folder / f"{kind}-prtfidf.rub", folder / f"{kind}.jsonl"
    whole = predicted(run, folder, tmp_path, kind, form, "--every-label")
    found = compared(run, model, whole, labelled, "--measure", "logloss")
    own, written = (system["overall"] for system in found["systems"])
    assert written == pytest.approx(own, abs=1e-3)
    assert not any("not written" in note for note in found["notes"])
    short = predicted(run, folder, tmp_path, kind, form)
    found = compared(run, model, short, labelled, "--measure", "logloss")
    assert found["systems"][1]["overall"] == pytest.approx(own, abs=0.01)
    assert any("not written are taken as 0.00025" in note for note in found["notes"])
