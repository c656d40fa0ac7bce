"""An evaluation, a comparison and the choice of a training in plain words, for a person who knows no statistics.

A sentence is a row of parts; labels (and systems) in it are `Name`s, so that a page can set them apart. `sentence` joins them.
Rules of thumb, all stated here: labels with fewer than FEW documents are not judged one by one; probabilities are believed if
their mean lies within the interval of what is correct, or no further than NEAR from it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import InvalidSetting, UnknownName
from ..foundation.share_text import of_100, p_value, per_cent
from ..measures.metrics import measure as measure_named
from ..measures.significance import Needed
from .results import Evaluation, LabelRow

if TYPE_CHECKING:
    from ..measures.significance import Comparison, Interval
    from ..training.text_classifier import TextClassifier

FEW = 10
NEAR = 0.03
WEAK_SHOWN = 3
ANSWERED = 0.9  # share of documents that is answered where a person takes the rest
EQUAL = 1e-12
FIELDS = ("candidate", "value", "low", "high")


class Name(str):
    """A label or a system inside a sentence."""

    __slots__ = ()


Parts = tuple[str, ...]


def sentence(parts: Parts) -> str:
    """The parts in one row, names in quotation marks."""
    return "".join(f"«{part}»" if isinstance(part, Name) else part for part in parts)


def number_of(n: int, what: str) -> str:
    """1 document, 2 documents."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


# -- an evaluation


def summary(evaluation: Evaluation) -> list[Parts]:
    return learned_documents(evaluation) + correct_of_100(evaluation) + remarks(evaluation)


def learned_documents(evaluation: Evaluation) -> list[Parts]:
    """Documents that are no test, since the model was trained on them."""
    learned, documents = evaluation.learned, evaluation.documents
    if not learned:
        return []
    were = f"{learned:,} of the {number_of(documents, 'document')} {'was' if learned == 1 else 'were'} learned by this model"
    what = "these figures say" if 2 * learned > documents else "the figures of these say"
    return [(f"{were}: {what} nothing about new documents.",)]


def correct_of_100(evaluation: Evaluation) -> list[Parts]:
    documents, hits = evaluation.documents, sum(row.right for row in evaluation.labels)
    if not evaluation.several:
        return [(f"Of 100 documents it files {likely_range(evaluation.overall['accuracy'], documents, 'as you did')}",)]
    precision, recall, exact = (evaluation.overall[name] for name in ("microP", "microR", "subset"))
    sentences: list[Parts] = []
    if not math.isnan(precision.value):
        assigned = round(hits / precision.value) if hits else 0
        sentences.append((f"Of 100 labels that it gives, {likely_range(precision, assigned, 'are right')}",))
    if not math.isnan(recall.value):
        true = round(hits / recall.value) if hits else 0
        sentences.append((f"Of 100 labels that you gave, it finds {likely_range(recall, true)}",))
    exactly = likely_range(exact, documents, "get exactly your labels, no more and no fewer")
    return [*sentences, (f"Of 100 documents, {exactly}",)]


def likely_range(value: Interval, n: int, what: str = "") -> str:
    """88 as you did; between 86 and 90 is likely. n: how many there are; stated where nearly all are correct, or hardly any."""
    low, high = round(100 * value.low), round(100 * value.high)
    low = min(low, 99) if value.low < 1 else low  # no range says all where it is not all, nor none
    high = max(high, 1) if value.high > 0 else high
    between = f"between {low} and {high} is likely" if low < high else "the likely range is narrower than 1 in 100"
    hundredths = of_100(value.value)
    exactly = f" ({round(value.value * n):,} of {n:,})" if n and not hundredths.isdigit() else ""
    return f"{hundredths}{f' {what}' if what else ''}{exactly}; {between}."


def remarks(evaluation: Evaluation) -> list[Parts]:
    """All but those that say how many of a hundred are correct, and whether that is a test at all."""
    sentences = [totals(evaluation)]
    if n := evaluation.undecided:
        documents = number_of(evaluation.documents, "document")
        sentences.append((f"{n:,} of {documents} {'was' if n == 1 else 'were'} given no label at all.",))
    return [
        *sentences,
        *weak_labels(evaluation),
        *rare_labels(evaluation),
        *commonest_confusion(evaluation),
        *calibration_verdict(evaluation),
        *review_gain(evaluation),
    ]


def totals(evaluation: Evaluation) -> Parts:
    """What to compare the shares with: the class-prior baseline, or errors in all."""
    if not evaluation.several:
        chance = of_100(evaluation.commonest)
        return (f"Giving every document the commonest label would be right for {chance} of 100.",)
    missed = sum(row.documents - row.right for row in evaluation.labels)
    wrong = sum(row.assigned - row.right for row in evaluation.labels)
    return (f"In all it missed {number_of(missed, 'label')} and gave {wrong:,} wrongly.",)


def weak_labels(evaluation: Evaluation) -> list[Parts]:
    whole = evaluation.overall["microF1" if evaluation.several else "accuracy"].value
    weak = [row for row in evaluation.labels if row.documents >= FEW and row.f1.high < whole]
    if not weak:
        return []
    parts: list[str] = ["Labels to watch: "]
    for place, row in enumerate(sorted(weak, key=lambda row: row.f1.value)[:WEAK_SHOWN]):
        parts += ["; " if place else "", Name(row.label), f" ({found_and_given(row)})"]
    rest = len(weak) - WEAK_SHOWN
    parts.append(f"; and {rest:,} more that do clearly worse than the whole." if rest > 0 else ".")
    return [tuple(parts)]


def found_and_given(row: LabelRow) -> str:
    """12 of 40 found, 12 of 30 given are right."""
    correct = f"{row.right:,} of {row.assigned:,} given {'is' if row.right == 1 else 'are'} right"
    return f"{row.right:,} of {row.documents:,} found, {correct if row.assigned else 'never given'}"


def rare_labels(evaluation: Evaluation) -> list[Parts]:
    few, unmet = sum(row.met and row.documents < FEW for row in evaluation.labels), evaluation.unmet
    labels = number_of(len(evaluation.labels), "label")
    has, does = "has" if few == 1 else "have", "does" if unmet == 1 else "do"
    rare: Parts = (f"{few:,} of {labels} {has} fewer than {FEW} documents here: too few to judge.",)
    absent: Parts = (f"{number_of(unmet, 'label')} {does} not occur here at all: nothing is known of them.",)
    return [rare] * (few > 0) + [absent] * (unmet > 0)


def commonest_confusion(evaluation: Evaluation) -> list[Parts]:
    if not evaluation.confusion.instead or evaluation.confusion.instead[0][2] < 2:
        return []
    true, predicted, times = evaluation.confusion.instead[0]
    what = "The commonest confusion: ", Name(predicted), " is given instead of ", Name(true)
    return [(*what, f", in {number_of(times, 'document')}.")]


def calibration_verdict(evaluation: Evaluation) -> list[Parts]:
    calibration = evaluation.calibration
    if calibration is None or math.isnan(calibration.given_probability):
        return []
    p, correct = calibration.given_probability, calibration.given
    start = f"The labels it gave had a probability of {per_cent(p)} % on average, and {per_cent(correct.value)} % were right: "
    if correct.low <= p <= correct.high or abs(p - correct.value) <= NEAR:
        error = calibration.given_error
        uneven = f", though single ones are off by {100 * error:.0f} points" if error > 0.05 else ""
        return [(f"{start}the probabilities can be taken at their word{uneven}.",)]
    if p > correct.value:
        return [(f"{start}it is surer of itself than it should be.",)]
    return [(f"{start}it is right more often than it says.",)]


def review_gain(evaluation: Evaluation) -> list[Parts]:
    """What is gained by leaving the least certain documents to a person."""
    if evaluation.coverage is None:
        return []
    (share, some), (_, everything) = evaluation.coverage.at(ANSWERED), evaluation.coverage.at(1.0)
    if share > 0.97 or round(100 * some) <= round(100 * everything):
        return []
    least_certain = f"the {round(100 * (1 - share))} of 100 documents of which it is least certain"
    correct = "exactly right" if evaluation.several else "right"
    gain = f"{of_100(some)} of 100 of the others are {correct}, instead of {of_100(everything)}"
    return [(f"If a person takes {least_certain}, {gain}.",)]


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
    try:
        return not measure_named(name).higher_is_better
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


def against_runner_up(found: Comparison) -> Parts:
    """The best system and the one after it: is the difference more than chance?"""
    sign = 1 if is_loss(found.measure) else -1
    best, second = sorted(found.systems, key=lambda system: sign * system.overall.value)[:2]
    pair = next((pair for pair in found.pairs if {pair.a, pair.b} == {best.name, second.name}), None)
    start = lead(best.name, second.name, abs(best.overall.value - second.overall.value), found.measure)
    if pair is None:
        return (*start, "; the two were not tested against each other.")
    return (*start, verdict(pair.adjusted, real=pair.better == best.name, needed=f": {pair.needed}"))


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
    needed = "" if more is None else f": {Needed(math.nan, more)} to tell"
    return (*start, likely, verdict(test["adjusted"], real=test["better"] is not None, sure=low > 0, needed=needed))


def runner_up_sentence(model: TextClassifier) -> str | None:
    """How far the next best candidate is behind, and whether that may be chance; None where nothing else was tried."""
    nearest = choice(model.report_) or untested_choice(model.report_, str(model.candidate_))
    if nearest is None:
        return None
    return " ".join(sentence(parts) for parts in choice_sentences(nearest | {"rivals": nearest["rivals"][:1]}))


def rule_text(model: TextClassifier) -> str:
    """The rule that decides, in words. With too few documents it is not the one that was asked for."""
    from ..decisions.rules import RULES

    setting, rule = str(model.report_["decide"]), model.decision_.rule
    return f"{setting if setting.partition(':')[0] == rule else rule}: {RULES[rule]}"
