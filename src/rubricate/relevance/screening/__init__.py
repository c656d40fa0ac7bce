"""Screening a pile: finding nearly all relevant documents while judging as few as possible, and knowing when to stop.

propose                                       which documents to judge next: likely, uncertain, both; some at random
Draws, RemainingEstimate                      how many relevant documents are left, with an interval that holds at every look
by_sample, by_ranking                         when to stop, how sure one may be, and what that takes for granted
Screening                                     the proposals and judgements of a topic and a pile, stored with the topic
work_saved, documents_needed                  work saved over sampling (WSS)
with_feedback, one_shot, random_order         screening replayed on labelled documents
piles, replay_topic, compare_with_baselines   replays of many labels and seeds, and tests between them
"""

from __future__ import annotations

from .proposals import WAYS, Proposal, propose
from .replays import Comparison, TopicReplays, compare_with_baselines, piles, replay_topic
from .session import Screening
from .simulation import Look, Pile, Replay, documents_needed, one_shot, random_order, with_feedback, work_saved
from .stopping import (
    Advice,
    Draw,
    Draws,
    RemainingEstimate,
    by_ranking,
    by_sample,
    chance_below_target,
    estimate_remaining,
)

# earlier names
Left = RemainingEstimate
Repeated = TopicReplays
Versus = Comparison
compared = compare_with_baselines
left = estimate_remaining
needed = documents_needed
repeated = replay_topic

__all__ = [
    "WAYS",
    "Advice",
    "Comparison",
    "Draw",
    "Draws",
    "Left",
    "Look",
    "Pile",
    "Proposal",
    "RemainingEstimate",
    "Repeated",
    "Replay",
    "Screening",
    "TopicReplays",
    "Versus",
    "by_ranking",
    "by_sample",
    "chance_below_target",
    "compare_with_baselines",
    "compared",
    "documents_needed",
    "estimate_remaining",
    "left",
    "needed",
    "one_shot",
    "piles",
    "propose",
    "random_order",
    "repeated",
    "replay_topic",
    "with_feedback",
    "work_saved",
]
