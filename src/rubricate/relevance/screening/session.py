"""A screening session stored with its topic: which documents were proposed, which of them drawn at random, and from which pool.

    NAME/proposed/00000003.json    {"pile": ..., "judged_before": 41, "chosen": [ids], "random": [ids], "stake": 0.1, ...}

Outside the pool of a draw are the documents judged before the proposal, the chosen ones of the proposal, and the draws before it.
What is not judged counts as relevant, so that a statement can be asked for at any time. Proposals are shown again until they are
judged, never drawn again: to choose among draws would bias the statement. Its wealth is worked out anew from proposals and
judgements; proposals of earlier versions have no stake and get STAKE.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import DamagedFile
from ...foundation.arrays import Floats
from ..routing.judgements import JudgedDocument, need_strings
from ..routing.store import Topic, read_json, write_json
from .plan import State, plan_batch
from .proposals import propose
from .stopping import (
    Advice,
    Draw,
    Draws,
    Price,
    RemainingEstimate,
    by_ranking,
    by_sample,
    estimate_by_draws,
    price_list,
)
from .wealth import StakedDraw, Wealth

STAKE = 0.1  # of proposals that were stored without one


class Screening:
    """The proposals and judgements of a topic for a pile, which is given by the ids of its documents."""

    def __init__(self, topic: Topic, documents: list[str]) -> None:
        self.topic, self.documents = topic, documents
        self._ids = set(documents)
        digest = hashlib.sha256("\n".join(sorted(documents)).encode("utf-8", "surrogatepass")).hexdigest()
        self._pile = f"{len(documents)} {digest[:16]}"
        self._folder = topic.folder / "proposed"
        self._read()

    def _read(self) -> None:
        """Read history and proposals from the topic's folder."""
        history = self.topic.history()
        self._n_judgements = len(history)
        in_pile = (judgement for judgement in history if judgement.document in self._ids)
        self.judged = {judgement.document: judgement.relevant for judgement in in_pile}
        files = sorted(self._folder.glob("*.json")) if self._folder.is_dir() else []
        self._proposals = []
        for path in files:
            if (proposal := read_proposal(path))["pile"] != self._pile:
                continue
            if not self._ids >= {*proposal["chosen"], *proposal["random"]}:
                raise DamagedFile(f"{path}: proposes documents that are not in its pile")
            self._proposals.append(proposal)
        self._next = int(files[-1].stem) + 1 if files else 1
        self._state: State | None = None

    @property
    def n_judged(self) -> int:
        """How many documents of the pile were judged."""
        return len(self.judged)

    @property
    def found(self) -> int:
        """How many of them are relevant."""
        return sum(self.judged.values())

    # -- proposing and judging

    def pending(self) -> list[str]:
        """The unjudged documents of the last proposal."""
        if not self._proposals:
            return []
        last = self._proposals[-1]
        return [document for document in (*last["chosen"], *last["random"]) if document not in self.judged]

    def propose(
        self,
        scores: Floats,
        *,
        n: int,
        by: str = "relevance",
        cut: float | None = None,
        random: float | None = None,
        seed: int = 0,
        target: float = 0.95,
        level: float = 0.95,
    ) -> list[str]:
        """The next documents to judge; stored, so that they are shown until they are judged. Empty where all are judged.
        random: the share drawn at random; None: ranked ones while ranking finds, then draws, as `plan_batch` says for this
        target and level."""
        with self.topic.changing():
            self._read()  # another program may have added proposals or judgements meanwhile
            judged = np.array([document in self.judged for document in self.documents], dtype=bool)
            if judged.all():
                return []
            plan = plan_batch(self.state(), batch=n, target=target, level=level)
            share, size = (float(plan.drawn > 0), plan.ranked + plan.drawn) if random is None else (random, n)
            draw = np.random.default_rng([seed, self._next, len(self.judged)])
            proposal = propose(scores, judged, n=size, by=by, cut=cut, random=share, draw=draw)
            values: dict[str, Any] = {"pile": self._pile, "judged_before": self._n_judgements, "by": by}
            for name, numbers in (("chosen", proposal.chosen), ("random", proposal.random)):
                values[name] = [self.documents[at] for at in numbers.tolist()]
            values |= {"stake": plan.stake, "target": target}
            self._folder.mkdir(exist_ok=True)
            write_json(self._folder / f"{self._next:08d}.json", values)
            self._read()
        return [self.documents[at] for at in proposal.all.tolist()]

    def pending_or_new(self, scores: Floats, *, waiting: Callable[[str], None] | None = None, **how: Any) -> list[str]:
        """The unjudged documents of the last proposal, whoever made it; where there are none, a new one: see `propose`."""
        with self.topic.changing(waiting=waiting):
            self._read()
            return self.pending() or self.propose(scores, **how)

    def why(self, document: str) -> str:
        """Why a document was proposed."""
        last = self._proposals[-1] if self._proposals else {"random": (), "by": ""}
        return "drawn at random" if document in last["random"] else str(last["by"])

    def judge(self, one: JudgedDocument) -> None:
        """Add a judgement."""
        self.topic.judge([one])
        self._n_judgements += 1
        self.judged[one.document] = one.relevant
        self._state = None

    # -- what is known

    @property
    def waiting(self) -> int:
        """How many draws are not judged: they count as relevant until they are."""
        return sum(document not in self.judged for proposal in self._proposals for document in proposal["random"])

    def state(self) -> State:
        """How the screening stands: ranked documents and their outcomes, and the wealth of the draws."""
        if self._state is not None:
            return self._state
        documents = [judgement.document for judgement in self.topic.history()]
        draws, ranked, self._settled_draws = [], [], Draws(max(len(self.documents), 1))
        for proposal in self._proposals:
            ranked += [self.judged[document] for document in proposal["chosen"] if document in self.judged]
            outside = self._ids.intersection(documents[: proposal["judged_before"]]).union(proposal["chosen"])
            n_outside, n_relevant = len(outside), sum(self.judged.get(document, True) for document in outside)
            all_judged, drawn = outside <= self.judged.keys(), proposal["random"]
            while proposal is self._proposals[-1] and drawn and drawn[-1] not in self.judged:
                drawn = drawn[:-1]  # no bet is settled yet
            for document in drawn:
                relevant, pool = self.judged.get(document, True), len(self.documents) - n_outside
                draws.append(StakedDraw(relevant, pool, n_relevant, proposal.get("stake", STAKE)))
                all_judged = all_judged and document in self.judged
                if all_judged:
                    self._settled_draws.add(Draw(relevant, pool, n_relevant))
                n_outside, n_relevant = n_outside + 1, n_relevant + relevant
        self._state = State(ranked, Wealth(draws), self.found, self.n_judged, len(self.documents))
        return self._state

    def remaining(self, *, level: float = 0.95) -> RemainingEstimate:
        """How many relevant documents can be left; the best guess is that of `Draws`, from the draws that are judged."""
        most = estimate_by_draws(self.state(), level=level)
        guess = self._settled_draws.estimate(found=self.found, judged=self.n_judged, level=level).best
        return replace(most, best=min(guess, most.high))

    left = remaining  # earlier name

    def advice(self, *, target: float = 0.95, level: float = 0.95) -> list[Advice]:
        """Whether to stop: by the random draws, and by the ranking."""
        relevant = list(self.judged.values())  # in the order of the first judgements
        ranking = by_ranking(relevant, n_documents=len(self.documents), target=target, level=level)
        return [by_sample(self.remaining(level=level), target=target), ranking]

    def prices(self, *, target: float = 0.95, level: float = 0.95) -> list[Price]:
        """What it takes to be sure of other recalls, and of this one."""
        return price_list(self.state(), target=target, level=level)


def read_proposal(path: Path) -> dict[str, Any]:
    proposal = read_json(path)
    if not path.stem.isdecimal():
        raise DamagedFile(f"{path}: proposals are in files named by numbers; take it out of the folder")
    for name, kind in (("pile", str), ("by", str), ("judged_before", int)):
        if type(proposal.get(name)) is not kind:
            raise DamagedFile(f"{path}: {name} is missing, or not what was written")
    if proposal["judged_before"] < 0:
        raise DamagedFile(f"{path}: fewer than no documents were judged before")
    stake = proposal.get("stake", STAKE)
    if type(stake) not in (int, float) or not 0 <= stake <= 1:
        raise DamagedFile(f"{path}: stake is not a number from 0 to 1")
    for name in ("chosen", "random"):
        need_strings(proposal.get(name), f"{path}: {name}")
    return proposal
