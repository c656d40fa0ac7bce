"""Routing: a topic is followed through a stream of documents. Source: 001 sec. 7.

Collection          documents and terms that INQUERY's beliefs are reckoned with
Settings            how a topic's query is made: expansion, Rocchio, Widrow-Hoff or EG, the goal of its cut
Feedback            a topic in memory: judge(document, terms, relevant=...), query() after each
Topics, Topic       topics in a folder of small files
Query, Cut          terms with weights, and where the topic begins
Router              many topics over one stream in one pass
Evidence, weigh_query, QueryWeights, learn_weights    from sums over judged documents to a query's weights, in arrays
evaluate            average precision, R-precision, P@k and F1 of a run; read_run, write_run, write_qrels
"""

from __future__ import annotations

from .background import Collection
from .evaluation import Evaluated, TopicMeasures, evaluate
from .feedback import Feedback
from .judgements import Judged
from .query import Cut, Query
from .query_weights import Evidence, QueryWeights, learn_weights, weigh_query
from .settings import Settings
from .store import Topic, Topics
from .stream import Passed, Router, Scores
from .trec_files import Run, read_run, relevant_by_topic, write_qrels, write_run

__all__ = [
    "Collection",
    "Cut",
    "Evaluated",
    "Evidence",
    "Feedback",
    "Judged",
    "Passed",
    "Query",
    "QueryWeights",
    "Router",
    "Run",
    "Scores",
    "Settings",
    "Topic",
    "TopicMeasures",
    "Topics",
    "evaluate",
    "learn_weights",
    "read_run",
    "relevant_by_topic",
    "weigh_query",
    "write_qrels",
    "write_run",
]
