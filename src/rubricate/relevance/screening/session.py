"""A screening session stored with its topic: which documents were proposed, which of them drawn at random, and from which pool.

    NAME/proposed/00000003.json    {"pile": ..., "judged_before": 41, "chosen": [ids], "random": [ids]}

A draw counts once all documents outside its pool have been judged: those judged before the proposal, the chosen ones of the
proposal, and the draws before it. Proposals are therefore shown again until they are judged: to choose among draws would bias
the estimate.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import DamagedFile
from ...foundation.arrays import Floats
from ..routing.judgements import JudgedDocument, need_strings
from ..routing.store import Topic, read_json, write_json
from .proposals import propose
from .stopping import Advice, Draw, Draws, RemainingEstimate, by_ranking, by_sample


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
        self._draws_cache: tuple[Draws, int] | None = None

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
        random: float = 0.1,
        seed: int = 0,
    ) -> list[str]:
        """The next documents to judge; stored, so that they are shown until they are judged. Empty where all are judged."""
        with self.topic.changing():
            self._read()  # another program may have added proposals or judgements meanwhile
            judged = np.array([document in self.judged for document in self.documents], dtype=bool)
            if judged.all():
                return []
            draw = np.random.default_rng([seed, self._next, len(self.judged)])
            proposal = propose(scores, judged, n=n, by=by, cut=cut, random=random, draw=draw)
            values: dict[str, Any] = {"pile": self._pile, "judged_before": self._n_judgements, "by": by}
            for name, numbers in (("chosen", proposal.chosen), ("random", proposal.random)):
                values[name] = [self.documents[at] for at in numbers.tolist()]
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
        self._draws_cache = None

    # -- what is known

    @property
    def waiting(self) -> int:
        """How many draws cannot be used yet."""
        return self._usable_draws()[1]

    def _usable_draws(self) -> tuple[Draws, int]:
        """The draws for which all documents outside their pool are judged, and how many wait for that."""
        if self._draws_cache is not None:
            return self._draws_cache
        documents = [judgement.document for judgement in self.topic.history()]
        draws, waiting = Draws(max(len(self.documents), 1)), 0
        for proposal in self._proposals:
            outside = self._ids.intersection(documents[: proposal["judged_before"]]).union(proposal["chosen"])
            all_judged = outside <= self.judged.keys()
            n_outside, n_relevant = len(outside), sum(self.judged.get(document, False) for document in outside)
            for document in proposal["random"]:
                all_judged = all_judged and document in self.judged
                if all_judged:
                    draws.add(Draw(self.judged[document], len(self.documents) - n_outside, n_relevant))
                    n_relevant += self.judged[document]
                else:
                    waiting += 1
                n_outside += 1
        self._draws_cache = draws, waiting
        return self._draws_cache

    def remaining(self, *, level: float = 0.95) -> RemainingEstimate:
        """How many relevant documents are left."""
        return self._usable_draws()[0].estimate(found=self.found, judged=self.n_judged, level=level)

    left = remaining  # earlier name

    def advice(self, *, target: float = 0.95, level: float = 0.95) -> list[Advice]:
        """Whether to stop: by the random draws, and by the ranking."""
        relevant = list(self.judged.values())  # in the order of the first judgements
        ranking = by_ranking(relevant, n_documents=len(self.documents), target=target, level=level)
        return [by_sample(self.remaining(level=level), target=target), ranking]


def read_proposal(path: Path) -> dict[str, Any]:
    proposal = read_json(path)
    if not path.stem.isdecimal():
        raise DamagedFile(f"{path}: proposals are in files named by numbers; take it out of the folder")
    for name, kind in (("pile", str), ("by", str), ("judged_before", int)):
        if type(proposal.get(name)) is not kind:
            raise DamagedFile(f"{path}: {name} is missing, or not what was written")
    if proposal["judged_before"] < 0:
        raise DamagedFile(f"{path}: fewer than no documents were judged before")
    for name in ("chosen", "random"):
        need_strings(proposal.get(name), f"{path}: {name}")
    return proposal
