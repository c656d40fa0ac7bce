"""Counts: the statistics, their algebra, their file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import rubricate as rb
import toy
from rubricate.errors import (
    DamagedFile,
    InvalidSetting,
    MissingData,
    NeedsRecount,
    NeverCounted,
    RecipesDiffer,
    UnknownName,
)
from strategies import documents


def count_documents(some: list[tuple[str, list[str]]]) -> rb.Counts:
    return rb.count([text for text, _ in some], labels=[labels for _, labels in some])


@pytest.fixture
def counts() -> rb.Counts:
    return rb.count(toy.TEXTS, labels=toy.LABELS)


def test_every_count_of_the_toy_corpus(counts: rb.Counts) -> None:
    assert counts.terms == toy.TERMS
    assert counts.labels == toy.LABEL_NAMES
    assert counts.documents.tolist() == toy.DOCUMENTS
    assert counts.documents_with.toarray().tolist() == toy.DOCUMENTS_WITH
    assert counts.occurrences.toarray().tolist() == toy.OCCURRENCES
    assert counts.levels(1).toarray().tolist() == toy.DOCUMENTS_WITH
    assert counts.levels(2).toarray().tolist() == toy.LEVEL_2
    assert counts.levels(3).nnz == 0
    assert counts.max_times == 2
    assert counts.lengths.toarray().tolist() == toy.LENGTHS


# -- laws, bit for bit


@given(documents, documents)
def test_addition_is_commutative(some: list, others: list) -> None:
    a, b = count_documents(some), count_documents(others)
    assert (a + b).digest == (b + a).digest


@given(documents, documents, documents)
def test_addition_is_associative(x: list, y: list, z: list) -> None:
    a, b, c = count_documents(x), count_documents(y), count_documents(z)
    assert ((a + b) + c).digest == (a + (b + c)).digest


@given(documents, documents)
def test_subtraction_takes_back_addition(some: list, others: list) -> None:
    a, b = count_documents(some), count_documents(others)
    assert ((a + b) - b).digest == a.digest
    assert ((a + b) - b).terms == a.terms


@given(documents, st.lists(st.integers(0, 2), min_size=8, max_size=8))
def test_shards_merge_to_the_whole(some: list, shard_of: list[int]) -> None:
    shards = [
        [document for document, number in zip(some, shard_of, strict=False) if number == shard] for shard in range(3)
    ]
    a, b, c = (count_documents(shard) for shard in shards)
    merged = c + a + b
    whole = count_documents(some)
    assert merged == whole
    assert merged.terms == whole.terms
    assert (merged.entries.cells == whole.entries.cells).all()
    assert (merged.entries.documents == whole.entries.documents).all()


@given(documents)
def test_one_document_alone_is_counted_like_one_among_many(some: list) -> None:
    total = count_documents([])
    for text, labels in some:
        total = total + rb.count([text], labels=[labels])
    assert total == count_documents(some)


@given(documents)
def test_counts_of_a_table_are_the_counts_of_its_texts(some: list) -> None:
    table = rb.tabulate([text for text, _ in some], labels=[labels for _, labels in some])
    assert table.counts == count_documents(some)


@given(documents, st.data())
def test_selecting_terms_is_counting_them_alone(some: list, data: st.DataObject) -> None:
    whole = count_documents(some)
    terms = data.draw(st.lists(st.sampled_from(whole.terms), unique=True)) if whole.terms else []
    selected = whole.select(terms)
    alone = rb.count([text for text, _ in some], labels=[labels for _, labels in some], terms=terms)
    assert selected.terms == terms == alone.terms
    assert (selected.occurrences != alone.occurrences).nnz == 0
    assert (selected.levels(2) != alone.levels(2)).nnz == 0
    assert selected.documents.tolist() == alone.documents.tolist()


def test_subtracting_a_fold_forgets_its_terms_and_labels(counts: rb.Counts) -> None:
    fold = rb.count(toy.TEXTS[2:3], labels=toy.LABELS[2:3])
    remaining = counts - fold
    assert "talks" not in remaining.terms
    assert "rise" in remaining.terms
    none_left = remaining - rb.count(toy.TEXTS[1:2], labels=toy.LABELS[1:2])
    assert none_left.labels == ["grain"]


def test_what_was_never_added_cannot_be_subtracted(counts: rb.Counts) -> None:
    for other in (rb.count(["zebra"]), rb.count(["Trade talks rise"], labels=["grain"]), counts + counts):
        with pytest.raises(NeverCounted, match="only what was added"):
            counts - other


def test_counts_of_two_recipes_do_not_mix(counts: rb.Counts) -> None:
    other = rb.count(toy.TEXTS, rb.Recipe(pairs=True), labels=toy.LABELS)
    with pytest.raises(RecipesDiffer, match="one recipe"):
        counts + other


def test_selection_drops_lengths_and_says_so(counts: rb.Counts) -> None:
    selected = counts.select(["corn", "wheat"])
    with pytest.raises(NeedsRecount, match="count the documents again"):
        _ = selected.lengths
    with pytest.raises(NeedsRecount):
        counts + selected


def test_terms_are_selected_by_name_number_or_mask_in_the_order_given(counts: rb.Counts) -> None:
    assert counts.select(["wheat", "corn"]).terms == ["wheat", "corn"]
    assert counts.select([8, 1]).terms == ["wheat", "corn"]
    assert counts.select(np.array([term in ("wheat", "corn") for term in toy.TERMS])).terms == ["corn", "wheat"]
    assert counts.select([8, 1]).occurrences.toarray().tolist() == [[2, 3], [0, 2], [2, 3]]
    for wrong in ([99], [-1], [1, 1], np.ones(3, dtype=bool)):
        with pytest.raises(InvalidSetting):
            counts.select(wrong)
    with pytest.raises(UnknownName):
        counts.select(["zebra"])


def test_terms_in_one_document_more_often_than_sixteen_bits_hold_are_not_capped() -> None:
    text = "many " * 70_000 + "few few"
    counts = rb.count([text, text, "few"], labels=["a", ["b", "a"], []])
    assert counts.max_times == 70_000
    assert counts.occurrences.toarray().tolist() == [[4, 140_000], [2, 70_000], [5, 140_000]]
    assert counts == rb.count([text], labels=["a"]) + rb.count([text], labels=[["a", "b"]]) + rb.count(["few"])
    assert counts.levels(70_000).toarray().tolist() == [[0, 2], [0, 1], [0, 2]]


# -- from a matrix


def test_counts_of_a_matrix_are_those_of_the_texts(counts: rb.Counts) -> None:
    table = rb.tabulate(toy.TEXTS, labels=toy.LABELS)
    Y = np.array([[1, 0], [1, 1], [0, 1], [0, 0]])
    from_matrix = rb.Counts.from_matrix(table.X, Y, terms=table.terms)
    assert from_matrix.labels == ["0", "1"]
    for name in ("documents_with", "occurrences", "lengths"):
        assert (getattr(from_matrix, name) != getattr(counts, name)).nnz == 0
    assert from_matrix.documents.tolist() == counts.documents.tolist()
    sparse_Y = rb.Counts.from_matrix(table.X.toarray(), sparse.csr_array(Y), terms=table.terms)
    assert sparse_Y == from_matrix
    assert rb.Counts.from_matrix(table.X.toarray().tolist(), Y.tolist(), terms=table.terms) == from_matrix


@given(st.lists(st.tuples(st.lists(st.integers(0, 4), min_size=3, max_size=3), st.sampled_from("ab")), min_size=2))
def test_matrices_add_and_subtract_like_their_rows(rows: list) -> None:
    X, y = np.array([row for row, _ in rows]), np.array([label for _, label in rows])
    whole, first, rest = (
        rb.Counts.from_matrix(X, y),
        rb.Counts.from_matrix(X[:1], y[:1]),
        rb.Counts.from_matrix(X[1:], y[1:]),
    )
    assert first + rest == whole
    assert whole - first == rest


def test_columns_of_a_matrix_keep_their_places_and_labels_their_order() -> None:
    X = np.array([[0, 2, 0], [1, 0, 0], [0, 1, 0]])
    from_matrix = rb.Counts.from_matrix(X, np.array([10, 2, 10]))
    assert from_matrix.terms == ["0", "1", "2"]
    assert from_matrix.labels == ["2", "10"]
    assert from_matrix.documents.tolist() == [1, 2, 3]
    assert from_matrix.occurrences.toarray().tolist() == [[1, 0, 0], [0, 3, 0], [1, 3, 0]]
    assert (from_matrix - rb.Counts.from_matrix(X[1:2], np.array([2]))).terms == ["1"]


@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[0.5, 1.0]], ["a"]),
        ([[-1, 1]], ["a"]),
        ([[np.nan, 1]], ["a"]),
        ([[1, 1]], ["a", "b"]),
        ([[1, 1]], [["a", "b"]]),
        ([[1, 1]], [[2, 0]]),
        ([[3e9, 1]], ["a"]),
    ],
)
def test_matrices_that_hold_no_counts_are_refused(X: list, y: list) -> None:
    with pytest.raises(InvalidSetting):
        rb.Counts.from_matrix(np.array(X), np.array(y))


# -- the file


def test_counts_come_back_from_their_file(counts: rb.Counts, tmp_path: Path) -> None:
    counts.save(tmp_path / "toy.counts")
    loaded = rb.Counts.load(tmp_path / "toy.counts")
    assert loaded == counts
    assert loaded.recipe == counts.recipe
    assert [path.name for path in tmp_path.iterdir()] == ["toy.counts"]
    selected = counts.select(["corn"])
    selected.save(tmp_path / "toy.counts")
    assert rb.Counts.load(tmp_path / "toy.counts") == selected


def test_the_same_counts_make_the_same_file(tmp_path: Path) -> None:
    rb.count(toy.TEXTS, labels=toy.LABELS, jobs=1).save(tmp_path / "a")
    (rb.count(toy.TEXTS[2:], labels=toy.LABELS[2:]) + rb.count(toy.TEXTS[:2], labels=toy.LABELS[:2])).save(
        tmp_path / "b"
    )
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_single_flipped_bit_anywhere_is_refused(counts: rb.Counts, tmp_path: Path) -> None:
    path = tmp_path / "toy.counts"
    counts.save(path)
    good = path.read_bytes()
    draw = np.random.default_rng(0)
    for place in {*range(80), *draw.integers(0, len(good), 400).tolist()}:
        bad = bytearray(good)
        bad[place] ^= 1 << int(draw.integers(8))
        path.write_bytes(bad)
        with pytest.raises(DamagedFile):
            rb.Counts.load(path)
    for length in (0, 5, 60, len(good) // 2, len(good) - 1):
        path.write_bytes(good[:length])
        with pytest.raises(DamagedFile):
            rb.Counts.load(path)


def test_other_files_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="no such file"):
        rb.Counts.load(tmp_path / "nothing")
    (tmp_path / "other").write_bytes(b"rubricate model 1\n" + b"0" * 64 + b"\n")
    with pytest.raises(DamagedFile, match="holds model"):
        rb.Counts.load(tmp_path / "other")
    (tmp_path / "newer").write_bytes(b"rubricate counts 99\n" + b"0" * 64 + b"\n")
    with pytest.raises(DamagedFile, match="update rubricate"):
        rb.Counts.load(tmp_path / "newer")


def test_a_recipe_with_a_function_is_never_loaded_as_code(tmp_path: Path) -> None:
    recipe = rb.Recipe(function=str.split)
    rb.count(["a b"], recipe).save(tmp_path / "f")
    with pytest.raises(InvalidSetting, match="never loaded from files"):
        rb.Counts.load(tmp_path / "f")
    assert rb.Counts.load(tmp_path / "f", recipe=recipe).terms == ["a", "b"]
    with pytest.raises(RecipesDiffer):
        rb.Counts.load(tmp_path / "f", recipe=rb.Recipe())


def test_a_failed_save_leaves_the_old_file_whole(
    counts: rb.Counts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "toy.counts"
    counts.save(path)
    good = path.read_bytes()

    def no_space(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", no_space)
    with pytest.raises(OSError, match="No space"):
        (counts + counts).save(path)
    assert path.read_bytes() == good
    assert [entry.name for entry in tmp_path.iterdir()] == ["toy.counts"]
