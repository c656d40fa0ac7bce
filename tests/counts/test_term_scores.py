"""Term scores: laws, other people's implementations, degenerate data, selection, the command."""

from __future__ import annotations

import doctest
import math
import tracemalloc
from functools import partial
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse, stats
from sklearn.feature_selection import chi2 as sklearn_chi2
from sklearn.feature_selection import mutual_info_classif
from sklearn.metrics import mutual_info_score

import rubricate as rb
import toy
from commands import Run
from rubricate import term_scores
from rubricate.counts.term_scores import SCORES
from rubricate.counts.term_scores.selection import FREQUENCIES
from rubricate.errors import InvalidSetting, UnknownName
from strategies import documents

OF_LABELS = sorted(set(SCORES) - FREQUENCIES)
TWO_CLASSES = ["binormal_separation", "odds_ratio"]
JOINT = sorted(set(OF_LABELS) - set(TWO_CLASSES))
FEWER = settings(max_examples=25)  # for laws that are tested of each score

cells = st.integers(0, 3)


@st.composite
def tables(draw: st.DrawFn, labels: str = "abc", terms: int = 5, least: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """A documents x terms table and a label for each document."""
    rows = draw(st.lists(st.lists(cells, min_size=terms, max_size=terms), min_size=least, max_size=12))
    y = draw(st.lists(st.sampled_from(labels), min_size=len(rows), max_size=len(rows)))
    return np.array(rows), np.array(y)


@st.composite
def indicators(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """A documents x terms table and a 0/1 table of four labels, any number of them a document."""
    X, _ = draw(tables())
    Y = draw(st.lists(st.lists(st.integers(0, 1), min_size=4, max_size=4), min_size=len(X), max_size=len(X)))
    return X, np.array(Y)


def near(actual: np.ndarray, expected: object) -> None:
    np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-12)


# -- laws


@pytest.mark.parametrize("name", OF_LABELS)
@FEWER
@given(table=indicators())
def test_scores_over_labels_are_those_of_each_label_put_together(name: str, table: tuple) -> None:
    counts = rb.Counts.from_matrix(*table)
    score = SCORES[name]
    live = counts.documents[:-1] > 0
    assume(live.any())
    each = np.array([score(counts, label=label) for label in counts.labels])[live]
    weights = counts.documents[:-1][live]
    near(score(counts, average="mean"), each.mean(axis=0))
    near(score(counts, average="max"), each.max(axis=0))
    near(score(counts, average="weighted"), weights @ each / weights.sum())


@pytest.mark.parametrize("name", JOINT)
@FEWER
@given(table=tables(labels="ab"))
def test_of_two_labels_all_at_once_is_each_against_the_rest(name: str, table: tuple) -> None:
    counts = rb.Counts.from_matrix(*table)
    for label in counts.labels:
        near(SCORES[name](counts, label=label), SCORES[name](counts))


@given(table=tables(labels="ab"))
def test_separation_is_the_same_from_both_sides_and_odds_turn_round(table: tuple) -> None:
    counts = rb.Counts.from_matrix(*table)
    assume(len(counts.labels) == 2)
    separations = [term_scores.binormal_separation(counts, label=label) for label in "ab"]
    near(separations[0], separations[1])
    odds = [term_scores.odds_ratio(counts, label=label) for label in "ab"]
    near(odds[0], -odds[1])


@pytest.mark.parametrize("name", sorted(SCORES))
@FEWER
@given(table=tables(), seed=st.integers(0, 99))
def test_the_order_of_documents_terms_and_labels_changes_nothing(name: str, table: tuple, seed: int) -> None:
    X, y = table
    draw = np.random.default_rng(seed)
    rows, columns = draw.permutation(len(X)), draw.permutation(X.shape[1])
    renamed = np.array([{"a": "z", "b": "y", "c": "x"}[label] for label in y])
    score = SCORES[name]
    near(
        score(rb.Counts.from_matrix(X[rows][:, columns], renamed[rows])),
        score(rb.Counts.from_matrix(X, y))[columns],
    )


@given(table=tables())
def test_information_is_between_nothing_and_what_there_is_to_know(table: tuple) -> None:
    X, y = table
    counts = rb.Counts.from_matrix(X, y)
    shares = counts.documents[:-1] / len(X)
    entropy = -(shares * np.log(shares)).sum()
    for average in (None, "mean", "weighted", "max"):
        scores = term_scores.mutual_information(counts, average=average)
        assert (scores >= 0).all()
        assert (scores <= entropy + 1e-12).all()
    assert (term_scores.information_gain(counts) == term_scores.mutual_information(counts)).all()


@given(table=tables())
def test_information_over_word_positions_is_that_of_one_word_documents(table: tuple) -> None:
    X, y = table
    assume(X.sum() > 0)
    document, term = X.nonzero()
    times = X[document, term]
    words = np.zeros((times.sum(), X.shape[1]), dtype=int)
    words[np.arange(len(words)), np.repeat(term, times)] = 1
    one_word_each = rb.Counts.from_matrix(words, np.repeat(y[document], times))
    near(
        term_scores.word_mutual_information(rb.Counts.from_matrix(X, y)), term_scores.mutual_information(one_word_each)
    )


@given(table=tables())
def test_both_priors_agree_where_all_labels_have_as_many_words_a_document(table: tuple) -> None:
    X, y = table
    X = np.hstack([X, 20 - X.sum(axis=1, keepdims=True)])
    counts = rb.Counts.from_matrix(X, y)
    near(
        term_scores.word_mutual_information(counts, prior="documents"),
        term_scores.word_mutual_information(counts, prior="words"),
    )


@given(table=tables())
def test_divergences_of_terms_add_up_to_the_average_divergence_of_documents(table: tuple) -> None:
    X, y = table
    total = 0.0
    for row, label in zip(X, y, strict=True):
        inside = X[y == label].sum(axis=0)
        p_label = (1 + inside) / (X.shape[1] + inside.sum())
        if row.sum():
            total += stats.entropy(row / row.sum(), p_label)
    assert math.isclose(term_scores.exact_kl(X, y).sum(), total / len(X), rel_tol=1e-9, abs_tol=1e-12)


@given(
    spread=st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 2)), min_size=1, max_size=12),
    times=st.integers(1, 3),
)
def test_the_approximation_is_exact_where_its_assumptions_hold(spread: list, times: int) -> None:
    """Documents of equal length, each term as often in all documents that have it, no smoothing: eq. 10 = eq. 8."""
    X = np.zeros((len(spread), 3), dtype=int)
    X[np.arange(len(spread)), [term for _, term in spread]] = times
    y = np.array([label for label, _ in spread])
    error = term_scores.kl_error(X, y, smoothing=0)
    assert error.max_error < 1e-12
    assert error.mean_error <= error.max_error
    assert np.isnan(error.rank_correlation) or error.rank_correlation > 1 - 1e-9
    assert term_scores.kl_error(X, y, smoothing=0, of="score").max_error < 1e-12


@given(table=tables(terms=2, least=2))
def test_dkl_is_nothing_for_a_term_equally_spread_over_labels(table: tuple) -> None:
    """However often it occurs there, as long as the share of documents that have it is the same."""
    X, _ = table
    both = np.vstack([X, (X > 0).astype(int)])  # b's documents have the terms of a's, each once
    counts = rb.Counts.from_matrix(both, np.repeat(["a", "b"], len(X)))
    near(term_scores.dkl(counts), np.zeros(2))


@FEWER
@given(table=indicators())
def test_scores_of_counts_do_not_depend_on_how_they_were_put_together(table: tuple) -> None:
    X, Y = table
    first, rest = (rb.Counts.from_matrix(X[part], Y[part]) for part in (slice(0, 1), slice(1, None)))
    merged, whole = first + rest, rb.Counts.from_matrix(X, Y)
    assume(whole.documents[:-1].any())
    for score in SCORES.values():
        near(score(merged), score(whole))


@FEWER
@given(some=documents)
def test_texts_of_any_kind_get_finite_scores_for_each_term(some: list) -> None:
    counts = rb.count([text for text, _ in some], labels=[labels for _, labels in some])
    for name, score in SCORES.items():
        if counts.labels or not some or name in FREQUENCIES:
            scores = score(counts)
            assert scores.shape == (len(counts.terms),)
            assert np.isfinite(scores).all()
        else:
            with pytest.raises(InvalidSetting, match="no labels"):
                score(counts)


# -- other people's implementations


@given(table=tables())
def test_mutual_information_is_scikit_learns(table: tuple) -> None:
    X, y = table
    scores = term_scores.mutual_information(rb.Counts.from_matrix(X, y))
    near(scores, [mutual_info_score(y, column > 0) for column in X.T])
    if len(set(y.tolist())) > 1:
        near(scores, mutual_info_classif((X > 0).astype(int), y, discrete_features=True))


@given(table=tables())
def test_word_mutual_information_is_scikit_learns_over_positions(table: tuple) -> None:
    X, y = table
    assume(X.sum() > 0)
    document, term = X.nonzero()
    times = X[document, term]
    labels, words = np.repeat(y[document], times), np.repeat(term, times)
    expected = [mutual_info_score(labels, words == column) for column in range(X.shape[1])]
    near(term_scores.word_mutual_information(rb.Counts.from_matrix(X, y)), expected)


@given(table=tables())
def test_chi_square_is_scipys_of_the_contingency_table(table: tuple) -> None:
    X, y = table
    counts = rb.Counts.from_matrix(X, y)
    scores = term_scores.chi2(counts)
    has = X > 0
    for column, score in zip(has.T, scores, strict=True):
        contingency = np.array(
            [[(column & (y == label)).sum(), (~column & (y == label)).sum()] for label in counts.labels]
        )
        expected = (
            stats.chi2_contingency(contingency, correction=False).statistic if contingency.any(axis=0).all() else 0.0
        )
        assert math.isclose(score, expected, rel_tol=1e-9, abs_tol=1e-12)


@given(table=tables())
def test_chi_square_is_scikit_learns_over_the_share_of_documents_without_the_term(table: tuple) -> None:
    X, y = table
    has = (X > 0).astype(int)
    absent = 1 - has.mean(axis=0)
    usable = (absent > 0) & (absent < 1)
    assume(usable.any())
    assume(len(set(y.tolist())) > 1)
    expected = sklearn_chi2(has[:, usable], y)[0]
    near(term_scores.chi2(rb.Counts.from_matrix(X, y))[usable] * absent[usable], expected)


@given(table=tables())
def test_binormal_separation_is_the_distance_of_normal_quantiles(table: tuple) -> None:
    X, y = table
    counts = rb.Counts.from_matrix(X, y)
    assume(len(counts.labels) > 1)
    for label in counts.labels:
        here, there = ((X[part] > 0).mean(axis=0).clip(0.0005, 0.9995) for part in (y == label, y != label))
        expected = abs(stats.norm.ppf(here) - stats.norm.ppf(there))
        near(term_scores.binormal_separation(counts, label=label), expected)


@given(table=tables())
def test_odds_ratio_is_scipys_of_the_table_with_half_a_document_more_in_each_cell(table: tuple) -> None:
    X, y = table
    counts = rb.Counts.from_matrix(X, y)
    assume(len(counts.labels) > 1)
    for label in counts.labels:
        scores = term_scores.odds_ratio(counts, label=label)
        for column, score in zip((X > 0).T, scores, strict=True):
            parts = [column[y == label], column[y != label]]
            # twice the cells plus one: the same ratio, in whole numbers
            contingency = np.array([[2 * part.sum() + 1, 2 * (~part).sum() + 1] for part in parts])
            expected = stats.contingency.odds_ratio(contingency, kind="sample").statistic
            assert math.isclose(score, math.log(expected), rel_tol=1e-9, abs_tol=1e-12)


# -- by hand


def test_scores_of_the_toy_corpus_by_hand() -> None:
    counts = rb.count(toy.TEXTS, labels=toy.LABELS)
    at = {term: n for n, term in enumerate(counts.terms)}
    assert term_scores.document_frequency(counts).tolist() == toy.DOCUMENTS_WITH[-1]
    assert term_scores.occurrences(counts, label="grain").tolist() == toy.OCCURRENCES[0]
    near(term_scores.idf(counts)[at["corn"]], math.log(4 / 2))
    near(term_scores.idf(counts, label="trade")[[at["rise"], at["corn"], at["wheat"]]], [0.0, math.log(2), 0.0])
    # corn is in both documents of grain and in no other
    near(term_scores.mutual_information(counts, label="grain")[at["corn"]], math.log(2))
    near(term_scores.chi2(counts, label="grain")[at["corn"]], 4.0)
    near(term_scores.odds_ratio(counts, label="grain")[at["corn"]], math.log(2.5 * 2.5 / (0.5 * 0.5)))
    assert term_scores.odds_ratio(counts, label="grain", smoothing=0)[at["corn"]] == math.inf
    assert term_scores.odds_ratio(counts, label="grain", smoothing=0)[at["trade"]] == -math.inf
    # wheat: once in grain's two documents, in none of the other two
    assert term_scores.telling_terms(counts, "grain") == [("corn", pytest.approx(math.log(2)))]
    assert [term for term, _ in term_scores.telling_terms(counts, "grain", min_documents=1)] == [
        "corn",
        "prices",
        "wheat",
    ]


def test_terms_that_occur_nowhere_count_in_the_vocabulary_and_score_nothing() -> None:
    X, y = np.array([[2, 1, 0, 0], [0, 1, 1, 0]]), np.array(["a", "b"])
    counts = rb.Counts.from_matrix(X, y)
    for name in sorted(set(SCORES) - {"odds_ratio", "binormal_separation"}):
        assert SCORES[name](counts)[3] == 0, name
    assert not np.allclose(term_scores.dkl(counts)[:3], term_scores.dkl(counts.pruned()))
    near(term_scores.exact_kl(X, y)[3], 0.0)


def test_what_the_approximation_costs_by_hand() -> None:
    error = term_scores.KLError(np.array([0.1, 0.2, 0.4]), np.array([0.3, 0.2, 0.1]))
    near(np.array([error.max_error, error.mean_error, error.rank_correlation]), [0.3, 0.5 / 3, -1.0])
    tied = term_scores.KLError(np.array([0.1, 0.1 + 1e-14, 0.4]), np.array([0.2, 0.2, 0.3]))
    assert tied.rank_correlation == pytest.approx(1.0)  # equal to 12 decimals is equal


@given(table=tables())
def test_the_score_over_documents_compares_label_and_collection(table: tuple) -> None:
    X, y = table
    expected = np.zeros(X.shape[1])
    overall = X.sum(axis=0) / max(X.sum(), 1)
    for row, label in zip(X, y, strict=True):
        inside = X[y == label].sum(axis=0)
        for n in row.nonzero()[0]:
            in_label = (1 + inside[n]) / (X.shape[1] + inside.sum())
            expected[n] += row[n] / row.sum() * math.log(in_label / overall[n]) / len(X)
    error = term_scores.kl_error(X, y, of="score")
    near(error.exact, expected)
    near(error.approximate, term_scores.kl(rb.Counts.from_matrix(X, y)))


# -- degenerate data


def odd_counts() -> dict[str, rb.Counts]:

    def counts_of(X: object, y: object) -> rb.Counts:
        return rb.Counts.from_matrix(np.asarray(X), np.asarray(y))

    return {
        "nothing": rb.count([]),
        "no documents, two terms": counts_of(np.zeros((0, 2), dtype=int), np.zeros((0, 1), dtype=int)),
        "no terms": counts_of(np.zeros((3, 0), dtype=int), ["a", "b", "a"]),
        "one label": counts_of([[1, 2], [0, 1]], ["a", "a"]),
        "one document": counts_of([[1, 2]], ["a"]),
        "a label with one document": counts_of([[1, 0], [1, 1], [0, 1]], ["a", "b", "b"]),
        "a term in every document": counts_of([[1, 1], [2, 0], [1, 1]], ["a", "b", "b"]),
        "all documents alike": counts_of([[1, 2]] * 4, ["a", "b", "a", "b"]),
        "all documents empty": counts_of(np.zeros((3, 2), dtype=int), ["a", "b", "b"]),
        "a label of empty documents": counts_of([[0, 0], [1, 2]], ["a", "b"]),
        "a label that no document has": counts_of([[1, 0], [1, 1]], [[1, 0], [1, 0]]),
        "a label that every document has": counts_of([[1, 0], [1, 1]], [[1, 0], [1, 1]]),
        "no document has a label, but there are some": counts_of([[1, 0], [1, 1]], [[0, 0], [0, 0]]),
        "one word": counts_of([[1], [3]], ["a", "b"]),
    }


@pytest.mark.parametrize("case", sorted(odd_counts()))
@pytest.mark.parametrize("name", sorted(SCORES))
def test_degenerate_counts_get_finite_scores(name: str, case: str) -> None:
    counts = odd_counts()[case]
    score = SCORES[name]
    all_scores = [score(counts)]
    all_scores += [score(counts, label=label) for label in counts.labels]
    if name in OF_LABELS:
        all_scores += [score(counts, average=average) for average in ("mean", "max", "weighted")]
    for scores in all_scores:
        assert scores.shape == (len(counts.terms),)
        assert np.isfinite(scores).all()
    assert len(term_scores.select(counts, by=name, min_occurrences=0)) == len(counts.terms)


def test_exact_divergence_of_degenerate_tables() -> None:
    assert term_scores.exact_kl(np.zeros((0, 2), dtype=int), []).tolist() == [0, 0]
    assert term_scores.exact_kl(np.zeros((2, 0), dtype=int), ["a", "b"]).tolist() == []
    error = term_scores.kl_error(np.zeros((2, 3), dtype=int), ["a", "b"])
    assert error.max_error == error.mean_error == 0
    assert math.isnan(error.rank_correlation)
    assert "3 terms" in repr(error)
    with pytest.raises(InvalidSetting, match="label="):
        term_scores.exact_kl([[1], [1]], [[1, 1], [0, 1]])
    near(term_scores.exact_kl([[1, 1], [1, 1]], [[1, 1], [0, 1]], label="0"), [0.0, 0.0])


def test_a_document_without_terms_adds_nothing_but_counts() -> None:
    X, y = np.array([[2, 1], [1, 0]]), ["a", "b"]
    with_empty = term_scores.exact_kl(np.vstack([X, [[0, 0]]]), [*y, "b"])
    near(with_empty, term_scores.exact_kl(X, y) * 2 / 3)


# -- choices


def test_wrong_names_and_choices_are_refused() -> None:
    counts = rb.count(toy.TEXTS, labels=toy.LABELS)
    with pytest.raises(UnknownName, match="choose from: binormal_separation, chi2, dkl"):
        term_scores.select(counts, by="dlk")
    with pytest.raises(UnknownName, match="grain, trade"):
        term_scores.chi2(counts, label="grein")
    with pytest.raises(UnknownName, match="joint, max, mean, weighted"):
        term_scores.dkl(counts, average="harmonic")
    with pytest.raises(UnknownName, match="documents, words"):
        term_scores.word_mutual_information(counts, prior="uniform")
    with pytest.raises(UnknownName, match="divergence, score"):
        term_scores.kl_error([[1]], ["a"], of="rank")
    with pytest.raises(InvalidSetting, match="several labels or none"):
        term_scores.mutual_information(counts, average="joint")
    with pytest.raises(InvalidSetting, match="goes with all labels"):
        term_scores.mutual_information(counts, label="grain", average="mean")
    for score in (term_scores.odds_ratio, term_scores.binormal_separation):
        with pytest.raises(InvalidSetting, match="two classes"):
            score(counts, average="joint")
    with pytest.raises(InvalidSetting, match="not negative"):
        term_scores.kl(counts, smoothing=-1)
    with pytest.raises(InvalidSetting, match="not negative"):
        term_scores.odds_ratio(counts, smoothing=math.nan)
    with pytest.raises(InvalidSetting, match=r"below 0\.5"):
        term_scores.binormal_separation(counts, clip=0.0)
    for wrong in ({"top": -1}, {"min_occurrences": -1}, {"drop_most_frequent": -1}, {"by": np.zeros(3)}):
        with pytest.raises(InvalidSetting):
            term_scores.select(counts, **wrong)
    with pytest.raises(InvalidSetting, match="nan"):
        term_scores.select(counts, by=np.full(len(counts.terms), np.nan))
    with pytest.raises(InvalidSetting, match="as they are"):
        term_scores.select(counts, by=np.zeros(len(counts.terms)), label="grain")
    with pytest.raises(InvalidSetting, match="at least one point"):
        term_scores.grid(10, points=0)


def test_two_labels_on_one_document_and_none_on_another_are_not_one_label_each() -> None:
    """The sums of documents agree; those of the terms do not."""
    counts = rb.count(["corn", "wheat"], labels=[["a", "b"], []])
    assert counts.documents.tolist() == [1, 1, 2]
    with pytest.raises(InvalidSetting, match="several labels or none"):
        term_scores.mutual_information(counts, average="joint")
    near(term_scores.mutual_information(counts), [math.log(2), math.log(2)])


# -- selection


@given(table=tables(terms=8), a=st.integers(0, 6), b=st.integers(0, 9), top=st.one_of(st.none(), st.integers(0, 9)))
def test_selection_is_pruning_then_ranking_then_cutting(table: tuple, a: int, b: int, top: int | None) -> None:
    X, y = table
    counts = rb.Counts.from_matrix(X, y)
    times = X.sum(axis=0).tolist()
    remaining = sorted((n for n in range(8) if times[n] >= a), key=lambda n: (-times[n], n))[b:]
    assert term_scores.prune(counts, min_occurrences=a, drop_most_frequent=b).tolist() == sorted(remaining)
    for name, score in SCORES.items():
        scores = score(counts)
        best = sorted(remaining, key=lambda n: (-np.round(scores[n], 12), n))[:top]
        selected = term_scores.select(counts, by=name, top=top, min_occurrences=a, drop_most_frequent=b)
        assert selected.tolist() == best
        given_scores = term_scores.select(counts, by=scores, top=top, min_occurrences=a, drop_most_frequent=b)
        assert given_scores.tolist() == best


def test_scores_equal_to_twelve_decimals_leave_the_terms_in_their_order() -> None:
    assert term_scores.ranked(np.array([0.1, 0.3, 0.1 + 1e-14, 0.2, math.inf, -math.inf])).tolist() == [
        4,
        1,
        3,
        0,
        2,
        5,
    ]
    assert term_scores.ranked(np.array([1.0, 2.0, 3.0]), among=np.array([1, 0])).tolist() == [1, 0]
    assert term_scores.ranked(np.zeros(4), among=np.array([3, 0, 2])).tolist() == [0, 2, 3]


@pytest.mark.parametrize("name", JOINT)
def test_the_size_of_blocks_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).poisson(0.7, (40, 9))
    counts = rb.Counts.from_matrix(X, np.arange(40) % 6)
    whole = SCORES[name](counts)
    monkeypatch.setattr("rubricate.counts.term_scores.cells.BLOCK", 4)
    near(SCORES[name](counts), whole)


def test_selected_terms_select_counts() -> None:
    counts = rb.count(toy.TEXTS, labels=toy.LABELS)
    best = term_scores.select(counts, by="mutual_information", top=2, label="grain")
    assert counts.select(best).terms == [counts.terms[n] for n in best] == ["corn", "on"]


@pytest.mark.parametrize("name", sorted(SCORES))
def test_no_score_makes_a_table_of_all_labels_and_terms(name: str) -> None:
    """1,000 labels x 20,000 terms would be 160 MB; a few arrays over the terms are far less."""
    draw = np.random.default_rng(0)
    n, width = 3000, 20_000
    where = np.repeat(np.arange(n), 6), draw.integers(0, width, 6 * n)
    table = sparse.csr_array((draw.integers(1, 4, 6 * n), where), shape=(n, width))
    counts = rb.Counts.from_matrix(table, draw.integers(0, 1000, n))
    _ = counts.documents_with, counts.occurrences
    tracemalloc.start()
    try:
        SCORES[name](counts)
        if name in OF_LABELS:
            SCORES[name](counts, average="mean")
        assert tracemalloc.get_traced_memory()[1] < 16e6
    finally:
        tracemalloc.stop()


# -- the command, and what is written about it


@pytest.fixture
def run_terms(run: Run, tmp_path: Path) -> Run:
    rb.count(toy.TEXTS, labels=toy.LABELS).save(tmp_path / "toy.counts")
    return partial(run, "terms", tmp_path / "toy.counts")


@pytest.mark.parametrize("name", sorted(SCORES))
def test_the_command_ranks_by_any_score(run_terms: Run, name: str) -> None:
    counts = rb.count(toy.TEXTS, labels=toy.LABELS)
    result = run_terms("--by", name, "--top", "4", "--json")
    assert result.code == 0
    rows = result.json
    best = term_scores.select(counts, by=name, top=4)
    key = "information" if name == "mutual_information" else name
    assert [row["term"] for row in rows] == [counts.terms[n] for n in best]
    near(np.array([row[key] for row in rows]), SCORES[name](counts)[best])
    assert [row["documents"] for row in rows] == [toy.DOCUMENTS_WITH[-1][n] for n in best]
    assert run_terms("--by", name, "--label", "grain", "--json", "--top", "1").json[0]["documents_of_grain"] >= 1
    assert run_terms("--by", name).code == 0


def test_the_command_shows_terms_for_a_label_not_against_it(run_terms: Run) -> None:
    assert [row["term"] for row in run_terms("--by", "chi2", "--label", "trade", "--json").json] == ["rise"]
    assert run_terms("--by", "occurrences", "--label", "trade", "--json", "--top", "2").json == [
        {"term": "corn", "occurrences": 2, "documents_of_trade": 1, "documents": 2},
        {"term": "rise", "occurrences": 2, "documents_of_trade": 2, "documents": 2},
    ]


def test_the_command_names_the_scores_when_one_is_unknown(run_terms: Run) -> None:
    result = run_terms("--by", "dlk")
    assert result.code == 2
    assert all(name in result.err for name in SCORES)


@pytest.mark.parametrize("name", ["association", "cells", "divergence", "information", "selection"])
def test_examples_in_docstrings_are_true(name: str) -> None:
    assert doctest.testmod(import_module(f"rubricate.counts.term_scores.{name}")).failed == 0


def test_every_score_says_what_it_is_and_is_public() -> None:
    for name, score in SCORES.items():
        assert getattr(term_scores, name) is score
        assert name in term_scores.__all__
        assert score.__doc__


# -- the papers' own words


@pytest.mark.data
def test_the_words_of_joachims_table_1_are_among_ours(real_data: Path) -> None:
    """His 15 best for wheat are from another split of Reuters; most of them are our best too, in either direction."""
    printed = "wheat washington crop tonnes department cts agriculture soviet inc grain export winter usda corn company"
    train, _ = rb.collections.load("reuters21578", version="90", data=real_data)
    counts = rb.count(train, rb.Recipe.joachims())
    best = term_scores.select(counts, by="mutual_information", label="wheat", top=30, min_occurrences=3)
    ours = [counts.terms[n] for n in best]
    assert ours[0] == "wheat"
    assert len(set(printed.split()) & set(ours[:15])) >= 11
    assert len(set(printed.split()) & set(ours)) >= 13
