"""What a model's report tells of its choice: the learning curve and the runner-up, where it has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..training.text_classifier import TextClassifier

__all__ = ["curve_of", "more_labels", "rule_of", "runner_up"]


def rule_of(model: TextClassifier) -> str:
    """The rule that decides, in words. With too few documents it is not the one that was asked for."""
    from ..decisions.rules import RULES

    asked, own = str(model.report_["decide"]), model.decision_.rule
    return f"{asked if asked.partition(':')[0] == own else own}: {RULES[own]}"


def curve_of(model: TextClassifier) -> list[dict[str, Any]] | None:
    """The points of the learning curve, by rising number of documents; None if there is none."""
    held = model.report_.get("learning_curve")
    if not held:
        return None
    columns = (held[name] for name in ("sizes", "values", "low", "high"))
    return [dict(zip(("documents", "value", "low", "high"), row, strict=True)) for row in zip(*columns, strict=True)]


def more_labels(model: TextClassifier) -> str | None:
    """Would more labelled documents help? A sentence; None without a learning curve."""
    from ..evaluation import sentence, would_more_help

    points = curve_of(model)
    if points is None:
        return None
    return sentence(would_more_help(points, measure=model.report_["learning_curve"]["measure"]))


def runner_up(model: TextClassifier) -> str | None:
    """How far the next best candidate is behind, and whether that may be chance, by a test; None where nothing else was tried.
    Of a model without a test, such as one of an earlier version, what its interval says."""
    from ..evaluation import choice, choice_sentences, sentence

    tested = choice(model.report_)
    if tested is not None:
        nearest = tested | {"rivals": tested["rivals"][:1]}
        return " ".join(sentence(parts) for parts in choice_sentences(nearest))
    chosen, measure, rows = str(model.candidate_), model.report_["measure"], model.report_["tried"]
    own = next((row for row in rows if row["candidate"] == chosen), None)
    best = [row for row in rows if row.get("behind") is None]  # the others are measured against it
    others = [row for row in rows if row.get("behind") is not None and row is not own]
    if own is None or len(best) != 1:
        return None
    if own is not best[0]:
        ahead, low, high = own["behind"]
        told = f"{best[0]['candidate']} is ahead by {ahead:.4f} in {measure} ({low:.4f} to {high:.4f} is likely)"
        return f"{told}, which may be chance, and {chosen} is simpler"
    if not others:
        return None
    first = min(others, key=lambda row: row["behind"][0])
    ahead, low, high = first["behind"]
    chance = "more than chance" if low > 0 else "which may be chance"
    return f"{first['candidate']} is behind by {ahead:.4f} in {measure} ({low:.4f} to {high:.4f} is likely), {chance}"
