"""Screening a pile: finding nearly all relevant documents while judging as few as possible, and knowing when to stop.

propose                                       which documents to judge next: likely, uncertain, both; some at random
Wealth, StakedDraw, estimate_by_draws         how many relevant documents can be left: a statement that holds at every look
State, plan_batch                             whether to propose ranked documents or draws next, and at what stake
by_sample, by_ranking                         when to stop, how sure one may be, and what that takes for granted
price_list                                    what it takes to be sure of other recalls
Draws, RemainingEstimate                      the same from draws without stakes, with an interval on both sides
Screening                                     the proposals and judgements of a topic and a pile, stored with the topic
work_saved, documents_needed                  work saved over sampling (WSS)
with_feedback, one_shot, random_order         screening replayed on labelled documents
piles, replay_topic, compare_with_baselines   replays of many labels and seeds, and tests between them
"""

from __future__ import annotations

from .plan import Plan, State, plan_batch
from .proposals import WAYS, Proposal, propose
from .replays import Comparison, TopicReplays, compare_with_baselines, piles, replay_topic
from .session import Screening
from .simulation import Look, Pile, Replay, documents_needed, one_shot, random_order, with_feedback, work_saved
from .stopping import (
    Advice,
    Draw,
    Draws,
    Price,
    RemainingEstimate,
    by_ranking,
    by_sample,
    chance_below_target,
    estimate_by_draws,
    estimate_remaining,
    price_list,
)
from .wealth import StakedDraw, Wealth, first_bad_total

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
    "Plan",
    "Price",
    "Proposal",
    "RemainingEstimate",
    "Repeated",
    "Replay",
    "Screening",
    "StakedDraw",
    "State",
    "TopicReplays",
    "Versus",
    "Wealth",
    "by_ranking",
    "by_sample",
    "chance_below_target",
    "compare_with_baselines",
    "compared",
    "documents_needed",
    "estimate_by_draws",
    "estimate_remaining",
    "first_bad_total",
    "left",
    "needed",
    "one_shot",
    "piles",
    "plan_batch",
    "price_list",
    "propose",
    "random_order",
    "repeated",
    "replay_topic",
    "with_feedback",
    "work_saved",
]
