"""count and tabulate: one pass, any number of threads, any cut of the corpus, the same numbers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

import rubricate as rb
import toy
from rubricate import collections
from rubricate.corpus import Columns, Row, batched
from rubricate.counts import one_pass
from rubricate.counts.accumulate import Runs
from rubricate.errors import InvalidSetting, UnknownName
from strategies import documents, recipes


@pytest.fixture(scope="module")
def enquiries() -> rb.Corpus:
    return collections.read("enquiries").in_memory()


@pytest.fixture(scope="module")
def some_enquiries(enquiries: rb.Corpus) -> rb.Corpus:
    """A third of them, for what is done over and over."""
    return rb.Corpus.from_batches([next(iter(recut(enquiries, 400)))], columns=enquiries.columns, name="some")


def recut(corpus: rb.Corpus, rows: int) -> rb.Corpus:
    """The same documents in batches of another size."""
    table = pa.Table.from_batches(list(iter(corpus)))
    return rb.Corpus.from_batches(table.combine_chunks().to_batches(rows), columns=corpus.columns, name="recut")


@pytest.mark.parametrize(
    "recipe", ["", "schneider", "wilbur_kim", "stem=english,prefix_fields", "tokens=whitespace,fields=subject"]
)
def test_threads_and_batches_change_nothing_bit_for_bit(some_enquiries: rb.Corpus, recipe: str) -> None:
    parsed = rb.Recipe.parse(recipe)
    once = rb.tabulate(some_enquiries, parsed, jobs=1)
    for jobs, rows in ((2, 100), (3, 7), (1, 1)):
        table_again = rb.tabulate(recut(some_enquiries, rows), parsed, jobs=jobs)
        assert table_again.terms == once.terms
        assert (table_again.X.data == once.X.data).all()
        assert (table_again.X.indices == once.X.indices).all()
        assert (table_again.X.indptr == once.X.indptr).all()
        assert table_again.ids == once.ids
        assert table_again.labels == once.labels
        counts = rb.count(recut(some_enquiries, rows), parsed, jobs=jobs)
        assert counts.digest == once.counts.digest
        assert counts.entries.cells.tobytes() == once.counts.entries.cells.tobytes()


@given(documents, recipes)
def test_a_table_holds_the_terms_of_the_definition(some: list, recipe: rb.Recipe) -> None:
    table = rb.tabulate([text for text, _ in some], recipe, labels=[labels for _, labels in some])
    X = table.X.toarray()
    assert table.X.has_canonical_format
    for n, (text, labels) in enumerate(some):
        row = {table.terms[column]: int(X[n, column]) for column in X[n].nonzero()[0]}
        assert row == Counter(recipe.terms(text))
        assert table.labels[n] == labels
    assert table.terms == sorted(table.terms)
    assert not len(some) or X.sum(axis=0).all()


def test_the_table_is_that_of_scikit_learn(enquiries: rb.Corpus) -> None:
    texts = enquiries.texts
    peer = CountVectorizer(preprocessor=str.casefold, token_pattern=r"(?u)[^\W_]{2,}")
    expected = peer.fit_transform(texts)
    table = rb.tabulate(texts, rb.Recipe(min_length=2))
    # CountVectorizer knows no scripts without spaces and no marks: compare on the documents that have neither
    plain = np.array([all(ord(c) < 0x300 or 0x2000 <= ord(c) < 0x2070 for c in text) for text in texts])
    columns = {term: n for n, term in enumerate(peer.get_feature_names_out())}
    order = [columns[term] for term in table.terms if term in columns]
    common = [n for n, term in enumerate(table.terms) if term in columns]
    assert plain.sum() > 1000
    assert (table.X[plain][:, common] != expected[plain][:, order]).nnz == 0


def test_given_terms_are_the_columns_in_their_order() -> None:
    table = rb.tabulate(toy.TEXTS, labels=toy.LABELS, terms=["wheat", "zebra", "corn"])
    assert table.X.toarray().tolist() == [[2, 0, 1], [0, 0, 2], [0, 0, 0], [0, 0, 0]]
    counts = rb.count(toy.TEXTS, labels=toy.LABELS, terms=["wheat", "zebra", "corn"])
    assert counts.terms == ["wheat", "zebra", "corn"]
    assert counts.lengths.toarray().tolist() == [[0, 0, 1, 1], [1, 0, 1, 0], [2, 0, 1, 1]]
    with pytest.raises(InvalidSetting, match="twice"):
        rb.count(toy.TEXTS, terms=["a", "a"])


def two_fields() -> rb.Corpus:
    columns = Columns(text=("title", "body"))
    rows = [Row("1", "1", ("Corn up", "up again")), Row("2", "2", ("", "corn corn"))]
    return rb.Corpus(lambda tally: batched(iter(rows), columns, tally), columns=columns, name="two fields")


def test_a_recipe_chooses_fields_and_may_keep_them_apart() -> None:
    assert rb.count(two_fields(), rb.Recipe(fields=("title",))).terms == ["corn", "up"]
    apart = rb.tabulate(two_fields(), rb.Recipe(prefix_fields=True, pairs=True))
    assert apart.terms == [
        "body:again",
        "body:corn",
        "body:corn corn",
        "body:up",
        "body:up again",
        "title:corn",
        "title:corn up",
        "title:up",
    ]
    assert apart.X.toarray().tolist() == [[1, 0, 0, 1, 1, 1, 1, 1], [0, 2, 1, 0, 0, 0, 0, 0]]
    with pytest.raises(UnknownName, match="body"):
        rb.count(two_fields(), rb.Recipe(fields=("abstract",)))


def test_no_pair_crosses_from_one_field_to_the_next() -> None:
    assert "up up" not in rb.count(two_fields(), rb.Recipe(pairs=True)).terms


def test_one_document_of_prefixed_fields_is_counted_like_many() -> None:
    recipe = rb.Recipe(prefix_fields=True)
    assert rb.count(["corn up"], recipe).terms == ["text:corn", "text:up"]


@pytest.mark.parametrize("documents", [[], ["", "", ""], ["!!! ...", "😀"]])
def test_documents_without_terms_count_as_documents(documents: list[str]) -> None:
    counts = rb.count(documents, labels=["a"] * len(documents))
    assert counts.n_documents == len(documents)
    assert counts.terms == []
    assert rb.tabulate(documents).X.shape == (len(documents), 0)


def test_what_cannot_be_counted_is_refused_with_the_cure() -> None:
    with pytest.raises(InvalidSetting, match="list of texts"):
        rb.count("one string")
    with pytest.raises(InvalidSetting, match="has its labels"):
        rb.count(rb.Corpus.from_texts(["a"]), labels=["x"])
    with pytest.raises(InvalidSetting, match="1 texts but 2 labels"):
        rb.count(["a"], labels=["x", "y"])
    with pytest.raises(InvalidSetting, match="at least one thread"):
        rb.count(["a", "b"], jobs=0)


def test_a_hundred_thousand_labels_are_counted() -> None:
    n = 100_000
    counts = rb.count(["corn wheat"] * n, labels=[f"label {i}" for i in range(n)])
    assert len(counts.labels) == n
    assert counts.documents_with.nnz == 2 * (n + 1)
    assert counts.documents_with[n, 0] == n


def test_arrays_of_texts_and_labels_are_lists_of_them() -> None:
    texts, labels = np.array(toy.TEXTS), np.array(["a", "b", "a", "b"])
    assert rb.count(texts, labels=labels) == rb.count(toy.TEXTS, labels=labels.tolist())
    assert rb.count(texts[:1].tolist(), labels=labels[:1]).labels == ["a"]


def test_progress_tells_every_document(enquiries: rb.Corpus) -> None:
    totals = [0, 0]

    def show(documents: int, size: int) -> None:
        totals[0] += documents
        totals[1] += size

    rb.count(recut(enquiries, 100), progress=show)
    assert totals[0] == len(enquiries)
    assert totals[1] > 100_000


def test_an_error_in_a_thread_reaches_the_caller() -> None:
    def broken(text: str) -> list[str]:
        if text == "bad":
            raise ZeroDivisionError
        return text.split()

    corpus = recut(rb.Corpus.from_texts(["good"] * 50 + ["bad"]), 10)
    with pytest.raises(ZeroDivisionError):
        rb.count(corpus, rb.Recipe(function=broken), jobs=2)


@given(st.lists(st.lists(st.integers(0, 50)), max_size=12), st.integers(1, 40))
def test_runs_count_keys_whatever_the_buffer(batches: list[list[int]], buffer: int) -> None:
    runs = Runs(buffer)
    for batch in batches:
        runs.add(np.array(batch, dtype=np.uint64))
    keys, n = runs.finish()
    expected = sorted(Counter(key for batch in batches for key in batch).items())
    assert list(zip(keys.tolist(), n.tolist(), strict=True)) == expected


def test_large_batches_are_cut_for_the_threads() -> None:
    texts = ["word " * 1000] * 4000  # 20 MB
    batch = pa.RecordBatch.from_arrays(
        [
            pa.array([str(n) for n in range(4000)]),
            pa.array(texts, pa.large_string()),
            pa.array([[]] * 4000, pa.list_(pa.string())),
        ],
        names=["id", "text", "labels"],
    )
    corpus = rb.Corpus.from_batches([batch], columns=Columns(), name="one large batch")
    parts = list(one_pass.pieces(corpus))
    assert len(parts) > 2
    assert sum(part.num_rows for part in parts) == 4000
    assert rb.count(corpus, jobs=2).occurrences.toarray().tolist() == [[4_000_000]]


def test_a_function_gets_fields_one_under_the_other(tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    path.write_text('{"title":"rain in","body":"spain falls","label":"a"}\n')
    corpus = rb.read(path, text=["title", "body"])
    assert rb.count(corpus, rb.Recipe(function=str.split)).terms == ["falls", "in", "rain", "spain"]
    assert rb.count(corpus, rb.Recipe(function=str.splitlines)).terms == ["rain in", "spain falls"]
