"""Our answers against other people's implementations, where the formulas coincide."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

import rubricate as rb
from rubricate import collections, models


@pytest.fixture(scope="module")
def data() -> tuple:
    train, test = collections.load("enquiries")
    table = rb.tabulate(train)
    new = rb.tabulate(test, terms=table.terms).X
    return table.X, np.array([own[0] for own in train.labels]), new


@pytest.mark.parametrize("smoothing", [1.0, 0.01, 0.5])
def test_multinomial_is_scikit_learns(data: tuple, smoothing: float) -> None:
    X, y, new = data
    ours, peer = models.Multinomial(smoothing=smoothing).fit(X, y), MultinomialNB(alpha=smoothing).fit(X, y)
    np.testing.assert_allclose(ours.class_scores(new), peer.predict_joint_log_proba(new), rtol=1e-10)
    np.testing.assert_allclose(ours.predict_proba(new), peer.predict_proba(new), rtol=1e-7, atol=1e-12)
    assert (ours.predict(new) == peer.predict(new)).all()


def test_uniform_priors_are_scikit_learns(data: tuple) -> None:
    X, y, new = data
    peer = MultinomialNB(fit_prior=False).fit(X, y)
    np.testing.assert_allclose(
        models.Multinomial(priors="uniform").fit(X, y).class_scores(new), peer.predict_joint_log_proba(new), rtol=1e-10
    )


def test_simplified_multinomial_is_the_multinomial_of_presence(data: tuple) -> None:
    X, y, new = data
    ours = models.SimplifiedMultinomial(smoothing=0.3).fit(X, y)
    peer = MultinomialNB(alpha=0.3).fit(X.astype(bool).astype(int), y)
    np.testing.assert_allclose(
        ours.class_scores(new), peer.predict_joint_log_proba(new.astype(bool).astype(int)), rtol=1e-10
    )


@pytest.mark.parametrize("smoothing", [1.0, 0.1])
def test_complement_is_scikit_learns(data: tuple, smoothing: float) -> None:
    X, y, new = data
    ours, peer = models.Complement(smoothing=smoothing).fit(X, y), ComplementNB(alpha=smoothing).fit(X, y)
    np.testing.assert_allclose(ours.class_scores(new), peer.predict_joint_log_proba(new), rtol=1e-10)
    assert (ours.predict(new) == peer.predict(new)).all()


def test_bernoulli_nears_scikit_learns_as_smoothing_goes(data: tuple) -> None:
    """003 smooths towards the whole collection, scikit-learn towards a half: without smoothing both are the same model."""
    X, y, _ = data
    common = np.asarray((X > 0).sum(axis=0)).ravel() > 300
    X = X[:, common]
    large = np.isin(y, ["borrowing", "account"])
    ours = models.Bernoulli(smoothing=1e-9).fit(X[large], y[large])
    peer = BernoulliNB(alpha=1e-9, force_alpha=True).fit(X[large], y[large])
    np.testing.assert_allclose(ours.class_scores(X[large]), peer.predict_joint_log_proba(X[large]), rtol=1e-6)


def test_tfidf_is_the_cosine_of_summed_vectors(data: tuple) -> None:
    X, y, new = data
    weigh = TfidfTransformer(norm=None, smooth_idf=False).fit(X)
    idf = weigh.idf_ - 1  # scikit-learn adds 1 to ln(n/df)
    labels = np.unique(y)
    sums = np.vstack([np.asarray(X[y == label].sum(axis=0)).ravel() * idf for label in labels])
    expected = cosine_similarity(new.multiply(idf).tocsr(), sums)
    np.testing.assert_allclose(models.TFIDF().fit(X, y).class_scores(new), expected, rtol=1e-9, atol=1e-12)
