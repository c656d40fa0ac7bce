"""TextClassifier: raw text in, labels out; what is chosen, how it answers, and that it learns and forgets."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline

import rubricate as rb
from rubricate import metrics, models
from rubricate.errors import InputError, InvalidSetting, NeverCounted, UnknownName
from rubricate.training.text_classifier import TextClassifier


@cache
def sample() -> tuple[list[str], list[list[str]], list[str]]:
    train, test = rb.collections.load("enquiries")
    return train.texts[:400], train.labels[:400], test.texts[:20]


@cache
def fitted(model: str, kind: str) -> TextClassifier:
    texts, labels, _ = sample()
    y: Any = labels if kind == "lists" else [own[0] for own in labels]
    return TextClassifier(model).fit(texts, y)


def indicator(labels: list[list[str]]) -> tuple[np.ndarray, list[str]]:
    names = sorted({label for own in labels for label in own})
    return np.array([[int(name in own) for name in names] for own in labels]), names


@pytest.mark.parametrize("model", ["multinomial", "support_vector"])
def test_labels_come_back_in_the_form_in_which_they_were_given(model: str) -> None:
    texts, labels, new = sample()
    Y, names = indicator(labels)
    lists = fitted(model, "lists").predict(new)
    table = TextClassifier(model).fit(texts, Y).predict(new)
    assert [[names[n] for n in np.flatnonzero(row)] for row in table] == lists
    assert (TextClassifier(model).fit(texts, sparse.csr_matrix(Y)).predict(new) == table).all()
    one = fitted(model, "one").predict(new)
    assert one.shape == (20,)
    assert set(one) <= set(names)
    numbers = TextClassifier(model).fit(texts, [names.index(own[0]) * 3 for own in labels]).predict(new)
    assert [names[n // 3] for n in numbers] == one.tolist()


def test_the_choice_is_the_simplest_that_is_not_significantly_worse_than_the_best() -> None:
    model = fitted("auto", "lists")
    tried = model.report_["tried"]
    assert len(tried) == 8
    chosen = next(row for row in tried if not row["significantly_worse"])
    assert chosen["candidate"] == str(model.candidate_)
    best = max(tried, key=lambda row: row["value"])
    assert not best["significantly_worse"]
    assert all(row["low"] <= row["value"] <= row["high"] for row in tried)
    assert "had not seen" in model.report_["statement"]


def test_the_same_data_and_seed_give_the_same_answers() -> None:
    texts, labels, new = sample()
    again = TextClassifier("auto").fit(texts, labels)
    first = fitted("auto", "lists")
    assert (again.predict_proba(new) == first.predict_proba(new)).all()
    assert (again.thresholds_ == first.thresholds_).all()
    assert again.report_ == first.report_
    one_thread = TextClassifier("auto", jobs=1).fit(texts, labels)
    assert (one_thread.predict_proba(new) == first.predict_proba(new)).all()


def test_out_of_fold_figures_hold_on_documents_that_were_kept_apart() -> None:
    train, _ = rb.collections.load("enquiries")
    inside, outside = train.split(test=0.3, seed=1)
    model = TextClassifier("auto").fit(inside)
    truth = metrics.indicator(outside.labels, model.classes_.tolist())
    found = metrics.measure("microF1")(metrics.indicator(model.predict(outside.texts), model.classes_.tolist()), truth)
    low, high = model.report_["interval"]
    assert low - 0.04 < found < high + 0.04
    assert metrics.calibration_error(model.predict_proba(outside.texts), truth) < 0.03


def test_a_budget_leaves_the_costly_candidates_out_whatever_the_clock_says() -> None:
    texts, labels, _ = sample()
    model = TextClassifier(budget=1e-9).fit(texts, labels)
    tried = [row["candidate"] for row in model.report_["tried"]]
    assert tried == ["multinomial (smoothing 0.01)", "support vector (loss squared_hinge) on ltc"], (
        "the first, and the best"
    )
    assert len(model.report_["left_out"]) == 6
    assert "lack of time" in model.report_["statement"]


@pytest.mark.parametrize("model", ["multinomial", "complement", "widrow_hoff", "least_squares"])
@pytest.mark.parametrize("kind", ["lists", "one"])
def test_what_is_learned_and_forgotten_was_never_there(model: str, kind: str) -> None:
    texts, labels, new = sample()
    y = labels if kind == "lists" else [own[0] for own in labels]
    own = TextClassifier(model).fit(texts, y)
    before, scores = own.predict_proba(new), own.decision_function(new)
    own.learn(new[:5], y[:5])
    assert (own.decision_function(new) != scores).any()
    own.forget(new[:5], y[:5])
    np.testing.assert_array_equal(own.decision_function(new), scores)
    np.testing.assert_array_equal(own.predict_proba(new), before)
    own.forget(texts[:10], y[:10])
    shorter = TextClassifier(model).fit(texts[10:], y[10:])
    np.testing.assert_allclose(own.decision_function(new), shorter.decision_function(new), rtol=1e-9, atol=1e-9)


def test_forgetting_what_was_never_learned_is_refused_and_changes_nothing() -> None:
    texts, labels, new = sample()
    for model in ("multinomial", "widrow_hoff"):
        own = TextClassifier(model).fit(texts, labels)
        scores = own.decision_function(new)
        with pytest.raises(NeverCounted):
            own.forget([new[0]], [labels[0]])
        with pytest.raises(InvalidSetting, match="new labels"):
            own.learn([new[0]], [["no such label"]])
        np.testing.assert_array_equal(own.decision_function(new), scores)


@pytest.mark.parametrize("model", ["multinomial", "support_vector", "bernoulli"])
def test_reasons_add_up_to_the_score(model: str) -> None:
    _, _, new = sample()
    own = fitted(model, "lists")
    scores = own.decision_function(new)
    for text, row, decided in zip(new[:5], scores, own.predict(new[:5]), strict=False):
        for label in own.classes_:
            reason = own.explain(text, label)[0]
            total = reason.base + reason.others + sum(value for _, value in reason.terms)
            assert total == pytest.approx(reason.score, rel=1e-9, abs=1e-9)
            assert reason.score == pytest.approx(row[own.classes_.tolist().index(label)])
            assert reason.decided == (label in decided) == (reason.score > reason.cut)
            assert [abs(v) for _, v in reason.terms] == sorted((abs(v) for _, v in reason.terms), reverse=True)
        assert {reason.label for reason in own.explain(text)} == set(decided) or not decided
    with pytest.raises(UnknownName):
        own.explain(new[0], "no such label")


def test_scikit_learns_tools_take_it() -> None:
    texts, labels, new = sample()
    y = np.array([own[0] for own in labels])
    model = TextClassifier(models.Multinomial(smoothing=0.5), calibrate="none", random_state=3)
    assert clone(model).get_params()["random_state"] == 3
    found = cross_val_score(model, np.array(texts, dtype=object), y, cv=3)
    assert found.mean() > 0.6
    piped = make_pipeline(TextClassifier("complement")).fit(texts, y)
    assert len(piped.predict(new)) == 20
    own = model.fit(texts, y)
    assert dict(own.candidate_.settings) == {"smoothing": 0.5}


def test_probabilities_of_one_label_sum_to_one_and_decide() -> None:
    _, _, new = sample()
    for model in ("multinomial", "support_vector"):
        own = fitted(model, "one")
        probabilities = own.predict_proba(new)
        np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
        assert (own.classes_[probabilities.argmax(axis=1)] == own.predict(new)).all()
        assert own.thresholds_ is None


def test_few_documents_are_learned_and_it_is_said_how_little_is_known() -> None:
    own = TextClassifier().fit(["wheat corn", "stock bank", "corn rye"], ["g", "m", "g"])
    assert own.predict(["rye", "bank", ""]).tolist() == ["g", "m", "g"]
    assert "too few" in own.report_["statement"]
    np.testing.assert_allclose(own.predict_proba(["rye"]).sum(), 1.0)
    two = TextClassifier().fit(
        ["wheat corn", "stock bank", "corn rye", "bank loan", "loan share"], ["g", "m", "g", "m", "m"]
    )
    low, high = two.report_["interval"]
    assert high - low > 0.4
    texts = [*["wheat corn"] * 10, *["stock bank"] * 10, "odd", "odd one"]
    rare = TextClassifier().fit(texts, [["g"]] * 10 + [["m"]] * 10 + [["r"]] * 2)
    assert rare.predict(["corn wheat", "bank stock"]) == [["g"], ["m"]]
    assert np.isfinite(rare.predict_proba(["odd", "nothing known"])).all()


def test_a_corpus_brings_its_fields_and_labels() -> None:
    train, test = rb.collections.load("enquiries")
    own = TextClassifier("complement").fit(train)
    assert own.several_labels_
    assert len(own.predict(test)) == len(test.texts)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"model": "oracle"}, UnknownName),
        ({"decide": "coin"}, UnknownName),
        ({"calibrate": "hope"}, InvalidSetting),
        ({"measure": "luck"}, UnknownName),
        ({"select": "dkl"}, InvalidSetting),
        ({"select": "luck:5"}, UnknownName),
        ({"model": "multinomial", "weighting": "ltc"}, InvalidSetting),
        ({"model": "rocchio", "weighting": "heavy"}, UnknownName),
        ({"model": "dcm", "select": "dkl:50"}, InvalidSetting),
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any], error: type[Exception]) -> None:
    texts, labels, _ = sample()
    with pytest.raises(error):
        TextClassifier(**wrong).fit(texts, labels)


def test_selected_terms_are_the_only_ones_looked_at() -> None:
    texts, labels, new = sample()
    own = TextClassifier("multinomial", select="dkl:50").fit(texts, labels)
    assert len(own.terms_) == 50
    assert own.get_feature_names_out().tolist() == own.terms_
    weighted = TextClassifier("widrow_hoff", select="chi2:80").fit(texts, labels)
    assert len(weighted.terms_) == 80
    assert weighted.decision_function(new).shape == (20, len(weighted.classes_))


# -- long texts, short ones, and texts of which nothing is known

SUMS = [name for name, row in models.MODELS.items() if row.kind.grows_with_length]


def test_the_models_whose_scores_are_sums_over_words_are_known() -> None:
    assert SUMS == [
        "multinomial",
        "simplified_multinomial",
        "bernoulli",
        "stacked_bernoulli",
        "dcm",
        "edcm",
        "complement",
    ]


@pytest.mark.parametrize("name", SUMS)
def test_with_several_labels_scores_are_per_word_and_words_add_up_to_them(name: str) -> None:
    model, (_, _, new) = fitted(name, "lists"), sample()
    X = rb.tabulate(new, model.recipe_, terms=model.terms_).X
    expected = model.model_.class_scores(X) / np.maximum(X.sum(axis=1), 1)[:, None]
    np.testing.assert_allclose(model.decision_function(new), expected, rtol=1e-12)
    reason = model.explain(new[0], str(model.classes_[0]), top=3)[0]
    added = sum(value for _, value in reason.terms) + reason.others + reason.base
    assert added == pytest.approx(reason.score, rel=1e-9) == pytest.approx(expected[0, 0], rel=1e-9)
    one = fitted(name, "one")
    np.testing.assert_allclose(one.class_scores(new), one.model_.class_scores(X), rtol=1e-12)


def test_a_text_said_twice_is_decided_as_when_it_is_said_once() -> None:
    model, (_, _, new) = fitted("multinomial", "lists"), sample()
    twice = [f"{text} {text}" for text in new]
    prior = np.abs(model.model_.log_prior_).max()
    words = rb.tabulate(new, model.recipe_, terms=model.terms_).X.sum(axis=1)
    apart = np.abs(model.decision_function(new) - model.decision_function(twice))
    assert (apart <= prior / words[:, None]).all()  # all that is left of the length is what the prior counts for
    raw = TextClassifier("multinomial", calibrate="none").fit(*sample()[:2])
    grown = np.abs(raw.decision_function(twice)) - np.abs(raw.decision_function(new))
    assert np.median(grown) > 10


@pytest.mark.parametrize("name", [*SUMS, "tfidf", "prtfidf", "support_vector", "widrow_hoff", "nearest_neighbours"])
def test_a_text_without_a_known_word_is_as_likely_as_labels_are_frequent_and_gets_none(name: str) -> None:
    model, (_, labels, _) = fitted(name, "lists"), sample()
    texts = ["", "qqqq zzzz"]
    assert model.predict(texts) == [[], []]
    Y, _ = indicator(labels)
    found = model.predict_proba(texts)
    np.testing.assert_array_equal(found[0], found[1])
    assert np.abs(found[0] - Y.mean(axis=0)).max() < 0.1
    (reason,) = model.explain("")
    assert (reason.terms, reason.decided, reason.base) == ([], False, reason.score)


def test_a_handful_of_documents_that_share_no_word_is_learned_from() -> None:
    draw = np.random.default_rng(0)
    for _ in range(5):  # no pair of words is in two of them, which is what the candidate with pairs asks for
        texts = [" ".join(draw.choice([f"w{n}" for n in range(12)], 5)) for _ in range(4)]
        model = TextClassifier(folds=2).fit(texts, ["a", "b", "c", "a"])
        assert set(model.predict(texts)) <= {"a", "b", "c"}


def test_who_says_whether_a_document_may_have_several_labels_is_believed() -> None:
    texts, labels, new = sample()
    single = [label_set[0] for label_set in labels]
    several = TextClassifier("multinomial", multilabel=True).fit(texts, single)
    assert several.several_labels_
    assert all(isinstance(label_set, list) for label_set in several.predict(new))
    lists_of_one = [[label] for label in single]
    one = TextClassifier("multinomial", multilabel=False).fit(texts, lists_of_one)
    assert not one.several_labels_
    assert one.predict(new).tolist() == fitted("multinomial", "one").predict(new).tolist()
    for X, y in ((texts, labels), (rb.Corpus.from_texts(texts, labels), None)):
        with pytest.raises(InputError, match="labels, where each document is to have one"):
            TextClassifier("multinomial", multilabel=False).fit(X, y)
    corpus = rb.Corpus.from_texts(texts, single)
    assert not TextClassifier("multinomial").fit(corpus).several_labels_
    assert TextClassifier("multinomial", multilabel=True).fit(corpus).several_labels_


def test_n_jobs_is_taken_beside_jobs_and_is_no_part_of_a_model_file(tmp_path: Path) -> None:
    texts, y = ["wheat corn", "bank loan"] * 10, ["g", "m"] * 10
    model = clone(TextClassifier("multinomial", n_jobs=2))
    assert (model.get_params()["n_jobs"], model.n_jobs, model.jobs) == (2, 2, None)
    assert model.set_params(n_jobs=-1).fit(texts, y).predict(texts).tolist() == y
    model.save(tmp_path / "m.rub")
    assert rb.load(tmp_path / "m.rub").n_jobs is None
    with pytest.raises(InvalidSetting, match="n_jobs=0"):
        TextClassifier("multinomial", n_jobs=0).fit(texts, y)
    assert TextClassifier("multinomial", jobs=1, n_jobs=0).fit(texts, y).score(texts, y) == 1.0, "jobs comes first"
    assert cross_val_score(TextClassifier("multinomial"), texts, y, cv=2, n_jobs=2).tolist() == [1.0, 1.0]


def test_two_exclusive_labels_have_one_column_as_scikit_learn_wants_it() -> None:
    texts, labels, _ = sample()
    y = ["digital" if "digital" in label_set else "other" for label_set in labels]
    model = TextClassifier("multinomial", calibrate="none").fit(texts, y)
    scores = model.class_scores(texts)
    assert scores.shape == (len(texts), 2)
    np.testing.assert_array_equal(model.decision_function(texts), scores[:, 1] - scores[:, 0])
    assert cross_val_score(TextClassifier("multinomial"), texts, y, scoring="roc_auc", cv=3).min() > 0.8


@pytest.mark.parametrize("wrong", [{"decide": "nonsense"}, {"measure": "nonsense"}, {"calibrate": "nonsense"}])
def test_a_wrong_setting_is_told_before_a_document_is_read(wrong: dict[str, Any]) -> None:
    def source(tally: Any) -> Any:
        raise AssertionError("it was read")
        yield

    with pytest.raises(ValueError, match="nonsense"):
        TextClassifier("multinomial", **wrong).fit(rb.Corpus(source, columns=rb.Columns(), name="unread"))


# -- score

TEXTS = ["wheat corn rye crop", "stock bank share fund", "goal match team ball"] * 20


def test_the_score_of_lists_is_the_share_of_documents_whose_labels_are_exactly_right() -> None:
    y = [["g"], ["m", "b"], []] * 20
    model = TextClassifier("multinomial").fit(TEXTS, y)
    assert [set(labels) for labels in model.predict(TEXTS[:3])] == [{"g"}, {"m", "b"}, set()]
    assert model.score(TEXTS[:4], [["g"], ["b", "m"], ["g"], ["g"]]) == 0.75
    assert model.score(TEXTS[:4], [["g"], ["m"], [], ["unknown"]]) == 0.5
    assert model.score(TEXTS[:2], [["g"], []], sample_weight=[3, 1]) == 0.75
    assert model.score(rb.Corpus.from_texts(TEXTS, y)) == 1.0
    table = np.array([["b" in own, "g" in own, "m" in own] for own in y])
    assert model.score(TEXTS, table) == 1.0
    with pytest.raises(InvalidSetting, match="a table of 2 columns, where the classifier has 3 labels"):
        model.score(TEXTS, table[:, :2])


def test_the_score_of_a_corpus_is_that_of_its_texts_and_labels() -> None:
    corpus = rb.Corpus.from_texts(TEXTS, ["g", "m", "s"] * 20)
    model = TextClassifier("multinomial").fit(corpus)
    wrong = rb.Corpus.from_texts(TEXTS[:4], ["g", "g", "s", "new"])
    assert (model.score(corpus), model.score(wrong), model.score(TEXTS[:4], ["g", "g", "s", "new"])) == (1.0, 0.5, 0.5)


def test_scikit_learn_cross_validates_with_lists_of_labels() -> None:
    y = [["g"], ["m", "b"], []] * 20
    folds = KFold(3)  # a number of folds would make scikit-learn look at y, and it refuses lists
    assert cross_val_score(TextClassifier("multinomial"), TEXTS, y, cv=folds).tolist() == [1.0] * 3
