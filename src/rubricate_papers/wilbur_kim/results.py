"""All that was found, and how methods are compared problem by problem. Source: 003 sec. 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

import rubricate as rb

from ..frame import Plan, Summary, over, share_of
from .methods import RankingQuality
from .stacked import Stacked
from .tasks import Task
from .term_selection import TermSelection

PAIRS = (("SMM", "MM"), ("TF-IDF SVM", "IDF SVM"), ("SMM", "EDCM"), ("SMM", "DCM"))


def gain(better: float, than: float) -> float:
    """The difference in % of the worse, as table 2 has it; minus where the second is better."""
    return 100 * (better - than) / min(better, than)


@dataclass(frozen=True, slots=True)
class Tally:
    first: str
    second: str
    problems: str
    outcome: rb.significance.SignOutcome
    one_sided: float

    @classmethod
    def of(cls, first: str, second: str, problems: str, a: Sequence[float], b: Sequence[float]) -> Tally:
        """From a measure on each problem. Equal to nine decimals is a tie."""
        first_values, second_values = np.round(a, 9), np.round(b, 9)
        one_sided = rb.significance.sign_test(first_values, second_values, alternative="greater").p
        return cls(first, second, problems, rb.significance.sign_test(first_values, second_values), one_sided)

    def __str__(self) -> str:
        outcome = self.outcome
        return (
            f"{self.first} against {self.second}, {self.problems}: {outcome.wins} wins, {outcome.losses} losses, "
            f"{outcome.ties} ties (sign test p = {outcome.p:.2g}, one-sided {self.one_sided:.2g})"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """tasks: Reuters, WebKB, and the first fold of 20 Newsgroups. quality: of the methods on each task. folds: on each
    fold of 20 Newsgroups. stacked_folds: accuracy of MBM, of StMBM and its f_limit, in each fold."""

    plan: Plan
    tasks: Mapping[str, Task]
    quality: Mapping[str, Mapping[str, RankingQuality]]
    folds: Sequence[Mapping[str, RankingQuality]]
    selection: Mapping[str, TermSelection]
    stacked: Mapping[str, Stacked]
    stacked_folds: Sequence[tuple[float, float, int]]
    higher: Mapping[str, rb.metrics.Shuffled]

    @property
    def methods(self) -> list[str]:
        return list(self.quality["Reuters"])

    def accuracy(self, task: str, method: str) -> Summary:
        """In %, over folds or over test documents."""
        if task == "20 Newsgroups":
            return over([fold[method].accuracy for fold in self.folds])
        correct = self.quality[task][method].correct
        return share_of(0, 0) if correct is None else share_of(int(correct.sum()), len(correct))

    def tallies(self) -> list[Tally]:
        pairs = [pair for pair in PAIRS if set(pair) <= set(self.methods)]
        out = [self.tally(*pair, binary=binary) for pair in pairs for binary in (False, True)]
        out += [self.stacked_tally(binary=binary) for binary in (False, True)]
        return [*out, self.stacked_tally_above_one()]

    def tally(self, first: str, second: str, *, binary: bool) -> Tally:
        """Ten topics, 20 Newsgroups and WebKB as one problem each, by accuracy; or every topic, group and category by itself."""
        a, b = ((self.binary if binary else self.as_in_the_paper)(method) for method in (first, second))
        return Tally.of(first, second, self.problems(binary), a, b)

    def problems(self, binary: bool) -> str:
        return f"{sum(len(task.labels) for task in self.tasks.values())} binary problems" if binary else "12 problems"

    def as_in_the_paper(self, method: str) -> list[float]:
        """Break-even on Reuters, accuracy on the other two."""
        accuracies = [self.accuracy(task, method).value for task in ("20 Newsgroups", "WebKB")]
        return [*self.quality["Reuters"][method].bep.tolist(), *accuracies]

    def binary(self, method: str) -> list[float]:
        return [value for task in self.tasks for value in self.quality[task][method].bep.tolist()]

    def stacked_accuracy(self, task: str) -> tuple[Summary, Summary]:
        """Accuracy of MBM and of StMBM, %, over folds or over test documents."""
        if task == "20 Newsgroups":
            plain, best, _ = zip(*self.stacked_folds, strict=True)
            return over(plain), over(best)
        stack = self.stacked[task]
        correct = [np.asarray(stack.quality[limit].correct) for limit in (1, stack.chosen_for_accuracy)]
        return share_of(int(correct[0].sum()), len(correct[0])), share_of(int(correct[1].sum()), len(correct[1]))

    def stacked_tally(self, *, binary: bool) -> Tally:
        tasks = self.tasks if binary else ["Reuters"]
        best = [value for task in tasks for value in self.stacked[task].bep.tolist()]
        plain = [value for task in tasks for value in self.stacked[task].quality[1].bep.tolist()]
        if not binary:
            both = [self.stacked_accuracy(task) for task in ("20 Newsgroups", "WebKB")]
            plain, best = plain + [pair[0].value for pair in both], best + [pair[1].value for pair in both]
        return Tally.of("StMBM", "MBM", self.problems(binary), best, plain)

    def stacked_tally_above_one(self) -> Tally:
        """The same where f_limit = 1, which is MBM itself, may not be chosen."""
        best = [value for stack in self.stacked.values() for value in stack.bep_with(stack.chosen_above_one).tolist()]
        plain = [value for stack in self.stacked.values() for value in stack.quality[1].bep.tolist()]
        return Tally.of("StMBM, f_limit 2 and more", "MBM", self.problems(True), best, plain)

    def against(self, task: str, first: str, second: str) -> float:
        """p of a difference over test documents: of hits (Reuters, randomisation), of correct labels (McNemar)."""
        if task == "Reuters":
            a, b = (self.quality[task][method].by_document for method in (first, second))
            return rb.significance.randomisation_of_pairs(a, b, random_state=self.plan.seed).p
        runs = self.folds if task == "20 Newsgroups" else [self.quality[task]]
        correct = [np.concatenate([np.asarray(run[method].correct) for run in runs]) for method in (first, second)]
        return rb.significance.mcnemar(correct[0], correct[1]).p
