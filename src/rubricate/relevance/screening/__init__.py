"""Screening a pile: finding nearly all relevant documents while judging as few as possible, and knowing when to stop.

propose                         which documents to judge next: likely, uncertain, both; some at random
Draws, left -> Left             how many relevant documents are left, with an interval that holds at every look
by_sample, by_ranking           when to stop, how sure one may be, and what that takes for granted
work_saved, needed              work saved over sampling
with_feedback, one_shot, random_order     screening replayed on labelled documents
"""

from __future__ import annotations

from .proposals import WAYS, Proposal, propose
from .remaining import Draw, Draws, Left, left
from .replays import Repeated, Versus, compared, piles, repeated
from .session import Screening
from .simulation import Look, Pile, Replay, one_shot, random_order, with_feedback
from .stopping import Advice, by_ranking, by_sample, chance_below_target
from .work_saved import needed, work_saved

__all__ = [
    "WAYS",
    "Advice",
    "Draw",
    "Draws",
    "Left",
    "Look",
    "Pile",
    "Proposal",
    "Repeated",
    "Replay",
    "Screening",
    "Versus",
    "by_ranking",
    "by_sample",
    "chance_below_target",
    "compared",
    "left",
    "needed",
    "one_shot",
    "piles",
    "propose",
    "random_order",
    "repeated",
    "with_feedback",
    "work_saved",
]
