"""Drift: an alarm where documents have changed and seldom elsewhere; a profile by numpy is that of compiled loops; old files say
what they lack."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import frozen
import rubricate as rb
from rubricate.errors import DamagedFile, InputError, InvalidSetting
from rubricate.scoring.document_profile import BINS, DocumentProfile, _check_profile
from rubricate.scoring.drift import drift_between, profile_by
from rubricate.scoring.predictions import NamedText
from rubricate.scoring.predictor import Predictor

WORDS = {"grain": "corn wheat barley rye oats prices", "metal": "gold silver copper tin mine prices"}
COMMON = ["the", "of", "and", "to", "in", "for", "report", "market", "week", "said", "about", "new"]


def documents(n: int, seed: int, *, grain: float = 0.5, odd: float = 0.0) -> tuple[list[str], list[str]]:
    """Texts about two subjects; odd: the share of words that nobody else uses."""
    rng = np.random.default_rng(seed)
    texts, labels = [], []
    for number in range(n):
        label = "grain" if rng.random() < grain else "metal"
        about = rng.choice([*WORDS[label].split(), *COMMON, "gold", "corn"], size=int(rng.integers(4, 16)))
        texts.append(" ".join(f"odd{seed}x{number}" if rng.random() < odd else word for word in about))
        labels.append(label)
    return texts, labels


@pytest.fixture(scope="module")
def model() -> rb.TextClassifier:
    return rb.TextClassifier("multinomial").fit(*documents(400, 0))


def test_documents_of_the_same_source_seldom_raise_an_alarm(model: rb.TextClassifier) -> None:
    alarms = [rb.drift(model, documents(150, seed)[0]).changed for seed in range(1, 41)]
    assert np.mean(alarms) <= 0.15  # 5 % of any false alarm are allowed for: 2 of 40


def test_a_shift_of_labels_is_named_with_its_size(model: rb.TextClassifier) -> None:
    drift = rb.drift(model, documents(200, 7, grain=0.8)[0])
    changed = {label.name: (round(label.before, 1), label.now > 0.7) for label in drift.labels if label.changed}
    assert changed["grain"] == (0.5, True)
    assert any("'grain'" in sentence and "->" in sentence for sentence in drift.sentences())


def test_unknown_words_are_noticed_and_the_rest_is_not_said_to_be_unchanged(model: rb.TextClassifier) -> None:
    drift = rb.drift(model, documents(200, 8, odd=0.15)[0])
    assert drift.unknown_terms.changed
    assert drift.unknown_terms.now > 0.1 > drift.unknown_terms.before
    last = drift.sentences()[-1]
    assert "No other change can be shown with 200 documents" in last
    assert "length" in last


def test_longer_documents_are_noticed(model: rb.TextClassifier) -> None:
    texts = [f"{text} {text}" for text in documents(100, 9)[0]]
    drift = rb.drift(model, texts)
    assert drift.length.changed
    assert drift.length.now == pytest.approx(2 * drift.length.before, rel=0.2)


def test_terms_known_only_from_a_document_itself_are_unknown_in_its_profile() -> None:
    texts = ["corn wheat lonely", "corn wheat", "gold silver", "gold silver single words"] * 1
    model = rb.TextClassifier("multinomial", folds=2).fit(texts, ["g", "g", "m", "m"])
    reference = model.reference_
    assert reference is not None
    assert reference.sums[0] == pytest.approx(1 / 3 + 2 / 4)  # of documents 0 and 3
    assert (reference.documents, reference.sums[2]) == (4, 11)


def test_reference_documents_take_the_place_of_the_training_documents(model: rb.TextClassifier) -> None:
    old, new = documents(300, 11, odd=0.2)[0], documents(300, 12, odd=0.2)[0]
    assert rb.drift(model, new).unknown_terms.changed
    drift = rb.drift(model, new, reference=old)
    assert not drift.held_out
    assert not drift.unknown_terms.changed


def test_the_profile_is_kept_in_files_slim_ones_too_and_stays_when_more_is_learned(
    model: rb.TextClassifier, tmp_path: Path
) -> None:
    model.save(tmp_path / "m.rub", slim=True)
    before, after = model.reference_, Predictor.load(tmp_path / "m.rub").reference
    assert before is not None
    assert after is not None
    assert (after.documents, after.folds, after.labels.tolist()) == (400, 5, before.labels.tolist())
    np.testing.assert_array_equal(after.bins, before.bins)
    grown = rb.TextClassifier("multinomial").fit(*documents(60, 0)).learn(*documents(10, 1))
    assert grown.reference_ is not None
    assert rb.drift(grown, documents(50, 2)[0]).reference_documents == 60


@pytest.mark.parametrize(
    "settings", [{"recipe": rb.Recipe(pairs=True)}, {"select": "common:2"}, {"select": "dkl:9"}], ids=str
)
def test_profiles_by_numpy_and_by_compiled_loops_are_the_same(settings: dict[str, Any]) -> None:
    model = rb.TextClassifier("support_vector", **settings).fit(*documents(80, 3))
    new = [NamedText("", text) for text in [*documents(60, 4, odd=0.1)[0], "", "unheard of"]]
    first, second = profile_by(Predictor.from_classifier(model), new), profile_by(model._predictor(), new)
    np.testing.assert_array_equal(first.bins, second.bins)
    np.testing.assert_array_equal(first.sums, second.sums)
    np.testing.assert_array_equal(first.labels, second.labels)


def test_a_file_of_before_says_what_is_missing_and_compares_with_a_reference(tmp_path: Path) -> None:
    path = frozen.FOLDER / "multinomial.several.rub"
    with pytest.raises(InvalidSetting, match="train it again"):
        rb.drift(path, ["corn"] * 10)
    assert rb.drift(path, ["corn"] * 10, reference=["corn"] * 20).documents == 10


def test_a_rule_that_fixes_shares_is_not_asked_about_labels() -> None:
    texts, labels = documents(80, 5)
    model = rb.TextClassifier("multinomial", decide="pcut").fit(texts, [[label] for label in labels])
    drift = rb.drift(model, documents(50, 6)[0])
    assert drift.labels == ()
    assert json.loads(json.dumps(drift.as_dict()))["labels_p"] is None


def test_profiles_add_up(model: rb.TextClassifier) -> None:
    predictor, new = model._predictor(), [NamedText("", text) for text in documents(30, 13)[0]]
    both, whole = profile_by(predictor, new[:10]) + profile_by(predictor, new[10:]), profile_by(predictor, new)
    np.testing.assert_array_equal(both.bins, whole.bins)
    np.testing.assert_allclose(both.sums, whole.sums)
    assert both.documents == whole.documents == 30


def test_no_document_is_refused(model: rb.TextClassifier) -> None:
    with pytest.raises(InputError, match="there is none among them"):
        rb.drift(model, [])


def test_forged_profiles_are_refused() -> None:
    good = DocumentProfile.of(lengths=[3, 5], known=[2, 5], certainties=np.array([0.5, 1.0]), decisions=np.eye(2))
    _check_profile(good)
    for wrong in (
        {"documents": 3},
        {"labels": np.array([1, -1])},
        {"labels": np.array([3, 0])},
        {"bins": np.zeros((3, BINS - 1), dtype=np.int64)},
        {"sums": np.array([0.0, np.nan, 1.0])},
        {"folds": 1},
    ):
        with pytest.raises(DamagedFile):
            _check_profile(replace(good, **wrong))


def test_what_models_of_folds_cannot_show_is_no_drift() -> None:
    """The model itself may be surer than the models of its folds, or less sure: that much is allowed for."""

    def profile(certainty: float, *, folds: int) -> DocumentProfile:
        decisions = np.tile(np.eye(2), (500, 1))
        certainties = np.clip(np.random.default_rng(0).normal(certainty, 0.1, 1000), 0, 1)
        return DocumentProfile.of(
            lengths=np.full(1000, 9), known=np.full(1000, 9), certainties=certainties, decisions=decisions, folds=folds
        )

    def changed(reference: DocumentProfile, certainty: float) -> bool:
        new = profile(certainty, folds=0)
        return drift_between(reference, new, ["a", "b"], multilabel=False).certainty.changed

    assert not changed(profile(0.6, folds=5), 0.63)  # 0.4 (1 - sqrt(4/5)) = 0.042
    assert changed(profile(0.6, folds=0), 0.63)
    assert not changed(profile(0.6, folds=5), 0.57)
    assert changed(profile(0.6, folds=5), 0.53)


@pytest.mark.parametrize("multilabel", [False, True])
def test_the_profile_of_a_training_is_the_same_by_either_way(multilabel: bool) -> None:
    """What the trial has decided, and what is decided again where the measure looks at other things than decisions."""
    texts, labels = documents(120, 21)
    y: Any = [[label] for label in labels] if multilabel else labels
    settings: Any = {"multilabel": multilabel, "calibrate": "sigmoid", "decide": "half" if multilabel else "top"}
    first = rb.TextClassifier("multinomial", **settings).fit(texts, y).reference_
    second = rb.TextClassifier("multinomial", measure="logloss", **settings).fit(texts, y).reference_
    assert first is not None
    assert second is not None
    assert np.abs(first.labels - second.labels).max() <= 1
    assert first.means[1] == pytest.approx(second.means[1], abs=0.03)  # bounds of all folds, and of the others
