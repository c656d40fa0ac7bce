"""What trials are judged by is what `predict` does; what is said of a text without a known word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from rubricate.counts.one_pass import tabulate
from rubricate.decisions.calibration import Bounds
from rubricate.decisions.rules import cross_calibrate, fit_rule, parse_rule
from rubricate.measures.metrics import measure
from rubricate.models import MODELS
from rubricate.training.candidates import candidate
from rubricate.training.out_of_fold import OutOfFold, out_of_fold
from rubricate.training.text_classifier import CALIBRATE
from rubricate.training.training_set import TrainingSet
from rubricate.training.trial import fold_deciders, held_out_answers, judge

FOLDS = 3
LABELS = ("fish", "grain", "metal")
SINGLE_RULES = ("top", "density", "own")
MULTILABEL_RULES = ("scut", "precision:0.7", "recall:0.7", "half", "top", "top:2", "pcut", "density")


def texts_of(n: int, *, seed: int = 0, words: int = 60, longest: int = 40) -> tuple[list[str], list[str]]:
    """Documents of very different lengths, whose words speak for their label more often than not; "grain" is the commonest."""
    draw = np.random.default_rng(seed)
    y = [LABELS[place] for place in draw.choice(3, n, p=[0.25, 0.5, 0.25])]
    texts = []
    for label in y:
        length = 3 + int(longest ** draw.random())
        common = draw.integers(0, words, length)
        telling = draw.random(length) < 0.35
        texts.append(" ".join(f"{label}{w % 15}" if own else f"w{w}" for w, own in zip(common, telling, strict=True)))
    return texts, y


def few_texts(*, several: bool) -> tuple[list[str], list[list[str]]]:
    """Some documents, one without any word and two whose words no other document has."""
    texts, y = texts_of(66)
    texts[5], texts[20], texts[33] = "", "xyzzy plugh", "frobnicate"
    labels = [[label] for label in y]
    if several:
        draw = np.random.default_rng(1)
        for n in draw.choice(len(labels), 20, replace=False).tolist():
            labels[n] = sorted({*labels[n], str(draw.choice(LABELS))})
        labels[7] = []
    return texts, labels


@cache
def trial_of(model: str, several: bool, per_word: bool) -> tuple[TrainingSet, OutOfFold]:
    """Out-of-fold scores; per_word: as where a calibration is asked for."""
    texts, labels = few_texts(several=several)
    data = TrainingSet.of(texts, labels, multilabel=several, folds=FOLDS, seed=0, jobs=1)
    data.calibrate = "auto" if per_word else "none"
    *_, found = out_of_fold(data, candidate(model))
    return data, found


@cache
def refitted(model: str, several: bool, per_word: bool) -> list[rb.TextClassifier]:
    """For each fold a classifier that was fitted on the texts of the others."""
    texts, labels = few_texts(several=several)
    data, _ = trial_of(model, several, per_word)
    out = []
    for fold in range(FOLDS):
        kept = np.flatnonzero(data.folds != fold).tolist()
        y = [labels[n] if several else labels[n][0] for n in kept]
        calibrate = "sigmoid" if per_word else "none"
        out.append(rb.TextClassifier(model, calibrate=calibrate, folds=2).fit([texts[n] for n in kept], y))
    return out


def replayed(
    model: str, calibrate: str, decide: str, *, several: bool, by: str
) -> tuple[Any, Any, Any, TrainingSet, OutOfFold]:
    """What `predict` and `predict_proba` say of each fold, with what the other folds have taught."""
    texts, _ = few_texts(several=several)
    data, found = trial_of(model, several, calibrate != "none")
    data = replace(data, calibrate=calibrate)
    classifiers = refitted(model, several, calibrate != "none")
    given = parse_rule(decide, multilabel=several)
    labels: list[Any] = [None] * len(texts)
    probabilities = np.zeros(found.scores.shape)
    for inside, decider in fold_deciders(data, found, measure(by), given, calibrated=True):
        places = np.flatnonzero(inside).tolist()
        classifier = classifiers[int(data.folds[places[0]])]
        classifier.decision_, classifier.calibrated_ = decider.decision, decider.calibrated
        classifier.unknown_, classifier.joint_scores_ = decider.unknown, decider.joint
        part = [texts[n] for n in places]
        probabilities[inside] = classifier.predict_proba(part)
        for n, answer in zip(places, classifier.predict(part), strict=True):
            labels[n] = answer
    return labels, probabilities, given, data, found


def suits(model: str, calibrate: str, *, several: bool) -> bool:
    """Whether this calibration is for scores such as this model's: two are for probabilities alone."""
    if calibrate not in ("unchanged", "beta"):
        return True
    scores = trial_of(model, several, True)[1].scores
    return bool(((scores >= 0) & (scores <= 1)).all()) and model == "prtfidf"


def content(part: Any) -> Any:
    """What tells an argument of a fit from another: of arrays and sparse tables their shape, type and bytes."""
    if isinstance(part, np.ndarray):
        return part.dtype.str, part.shape, part.tobytes()
    if hasattr(part, "indptr"):
        return part.shape, part.indptr.tobytes(), part.indices.tobytes(), part.data.tobytes()
    return tuple(part) if isinstance(part, list) else part


FITS: dict[Any, Any] = {}


def once(fit: Callable[..., Any]) -> Callable[..., Any]:
    """The same fit, made once for the same arguments."""

    def fitted(*parts: Any, **settings: Any) -> Any:
        key = (fit.__name__, *map(content, parts), *((name, content(settings[name])) for name in sorted(settings)))
        if key not in FITS:
            FITS[key] = fit(*parts, **settings)
        return FITS[key]

    return fitted


@pytest.fixture
def fits_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trial and what replays it fit the same curves and rules on the same scores; a calibration does not depend on the rule,
    nor a rule on the calibration, nor the words of a text on either. What is compared here is what becomes of them, so that each
    is fitted, and each text read, once."""
    monkeypatch.setattr("rubricate.training.trial.cross_calibrate", once(cross_calibrate))
    monkeypatch.setattr("rubricate.decisions.rules.fit_rule", once(fit_rule))
    monkeypatch.setattr("rubricate.training.text_classifier.tabulate", once(tabulate))


@pytest.mark.usefixtures("fits_made_once")
@pytest.mark.parametrize("calibrate", CALIBRATE)
@pytest.mark.parametrize("model", MODELS)
def test_figures_of_one_label_a_document_are_those_of_predict(model: str, calibrate: str) -> None:
    if not suits(model, calibrate, several=False):
        pytest.skip(f"{calibrate} is for probabilities, which the scores of {model} are not")
    for decide in SINGLE_RULES:
        labels, p, given, data, found = replayed(model, calibrate, decide, several=False, by="accuracy")
        right = np.mean([answer == own[0] for answer, own in zip(labels, data.labels, strict=True)])
        trial = judge(data, candidate(model), found, measure("accuracy"), given)
        assert (decide, trial.value) == (decide, pytest.approx(right))
        assert [data.names[column] for column in trial.decisions] == labels
        np.testing.assert_allclose(held_out_answers(data, found, measure("logloss"), given), p, rtol=1e-7, atol=1e-9)


@pytest.mark.usefixtures("fits_made_once")
@pytest.mark.parametrize("calibrate", CALIBRATE)
@pytest.mark.parametrize("model", MODELS)
def test_figures_of_several_labels_are_those_of_predict(model: str, calibrate: str) -> None:
    if not suits(model, calibrate, several=True):
        pytest.skip(f"{calibrate} is for probabilities, which the scores of {model} are not")
    rules = MULTILABEL_RULES if MODELS[model].needs_weights else (*MULTILABEL_RULES, "own")
    for decide in rules:
        labels, p, given, data, found = replayed(model, calibrate, decide, several=True, by="microF1")
        answers = held_out_answers(data, found, measure("microF1"), given)
        assert [[data.names[n] for n in np.flatnonzero(row)] for row in answers.toarray()] == labels, decide
        np.testing.assert_allclose(held_out_answers(data, found, measure("logloss"), given), p, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("calibrate", ["auto", "sigmoid", "isotonic", "temperature", "none"])
@pytest.mark.parametrize("model", ["multinomial", "complement", "bernoulli", "prtfidf", "dcm", "support_vector"])
def test_what_the_report_says_is_what_new_documents_get(model: str, calibrate: str) -> None:
    texts, y = texts_of(700, seed=3)
    fitted = rb.TextClassifier(model, calibrate=calibrate).fit(texts[:350], y[:350])
    reported, right = fitted.report_["value"], float(np.mean(fitted.predict(texts[350:]) == np.array(y[350:])))
    spread = np.sqrt(reported * (1 - reported) * 2 / 350)
    assert abs(reported - right) < 4 * spread + 0.01


# -- a text without a known word


def unknown_of(model: str) -> rb.TextClassifier:
    texts, y = texts_of(90, seed=1)
    return rb.TextClassifier(model, folds=3).fit(texts, y)


@pytest.mark.parametrize("model", MODELS)
def test_a_text_without_a_known_word_gets_the_prior_and_the_commonest_label_and_no_reasons(model: str) -> None:
    fitted = unknown_of(model)
    _, y = texts_of(90, seed=1)
    prior = [y.count(label) / len(y) for label in LABELS]
    texts = ["", "   ", "xyzzy plugh", "§ — !"]
    assert fitted.predict(texts).tolist() == ["grain"] * len(texts)
    np.testing.assert_allclose(fitted.predict_proba(texts), [prior] * len(texts))
    assert fitted.class_scores(texts).argmax(axis=1).tolist() == [LABELS.index("grain")] * len(texts)
    for text in texts:
        (reason,) = fitted.explain(text)
        assert (reason.label, reason.terms, reason.neighbours, reason.decided) == ("grain", [], [], True)


def test_the_prior_follows_what_is_learned_and_forgotten() -> None:
    fitted = unknown_of("multinomial")
    more = ["metal1 metal2"] * 200
    fitted.learn(more, ["metal"] * 200)
    assert fitted.predict([""]).tolist() == ["metal"]


def test_with_several_labels_a_text_without_a_known_word_gets_the_prior_and_no_label() -> None:
    texts, labels = few_texts(several=True)
    fitted = rb.TextClassifier("least_squares", folds=3).fit(texts, labels)
    prior = [sum(label in own for own in labels) / len(labels) for label in LABELS]
    assert fitted.predict(["", "plover"]) == [[], []]
    np.testing.assert_allclose(fitted.predict_proba(["", "plover"]), [prior] * 2)


def test_a_tie_of_probabilities_goes_to_the_better_score() -> None:
    from rubricate.decisions.rules import Decision

    scores, p = np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 3.0]]), np.array([[0.4, 0.4, 0.2], [0.3, 0.35, 0.35]])
    assert Decision("top", False).decide(scores, p).argmax(axis=1).tolist() == [1, 2]


# -- no surer than the held-out documents


def test_no_probability_claims_more_than_the_held_out_documents_bear_out() -> None:
    texts, y = texts_of(1010, seed=5, longest=400)
    for calibrate in ("sigmoid", "isotonic", "temperature", "auto"):
        fitted = rb.TextClassifier("multinomial", calibrate=calibrate, folds=3).fit(texts, y)
        sure = [" ".join([f"{label}{n}" for n in range(15)] * 40) for label in LABELS]
        p = fitted.predict_proba(sure)
        assert p.max() <= 1 - 1 / (len(texts) + 2)
        assert fitted.predict(sure).tolist() == list(LABELS)
    lists = rb.TextClassifier("multinomial", calibrate="sigmoid", folds=3).fit(texts, [[own] for own in y])
    p = lists.predict_proba(sure)
    for n, label in enumerate(LABELS):
        assert p[n, n] <= 1 - 1 / (y.count(label) + 2)
        assert p[:, n].min() >= 1 / (len(texts) - y.count(label) + 2)


def test_bounds_are_what_groups_at_the_top_and_at_the_bottom_bear_out() -> None:
    p = np.array([[0.99], [0.98], [0.9], [0.2], [0.1], [0.1]])
    yes = np.array([[True], [True], [False], [True], [False], [False]])
    bounds = Bounds.of(p, yes, exclusive=False, pooled=np.zeros(1, dtype=bool))
    assert bounds.highest.tolist() == [pytest.approx(3 / 4)]  # of the two at the top, both
    assert bounds.lowest.tolist() == [pytest.approx(1 / 4)]  # of the two at the bottom, none


@pytest.mark.parametrize("exclusive", [False, True])
def test_bounds_change_no_order_and_leave_what_is_not_sure(exclusive: bool) -> None:
    draw = np.random.default_rng(0)
    p = draw.dirichlet(np.full(4, 0.1), 500)
    truth = np.array([draw.choice(4, p=row / row.sum()) for row in p])
    yes = np.eye(4, dtype=bool)[truth]
    bounds = Bounds.of(p, yes, exclusive=exclusive, pooled=np.zeros(4, dtype=bool))
    bounded = bounds.within(p)
    if exclusive:
        np.testing.assert_allclose(bounded.sum(axis=1), 1)
        assert (np.argsort(bounded, axis=1, kind="stable") == np.argsort(p, axis=1, kind="stable")).all()
    for label in range(4):
        order = np.argsort(p[:, label], kind="stable")
        assert exclusive or (np.diff(bounded[order, label]) >= 0).all()
    middle = (p.max(axis=1) < 0.9) & (p.min(axis=1) > 0.03)
    np.testing.assert_allclose(bounded[middle], p[middle])
    assert bounded.max() <= bounds.highest.max() < 1


@pytest.mark.parametrize("multilabel", [False, True])
def test_density_answers_texts_of_which_none_has_a_known_word(multilabel: bool) -> None:
    texts, labels = few_texts(several=multilabel)
    y: Any = labels if multilabel else [label_set[0] for label_set in labels]
    model = rb.TextClassifier("multinomial", decide="density").fit(texts, y)
    among_others = model.predict_proba(["qqqq", texts[0]])[0]
    np.testing.assert_array_equal(model.predict_proba(["qqqq"])[0], among_others)
    assert list(model.predict(["qqqq"])) == list(model.predict(["qqqq", texts[0]]))[:1]
    assert all(not reason.terms for reason in model.explain("qqqq"))
