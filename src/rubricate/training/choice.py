"""Choices made inside the training set: of the candidates that fit into the budget, the simplest that is not significantly
worse than the best on documents they have not seen. The chosen one is then tested against those that come next to it.

The one that is expected to win is always tried, and first, so that those that fall hopelessly behind it are stopped after a few
folds. Nothing here looks at a clock, so that the same documents and seed give the same choice.

A rival is tested on answers to held-out documents (machinery and sources: `rubricate.significance.compare`):
    ahead    how far the chosen one is ahead, with the interval of a paired bootstrap over documents
    p        of a randomisation test: answers to whole documents are swapped (for rankings: values of labels)
    wins     on how many labels each of the two is better, with the sign test, where the measure has values by label
The models that answered are taken as they are: the test allows for the luck of these documents, not that of having learned from
them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..decisions.rules import Rule
from ..errors import InvalidSetting
from ..foundation.arrays import Bools
from ..measures.metrics.names import Measure
from ..measures.significance import Pair, bootstrap_difference, compare
from ..measures.significance.bootstrap import remembered_rows, system_answers
from ..measures.significance.comparison import swaps_labels, values_by_label
from .candidates import Candidate, cost, expected_winner
from .out_of_fold import OutOfFold, out_of_fold
from .training_set import TrainingSet
from .trial import DRAWS, LEVEL, Difference, Rival, Trial, comparable, held_out_answers, judge

HOPELESS = 0.999  # how sure one must be that a candidate is behind, to stop it
FIRST = 2  # folds that every candidate gets
AT_ONCE = 1.5  # CPU seconds that two free cores do in a second of a trial: not all of it goes side by side
SIGNIFICANCE = 0.05
SHUFFLES = 10_000
FEWER = 500  # shuffles where each takes two calls of the measure
CHOSEN = "chosen"


def eligible(candidates: Sequence[Candidate], rule: Rule, *, multilabel: bool) -> list[Candidate]:
    """Those that the rule can be used with: a model of weighted documents has no rule of its own for several labels."""
    if rule.name != "own" or not multilabel:
        return list(candidates)
    with_rule = [candidate for candidate in candidates if candidate.weighting is None]
    if not with_rule:
        model = candidates[0].model
        raise InvalidSetting(f"decide='own': {model} has no rule of its own for several labels; choose scut")
    return with_rule


def affordable(
    training: TrainingSet, candidates: Sequence[Candidate], budget: float
) -> tuple[list[Candidate], list[Candidate]]:
    """Those that are tried, and those left out for lack of time, each in their order. budget: seconds on two free cores.

    The one that is expected to win is always tried, and so is the first, the simplest. What the winner leaves of the budget goes
    to the others, simplest first; a fifth of what the winner costs they have in any case: nobody leaves little ones out to save
    a second beside a minute.
    """
    entries, documents = training.table(candidates[0].recipe).X.nnz, len(training.labels)
    sizes: dict[str, Any] = {"labels": len(training.names), "several": training.multilabel, "folds": training.n_folds}
    seconds = [cost(candidate, documents=documents, entries=entries, **sizes) for candidate in candidates]
    winner = candidates.index(expected_winner(candidates))
    room, spent = max(AT_ONCE * budget - seconds[winner], seconds[winner] / 5), 0.0
    inside: list[Candidate] = []
    left_out: list[Candidate] = []
    for n, candidate in enumerate(candidates):
        if n == winner:
            inside.append(candidate)
        elif n == 0 or spent + seconds[n] <= room:
            inside.append(candidate)
            spent += seconds[n]
        else:
            left_out.append(candidate)
    return inside, left_out


def choose(
    training: TrainingSet,
    candidates: Sequence[Candidate],
    *,
    by: Measure,
    rule: Rule,
    budget: float,
    progress: Callable[[Trial], None] | None = None,
) -> tuple[Trial, list[Trial], list[Candidate]]:
    """The trial of the chosen candidate, all trials in the order of the candidates, and candidates beyond the budget.

    candidates: simplest first. Chosen is the first that is not significantly worse than the best, by a paired bootstrap over
    documents. The best of the others (the best two, if the chosen one is not the best) have a test against it.
    """
    inside, left_out = affordable(training, candidates, budget)
    sign = 1 if by.higher_is_better else -1
    favourite = inside.index(expected_winner(inside))
    tell = progress or (lambda trial: None)
    partial: dict[tuple[str, int], Any] = {}
    first = best = try_candidate(training, inside[favourite], by, rule, None, partial)
    tell(first)
    trials = []
    for n, candidate in enumerate(inside):
        trial = first if n == favourite else try_candidate(training, candidate, by, rule, best, partial)
        trials.append(trial)
        if n != favourite:
            tell(trial)
        if not trial.note and sign * trial.value > sign * best.value:
            best = trial
    trials = [trial if trial.note or trial is best else with_difference(training, by, best, trial) for trial in trials]
    chosen = next(trial for trial in trials if not trial.worse)
    trials = with_rivals(training, by, chosen, trials)
    remembered_rows.cache_clear()  # nobody asks for these draws again
    return chosen, trials, left_out


def try_candidate(
    training: TrainingSet,
    candidate: Candidate,
    by: Measure,
    rule: Rule,
    best: Trial | None,
    partial: dict[tuple[str, int], Any],
) -> Trial:
    """The trial of a candidate; with a note if it was stopped, far behind the best so far. partial: see `far_behind`."""
    result: Any = None
    for fold, result in enumerate(out_of_fold(training, candidate), 1):
        if best is not None and FIRST <= fold < training.n_folds and not result.scored.all():
            behind = far_behind(training, result, by, rule, best, partial)
            if behind is not None:
                note = f"stopped after {fold} of {training.n_folds} folds: too far behind"
                return replace(judge(training, candidate, result, by, rule), difference=behind, note=note)
    return judge(training, candidate, result, by, rule)


def far_behind(
    training: TrainingSet,
    result: OutOfFold,
    by: Measure,
    rule: Rule,
    best: Trial,
    partial: dict[tuple[str, int], Any],
) -> Difference | None:
    """How far a candidate is behind, if the best is better beyond doubt on the same documents with rules from the same folds.
    partial: answers of the best on the documents of the first folds, by its name and their number; filled here."""
    key = str(best.candidate), int(np.count_nonzero(result.scored))
    if key not in partial:
        same = replace(best.out_of_fold, scored=result.scored)
        partial[key] = held_out_answers(training, same, by, best.rule)
    answers = partial[key], held_out_answers(training, result, by, rule)
    behind = difference(training, by, result.scored, answers, HOPELESS)
    return behind if behind[1] > 0 else None


def difference(
    training: TrainingSet, by: Measure, documents: Bools, answers: tuple[Any, Any], level: float
) -> Difference:
    """How much better the first answers are than the second, and its interval."""
    first, second, truth = comparable(training, by, documents, *answers)
    interval = bootstrap_difference(by, first, second, truth, draws=DRAWS, level=level, random_state=training.seed)
    low, high, value = float(interval.low), float(interval.high), float(interval.value)
    return (value, low, high) if by.higher_is_better else (-value, -high, -low)


def with_difference(training: TrainingSet, by: Measure, best: Trial, trial: Trial) -> Trial:
    answers = best.decisions, trial.decisions
    return replace(trial, difference=difference(training, by, best.out_of_fold.scored, answers, LEVEL))


# -- the runner-up


def with_rivals(training: TrainingSet, by: Measure, chosen: Trial, trials: list[Trial]) -> list[Trial]:
    """The same trials; the runner-up, and the best if the chosen one is simpler than that, with a test against the chosen one."""
    sign = 1 if by.higher_is_better else -1
    others = [trial for trial in trials if trial is not chosen and not trial.note]
    others.sort(key=lambda trial: -sign * round(trial.value, 12))  # stable: of equals the simplest first
    next_to = others[: 1 if chosen.difference is None else 2]
    if not next_to:
        return trials
    answers = (chosen.decisions, *(trial.decisions for trial in next_to))
    answers_of_chosen, *rest, truth = comparable(training, by, chosen.out_of_fold.scored, *answers)
    tests = rivals(str(chosen.candidate), answers_of_chosen, rest, truth, by=by, seed=training.seed)
    tested = {id(trial): replace(trial, rival=test) for trial, test in zip(next_to, tests, strict=False)}  # or none
    return [tested.get(id(trial), trial) for trial in trials]


def rivals(
    chosen: str, answers: Any, others: Sequence[Any], truth: Any, *, by: Measure, draws: int = DRAWS, seed: int = 0
) -> list[Rival]:
    """Each of the others beside the chosen one. answers: of the chosen one, and others, in the form that the measure takes, a row
    a document. draws: of the bootstrap. Measures that rank the documents of all labels together have no test: the scores of two
    models do not belong in one ranking.
    """
    systems = system_answers(by.name, [answers], truth)
    of_labels = swaps_labels(systems, values_by_label(systems))
    if by.needs == "scores" and not of_labels:
        return []
    names = [str(n) for n in range(len(others))]
    comparison = compare(
        {CHOSEN: answers, **dict(zip(names, others, strict=True))},
        truth,
        measure=by.name,
        against=CHOSEN,
        level=SIGNIFICANCE,
        draws=SHUFFLES if of_labels or systems.value is not None else FEWER,
        interval_draws=1,  # what each is worth by itself is known from its trial
        random_state=seed,
    )
    up = 1 if by.higher_is_better else -1
    swapped, out = "labels" if of_labels else "documents", []
    for pair, other in zip(comparison.pairs, others, strict=True):
        interval = bootstrap_difference(by, answers, other, truth, draws=draws, random_state=seed)
        low, high = sorted((up * float(interval.low), up * float(interval.high)))
        ahead = up * float(interval.value), low, high
        out.append(rival_of(chosen, pair, ahead, swapped, comparison.documents))
    return out


def rival_of(chosen: str, pair: Pair, ahead: Difference, swapped: str, documents: int) -> Rival:
    """What a comparison says; there the rival comes first."""
    sign = pair.sign
    return Rival(
        chosen=chosen,
        ahead=ahead[0],
        low=ahead[1],
        high=ahead[2],
        p=pair.test.p,
        adjusted=pair.adjusted,
        better=None if pair.better is None else CHOSEN if pair.better == CHOSEN else "other",
        test=pair.test.test,
        swapped=swapped,
        shuffles=pair.test.draws,
        exact=pair.test.exact,
        documents=documents,
        apart=pair.test.n,
        more_documents=pair.needed.more,
        wins=None if sign is None else sign.losses,
        losses=None if sign is None else sign.wins,
        ties=None if sign is None else sign.ties,
        sign_p=None if sign is None else pair.sign_adjusted,
    )
