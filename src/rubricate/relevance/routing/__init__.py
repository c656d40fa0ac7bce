"""Routing: a topic is followed through a stream of documents. Source: 001 sec. 7.

BackgroundCollection   documents and terms that INQUERY's beliefs are computed from
Settings               how a topic's query is made: expansion, Rocchio, Widrow-Hoff or EG, the goal of its threshold
Feedback               a topic in memory: judge(document, terms, relevant=...), query() after each
Topics, Topic          topics in a folder of small files
Query, Threshold       terms with weights, and the score above which a document belongs to the topic
Router                 many topics over one stream in one pass
Evidence, QueryWeights, weigh_query, learn_weights    from sums over judged documents to a query's weights, in arrays
evaluate               average precision, R-precision, P@k and F1 of a run; read_run, write_run, write_qrels
"""

from __future__ import annotations

from .background import BackgroundCollection
from .evaluation import Run, RunEvaluation, TopicMeasures, evaluate, read_run, relevant_by_topic, write_qrels, write_run
from .feedback import Feedback
from .judgements import JudgedDocument
from .query import Query, Settings, Threshold
from .query_weights import Evidence, QueryWeights, learn_weights, weigh_query
from .store import Topic, Topics
from .stream import RoutedDocuments, Router, Scores

# earlier names
Collection = BackgroundCollection
Cut = Threshold
Evaluated = RunEvaluation
Judged = JudgedDocument
Passed = RoutedDocuments

__all__ = [
    "BackgroundCollection",
    "Collection",
    "Cut",
    "Evaluated",
    "Evidence",
    "Feedback",
    "Judged",
    "JudgedDocument",
    "Passed",
    "Query",
    "QueryWeights",
    "RoutedDocuments",
    "Router",
    "Run",
    "RunEvaluation",
    "Scores",
    "Settings",
    "Threshold",
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
