"""Parts of 001's routing replication on a small made-up stream: its topics are those of `rubricate.relevance.routing`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from rubricate.corpus import Corpus
from rubricate.counts.one_pass import tabulate
from rubricate.measures.metrics import average_precision, precision_at
from rubricate.measures.significance import sign_test
from rubricate.relevance.routing import BackgroundCollection, Feedback, Router, Run, Settings, evaluate
from rubricate.relevance.routing.query_weights import weigh_query
from rubricate_papers.frame.published import published
from rubricate_papers.routing.results import Results, significant
from rubricate_papers.routing.trials import (
    BESIDE,
    METHODS,
    PAPER,
    RATIO,
    RECIPE,
    Stream,
    evidence_of,
    judged_pool,
    measure_scores,
    route_topics,
    stream_of_parts,
    text_alone,
    text_of,
)

WORDS = ["wheat", "coffee", "zinc", "harvest", "bean", "metal", "ton", "price", "market", "export", "crop", "mine"]


def corpora(seed: int = 0, n: int = 90) -> tuple[Corpus, Corpus]:
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(len(WORDS), 0.4), 3)
    texts, labels = [], []
    for at in range(2 * n):
        topic = at % 3
        words = rng.choice(WORDS, size=rng.integers(4, 15), p=0.7 * shares[topic] + 0.3 / len(WORDS))
        texts.append(" ".join([*words, WORDS[topic]] if rng.random() < 0.8 else words))
        labels.append([("wheat", "coffee", "zinc")[topic]])
    return tuple(Corpus.from_texts(texts[part], labels[part]) for part in (slice(0, n), slice(n, None)))  # type: ignore[return-value]


def random_stream(seed: int = 0) -> tuple[Stream, Corpus, Corpus]:
    train, test = corpora(seed)
    return stream_of_parts("reuters", train, test), train, test


@pytest.mark.parametrize("name", [*METHODS, *BESIDE])
def test_a_topic_is_weighed_as_relevance_feedback_weighs_it(name: str) -> None:
    stream, train, _ = random_stream()
    settings = replace({**METHODS, **BESIDE}[name], expand=4, draws=300)
    collection = BackgroundCollection.of_counts(tabulate(train, RECIPE).counts)
    for at, topic in enumerate(stream.topics):
        feedback = Feedback(collection, text_of(topic), settings)
        table = tabulate(train, RECIPE)
        for row, label in enumerate(table.labels):
            counts = table.X[[row]]
            terms = {table.terms[n]: int(times) for n, times in zip(counts.indices, counts.data, strict=True)}
            feedback.judge(str(row), terms, relevant=topic in label)
        theirs = feedback.query()
        ours = weigh_query(evidence_of(stream, at), settings, stream.terms.__getitem__)
        weights = {
            stream.terms[n]: weight for n, weight in zip(ours.columns.tolist(), ours.weights.tolist(), strict=True)
        }
        assert weights == pytest.approx(dict(zip(theirs.terms, theirs.weights.tolist(), strict=True)), abs=1e-9)
        assert ours.bias == pytest.approx(theirs.bias)


def test_measures_are_those_of_a_run_of_the_router() -> None:
    stream, train, test = random_stream(1)
    settings = replace(METHODS["EG"], expand=5, draws=200)
    measures = route_topics(stream, settings)
    table = tabulate(train, RECIPE)
    collection, queries = BackgroundCollection.of_counts(table.counts), {}
    for topic in stream.topics:
        feedback = Feedback(collection, text_of(topic), settings)
        for row, label in enumerate(table.labels):
            counts = table.X[[row]]
            terms = {table.terms[n]: int(times) for n, times in zip(counts.indices, counts.data, strict=True)}
            feedback.judge(str(row), terms, relevant=topic in label)
        queries[topic] = feedback.query()
    scored = list(Router(queries, collection).scores(test))
    scores = np.concatenate([batch.scores for batch in scored])
    truth = np.array(
        [[topic in label for topic in stream.topics] for batch in scored for label in batch.labels]
    ).astype(int)
    np.testing.assert_allclose(measures.values["average precision"], average_precision(scores, truth), atol=1e-12)
    np.testing.assert_allclose(measures.values["P@10"], precision_at(scores, truth, 10), atol=1e-12)
    ids = [f"{at:03d}" for at in range(len(truth))][::-1]  # trec_eval ranks the later name first among equals
    runs = {topic: Run(ids, scores[:, at]) for at, topic in enumerate(stream.topics)}
    judgements = {
        topic: dict(zip(ids, truth[:, at].astype(bool).tolist(), strict=True)) for at, topic in enumerate(stream.topics)
    }
    theirs = evaluate(runs, judgements, at=(10, 20))
    assert measures.values["R-precision"].mean() == pytest.approx(theirs.r_precision)
    assert measures.values["P@20"].mean() == pytest.approx(theirs.precision_at[20])


def test_a_pool_has_all_relevant_documents_and_the_others_that_rank_highest() -> None:
    stream, _, _ = random_stream(2)
    for at in range(len(stream.topics)):
        rows = judged_pool(stream, at, 10)
        assert stream.truth[:, at].sum() == stream.truth[rows, at].sum()
        assert len(rows) - stream.relevant[at] == min(RATIO * stream.relevant[at], 90 - stream.relevant[at])
        assert len(judged_pool(stream, at, 10_000)) == 90
    few = replace(stream, truth=stream.truth & (np.arange(90) < 9)[:, None])
    assert len(judged_pool(few, 0, 20)) == few.relevant[0] + 20


def test_all_documents_judged_is_a_pool_of_all() -> None:
    stream, _, _ = random_stream(3)
    settings = Settings(expand=3, absent=0.4)
    everything = [np.arange(90)] * len(stream.topics)
    ours, other = route_topics(stream, settings), route_topics(stream, settings, pools=everything)
    for name, values in ours.values.items():
        np.testing.assert_allclose(values, other.values[name], atol=1e-12)


def test_equal_weights_are_another_start_on_the_same_terms() -> None:
    stream, _, _ = random_stream(4)
    settings = replace(METHODS["EG"], expand=6, draws=100)
    usual, other = route_topics(stream, settings), route_topics(stream, settings, uniform=True)
    assert any((usual.values[name] != other.values[name]).any() for name in usual.values)


def test_texts_alone_rank_documents_that_have_their_words_first() -> None:
    stream, _, test = random_stream(5)
    measures = text_alone(stream)
    has = np.array([["wheat" in text.split(), "coffee" in text.split()] for text in test.texts])
    assert np.isnan(measures.values["F1"]).all()
    for at, topic in ((0, "coffee"), (1, "wheat")):
        assert stream.topics[at] == topic
        scores = stream.B_test @ stream.queries[at]
        assert ((scores > 0) == has[:, 1 if topic == "coffee" else 0]).all()
        assert measures.values["average precision"][at] == average_precision(
            scores, stream.truth_test[:, at].astype(int)
        )


def test_a_threshold_that_nothing_passes_retrieves_nothing() -> None:
    truth = np.eye(4, 2, dtype=bool)
    measures = measure_scores(np.ones((4, 2)), np.full(2, np.inf), truth, np.zeros(2))
    np.testing.assert_array_equal(measures.values["F1"], [0, 0])


def test_some_topics_run_from_the_most_frequent_to_the_rarest() -> None:
    truth = np.arange(20)[:, None] < np.array([3, 20, 1, 7, 12])
    stream = Stream(
        "reuters",
        [],
        sparse.csr_array((20, 0)),
        truth,
        sparse.csr_array((0, 0)),
        truth,
        list("abcde"),
        np.zeros((5, 0)),
    )
    assert stream.sample(3).topics == ["b", "c", "d"]
    assert stream.sample(0).topics == stream.sample(9).topics == list("abcde")
    assert stream.sample(3).relevant.tolist() == [20, 1, 7]


def test_topics_have_texts_in_words() -> None:
    described, spelt = (PAPER.texts["topics"][kind] for kind in ("described", "spelt"))
    assert not described.keys() & spelt.keys()
    assert text_of("C14") == "Cardiovascular Diseases"
    assert text_of("palm-oil") == "palm oil"
    assert (text_of("acq"), text_of("alum")) == ("Mergers/Acquisitions", "aluminium aluminum")
    assert all(RECIPE.terms(text) for text in [*described.values(), *spelt.values()])


def test_either_may_win_surely() -> None:
    assert significant(sign_test(16, 4, alternative="greater"))
    assert significant(sign_test(4, 16, alternative="greater"))
    assert not significant(sign_test(14, 6, alternative="greater"))


def test_rare_topics_stand_apart() -> None:
    from rubricate_papers import plan_of

    truth = np.arange(40)[:, None] < np.array([3, 20, 15])
    stream = Stream(
        "reuters", [], sparse.csr_array((40, 0)), truth, sparse.csr_array((0, 0)), truth, list("abc"), np.zeros((3, 0))
    )
    results = Results(plan_of("routing"), [stream], {}, {}, {})
    assert [group.topics.tolist() for group in results.groups] == [[1, 2], [0]]
    assert [group.topics.tolist() for group in results.main] == [[1, 2]]


def test_printed_wins_are_of_fifty_topics() -> None:
    for key, entry in published("routing").items():
        if key.startswith("table4."):
            assert isinstance(entry.value, list)
            wins = [int(word) for word in entry.value[0].split() if word.isdigit()]
            assert sum(wins) == (49 if key == "table4.101-150.50.EG" else 50)
