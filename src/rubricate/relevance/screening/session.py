"""The screening of a pile as it is kept: what was proposed, which of it was drawn at random, and from what.

    NAME/proposed/00000003.json    {"pile": ..., "judged_before": 41, "chosen": [ids], "random": [ids]}

A draw counts once all documents outside its pool have been judged: those judged before the proposal, the chosen ones of the
proposal, and the draws before it. Proposals are therefore shown again until they are judged; who could choose among draws
would choose the answer too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import DamagedFile
from ...foundation.arrays import Floats
from ..routing.checks import need_strings
from ..routing.judgements import Judged
from ..routing.store import Topic, read_json, write_json
from .proposals import propose
from .remaining import Draw, Draws, Left
from .stopping import Advice, by_ranking, by_sample

__all__ = ["Screening"]


class Screening:
    """A topic and the ids of a pile."""

    def __init__(self, topic: Topic, documents: list[str]) -> None:
        self.topic, self.documents = topic, documents
        self._place = {document: at for at, document in enumerate(documents)}
        digest = hashlib.sha256("\n".join(sorted(documents)).encode("utf-8", "surrogatepass")).hexdigest()
        self._pile = f"{len(documents)} {digest[:16]}"
        self._folder = topic.folder / "proposed"
        self._read()

    def _read(self) -> None:
        every = self.topic.history()
        self._lines, self._history = len(every), [one for one in every if one.document in self._place]
        self.judged = {one.document: one.relevant for one in self._history}
        files = sorted(self._folder.glob("*.json")) if self._folder.is_dir() else []
        self._proposals = []
        for path in files:
            if (own := proposal_in(path))["pile"] != self._pile:
                continue
            if not self._place.keys() >= {*own["chosen"], *own["random"]}:
                raise DamagedFile(f"{path}: proposes documents that are not in its pile")
            self._proposals.append(own)
        self._next = int(files[-1].stem) + 1 if files else 1
        self._known: tuple[Draws, int] | None = None

    @property
    def n_judged(self) -> int:
        """Documents of the pile that were judged."""
        return len(self.judged)

    @property
    def found(self) -> int:
        """Those of them that are relevant."""
        return sum(self.judged.values())

    # -- proposing and judging

    def pending(self) -> list[str]:
        """What the last proposal has that is not judged yet."""
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
        """The next documents; kept, so that they are shown until they are judged. Empty where all are judged."""
        with self.topic.changing():
            self._read()  # what another program has proposed or heard meanwhile
            judged = np.fromiter((one in self.judged for one in self.documents), dtype=bool, count=len(self.documents))
            if judged.all():
                return []
            draw = np.random.default_rng([seed, self._next, len(self.judged)])
            found = propose(scores, judged, n=n, by=by, cut=cut, random=random, draw=draw)
            chosen, drawn = ([self.documents[at] for at in own.tolist()] for own in (found.chosen, found.random))
            self._folder.mkdir(exist_ok=True)
            told = {"pile": self._pile, "judged_before": self._lines, "by": by, "chosen": chosen, "random": drawn}
            write_json(self._folder / f"{self._next:08d}.json", told)
            self._read()
        return chosen + drawn

    def pending_or_new(self, scores: Floats, *, waiting: Callable[[str], None] | None = None, **how: Any) -> list[str]:
        """What is still to be judged of the last proposal, whoever made it; if all is, a new one: see `propose`."""
        with self.topic.changing(waiting=waiting):
            self._read()
            return self.pending() or self.propose(scores, **how)

    def why(self, document: str) -> str:
        """How a document came to be proposed."""
        last = self._proposals[-1] if self._proposals else {"random": (), "by": ""}
        return "drawn at random" if document in last["random"] else str(last["by"])

    def judge(self, one: Judged) -> None:
        """Keep a judgement."""
        self.topic.judge([one])
        self._history.append(one)
        self._lines += 1
        self.judged[one.document] = one.relevant
        self._known = None

    # -- what is known

    @property
    def waiting(self) -> int:
        """Draws that cannot be used yet."""
        return self._usable()[1]

    def _usable(self) -> tuple[Draws, int]:
        """The draws whose outside is wholly judged, and how many wait for that."""
        if self._known is not None:
            return self._known
        every = [one.document for one in self.topic.history()]
        draws, waiting = Draws(max(len(self.documents), 1)), 0
        for own in self._proposals:
            outside = {one for one in every[: own["judged_before"]] if one in self._place} | set(own["chosen"])
            whole = all(one in self.judged for one in outside)
            relevant = sum(self.judged.get(one, False) for one in outside)
            size = len(outside)
            for document in own["random"]:
                whole = whole and document in self.judged
                if whole:
                    draws.add(Draw(self.judged[document], len(self.documents) - size, relevant))
                    relevant += self.judged[document]
                else:
                    waiting += 1
                size += 1
        self._known = draws, waiting
        return self._known

    def left(self, *, level: float = 0.95) -> Left:
        """How many relevant documents are left."""
        return self._usable()[0].left(found=self.found, judged=self.n_judged, level=level)

    def advice(self, *, target: float = 0.95, level: float = 0.95) -> list[Advice]:
        """Whether to stop: by the random draws, and by the ranking."""
        order = [self.judged[document] for document in dict.fromkeys(one.document for one in self._history)]
        ranked = by_ranking(order, n_documents=len(self.documents), target=target, level=level)
        return [by_sample(self.left(level=level), target=target), ranked]


def proposal_in(path: Path) -> dict[str, Any]:
    """What a file proposes."""
    own = read_json(path)
    if not path.stem.isdecimal():
        raise DamagedFile(f"{path}: proposals are in files named by numbers; take it out of the folder")
    for name, kind in (("pile", str), ("by", str), ("judged_before", int)):
        if type(own.get(name)) is not kind:
            raise DamagedFile(f"{path}: {name} is missing, or not what was written")
    if own["judged_before"] < 0:
        raise DamagedFile(f"{path}: fewer than no documents were judged before")
    for name in ("chosen", "random"):
        need_strings(own.get(name), f"{path}: {name}")
    return own
