"""Choices made inside the training set: of the candidates that fit into the budget, the simplest that is not significantly
worse than the best on documents they have not seen. The chosen one is then tested against those that come next to it.

The one that is expected to win is always tried, and first, so that those that fall hopelessly behind it are stopped after a few
folds. Nothing here looks at a clock, so that the same training and seed give the same choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..decisions.rules import Rule
from ..measures.metrics import measure
from ..measures.metrics.names import Measure
from ..measures.significance import bootstrap_difference
from .candidates import Candidate, cost, expected_winner
from .out_of_fold import OutOfFold, out_of_fold
from .runner_up import rivals
from .training_set import TrainingSet
from .trial import DRAWS, LEVEL, Trial, comparable, held_out_answers, judge

HOPELESS = 0.999  # how sure one must be that a candidate is behind, to stop it
FIRST = 2  # folds that every candidate gets
AT_ONCE = (
    1.5  # CPU seconds that two free cores do in a second of a trial: labels go side by side, but not all of it does
)


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
    by: str,
    rules: Sequence[Rule],
    budget: float,
    seed: int = 0,
    progress: Callable[[Trial], None] | None = None,
) -> tuple[Trial, list[Trial], list[Candidate]]:
    """The trial of the chosen candidate, all trials in the order of the candidates, and candidates beyond the budget.

    candidates, rules: simplest first. Chosen is the first that is not significantly worse than the best, by a paired bootstrap
    over documents. The best of the others (the best two, if the chosen one is not the best) have a test against it.
    """
    quality = measure(by)
    inside, left_out = affordable(training, candidates, budget)
    sign = 1 if quality.higher_is_better else -1
    made: dict[int, list[Trial]] = {}
    best: Trial | None = None
    favourite = inside.index(expected_winner(inside))
    for n in [favourite, *(n for n in range(len(inside)) if n != favourite)]:
        made[n] = with_rules(training, inside[n], quality, rules, best, seed)
        for trial in made[n]:
            if progress is not None:
                progress(trial)
            if not trial.note and (best is None or sign * trial.value > sign * best.value):
                best = trial
    trials = [trial for n in sorted(made) for trial in made[n]]
    top: Any = best
    compared = [trial if trial.note else against(training, quality, top, trial, seed) for trial in trials]
    chosen = next(trial for trial in compared if not trial.worse)
    return chosen, with_rivals(training, quality, chosen, compared, seed), left_out


def with_rules(
    training: TrainingSet, candidate: Candidate, by: Measure, rules: Sequence[Rule], best: Trial | None, seed: int
) -> list[Trial]:
    """A candidate with each rule; one trial that says so if it was stopped."""
    result: OutOfFold | None = None
    for fold, result in enumerate(out_of_fold(training, candidate), 1):
        if best is not None and FIRST <= fold < training.n_folds and not result.scored.all():
            stopped = hopeless(training, candidate, result, by, rules[0], best, seed)
            if stopped is not None:
                return [replace(stopped, note=f"stopped after {fold} of {training.n_folds} folds: too far behind")]
    complete: Any = result
    return [judge(training, candidate, complete, by, rule, seed=seed) for rule in rules]


def hopeless(
    training: TrainingSet, candidate: Candidate, result: OutOfFold, by: Measure, rule: Rule, best: Trial, seed: int
) -> Trial | None:
    """The trial so far, if the best is better beyond doubt on the same documents with rules from the same folds."""
    same = replace(best.out_of_fold, scored=result.scored)
    answers = held_out_answers(training, same, by, best.rule), held_out_answers(training, result, by, rule)
    distance = difference(training, by, result.scored, answers, HOPELESS, seed)
    if distance[1] <= 0:
        return None
    return replace(judge(training, candidate, result, by, rule, seed=seed), difference=distance)


def difference(
    training: TrainingSet, by: Measure, documents: Any, answers: tuple[Any, Any], level: float, seed: int
) -> tuple[float, float, float]:
    """How much better the first answers are than the second, and its interval."""
    first, second, truth = comparable(training, by, documents, *answers)
    interval = bootstrap_difference(by, first, second, truth, draws=DRAWS, level=level, random_state=seed)
    low, high, value = float(interval.low), float(interval.high), float(interval.value)
    return (value, low, high) if by.higher_is_better else (-value, -high, -low)


def against(training: TrainingSet, by: Measure, best: Trial, trial: Trial, seed: int) -> Trial:
    """The same trial with its distance from the best."""
    if trial is best:
        return trial
    answers = best.decisions, trial.decisions
    return replace(trial, difference=difference(training, by, best.out_of_fold.scored, answers, LEVEL, seed))


def with_rivals(training: TrainingSet, by: Measure, chosen: Trial, trials: list[Trial], seed: int) -> list[Trial]:
    """The same trials; the runner-up, and the best if the chosen one is simpler than that, with a test against the chosen one."""
    sign = 1 if by.higher_is_better else -1
    others = [trial for trial in trials if trial is not chosen and not trial.note]
    others.sort(key=lambda trial: -sign * round(trial.value, 12))  # stable: of equals the simplest first
    next_to = others[: 1 if chosen.difference is None else 2]
    if not next_to:
        return trials
    answers = (chosen.decisions, *(trial.decisions for trial in next_to))
    answers_of_chosen, *rest, truth = comparable(training, by, chosen.out_of_fold.scored, *answers)
    tests = rivals(str(chosen.candidate), answers_of_chosen, rest, truth, by=by, draws=DRAWS, seed=seed)
    tested = {id(trial): replace(trial, rival=test) for trial, test in zip(next_to, tests, strict=False)}  # or none
    return [tested.get(id(trial), trial) for trial in trials]
