"""What a trained model says of its choice, in plain words: its rule, its learning curve, and the runner-up with a test.

The numbers are those of `rubricate.training.choice`, stored in `report_`; models saved before there was a test have none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..foundation.share_text import p_value
from ..measures.significance import Needed
from .sentences import Name, Parts, sentence, would_more_help

if TYPE_CHECKING:
    from ..training.text_classifier import TextClassifier

EQUAL = 1e-12
FIELDS = ("candidate", "value", "low", "high")


def choice(report: Mapping[str, Any]) -> dict[str, Any] | None:
    """From the `report_` of a TextClassifier: the chosen candidate and those it was tested against, the best of them first; None
    if there was no test."""
    rows = report["tried"]
    tested = [row for row in rows if is_defined(row.get("against_chosen"))]
    name = tested[0]["against_chosen"]["chosen"] if tested else None
    chosen = next((row for row in rows if row["candidate"] == name), None)
    if chosen is None:
        return None
    tested.sort(key=lambda row: row["against_chosen"]["ahead"])
    return {
        "measure": report["measure"],
        "chosen": {key: chosen[key] for key in FIELDS},
        "rivals": [{key: row[key] for key in (*FIELDS, "against_chosen")} for row in tested],
    }


def is_defined(test: Mapping[str, Any] | None) -> bool:
    """Whether there was a test, and the measure is defined for both."""
    return test is not None and all(test[key] is not None for key in ("ahead", "low", "high", "adjusted"))


def choice_sentences(choice: Mapping[str, Any]) -> list[Parts]:
    """A sentence for each rival, and after the first, if that is ahead, why the chosen one was taken. choice: of `choice`."""
    chosen, rivals = Name(choice["chosen"]["candidate"]), choice["rivals"]
    sentences = [rival_sentence(chosen, rival, choice["measure"], first=n == 0) for n, rival in enumerate(rivals)]
    if rivals[0]["against_chosen"]["ahead"] < -EQUAL:
        reason = " was taken because it is simpler, and the best is not ahead of it beyond doubt."
        sentences.insert(1, (chosen, reason))
    return sentences


def said_of_choice(given: Mapping[str, Any]) -> list[Parts]:
    """The name of `choice_sentences` before."""
    return choice_sentences(given)


def rival_sentence(chosen: Name, rival: Mapping[str, Any], measure: str, *, first: bool) -> Parts:
    """Who is ahead of whom by how much, between which limits, and whether that may be chance."""
    other, test = Name(rival["candidate"]), rival["against_chosen"]
    ahead, low, high = test["ahead"], test["low"], test["high"]
    if abs(ahead) <= EQUAL:
        return (chosen, " and ", other, f" do equally well in {measure}: there is no difference to test.")
    start: Parts = chosen, " is ahead of ", other, ", the next best," if first else ""
    if ahead < 0:
        start, low, high = (other, " is ahead of ", chosen), -high, -low
    by = f" by {abs(ahead):.4f} in {measure} ({signed(low)} to {signed(high)} is likely)"
    return (*start, by, verdict(test, sure=low > 0))


def verdict(test: Mapping[str, Any], *, sure: bool) -> str:
    """More than chance or not, by the test; sure: whether the likely range says so."""
    p = p_value(test["adjusted"])
    if test["better"] is not None:
        doubt = "" if sure else "; the likely range still holds 0, so it is a close call"
        return f", and that is more than chance ({p}){doubt}."
    if sure:
        return f", which may still be chance ({p}), though the likely range is above 0: it is a close call."
    more = test["more_documents"]
    needed = "" if more is None else f": {Needed(math.nan, more)} to tell"
    return f", which may be chance ({p}){needed}."


def signed(value: float) -> str:
    """With a minus that is one."""
    return f"{value:.4f}".replace("-", "−")


def rule_text(model: TextClassifier) -> str:
    """The rule that decides, in words. With too few documents it is not the one that was asked for."""
    from ..decisions.rules import RULES

    setting, rule = str(model.report_["decide"]), model.decision_.rule
    return f"{setting if setting.partition(':')[0] == rule else rule}: {RULES[rule]}"


def learning_curve_points(model: TextClassifier) -> list[dict[str, Any]] | None:
    """The points of the learning curve, by rising number of documents; None if there is none."""
    curve = model.report_.get("learning_curve")
    return curve_points(curve) if curve else None


def curve_points(curve: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A learning curve, stored as columns, as rows."""
    columns = (curve[name] for name in ("sizes", "values", "low", "high"))
    return [dict(zip(("documents", "value", "low", "high"), row, strict=True)) for row in zip(*columns, strict=True)]


def more_labels_sentence(model: TextClassifier) -> str | None:
    """Would more labelled documents help? None without a learning curve."""
    points = learning_curve_points(model)
    if points is None:
        return None
    return sentence(would_more_help(points, measure=model.report_["learning_curve"]["measure"]))


def runner_up_sentence(model: TextClassifier) -> str | None:
    """How far the next best candidate is behind, and whether that may be chance, by a test; None where nothing else was tried.
    Of a model without a test, such as one of an earlier version, what its interval says."""
    tested = choice(model.report_)
    if tested is not None:
        nearest = tested | {"rivals": tested["rivals"][:1]}
        return " ".join(sentence(parts) for parts in said_of_choice(nearest))
    name, measure, rows = str(model.candidate_), model.report_["measure"], model.report_["tried"]
    chosen = next((row for row in rows if row["candidate"] == name), None)
    best = [row for row in rows if row.get("behind") is None]  # the others are measured against it
    others = [row for row in rows if row.get("behind") is not None and row is not chosen]
    if chosen is None or len(best) != 1:
        return None
    if chosen is not best[0]:
        ahead, low, high = chosen["behind"]
        lead = f"{best[0]['candidate']} is ahead by {ahead:.4f} in {measure} ({low:.4f} to {high:.4f} is likely)"
        return f"{lead}, which may be chance, and {name} is simpler"
    if not others:
        return None
    rival = min(others, key=lambda row: row["behind"][0])
    ahead, low, high = rival["behind"]
    chance = "more than chance" if low > 0 else "which may be chance"
    return f"{rival['candidate']} is behind by {ahead:.4f} in {measure} ({low:.4f} to {high:.4f} is likely), {chance}"
