"""Corpus: batches, columns, the account; splits and folds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rubricate as rb
import toy
from rubricate.corpus import Columns, Row, Tally, batched, clean_labels
from rubricate.corpus.splits import held_out, parse_split, per_label_part
from rubricate.errors import InputError, InvalidSetting, RejectedRow, UnknownName
from rubricate.foundation.folds import fold_numbers
from strategies import label_lists


def dated() -> rb.Corpus:
    """Six documents with a title, a body, a date and a channel."""
    columns = Columns(text=("title", "body"), keep=("date", "channel"))
    rows = [
        Row(
            f"line {n}",
            f"d{n}",
            (f"Title {n}", f"body {n}"),
            ("a",) if n % 2 else ("a", "b"),
            (f"1987-04-0{n}", "form"),
        )
        for n in range(1, 7)
    ]
    rows[0] = rows[0]._replace(kept=("1987-04-01", "chat"))
    return rb.Corpus(lambda tally: batched(iter(rows), columns, tally), columns=columns, name="dated")


def test_a_corpus_of_texts_has_their_texts_labels_and_ids() -> None:
    corpus = rb.Corpus.from_texts(toy.TEXTS, toy.LABELS, toy.IDS)
    assert corpus.texts == toy.TEXTS
    assert corpus.labels == toy.LABELS
    assert corpus.ids == toy.IDS
    assert len(corpus) == 4
    assert [document.text for document in corpus.documents()] == toy.TEXTS


def test_fields_stay_apart_and_stand_one_under_the_other_in_text() -> None:
    corpus = dated()
    assert corpus.fields == ("title", "body")
    assert corpus.texts[0] == "Title 1\nbody 1"
    first = next(iter(corpus.documents()))
    assert first.fields == {"title": "Title 1", "body": "body 1"}
    assert first.kept == {"date": "1987-04-01", "channel": "chat"}
    with pytest.raises(UnknownName, match="title"):
        corpus.column("nothing")


def test_labels_may_be_one_several_or_none() -> None:
    assert rb.Corpus.from_texts(["a", "b", "c"], ["x", ["y", "z"], None]).labels == [["x"], ["y", "z"], []]


@pytest.mark.parametrize(
    ("labels", "cleaned", "repair"),
    [
        (["cafe\u0301"], ("café",), "label put into Unicode form NFC"),
        ([" a "], ("a",), "white space around a label removed"),
        (["a", "a "], ("a",), "label given twice to one document"),
        (["", "a"], ("a",), "empty label left out"),
        (["Spam", "spam"], ("Spam", "spam"), None),
        (["<script>", "a,b", "a\nb", "..", "/"], ("<script>", "a,b", "a\nb", "..", "/"), None),
    ],
)
def test_labels_are_tidied_and_every_change_is_told(
    labels: list[str], cleaned: tuple[str, ...], repair: str | None
) -> None:
    tally = Tally()
    assert clean_labels(labels, tally) == cleaned
    assert (repair in tally.repairs) if repair else not tally.repairs


@pytest.mark.parametrize(
    ("texts", "labels", "ids"),
    [
        (["a", 3], None, None),
        (["a"], [7], None),
        (["a"], [["x", 7]], None),
        (["a", "\ud800"], None, None),
        (["a", "b"], None, ["same", "same"]),
    ],
)
def test_bad_texts_labels_and_ids_are_named(texts: list, labels: list | None, ids: list | None) -> None:
    with pytest.raises(InputError):
        _ = rb.Corpus.from_texts(texts, labels, ids).texts


def test_as_many_labels_as_texts_are_needed() -> None:
    with pytest.raises(InvalidSetting, match="2 texts but 1 labels"):
        rb.Corpus.from_texts(["a", "b"], ["x"])


def test_a_repeated_id_is_rejected_and_the_account_adds_up() -> None:
    rows = [Row("line 1", "x", ("one",), ("a",)), Row("line 2", "x", ("two",), ("b",)), Row("line 3", None, ("three",))]
    tally = Tally()
    batches = list(batched(iter(rows), Columns(), tally))
    assert [batch.num_rows for batch in batches] == [2]
    assert (tally.rows_in, tally.kept, tally.rejected) == (3, 2, 1)
    assert tally.first[0].where == "line 2"
    with pytest.raises(RejectedRow, match="line 2"):
        list(batched(iter(rows), Columns(), Tally(strict=True)))


def test_an_id_that_an_unnamed_row_got_is_rejected_and_a_huge_number_is_an_id_like_any_other() -> None:
    names = [None, "row-1", "row-9", f"row-{'9' * 5000}"]
    tally = Tally()
    (batch,) = batched([Row(f"line {n}", name, ("text",)) for n, name in enumerate(names)], Columns(), tally)
    assert batch.column("id").to_pylist() == ["row-1", *names[2:]]
    assert tally.first[0].where == "line 1"


def test_batches_are_bounded_in_rows_and_bytes() -> None:
    rows = (Row(f"line {n}", None, ("x" * 100_000,)) for n in range(100))
    assert max(batch.num_rows for batch in batched(rows, Columns(), Tally())) <= 42
    rows = (Row(f"line {n}", None, ("",)) for n in range(20_000))
    assert [batch.num_rows for batch in batched(rows, Columns(), Tally())] == [8192, 8192, 3616]


def test_a_stream_is_read_once_and_says_so() -> None:
    def source(tally: Tally) -> Iterator[pa.RecordBatch]:
        yield from batched(iter([Row("line 1", None, ("one",))]), Columns(), tally)

    stream = rb.Corpus(source, columns=Columns(), name="-", once=True)
    assert stream.in_memory().texts == ["one"]
    with pytest.raises(InputError, match="only once"):
        _ = stream.texts
    with pytest.raises(InputError, match="cannot be split"):
        stream.split(test=0.5)


@pytest.mark.parametrize("columns", [{"text": ()}, {"text": ("a", "a")}, {"keep": ("text",)}, {"text": ("id",)}])
def test_a_column_has_one_role(columns: dict) -> None:
    with pytest.raises(InvalidSetting):
        Columns(**columns)


# -- splits


def test_splits_by_value_date_and_ids(tmp_path: Path) -> None:
    corpus = dated()
    train, test = corpus.split(field="channel", value="chat")
    assert (train.ids, test.ids) == (["d2", "d3", "d4", "d5", "d6"], ["d1"])
    train, test = corpus.split(field="date", since="1987-04-05")
    assert (train.ids, test.ids) == (["d1", "d2", "d3", "d4"], ["d5", "d6"])
    (tmp_path / "ids").write_text("d2\n\nd4\n")
    for given_ids in (tmp_path / "ids", ["d4", "d2"]):
        train, test = corpus.split(ids=given_ids)
        assert test.ids == ["d2", "d4"]
        assert train.labels == [["a"], ["a"], ["a"], ["a", "b"]]


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"test": 0.5, "per_label": 1},
        {"test": 0.0},
        {"test": 6},
        {"test": 1.5},
        {"value": "x"},
        {"per_label": 0},
    ],
)
def test_splits_that_make_no_sense_are_refused(how: dict) -> None:
    with pytest.raises(InvalidSetting):
        dated().split(**how)


def test_a_split_by_what_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownName):
        dated().split(field="channel", value="pigeon")
    with pytest.raises(UnknownName):
        dated().split(field="nothing", value="x")
    with pytest.raises(InputError, match="not in the corpus"):
        dated().split(ids=["d99"])


labelled = st.lists(label_lists, min_size=4, max_size=60)


@given(labelled, st.integers(0, 3), st.booleans())
def test_a_fraction_or_a_number_gives_exactly_so_many(labels: list, seed: int, stratify: bool) -> None:
    n = len(labels)
    assert held_out(labels, 0.25, stratify=stratify, seed=seed).sum() == round(0.25 * n)
    assert held_out(labels, 3, stratify=stratify, seed=seed).sum() == 3
    again = held_out(labels, 3, stratify=stratify, seed=seed)
    assert (held_out(labels, 3, stratify=stratify, seed=seed) == again).all()


@given(labelled, st.integers(2, 4), st.booleans())
def test_folds_part_the_corpus_evenly(labels: list, k: int, stratify: bool) -> None:
    numbers = fold_numbers(labels, k, stratify=stratify, seed=1)
    sizes = np.bincount(numbers, minlength=k)
    assert sizes.sum() == len(labels)
    assert sizes.max() - sizes.min() <= 1


def test_folds_are_stratified_with_several_labels_too() -> None:
    draw = np.random.default_rng(5)
    labels = [
        [name for name, share in (("a", 0.5), ("b", 0.2), ("c", 0.03)) if draw.random() < share] for _ in range(1000)
    ]
    totals = Counter(label for names in labels for label in names)
    numbers = fold_numbers(labels, 5, seed=0)
    for fold in range(5):
        inside = Counter(
            label for names, number in zip(labels, numbers, strict=True) if number == fold for label in names
        )
        for label, total in totals.items():
            assert abs(inside[label] - total / 5) <= max(1, 0.02 * total), (fold, label)


def test_single_label_folds_are_as_even_as_can_be() -> None:
    labels = [["a"]] * 50 + [["b"]] * 23 + [["c"]] * 7
    numbers = fold_numbers(labels, 5, seed=3)
    for name, start, end in (("a", 0, 50), ("b", 50, 73), ("c", 73, 80)):
        sizes = np.bincount(numbers[start:end], minlength=5)
        assert sizes.max() - sizes.min() <= 1, name


@given(labelled, st.integers(1, 3))
def test_per_label_parts_leave_every_label_something_to_learn_from(labels: list, number: int) -> None:
    mask = per_label_part(labels, number, seed=0)
    totals = Counter(label for names in labels for label in names)
    train = Counter(label for names, out in zip(labels, mask, strict=True) if not out for label in names)
    assert all(train[label] >= 1 for label in totals)


def test_per_label_parts_have_so_many_of_each() -> None:
    labels = [["a"]] * 50 + [["b"]] * 23 + [["c"]] * 7
    mask = per_label_part(labels, 10, seed=0)
    assert [int(part.sum()) for part in (mask[:50], mask[50:73], mask[73:])] == [10, 10, 6]


def test_folds_are_the_corpus_and_differ_by_seed() -> None:
    corpus = rb.Corpus.from_texts([f"text {n}" for n in range(40)], [["a", "b"][n % 2] for n in range(40)])
    folds = corpus.folds(4, seed=1)
    assert sorted(name for _, test in folds for name in test.ids) == sorted(corpus.ids)
    assert all(set(train.ids).isdisjoint(test.ids) for train, test in folds)
    assert [test.ids for _, test in folds] == [test.ids for _, test in corpus.folds(4, seed=1)]
    assert [test.ids for _, test in folds] != [test.ids for _, test in corpus.folds(4, seed=2)]
    with pytest.raises(InvalidSetting):
        corpus.folds(41)


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("0.3", {"test": 0.3}),
        ("200", {"test": 200}),
        ("10pc", {"per_label": 10}),
        ("channel=chat", {"field": "channel", "value": "chat"}),
        ("date>=1987-04-08", {"field": "date", "since": "1987-04-08"}),
    ],
)
def test_splits_are_written_on_a_command_line(text: str, how: dict) -> None:
    assert parse_split(text) == how


@pytest.mark.parametrize("text", ["1.5", "most", "-3", "0.0"])
def test_a_split_nobody_understands_is_refused(text: str) -> None:
    with pytest.raises(InvalidSetting):
        parse_split(text)
