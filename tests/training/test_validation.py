"""Curves by cumulative sums are the curves by refitting; cross-validation by subtraction is that by counting anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import rubricate as rb
from rubricate import collections, models
from rubricate.counts import indicator
from rubricate.counts.term_scores import select
from rubricate.errors import InvalidSetting, NeedsRecount, UnknownName
from rubricate.foundation.folds import fold_numbers
from rubricate.training.validation import SUMMED, cross_validate, fold_counts, selection_curve

KINDS = [row.kind for row in models.COUNT_MODELS.values() if not row.needs_lengths]


@pytest.fixture(scope="module")
def table() -> Any:
    return rb.tabulate(collections.read("enquiries"), rb.Recipe(stop="english"))


@pytest.fixture(scope="module")
def single(table: Any) -> Any:
    """The documents with one label."""
    return table.at(np.diff(table.label_ends) == 1)


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind in SUMMED])
def test_summed_scores_are_those_of_a_refit_at_every_size(kind: Any, several: bool, table: Any, single: Any) -> None:
    data = table if several else single
    half = np.arange(data.X.shape[0]) % 2 == 0
    train, new = data.at(half), data.at(~half)
    counts = train.counts
    order = select(counts, by="mutual_information" if not several else "occurrences", top=400)
    sizes = [1, 2, 50, 51, 400]
    seen: list[Any] = []
    selection_curve(
        kind(), counts, order, new.X, None, sizes, measure=lambda _, scores: seen.append(scores) or 0.0, on_scores=True
    )
    for size, scores in zip(sizes, seen, strict=True):
        refit = kind().fit_counts(counts.select(order[:size]), several_labels=several)
        np.testing.assert_allclose(scores, refit.class_scores(new.X[:, order[:size]]), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_curves_end_at_the_whole_selection(kind: Any, single: Any) -> None:
    counts, y = single.counts, [own[0] for own in single.labels]
    order = select(counts, by="dkl", top=200)
    curve = selection_curve(kind(), counts, order, single.X, y, [10, 200])
    alone = kind().fit_counts(counts.select(order))
    assert curve.sizes == [10, 200]
    assert curve.values[1] == pytest.approx(np.mean(alone.predict(single.X[:, order]) == np.array(y)))
    assert curve.values[0] < curve.values[1]


@pytest.mark.parametrize("kind", [models.EDCM, models.DCM, models.TFIDF])
def test_models_of_lengths_have_curves_too_from_the_training_documents(kind: Any, single: Any) -> None:
    counts, y = single.counts, np.array([own[0] for own in single.labels])
    order = select(counts, by="mutual_information", top=100)
    curve = selection_curve(kind(), counts, order, single.X, y, [20, 100], train=(single.X, y))
    alone = kind().fit(single.X[:, order[:20]], y)
    assert curve.values[0] == np.mean(alone.predict(single.X[:, order[:20]]) == y)
    if kind is not models.TFIDF:
        with pytest.raises(NeedsRecount):
            selection_curve(kind(), counts, order, single.X, y, [20])


def test_sizes_beyond_the_ranking_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="sizes"):
        selection_curve(models.Multinomial(), rb.count(["a b"], labels=["x"]), [0, 1], np.ones((1, 2)), ["x"], [3])


@pytest.mark.parametrize("selecting", [False, True])
@pytest.mark.parametrize("several", [False, True])
def test_cross_validation_by_subtraction_is_that_by_counting_anew(
    several: bool, selecting: bool, table: Any, single: Any
) -> None:
    data = table if several else single
    folds = fold_numbers(data.labels, 4, seed=1)
    chosen = {row.name: row.kind() for row in models.COUNT_MODELS.values()}
    found = cross_validate(
        fold_counts(data, folds),
        data.X,
        folds,
        chosen,
        terms=data.terms,
        select=(lambda counts: select(counts, by="occurrences", top=500)) if selecting else None,
        labels=data.labels if selecting else None,
    )
    assert found.labels == data.counts.labels
    for fold in range(4):
        train, inside = data.at(folds != fold), folds == fold
        terms = train.counts.pruned().terms
        if selecting:
            terms = [train.counts.terms[n] for n in select(train.counts, by="occurrences", top=500)]
        columns = [data.terms.index(term) for term in terms]
        anew = rb.Counts.from_matrix(train.X[:, columns], indicator(train.labels, data.counts.labels), terms)
        for name, model in chosen.items():
            alone = clone(model).fit_counts(anew, several_labels=several)
            expected = alone.class_scores(data.X[inside][:, columns])
            decided = alone.decide(expected)
            if not several:
                decided = np.array(data.counts.labels)[decided.astype(int)]
            assert (found.scores[name][inside] == expected).all(), name
            assert (found.decisions[name][inside] == decided).all(), name


def test_threads_change_nothing_in_cross_validation(table: Any) -> None:
    folds = fold_numbers(table.labels, 3, seed=1)
    chosen = {row.name: row.kind() for row in models.COUNT_MODELS.values()}
    one, two = (
        cross_validate(fold_counts(table, folds), table.X, folds, chosen, terms=table.terms, jobs=jobs)
        for jobs in (1, 2)
    )
    for name in chosen:
        assert (one.scores[name] == two.scores[name]).all(), name
        assert (one.decisions[name] == two.decisions[name]).all(), name


def test_selection_for_models_of_lengths_needs_the_labels_and_says_so(single: Any) -> None:
    folds = fold_numbers(single.labels, 2, seed=1)

    def validated(**more: Any) -> Any:
        return cross_validate(
            fold_counts(single, folds),
            single.X,
            folds,
            {"edcm": models.EDCM()},
            terms=single.terms,
            select=lambda counts: select(counts, by="occurrences", top=50),
            **more,
        )

    with pytest.raises(NeedsRecount, match=r"edcm .* give cross_validate labels="):
        validated()
    names = [own[0] for own in single.labels]
    assert (validated(labels=names).scores["edcm"] == validated(labels=single.labels).scores["edcm"]).all()
    with pytest.raises(InvalidSetting, match=f"labels= has 1 documents, X has {len(names)}"):
        validated(labels=names[:1])
    with pytest.raises(InvalidSetting, match="not the documents that were counted"):
        validated(labels=[names[0]] * len(names))
    with pytest.raises(UnknownName, match="nothing like it"):
        validated(labels=["nothing like it", *names[1:]])


def test_columns_that_terms_does_not_name_are_refused(single: Any) -> None:
    folds = fold_numbers(single.labels, 2, seed=1)
    terms = ["something else", *single.terms[1:]]
    with pytest.raises(InvalidSetting, match=f"{single.terms[0]!r} was counted"):
        cross_validate(fold_counts(single, folds), single.X, folds, {"m": models.Multinomial()}, terms=terms)


def test_a_label_that_training_lacks_scores_lowest() -> None:
    data = rb.tabulate(["a b", "b c", "c d", "d e"], labels=["x", "x", "y", "z"])
    folds = np.array([0, 1, 0, 1])
    found = cross_validate(fold_counts(data, folds), data.X, folds, {"m": models.Multinomial()}, terms=data.terms)
    assert found.scores["m"][3, 2] == -np.inf
    assert np.isfinite(found.scores["m"][3, :2]).all()
