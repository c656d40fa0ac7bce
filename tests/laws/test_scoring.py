"""The scoring package, by numpy alone, says what the compiled road says: scores, probabilities, decisions and reasons.

Every model, with one label a document and with several; every calibration; every rule; files of format 1. Floats agree to 1e-12,
and nearly all of them to the last bit.
"""

from __future__ import annotations

import json
import math
import random
import sys
import tracemalloc
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit, logsumexp

import frozen
import rubricate as rb
from deciders import truth_of, with_decider
from rubricate import models, thresholds
from rubricate.counts.one_pass import tabulate
from rubricate.decisions.calibration import CALIBRATORS
from rubricate.decisions.density.nearest import Nearest
from rubricate.errors import DamagedFile, InvalidSetting, MissingData, UnknownName
from rubricate.kernels.dirichlet import log_rises
from rubricate.models import MODELS
from rubricate.models.vectors import FORMS as WEIGHTING_FORMS
from rubricate.models.vectors import Weighting
from rubricate.scoring import arrays, functions, linear, rules
from rubricate.scoring.arrays import TermVector
from rubricate.scoring.density import distances_from
from rubricate.scoring.format_1 import fitted_parts
from rubricate.scoring.forms import form_of
from rubricate.scoring.predictor import Predictor
from rubricate.scoring.top_terms import term_weights, top_terms, usual_table
from rubricate.scoring.weighting import Weighting as ScoringWeighting
from rubricate.training.out_of_fold import without_words

NEAR = 1e-12
SINGLE_RULES = ("top", "density", "own")
MULTILABEL_RULES = ("scut", "precision:0.7", "recall:0.7", "half", "top", "top:2", "pcut", "density", "own")
HOSTILE = (
    "\u0301\u0308\u200d\u200b\u00ad\u202e\ufeff\x00\u3000\u0e01\u0e33\u6f22\u5b57\U0001f469\U0001f3fd\u1e9e\u0130\ud7a3"
    "\u1100\u1161\u0345\u1e69\u00df\u017f\u212a\u212b\u00bd\u00b2\u0663"
)
FITTED_ON = {
    "exponentiated_gradient": models.ExponentiatedGradient(two_sided=True),
    "neural_net": models.NeuralNet(hidden=3, max_iter=5),
    "nearest_neighbours": models.NearestNeighbours(k=5, weights="rank"),
    "rocchio": models.Rocchio(clip=False),
    "stacked_bernoulli": models.StackedBernoulli(f_limit=3),
}


def hostile_texts(n: int = 16) -> list[str]:
    """Known words with marks, joiners, controls and letters of other scripts in and around them."""
    draw = random.Random(7)
    words = [word for own in frozen.WORDS.values() for word in own] + frozen.SHARED
    pieces = [*words, *HOSTILE, " ", " ", "-", ",", "."]
    return ["".join(draw.choice(pieces) + draw.choice(["", " "]) for _ in range(40)) for _ in range(n)]


TEXTS = [*frozen.NEW, *hostile_texts()]


def agree(now: Any, then: Any, what: str = "") -> None:
    """The same numbers to 1e-12, infinite and missing ones in the same places."""
    np.testing.assert_allclose(now, then, rtol=NEAR, atol=NEAR, err_msg=what)


def agree_reasons(now: list[Any], then: list[Any]) -> None:
    """The same words in the same order, the same numbers to 1e-12."""
    assert len(now) == len(then)
    for left, right in zip(map(asdict, now), map(asdict, then), strict=True):
        assert differences(left, right) == []


def differences(now: Any, then: Any, where: str = "") -> list[str]:
    """Where two values of plain lists, dictionaries, numbers and strings differ by more than 1e-12."""
    if isinstance(then, dict):
        return [one for key in then for one in differences(now[key], then[key], f"{where}/{key}")]
    if isinstance(then, list | tuple):
        if len(now) != len(then):
            return [f"{where}: {len(now)} entries, not {len(then)}"]
        return [one for n in range(len(then)) for one in differences(now[n], then[n], f"{where}/{n}")]
    if isinstance(then, float) and not isinstance(now, bool):
        same = now == then or (math.isnan(now) and math.isnan(then))
        return [] if same or math.isclose(now, then, rel_tol=NEAR, abs_tol=NEAR) else [f"{where}: {now!r} {then!r}"]
    return [] if now == then else [f"{where}: {now!r}, not {then!r}"]


# -- every model


@cache
def classifier(model: str, multilabel: bool) -> rb.TextClassifier:
    """A small classifier of each model, fitted once."""
    y = frozen.labels_in("lists" if multilabel else "one")
    kind = FITTED_ON.get(model, model)
    return rb.TextClassifier(kind, calibrate="sigmoid", decide="top", folds=2, jobs=1).fit(frozen.TEXTS, y)


@cache
def counted(model: str, multilabel: bool) -> tuple[Any, Any]:
    """Scores of the texts by the compiled road, and which texts have no known word."""
    fitted = classifier(model, multilabel)
    X = fitted._tabulate(TEXTS)
    return fitted.score_table(X), without_words(X)


@pytest.mark.parametrize("multilabel", [False, True], ids=["single", "multi"])
@pytest.mark.parametrize("model", MODELS)
def test_a_file_says_the_same_loaded_either_way(model: str, multilabel: bool, tmp_path: Path) -> None:
    fitted = classifier(model, multilabel)
    fitted.save(tmp_path / "model.rub", slim=True)
    compiled, predictor = rb.load(tmp_path / "model.rub"), Predictor.load(tmp_path / "model.rub")
    assert predictor.labels == compiled.classes_.tolist()
    assert predictor.multilabel == multilabel
    agree(predictor.scores(TEXTS), counted(model, multilabel)[0])
    agree(predictor.probabilities(TEXTS), compiled.predict_proba(TEXTS))
    assert predictor.decide(TEXTS) == list(compiled.predict(TEXTS))
    for text in (TEXTS[1], TEXTS[2], TEXTS[3], TEXTS[4], TEXTS[6], TEXTS[-1]):
        agree_reasons(predictor.explain(text, limit=6), compiled.explain(text, top=6))
    for label in compiled.classes_.tolist():
        agree_reasons(predictor.explain(TEXTS[2], label), compiled.explain(TEXTS[2], label))


@pytest.mark.parametrize("multilabel", [False, True], ids=["single", "multi"])
@pytest.mark.parametrize("model", MODELS)
def test_a_predictor_made_of_fitted_objects_is_that_of_their_file(model: str, multilabel: bool) -> None:
    fitted = classifier(model, multilabel)
    agree(Predictor.from_classifier(fitted).scores(TEXTS[:6]), counted(model, multilabel)[0][:6])


@pytest.mark.parametrize("multilabel", [False, True], ids=["single", "multi"])
@pytest.mark.parametrize("model", MODELS)
def test_scores_by_numpy_are_those_of_compiled_products_to_the_last_bit(
    model: str, multilabel: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    predictor = Predictor.from_classifier(classifier(model, multilabel))
    assert arrays.compiled_products() is not None
    compiled = predictor.scores(TEXTS)
    for module in (arrays, linear):
        monkeypatch.setattr(module, "compiled_products", lambda: None)
    np.testing.assert_array_equal(predictor.scores(TEXTS), compiled)


@pytest.mark.parametrize("multilabel", [False, True], ids=["single", "multi"])
@pytest.mark.parametrize("model", MODELS)
def test_top_terms_are_those_of_tables_loaded_either_way(model: str, multilabel: bool, tmp_path: Path) -> None:
    fitted = classifier(model, multilabel)
    fitted.save(tmp_path / "model.rub")
    n = len(fitted.terms_)
    with np.errstate(invalid="ignore"):
        alone = fitted.model_.class_scores(sparse.eye_array(n, format="csr"))
        weights = np.nan_to_num(alone - fitted.model_.class_scores(sparse.csr_array((1, n))), posinf=0.0, neginf=0.0)
    weights = weights if multilabel else weights - weights.mean(axis=1, keepdims=True)
    form = form_of(fitted.candidate_.model, fitted.model_)
    np.testing.assert_array_equal(term_weights(form, 0, n, multilabel=multilabel), weights)
    truth = truth_of(fitted, multilabel)
    X = tabulate(frozen.TEXTS, fitted.recipe_, terms=fitted.terms_).X
    X = (X > 0) if fitted.weighting_ is None else fitted.weighting_.of(X)
    means = (truth.T.astype(float) @ X.astype(float)).toarray() / np.maximum(np.asarray(truth.sum(axis=0)), 1)[:, None]
    usual = usual_table(fitted)
    usual_cells = sparse.csr_array((usual.data, usual.indices, usual.indptr), shape=usual.shape)
    np.testing.assert_array_equal(usual_cells.toarray(), means)
    parts = fitted_parts(tmp_path / "model.rub")
    assert top_terms(parts, top=3) == top_terms(fitted, top=3)
    assert any(top_terms(fitted, top=3).values())


# -- every calibration and every rule, of each model


def probabilities_or_refusal(probabilities: Any, scores: Any, unknown: Any) -> Any:
    """Probabilities; None where a calibration of probabilities refuses other scores."""
    try:
        return probabilities(scores, unknown)
    except InvalidSetting:
        return None


@pytest.mark.parametrize("multilabel", [False, True], ids=["single", "multi"])
@pytest.mark.parametrize("model", MODELS)
def test_every_calibration_and_rule_gives_the_same(model: str, multilabel: bool, tmp_path: Path) -> None:
    every = MULTILABEL_RULES if multilabel else SINGLE_RULES
    ways = [("sigmoid", decide) for decide in every]
    ways += [(calibrate, "half" if multilabel else "top") for calibrate in ("none", *CALIBRATORS)]
    ways += [("none", "density"), ("none", "own")]
    scores, unknown = counted(model, multilabel)
    tried = set()
    base = classifier(model, multilabel)
    before = base.decision_, base.calibrated_, base.unknown_, base._ids
    try:
        for calibrate, decide in ways:
            fitted = with_decider(base, multilabel, calibrate, decide)
            if fitted is None:
                continue
            tried.add((calibrate, decide))
            way = f"{model} {calibrate} {decide}"
            predictor = Predictor.from_classifier(fitted)
            then = probabilities_or_refusal(fitted.probabilities_of_scores, scores, unknown)
            if then is None:
                assert probabilities_or_refusal(predictor.decider.probabilities, scores, unknown) is None, way
                continue
            agree(predictor.decider.probabilities(scores, unknown), then, way)
            now = predictor.decider.decide(scores, unknown)
            assert (now == fitted.decide_scores(scores, unknown)).all(), way
            if decide in ("density", "scut", "pcut"):
                agree_reasons(predictor.explain(TEXTS[2], limit=4), fitted.explain(TEXTS[2], top=4))
            if decide in ("density", "scut") or calibrate in ("isotonic", "temperature", "beta", "unchanged"):
                fitted.save(tmp_path / "model.rub", slim=True)
                loaded = Predictor.load(tmp_path / "model.rub").decider
                agree(loaded.probabilities(scores, unknown), then, way)
                assert (loaded.decide(scores, unknown) == now).all(), way
    finally:
        base.decision_, base.calibrated_, base.unknown_, base._ids = before
    rules_tried, calibrations_tried = {decide for _, decide in tried}, {calibrate for calibrate, _ in tried}
    assert rules_tried >= set(every) - {"own"}
    assert calibrations_tried >= {"none", "sigmoid", "isotonic", "temperature"}
    if model == "prtfidf":
        assert calibrations_tried >= {"beta"}


# -- files of format 1


@pytest.mark.parametrize("path", sorted(frozen.FOLDER.glob("*.*.rub")), ids=lambda path: path.stem)
def test_a_file_of_format_1_says_what_it_said(path: Path) -> None:
    recipe = rb.Recipe(function=frozen.spelled) if path.stem.startswith("function.") else None
    then, predictor = json.loads(path.with_suffix(".json").read_text("utf-8")), Predictor.load(path, recipe=recipe)
    texts: Any = frozen.NEW_FIELDS if then["fields"] else frozen.NEW
    assert differences(predictor.scores(texts).tolist(), then["said"]["scores"]) == []
    assert differences(predictor.probabilities(texts).tolist(), then["said"]["probabilities"]) == []
    labels: Any = predictor.decisions(texts).tolist() if then["form"] == "indicator" else predictor.decide(texts)
    assert frozen.plain(labels) == then["said"]["labels"]
    asked = [(text, None) for text in texts] + [(text, label) for text in texts[2:3] for label in predictor.labels]
    now = [[asdict(reason) for reason in predictor.explain(text, label, limit=5)] for text, label in asked]
    assert differences(frozen.plain(now), then["reasons"]) == []


def test_files_of_the_workbench_say_the_same_loaded_either_way() -> None:
    for path in sorted((frozen.FOLDER.parent / "workbench_format_1").glob("*.rub")):
        compiled, predictor = rb.load(path), Predictor.load(path)
        agree(predictor.scores(frozen.NEW), frozen.scores_of(compiled, frozen.NEW), path.stem)
        agree(predictor.probabilities(frozen.NEW), compiled.predict_proba(frozen.NEW), path.stem)


def test_a_file_that_is_damaged_or_missing_is_refused(tmp_path: Path) -> None:
    source = frozen.FOLDER / "multinomial.one.rub"
    whole = source.read_bytes()
    for at in (3, 100, 400, len(whole) // 2, len(whole) - 1):
        (tmp_path / "bad.rub").write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(DamagedFile):
            Predictor.load(tmp_path / "bad.rub")
    (tmp_path / "short.rub").write_bytes(whole[:-5])
    with pytest.raises(DamagedFile):
        Predictor.load(tmp_path / "short.rub")
    with pytest.raises(MissingData):
        Predictor.load(tmp_path / "none.rub")


# -- corners: few labels, many labels, labels without documents


@pytest.mark.parametrize(
    "model", ["multinomial", "bernoulli", "prtfidf", "tfidf", "edcm", "dcm", "rocchio", "least_squares"]
)
def test_a_label_without_documents_and_one_that_all_have(model: str) -> None:
    """Naive Bayes scores -inf and inf there."""
    own = frozen.labels_in("indicator")
    none, every = np.zeros((len(own), 1), dtype=np.int64), np.ones((len(own), 1), dtype=np.int64)
    fitted = rb.TextClassifier(model, calibrate="sigmoid", decide="half", folds=2, jobs=1).fit(
        frozen.TEXTS, np.hstack([own, none, every])
    )
    predictor = Predictor.from_classifier(fitted)
    agree(predictor.scores(TEXTS), frozen.scores_of(fitted, TEXTS))
    agree(predictor.probabilities(TEXTS), fitted.predict_proba(TEXTS))
    assert (predictor.decisions(TEXTS) == fitted.predict(TEXTS)).all()
    agree_reasons(predictor.explain(TEXTS[2], 4), fitted.explain(TEXTS[2], 4))


@pytest.mark.parametrize(
    "model", ["multinomial", "bernoulli", "dcm", "support_vector", "nearest_neighbours", "neural_net"]
)
def test_a_single_label(model: str) -> None:
    y = [["grain"] if "grain" in own else [] for own in frozen.LISTS]
    fitted = rb.TextClassifier(model, calibrate="isotonic", folds=2, jobs=1).fit(frozen.TEXTS, y)
    predictor = Predictor.from_classifier(fitted)
    agree(predictor.scores(TEXTS), frozen.scores_of(fitted, TEXTS))
    agree(predictor.probabilities(TEXTS), fitted.predict_proba(TEXTS))
    assert predictor.decide(TEXTS) == fitted.predict(TEXTS)


def rows_of(X: Any) -> list[TermVector]:
    """The rows of a table."""
    return [
        TermVector(X.indices[start:end].astype(np.int64), X.data[start:end].astype(np.float64))
        for start, end in zip(X.indptr[:-1], X.indptr[1:], strict=True)
    ]


@pytest.mark.parametrize("several", [False, True], ids=["single", "multi"])
@pytest.mark.parametrize("name", ["multinomial", "bernoulli", "tfidf", "edcm", "dcm", "rocchio"])
def test_ten_thousand_labels_never_meet_all_terms(name: str, several: bool) -> None:
    n_labels, n_terms, width = 10_000, 3_000, 6
    draw = np.random.default_rng(3)
    columns = np.array([draw.choice(n_terms, width, replace=False) for _ in range(n_labels)])
    X = sparse.csr_array(
        (draw.integers(1, 4, columns.size).astype(float), columns.ravel(), np.arange(0, columns.size + 1, width)),
        shape=(n_labels, n_terms),
    )
    X.sort_indices()
    if several and name == "dcm":
        pytest.skip("its rests hold kinds x labels by themselves")
    y: Any = sparse.eye_array(n_labels, format="csr", dtype=np.int64) if several else np.arange(n_labels)
    fitted = MODELS[name].kind()
    fitted = fitted.fit_scores(X, sparse.eye_array(n_labels, format="csr")) if name == "rocchio" else fitted.fit(X, y)
    then = fitted.class_scores(X[:3])
    tracemalloc.start()
    form = form_of(name, fitted)
    now = form.scores(rows_of(X[:3]))
    reasons = form.explain(rows_of(X[:3])[0], now[0]).contributions  # type: ignore[union-attr]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    agree(now, then)
    assert len(reasons) == width
    assert peak < 60e6 < n_labels * n_terms * 8 / 3


@pytest.mark.parametrize("model", ["dcm", "edcm"])
def test_a_label_left_unsmoothed_holds_terms_it_lacks_impossible(model: str) -> None:
    fitted = classifier(model, False)
    scorer = fitted.model_._scorer
    before = scorer.parameters
    zero = np.where(np.arange(len(before.s)) % 2 == 0, 0.0, 1.0)
    changed = {"extra": before.extra * zero} if model == "edcm" else {"unseen": before.unseen * zero}
    X = fitted._tabulate(TEXTS)
    try:
        scorer.parameters = replace(before, **changed)
        then = fitted.model_.class_scores(X)
        now = form_of(model, fitted.model_).scores(rows_of(X))
    finally:
        scorer.parameters = before
    assert np.isneginf(then).any()
    agree(now, then)


# -- the pieces


@pytest.mark.parametrize("name", WEIGHTING_FORMS)
def test_every_weighting_weighs_alike(name: str) -> None:
    counts = rb.count(frozen.TEXTS, labels=frozen.LISTS)
    weighting = Weighting.fitted(counts, name)
    X = rb.tabulate(TEXTS, rb.Recipe(), terms=counts.terms).X.astype(np.float64)
    own = ScoringWeighting(
        name, weighting.idf, weighting.documents_with, weighting.n_documents, weighting.average_length
    )
    rows, then = rows_of(X), weighting.of(X)
    agree(np.concatenate([own.of(row).values for row in rows]), then.data)


def test_distances_of_score_vectors_are_those_of_the_compiled_loop() -> None:
    draw = np.random.default_rng(0)
    for width in (1, 2, 3, 4, 5, 8, 11):
        vectors, points = draw.integers(0, 3, (60, width)) / 3, draw.integers(0, 3, (9, width)) / 3
        found = Nearest(vectors).find(points, 12)
        for n, point in enumerate(points):
            distances = distances_from(vectors, point)
            order = np.argsort(np.rint(distances * 1e12), kind="stable")[:12]
            assert (order == found.indices[n]).all()
            assert (distances[order] == found.distances[n]).all()


def test_logarithms_of_gamma_quotients_are_those_of_the_compiled_loop() -> None:
    x = np.concatenate([[0.0], np.logspace(-14, 17, 90), [9.99, 10.0, 1e15]])
    times = np.array([0.0, 1.0, 2.0, 3.0, 16.0, 17.0, 2.5, 100.0, 12345.0])
    then = np.empty((len(times), len(x)))
    log_rises(x, times, then)
    agree(np.array([functions.log_rise(x, t) for t in times.tolist()]), then)


def test_log_posteriors_of_infinite_and_equal_scores() -> None:
    inf = np.inf
    joint = np.array([[0.0, 0.0], [-inf, -3.0], [-inf, -inf], [inf, 1.0], [-800.0, -1600.0], [5.0, 5.0]])
    totals = logsumexp(joint, axis=1, keepdims=True)
    agree(functions.log_posteriors(joint), joint - np.where(np.isfinite(totals), totals, 0.0))


def test_shares_of_odds_are_scipys_to_the_last_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.concatenate([np.linspace(-800, 800, 4001), np.logspace(-300, 2, 400), [np.inf, -np.inf, 0.0]])
    monkeypatch.delitem(sys.modules, "scipy.special")
    assert (functions.expit(x) == expit(x)).all()


def test_abstention_and_bands_are_those_of_the_thresholds() -> None:
    draw = np.random.default_rng(2)
    p = draw.random((40, 4))
    decisions = (p > 0.5).astype(np.int64)
    agree(rules.margin(p), thresholds.margin(p))
    agree(rules.highest(p), thresholds.top(p))
    agree(rules.certainty(p, decisions), thresholds.certainty(p, decisions))
    abstention = thresholds.fit_abstention(p.max(axis=1), decisions.any(axis=1), goal=thresholds.Abstain(0.3), draws=0)
    confidence = p.max(axis=1)
    assert (rules.left_to_person(confidence, abstention.cut) == abstention.abstains(confidence)).all()
    bands = thresholds.fit_bands(p, draw.random((40, 4)) < p, at_most=0.3, draws=0)
    assert (rules.in_bands(p, bands.lower, bands.upper) == bands.decide(p)).all()


def test_what_is_no_list_of_texts_is_refused() -> None:
    predictor = Predictor.load(frozen.FOLDER / "multinomial.one.rub")
    for wrong in ("one text", [1], ["a", {"title": "b"}], [{"title": 3}], {"title": ["a"], "body": []}):
        with pytest.raises(InvalidSetting):
            predictor.scores(wrong)  # type: ignore[arg-type]
    with pytest.raises(UnknownName):
        predictor.explain("corn", "no such label")
    by_fields = Predictor.load(frozen.FOLDER / "fields.several.rub")
    with pytest.raises(UnknownName):
        by_fields.scores(["a plain text"])
    columns = {name: [row[name] for row in frozen.NEW_FIELDS] for name in ("title", "body")}
    assert (by_fields.scores(columns) == by_fields.scores(frozen.NEW_FIELDS)).all()
    assert predictor.scores([]).shape == (0, len(predictor.labels))
    assert predictor.decide([]) == []


def test_one_document_alone_has_no_share_of_a_batch() -> None:
    predictor = Predictor.load(frozen.FOLDER / "complement.several.rub")
    with pytest.raises(InvalidSetting, match="batch"):
        predictor.decide(["corn"])
    assert predictor.explain("corn")[0].decided is None
