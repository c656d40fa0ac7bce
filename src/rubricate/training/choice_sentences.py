"""The choice of a training in plain words, from the report that it leaves: who was ahead and whether that may be chance, whether
more documents would help, which rule decides. Nothing heavy is imported: `rubricate inspect` goes this way.

A sentence is a row of parts; labels (and systems) in it are `Name`s, so that a page can set them apart. `sentence` joins them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import InvalidSetting, UnknownName
from ..foundation.share_text import more_documents, p_value, per_cent
from ..scoring.rules import RULES

if TYPE_CHECKING:
    from ..scoring.format_1 import Part
    from .text_classifier import TextClassifier

EQUAL = 1e-12
FIELDS = ("candidate", "value", "low", "high")


class Name(str):
    """A label or a system inside a sentence."""

    __slots__ = ()


Parts = tuple[str, ...]


def sentence(parts: Parts) -> str:
    """The parts in one row, names in quotation marks."""
    return "".join(f"«{part}»" if isinstance(part, Name) else part for part in parts)


def candidate_text(candidate: Any) -> str:
    """A `Candidate`, or that of a file, in a few words."""
    words = [candidate.model.replace("_", " ")]
    if candidate.settings:
        words.append("(" + ", ".join(f"{name} {value}" for name, value in candidate.settings) + ")")
    if candidate.weighting is not None:
        words.append(f"on {candidate.weighting}")
    if candidate.recipe.pairs:
        words.append("with pairs")
    if candidate.select is not None:
        words.append(f"of {candidate.select.by}:{candidate.select.top}")
    return " ".join(words)


# -- a learning curve


def would_more_help(points: Sequence[Mapping[str, Any]], *, measure: str = "") -> Parts:
    """What a learning curve says: rows of documents, value, low, high, by rising number of documents. measure: what the value is;
    losses get better as they fall."""
    if len(points) < 2:
        return ("One point is no curve: whether more labelled documents would help cannot be told.",)
    last = points[-1]
    half = min(points[:-1], key=lambda point: abs(math.log(2 * point["documents"] / last["documents"])))
    loss = is_loss(measure)
    sign, lower, upper = (-1, "high", "low") if loss else (1, "low", "high")
    gain = sign * (last["value"] - half["value"])
    what = f"{measure}, of which less is better," if loss else "it"
    values = " to ".join(f"{p['value']:.4f}" if loss else per_cent(p["value"], 1) for p in (half, last))
    change = f"From {half['documents']:,} to {last['documents']:,} labelled documents {what} went from {values}"
    if sign * half[upper] < sign * last["value"] and sign * half["value"] < sign * last[lower]:
        still, most = (
            ("falling", f"take off up to {gain:.4f}") if loss else ("rising", f"bring up to {100 * gain:.1f} points")
        )
        return (f"{change}, still {still}: more labels would help: as many again may {most}, usually less.",)
    if gain > 0:
        little = "hardly more than chance: more of the same documents would help little, if at all."
        return (f"{change}, {little}",)
    return (f"{change}: more of the same documents would not help.",)


def is_loss(name: str) -> bool:
    """Whether less is better; of what is no measure of ours, such as a caller's function, more is."""
    from ..measures.metrics import measure

    try:
        return not measure(name).higher_is_better
    except (InvalidSetting, UnknownName):
        return False


def curve_points(curve: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A learning curve, stored as columns, as rows."""
    columns = (curve[name] for name in ("sizes", "values", "low", "high"))
    return [dict(zip(("documents", "value", "low", "high"), row, strict=True)) for row in zip(*columns, strict=True)]


def more_labels_sentence(report: Mapping[str, Any]) -> str | None:
    """Would more labelled documents help? None without a learning curve. report: `report_` of a TextClassifier."""
    curve = report.get("learning_curve")
    return sentence(would_more_help(curve_points(curve), measure=curve["measure"])) if curve else None


# -- who is ahead of whom, and whether that may be chance


def lead(ahead: str, behind: str, by: float, measure: str, remark: str = "") -> Parts:
    return Name(ahead), " is ahead of ", Name(behind), f"{remark} by {by:.4f} in {measure}"


def verdict(p: float | None, *, real: bool, sure: bool | None = None, needed: str = "") -> str:
    """p: of a test, if there was one; real: whether the difference is taken as real; sure: the same by the likely range, if there
    is one; needed: what it would take to tell."""
    by_test = "" if p is None else f" ({p_value(p)})"
    if real:
        doubt = "; the likely range still holds 0, so it is a close call" if sure is False else ""
        return f", and that is more than chance{by_test}{doubt}."
    if sure:
        return f", which may still be chance{by_test}, though the likely range is above 0: it is a close call."
    return f", which may be chance{by_test}{needed}."


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


def untested_choice(report: Mapping[str, Any], name: str) -> dict[str, Any] | None:
    """The same of a model without a test, such as one of an earlier version: the nearest candidate, and what its interval says.
    name: of the chosen candidate."""
    rows = report["tried"]
    chosen = next((row for row in rows if row["candidate"] == name), None)
    best = [row for row in rows if row.get("behind") is None]  # the others are measured against it
    others = [row for row in rows if row.get("behind") is not None and row is not chosen]
    if chosen is None or len(best) != 1 or (chosen is best[0] and not others):
        return None
    if chosen is best[0]:
        rival = min(others, key=lambda row: row["behind"][0])
        ahead, low, high = rival["behind"]
    else:
        rival = best[0]
        ahead, high, low = (-value for value in chosen["behind"])
    test = {"ahead": ahead, "low": low, "high": high, "adjusted": None, "more_documents": None}
    test["better"] = name if low > 0 else None
    rivals = [{"candidate": rival["candidate"], "against_chosen": test}]
    return {"measure": report["measure"], "chosen": {"candidate": name}, "rivals": rivals}


def choice_sentences(choice: Mapping[str, Any]) -> list[Parts]:
    """A sentence for each rival, and after the first, if that is ahead, why the chosen one was taken. choice: of `choice`."""
    chosen, rivals = choice["chosen"]["candidate"], choice["rivals"]
    sentences = [rival_sentence(chosen, rival, choice["measure"], first=n == 0) for n, rival in enumerate(rivals)]
    if rivals[0]["against_chosen"]["ahead"] < -EQUAL:
        reason = " was taken because it is simpler, and the best is not ahead of it beyond doubt."
        sentences.insert(1, (Name(chosen), reason))
    return sentences


def said_of_choice(given: Mapping[str, Any]) -> list[Parts]:
    """The name of `choice_sentences` before."""
    return choice_sentences(given)


def rival_sentence(chosen: str, rival: Mapping[str, Any], measure: str, *, first: bool) -> Parts:
    other, test = rival["candidate"], rival["against_chosen"]
    ahead, low, high = test["ahead"], test["low"], test["high"]
    if abs(ahead) <= EQUAL:
        return (Name(chosen), " and ", Name(other), f" do equally well in {measure}: there is no difference to test.")
    if ahead > 0:
        start = lead(chosen, other, ahead, measure, ", the next best," if first else "")
    else:
        start, low, high = lead(other, chosen, -ahead, measure), -high, -low
    likely = f" ({low:.4f} to {high:.4f} is likely)".replace("-", "−")
    more = test["more_documents"]
    needed = "" if more is None else f": {more_documents(more)} to tell"
    return (*start, likely, verdict(test["adjusted"], real=test["better"] is not None, sure=low > 0, needed=needed))


def runner_up_sentence(model: TextClassifier | Part) -> str | None:
    """How far the next best candidate is behind, and whether that may be chance; None where nothing else was tried. model: or
    the parts of its file."""
    nearest = choice(model.report_) or untested_choice(model.report_, candidate_text(model.candidate_))
    if nearest is None:
        return None
    return " ".join(sentence(parts) for parts in choice_sentences(nearest | {"rivals": nearest["rivals"][:1]}))


def rule_text(model: TextClassifier | Part) -> str:
    """The rule that decides, in words. With too few documents it is not the one that was asked for."""
    setting, rule = str(model.report_["decide"]), model.decision_.rule
    return f"{setting if setting.partition(':')[0] == rule else rule}: {RULES[rule]}"
