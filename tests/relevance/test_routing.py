"""Topics: queries from judged documents, streams, runs, evaluation, the folder that keeps them."""

from __future__ import annotations

import doctest
import json
import threading
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import rubricate as rb
from golden_cases import cases
from rubricate import metrics, models, vectors
from rubricate.corpus.readers.live import follow
from rubricate.corpus.readers.trec import Judgement, read_qrels
from rubricate.counts.one_pass import thread_scanner
from rubricate.errors import DamagedFile, InputError, InvalidSetting, MissingData, RecipesDiffer, UnknownName
from rubricate.relevance.routing import (
    BackgroundCollection,
    Feedback,
    JudgedDocument,
    Query,
    Router,
    Run,
    Settings,
    Topics,
    evaluate,
    judgements,
    read_run,
    relevant_by_topic,
    write_qrels,
    write_run,
)
from rubricate.relevance.routing.query import Threshold, terms_of
from rubricate.relevance.routing.query_weights import (
    Evidence,
    deal_into_folds,
    expansion,
    learn_weights,
    out_of_fold_scores,
    rocchio,
    weigh_query,
)

RECIPE = rb.Recipe()
TEXTS = [
    "wheat harvest in the north was good",
    "wheat prices rose and wheat exports rose",
    "corn and wheat are grain",
    "oil prices fell in the gulf",
    "gold and oil are traded",
    "the bank raised interest rates",
    "interest in gold fell",
    "grain ships left the gulf",
]
RELEVANT = [True, True, True, False, False, False, False, True]


def terms(text: str, recipe: rb.Recipe = RECIPE) -> dict[str, int]:
    scanned, times = thread_scanner(recipe).scan_text(text)
    return dict(zip(scanned.strings(), times.tolist(), strict=True))


@pytest.fixture
def collection() -> BackgroundCollection:
    return BackgroundCollection.of_counts(rb.count(TEXTS, RECIPE))


def taught(
    collection: BackgroundCollection, settings: Settings | None = None, order: list[int] | None = None
) -> Feedback:
    feedback = Feedback(collection, "wheat", settings)
    for at in order or range(len(TEXTS)):
        feedback.judge(str(at), terms(TEXTS[at]), relevant=RELEVANT[at])
    return feedback


def corpus_of(texts: list[str], labels: Any = None) -> rb.Corpus:
    return rb.Corpus.from_texts(texts, labels, ids=[str(at) for at in range(len(texts))])


# -- the collection


def test_beliefs_are_inquerys_and_lengths_count_every_term(collection: BackgroundCollection) -> None:
    table = rb.tabulate(TEXTS, RECIPE)
    wanted = vectors.weighted(table.X, table.counts, "inquery").toarray()
    frequencies = collection.frequencies(table.terms)
    assert np.allclose(collection.beliefs(table.X.astype(float), frequencies).toarray(), wanted, atol=1e-15)
    okapi = vectors.weighted(table.X, table.counts, "inquery_okapi").toarray()
    assert np.allclose(
        collection.beliefs(table.X.astype(float), frequencies, form="inquery_okapi").toarray(), okapi, atol=1e-15
    )
    router = Router({"t": Query(("wheat", "gulf"), np.array([1.0, 1.0]))}, collection)
    scores = np.concatenate([piece.scores for piece in router.scores(corpus_of(TEXTS))])[:, 0]
    columns = [table.terms.index("wheat"), table.terms.index("gulf")]
    assert np.allclose(scores, wanted[:, columns].sum(axis=1), atol=1e-15)


def test_a_collection_survives_its_file_and_an_unseen_term_counts_as_rare(
    collection: BackgroundCollection, tmp_path: Path
) -> None:
    collection.save(tmp_path / "c.rub")
    again = BackgroundCollection.load(tmp_path / "c.rub")
    assert (again.n_documents, again.total_length) == (collection.n_documents, collection.total_length)
    assert again.frequencies(["wheat", "neverseen"]).tolist() == [3.0, 1.0]
    assert again.recipe == collection.recipe
    with pytest.raises(UnknownName, match="bm25"):
        again.beliefs(sparse.csr_array((1, 1)), np.ones(1), form="bm25")


def test_a_new_name_in_a_topic_is_found_in_the_stream(collection: BackgroundCollection) -> None:
    query = Feedback(collection, "zanzibar").query()
    router = Router({"t": query}, collection)
    scores = np.concatenate([piece.scores for piece in router.scores(corpus_of(["oil", "zanzibar cloves"]))])[:, 0]
    assert scores[1] > scores[0] == 0


# -- weights


def evidence_of(X: np.ndarray, y: np.ndarray, query: np.ndarray) -> Evidence:
    return Evidence(query, X[y].sum(axis=0), X[~y].sum(axis=0), int(y.sum()), int((~y).sum()), sparse.csr_array(X), y)


@given(st.integers(0, 2**32 - 1), st.integers(0, 6), st.integers(0, 6), st.sampled_from([0.0, 0.4]))
def test_rocchio_is_the_models_rocchio(seed: int, positives: int, negatives: int, absent: float) -> None:
    draw = np.random.default_rng(seed)
    n = positives + negatives
    if n == 0:
        return
    X, y = draw.random((n, 7)) * (draw.random((n, 7)) < 0.5), np.arange(n) < positives
    query, settings = draw.random(7), Settings(absent=absent)
    weights = rocchio(evidence_of(X, y, query), np.arange(7), settings)
    model = models.Rocchio(alpha=1.0, beta=2.0, gamma=0.5, start=query, absent=absent)
    expected = model.fit(sparse.csr_array(X), sparse.csr_array(y[:, None].astype(int))).coef_[0]
    assert np.allclose(weights, expected, atol=1e-12)


@given(st.integers(0, 2**32 - 1), st.integers(0, 12))
def test_expansion_takes_the_best_terms_of_relevant_documents_by_brute_force(seed: int, n: int) -> None:
    draw = np.random.default_rng(seed)
    X = draw.integers(0, 3, (6, 10)).astype(float)  # few values: many ties
    y = np.array([1, 1, 1, 0, 0, 0], dtype=bool)
    query = (np.arange(10) == 4).astype(float)
    added = expansion(evidence_of(X, y, query), int, n=n, beta=2.0, gamma=0.5)
    worth = 2 * X[y].mean(axis=0) - 0.5 * X[~y].mean(axis=0)
    ranked = sorted(range(10), key=lambda at: (-round(worth[at], 12), at))
    expected = [at for at in ranked if at != 4 and X[y][:, at].any() and worth[at] > 1e-12][:n]
    assert added.tolist() == expected


@pytest.mark.parametrize("case", [case for case in cases() if case.file == "lewis_pocket"], ids=lambda case: case.name)
def test_learning_started_from_weights_is_the_golden_pocketing(case: Any) -> None:
    """The routing learner, fed the golden sequence, keeps the golden vector."""
    rates = {"1/||x||^2 in eq. 3 as printed": "example", "1/(4X^2)": "max-norm", "2/(3R^2)": "range"}
    learner = "widrow-hoff" if case.input["kind"] == "wh" else "eg"
    settings = Settings(learner=learner, rate=rates[case.input["rate"]])
    X = sparse.csr_array(np.array(case.input["X"]) - vectors.ABSENT)
    truth = np.array(case.input["y"], dtype=bool)
    weights = learn_weights(X, truth, np.array(case.input["start"]), settings, order=case.input["sequence"])
    assert np.allclose(weights, case.expected["pocket"], rtol=1e-9, atol=1e-12)
    scores = X @ weights + vectors.ABSENT * weights.sum()
    assert np.allclose(scores, case.expected["scores"], rtol=1e-9)


@pytest.mark.parametrize(
    "case",
    [
        case
        for case in cases()
        if case.file == "lewis_weights" and case.input.get("kind") == "inquery" and "corpus" in case.input
    ],
    ids=lambda case: case.name,
)
def test_golden_inquery_weights_come_through_the_collection(case: Any) -> None:
    counts = case.counts()
    collection = BackgroundCollection.of_counts(counts)
    for X, wanted in ((case.X, case.expected["train"]), (case.corpus.X_test, case.expected["test"])):
        X = sparse.csr_array(X).astype(float)
        # the golden numbers give a term that no training document has the belief 0.4; streams may bring new names
        frequencies = np.where(collection.documents_with > 0, collection.documents_with, counts.n_documents)
        assert np.allclose(vectors.ABSENT + collection.beliefs(X, frequencies).toarray(), wanted, rtol=1e-9)


@pytest.mark.parametrize("learner", ["widrow-hoff", "eg"])
def test_a_learner_starts_from_rocchio_and_ranks_what_it_was_taught(
    collection: BackgroundCollection, learner: str
) -> None:
    query = taught(collection, Settings(learner=learner, draws=2000)).query()
    plain = taught(collection).query()
    assert query.terms == plain.terms
    assert not np.allclose(query.weights, plain.weights)
    assert query.bias == pytest.approx(0.4 * query.weights.sum())
    if learner == "eg":
        assert query.weights.sum() == pytest.approx(1)
    scores = np.concatenate([p.scores for p in Router({"t": query}, collection).scores(corpus_of(TEXTS))])[:, 0]
    assert metrics.average_precision(scores, np.array(RELEVANT, dtype=int)) == pytest.approx(1.0)


# -- feedback


def test_feedback_one_by_one_equals_feedback_at_once(collection: BackgroundCollection) -> None:
    one_by_one = Feedback(collection, "wheat")
    for at, text in enumerate(TEXTS):
        one_by_one.judge(str(at), terms(text), relevant=RELEVANT[at])
        one_by_one.query()
    query, expected = one_by_one.query(), taught(collection).query()
    assert query.terms == expected.terms
    assert query.weights.tolist() == expected.weights.tolist()
    assert query.cut == expected.cut


def test_the_last_judgement_counts_as_if_it_had_been_the_first(collection: BackgroundCollection) -> None:
    feedback = Feedback(collection, "wheat")
    for at, text in enumerate(TEXTS):
        feedback.judge(str(at), terms(text), relevant=not RELEVANT[at])
    for at, text in enumerate(TEXTS):
        feedback.judge(str(at), terms(text), relevant=RELEVANT[at])
    expected = taught(collection).query()
    assert feedback.query().weights.tolist() == expected.weights.tolist()
    assert feedback.judged == {str(at): relevant for at, relevant in enumerate(RELEVANT)}


def test_the_order_of_judgements_changes_no_term_and_no_weight_beyond_rounding(
    collection: BackgroundCollection,
) -> None:
    forth, back = taught(collection).query(), taught(collection, order=list(range(len(TEXTS)))[::-1]).query()
    assert dict(zip(forth.terms, forth.weights.round(12), strict=True)) == dict(
        zip(back.terms, back.weights.round(12), strict=True)
    )


def test_a_topic_without_judgements_looks_for_its_own_words(collection: BackgroundCollection) -> None:
    query = Feedback(collection, "wheat and gold").query()
    assert set(query.terms) == {"wheat", "and", "gold"}
    assert query.cut is None
    assert Feedback(collection, "the").query().terms == ("the",)


def test_a_document_without_terms_may_be_judged(collection: BackgroundCollection) -> None:
    feedback = taught(collection)
    before = feedback.query()
    feedback.judge("empty", {}, relevant=False)
    assert feedback.query().n_others == before.n_others + 1
    feedback.judge("empty", {}, relevant=True)
    assert feedback.query().n_relevant == before.n_relevant + 1


def test_expansion_zero_keeps_the_query_to_its_text(collection: BackgroundCollection) -> None:
    assert taught(collection, Settings(expand=0)).query().terms == ("wheat",)
    assert len(taught(collection, Settings(expand=3)).query().terms) == 4


# -- cuts


def test_out_of_fold_scores_are_those_of_queries_made_without_the_document(collection: BackgroundCollection) -> None:
    evidence, settings = taught(collection).evidence(), Settings(expand=5)
    scores = out_of_fold_scores(evidence, settings, int)
    folds = deal_into_folds(evidence.truth)
    for fold in range(5):
        held_out = folds == fold
        if not held_out.any():
            continue
        X, y = evidence.X.toarray(), evidence.truth
        training = evidence_of(X[~held_out], y[~held_out], evidence.query)
        query = weigh_query(training, settings, int)
        assert np.allclose(scores[held_out], X[held_out][:, query.columns] @ query.weights, atol=1e-12)


def test_a_cut_needs_a_yes_and_a_no_and_says_where_it_comes_from(collection: BackgroundCollection) -> None:
    feedback = Feedback(collection, "wheat")
    feedback.judge("0", terms(TEXTS[0]), relevant=True)
    assert feedback.query().cut is None
    feedback.judge("3", terms(TEXTS[3]), relevant=False)
    assert feedback.query().cut.source == "resubstitution"
    assert taught(collection).query().cut.source == "out-of-fold"


def test_goals_that_few_documents_cannot_show_are_told(collection: BackgroundCollection) -> None:
    cut = taught(collection, Settings(goal="recall=0.9")).query().cut
    assert not cut.met
    assert cut.measure >= 0.9  # as measured: nothing is promised, and not every document is taken
    assert np.isfinite(cut.at)
    assert "recall of 0.9" in cut.why
    assert "not promised" in cut.why
    none = taught(collection, Settings(goal="precision=0.9")).query().cut
    assert none.at == np.inf
    for wrong in ("f2", "recall", "recall=x", "speed=1"):
        with pytest.raises((InvalidSetting, UnknownName)):
            Settings(goal=wrong)


def test_settings_are_checked() -> None:
    for wrong in ({"expand": -1}, {"learner": "svm"}, {"draws": 0}, {"alpha": float("nan")}, {"beta": "2"}):
        with pytest.raises((InvalidSetting, UnknownName)):
            Settings(**wrong)
    assert Settings.from_dict(Settings(expand=7).as_dict()) == Settings(expand=7)
    with pytest.raises(UnknownName, match="colour"):
        Settings.from_dict({"colour": 1})


def test_a_query_survives_json(collection: BackgroundCollection) -> None:
    for query in (taught(collection).query(), taught(collection, Settings(goal="recall=0.9")).query()):
        again = Query.from_dict(json.loads(json.dumps(query.as_dict())))
        assert again.terms == query.terms
        assert again.weights.tolist() == query.weights.tolist()
        assert again.cut == query.cut


# -- streams


def random_queries(draw: np.random.Generator, names: list[str], n: int) -> dict[str, Query]:
    out = {}
    for at in range(n):
        query_terms = draw.choice(names, size=draw.integers(0, len(names)), replace=False).tolist()
        cut = None if draw.random() < 0.2 else Threshold(float(draw.normal()) * 0.1, "f1", 1.0, True, "out-of-fold")
        out[f"t{at}"] = Query(tuple(query_terms), draw.normal(size=len(query_terms)), float(draw.normal()) * 0.1, cut)
    return out


@given(st.integers(0, 2**32 - 1), st.integers(1, 30))
def test_one_pass_over_many_topics_equals_each_topic_alone(seed: int, n_topics: int) -> None:
    draw = np.random.default_rng(seed)
    words = [f"w{at}" for at in range(12)]
    texts = [" ".join(draw.choice(words, size=draw.integers(0, 15))) for _ in range(9)]
    collection = BackgroundCollection.of_counts(rb.count(["x", *texts], RECIPE))
    queries = random_queries(draw, [*words, "absent"], n_topics)
    router = Router(queries, collection)
    whole = np.concatenate([piece.scores for piece in router.scores(corpus_of(texts))])
    table = rb.tabulate(texts, RECIPE, terms=[*words, "x", "absent"])
    beliefs = collection.beliefs(table.X.astype(float), collection.frequencies(table.terms)).toarray()
    for at, query in enumerate(queries.values()):
        weights = np.zeros(beliefs.shape[1])
        weights[[table.terms.index(term) for term in query.terms]] = query.weights
        assert np.allclose(whole[:, at], beliefs @ weights + query.bias, atol=1e-12)
    passed = [(piece, *triple) for piece in router.route(corpus_of(texts)) for triple in
              zip(piece.document.tolist(), piece.topic.tolist(), piece.score.tolist(), strict=True)]  # fmt: skip
    above = {(int(piece.ids[d]), t): score for piece, d, t, score in passed}
    cuts = np.array([np.inf if query.cut is None else query.cut.at for query in queries.values()])
    expected = {(int(d), int(t)): whole[d, t] for d, t in zip(*np.nonzero(whole > cuts), strict=True)}
    assert above.keys() == expected.keys()
    assert all(abs(above[key] - expected[key]) < 1e-12 for key in expected)


def test_more_passes_than_there_is_room_for_lose_none(
    monkeypatch: pytest.MonkeyPatch, collection: BackgroundCollection
) -> None:
    from rubricate.relevance.routing import stream

    monkeypatch.setattr(stream, "BUFFER", 3)
    cut = Threshold(-1.0, "f1", 1.0, True, "out-of-fold")
    queries = {f"t{at}": Query(("wheat",), np.array([1.0]), cut=cut) for at in range(5)}
    pieces = list(Router(queries, collection).route(corpus_of(TEXTS)))
    assert sum(len(piece.document) for piece in pieces) == 5 * len(TEXTS)
    rows = [row for piece in pieces for row in piece.by_document(list(queries))]
    assert [name for name, _ in rows] == [str(at) for at in range(len(TEXTS))]
    assert all([topic for topic, _ in topics] == list(queries) for _, topics in rows)


def test_threads_change_no_score(collection: BackgroundCollection) -> None:
    many = [TEXTS[at % len(TEXTS)] + " extra" * (at % 3) for at in range(3000)]
    router = Router({"t": taught(collection).query()}, collection)
    single_thread = np.concatenate([piece.scores for piece in router.scores(corpus_of(many), jobs=1)])
    three_threads = np.concatenate([piece.scores for piece in router.scores(corpus_of(many), jobs=3)])
    assert single_thread.tolist() == three_threads.tolist()


def test_no_topics_pass_nothing(collection: BackgroundCollection) -> None:
    pieces = list(Router({}, collection).route(corpus_of(TEXTS)))
    assert sum(len(piece.ids) for piece in pieces) == len(TEXTS)
    assert not any(len(piece.document) for piece in pieces)


def test_the_kernel_stays_within_its_arrays(with_bounds_checked) -> None:
    with_bounds_checked(
        "import numpy as np\n"
        "from rubricate.kernels.products import match_topics\n"
        "draw = np.random.default_rng(0)\n"
        "ends = np.arange(0, 41, 4)\n"
        "documents = ends.astype(np.int64), draw.integers(0, 6, 40).astype(np.int32), draw.random(40)\n"
        "postings = np.arange(0, 13, 2).astype(np.int64), draw.integers(0, 3, 12).astype(np.int32), draw.random(12)\n"
        "common = np.array([-1, 0, -1, -1, 1, -1], np.int32), draw.random((2, 3))\n"
        "found = np.empty(4, np.int64), np.empty(4, np.int32), np.empty(4)\n"
        "state = np.zeros(2, np.int64)\n"
        "seen = 0\n"
        "while state[1] < 10:\n"
        "    match_topics(documents, postings, common, np.zeros(3), np.full(3, 0.3), int(state[1]), found, state)\n"
        "    seen += int(state[0])\n"
        "assert seen > 4\n"
    )


# -- streams that grow


def test_a_growing_file_is_followed_line_by_line_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    path.write_bytes(b'{"id": "1", "text": "wheat"}\nnot json\n{"id": "2", "te')
    seen: list[tuple[str, str]] = []
    steps = iter(
        [
            b'xt": "oil"}\n',
            b"",
            b'{"text": 7}\n{"text": "no id"}\n{"id": "1", "text": "again"}\n{"id": "5", "text": "ha',
        ]
    )

    def sleep(_: float) -> None:
        with path.open("ab") as out:
            out.write(next(steps, b""))

    def handle(ids: list[str], corpus: rb.Corpus) -> None:
        seen.extend(zip(ids, corpus.texts, strict=True))

    tally = follow(str(path), handle, idle=0.3, sleep=sleep)
    assert seen == [("1", "wheat"), ("2", "oil"), ("row-3", "no id"), ("1", "again")]
    assert (tally.rows_in, tally.kept, tally.rejected) == (7, 4, 3)
    assert [reject.where.partition(" line ")[2] for reject in tally.first] == ["2", "4", "7"]


def test_what_has_come_is_handed_on_before_waiting(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    path.write_bytes(b'{"id": "1", "text": "wheat"}\n')
    seen: list[str] = []
    when_waiting: list[list[str]] = []

    def sleep(_: float) -> None:
        when_waiting.append(list(seen))

    follow(str(path), lambda ids, corpus: seen.extend(ids), idle=0.05, sleep=sleep)
    assert when_waiting[0] == ["1"]


def test_a_file_that_is_cut_off_is_read_again_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    path.write_bytes(b'{"id": "old", "text": "a long first document"}\n')
    seen: list[str] = []
    steps = iter([b'{"id": "new", "text": "b"}\n'])

    def sleep(_: float) -> None:
        if (data := next(steps, None)) is not None:
            path.write_bytes(data)

    tally = follow(str(path), lambda ids, corpus: seen.extend(ids), idle=0.3, sleep=sleep)
    assert seen == ["old", "new"]
    assert any("begun anew" in repair for repair in tally.repairs)


def test_streams_that_cannot_be_followed_are_named(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="no such file"):
        follow(str(tmp_path / "none.jsonl"), lambda ids, corpus: None)
    with pytest.raises(InputError, match="folder"):
        follow(str(tmp_path), lambda ids, corpus: None)


# -- runs and their evaluation

names = st.sampled_from([f"d{at}" for at in range(12)])
scores = st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0, -1.0, 0.1 + 1e-9])
one_run = st.dictionaries(names, scores, min_size=1)
one_truth = st.dictionaries(names, st.integers(0, 2), min_size=1).filter(lambda own: any(own.values()))


@given(st.dictionaries(st.sampled_from("abc"), st.tuples(one_run, one_truth), min_size=1))
def test_evaluation_equals_pytrec_evals_on_random_runs(both: dict[str, Any]) -> None:
    run = {topic: Run(list(values), np.array(list(values.values()))) for topic, (values, _) in both.items()}
    truth = {topic: {d: level > 0 for d, level in values.items()} for topic, (_, values) in both.items()}
    evaluation = evaluate(run, truth, at=(1, 5, 10))
    peer = pytrec_eval.RelevanceEvaluator({t: values for t, (_, values) in both.items()}, {"map", "Rprec", "P.1,5,10"})
    wanted = peer.evaluate({topic: values for topic, (values, _) in both.items()})
    for row in evaluation.topics:
        measures = wanted[row.topic]
        assert row.average_precision == pytest.approx(measures["map"], abs=1e-6)
        assert row.r_precision == pytest.approx(measures["Rprec"], abs=1e-6)
        for k in (1, 5, 10):
            assert row.precision_at[k] == pytest.approx(measures[f"P_{k}"], abs=1e-6)
    assert evaluation.average_precision == pytest.approx(
        np.mean([measures["map"] for measures in wanted.values()]), abs=1e-6
    )


@given(one_run, one_truth, st.floats(-1, 1))
def test_f1_of_what_passed_is_set_f(scores: dict[str, float], truth: dict[str, int], threshold: float) -> None:
    inside = {document: score for document, score in scores.items() if score > threshold}
    run = Run(list(scores), np.array(list(scores.values())))
    judged = {"t": {document: level > 0 for document, level in truth.items()}}
    measures = evaluate({"t": run}, judged, assigned={"t": list(inside)}).topics[0]
    if not inside:
        assert measures.f1 == 0
        return
    peer = pytrec_eval.RelevanceEvaluator({"t": truth}, {"set_F"}).evaluate({"t": inside})
    assert measures.f1 == pytest.approx(peer["t"]["set_F"], abs=1e-6)


@pytest.mark.parametrize(
    "case",
    [case for case in cases() if case.file == "lewis_measures" and "scores" in case.input],
    ids=lambda case: case.name,
)
def test_golden_rankings_come_through_evaluation(case: Any) -> None:
    truth = next(case.input[key] for key in ("truth", "y", "relevant", "labels") if key in case.input)
    places = range(len(truth))
    # trec_eval puts the later name first among equals, the golden numbers the lower index
    run = Run([f"{999 - at:03d}" for at in places], np.array(case.input["scores"], dtype=float))
    judged = {f"{999 - at:03d}": bool(truth[at]) for at in places}
    row = evaluate({"t": run}, {"t": judged}).topics[0]
    for key, value in (("sap_index_order", row.average_precision), ("r_precision", row.r_precision)):
        wanted = case.expected[key]
        assert np.isnan(value) if wanted is None else value == pytest.approx(wanted, rel=1e-9)


def test_missing_and_unjudged_topics_are_told_and_missing_ones_count_zero() -> None:
    run = {"a": Run(["1", "2"], np.array([2.0, 1.0])), "x": Run(["1"], np.array([1.0]))}
    evaluation = evaluate(run, {"a": {"1": True}, "b": {"1": True}})
    assert (evaluation.missing, evaluation.unjudged) == (["b"], ["x"])
    assert evaluation.average_precision == 0.5
    with pytest.raises(InvalidSetting, match="nothing to go by"):
        evaluate(run, {})
    assert np.isnan(evaluate(run, {"a": {"1": False}}).average_precision)


def test_runs_and_qrels_survive_their_files_and_trec_eval_reads_them(tmp_path: Path) -> None:
    run = {"a": Run(["d1", "d2", "d3"], np.array([0.25, 3.0, -1.0])), "b": Run(["d1"], np.array([1.0]))}
    write_run(tmp_path / "run", run)
    write_qrels(tmp_path / "qrels", {"a": {"d1": True, "d2": False}, "b": {"d1": True}})
    again = read_run(tmp_path / "run")
    assert {
        t: dict(zip(documents.documents, documents.scores.tolist(), strict=True)) for t, documents in again.items()
    } == {
        "a": {"d2": 3.0, "d1": 0.25, "d3": -1.0},
        "b": {"d1": 1.0},
    }
    assert relevant_by_topic(read_qrels(tmp_path / "qrels")) == {"a": {"d1": True, "d2": False}, "b": {"d1": True}}
    with (tmp_path / "run").open() as opened:
        theirs = pytrec_eval.parse_run(opened)
    with (tmp_path / "qrels").open() as opened:
        judged = pytrec_eval.parse_qrel(opened)
    wanted = pytrec_eval.RelevanceEvaluator(judged, {"map"}).evaluate(theirs)
    evaluation = evaluate(again, relevant_by_topic(read_qrels(tmp_path / "qrels")))
    assert {row.topic: row.average_precision for row in evaluation.topics} == {
        t: measures["map"] for t, measures in wanted.items()
    }
    assert (tmp_path / "run").read_text().splitlines()[0] == "a Q0 d2 1 3 rubricate"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("a Q0 d1 1", "write: topic Q0"),
        ("a Q0 d1 1 high x", "'high'"),
        ("a Q0 d1 1 nan x", "nan"),
        ("a Q0 d0 1 2 x", "twice"),
    ],
)
def test_a_broken_run_is_refused_with_its_line(tmp_path: Path, line: str, what: str) -> None:
    (tmp_path / "run").write_text(f"a Q0 d0 1 2.0 x\n{line}\n")
    with pytest.raises(InputError, match=f"line 2.*{what}"):
        read_run(tmp_path / "run")


def test_names_with_blanks_cannot_stand_in_trec_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="white space"):
        write_run(tmp_path / "run", {"a b": Run(["d"], np.array([1.0]))})
    with pytest.raises(InputError, match="white space"):
        write_qrels(tmp_path / "q", {"a": {"": True}})
    assert not list(tmp_path.iterdir())
    assert relevant_by_topic([Judgement("a", "0", "d", 1), Judgement("a", "0", "d", -1)]) == {"a": {"d": False}}


# -- the folder


@pytest.fixture
def topics(tmp_path: Path) -> Topics:
    topics = Topics.make(tmp_path / "topics", recipe=RECIPE)
    topics.keep_collection(rb.count(TEXTS, RECIPE))
    topics.new("wheat", "wheat")
    return topics


def judgement(at: int, relevant: bool | None = None) -> JudgedDocument:
    return JudgedDocument(str(at), RELEVANT[at] if relevant is None else relevant, terms(TEXTS[at]))


def test_a_topic_in_a_folder_is_the_topic_in_memory(topics: Topics, collection: BackgroundCollection) -> None:
    topic = topics.topic("wheat")
    for at in range(len(TEXTS)):
        topic.judge([judgement(at)])
        topics.query(topic)
    again = Topics.open(topics.path)
    query, expected = again.query(again.topic("wheat")), taught(collection).query()
    assert query.terms == expected.terms
    assert query.weights.tolist() == expected.weights.tolist()
    assert query.cut == expected.cut


def test_the_history_is_kept_and_the_last_judgement_wins(topics: Topics) -> None:
    topic = topics.topic("wheat")
    for relevant in (True, False, True, False):
        topic.judge([judgement(0, relevant)])
    assert [judgement.relevant for judgement in topic.history()] == [True, False, True, False]
    assert topic.judged() == {"0": False}


def test_many_small_files_become_one_and_lose_nothing(topics: Topics, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgements, "MOST_FILES", 5)
    topic = topics.topic("wheat")
    for at in range(23):
        topic.judge([JudgedDocument(str(at), at % 2 == 0, {"wheat": 1 + at})])
        assert [judgement.document for judgement in topic.history()] == [str(n) for n in range(at + 1)]
    assert len(list(topic.judged_folder.iterdir())) <= 6


def test_a_crash_while_files_are_put_together_counts_nothing_twice(
    topics: Topics, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judgements, "MOST_FILES", 3)
    topic = topics.topic("wheat")
    for relevant in (True, False, True):
        topic.judge([judgement(0, relevant)])
    monkeypatch.setattr(Path, "unlink", lambda self, missing_ok=False: None)
    topic.judge([judgement(1)])
    assert [(judgement.document, judgement.relevant) for judgement in topic.history()] == [
        ("0", True), ("0", False), ("0", True), ("1", True),
    ]  # fmt: skip


def test_judging_at_the_same_time_loses_nothing(topics: Topics) -> None:
    topic = topics.topic("wheat")

    def work(start: int) -> None:
        for at in range(start, start + 10):
            topic.judge([JudgedDocument(f"d{at}", True, {"wheat": 1})])

    threads = [threading.Thread(target=work, args=(start,)) for start in range(0, 40, 10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(topic.judged()) == sorted(f"d{at}" for at in range(40))


def test_a_query_is_made_anew_when_judgements_or_the_collection_change(topics: Topics) -> None:
    topic = topics.topic("wheat")
    first = topics.query(topic).weights.tolist()
    topic.judge([judgement(at) for at in range(len(TEXTS))])
    second = topics.query(topic).weights.tolist()
    assert first != second
    stored = topic.folder / "query.json"
    before = stored.read_bytes()
    assert topics.query(topic).weights.tolist() == second
    assert stored.read_bytes() == before
    topics.keep_collection(rb.count([*TEXTS, "wheat", "wheat again"], RECIPE))
    assert topics.query(topic).weights.tolist() != second
    stored.write_text("{broken")
    assert len(topics.query(topic).terms) > 1


def test_no_text_is_kept_unless_asked(topics: Topics) -> None:
    topics.topic("wheat").judge([judgement(1)])
    everything = b"".join(path.read_bytes() for path in topics.path.rglob("*") if path.is_file())
    assert b"prices rose and wheat exports" not in everything
    topics.topic("wheat").judge([JudgedDocument("1", True, terms(TEXTS[1]), text=TEXTS[1])])
    assert topics.topic("wheat").history()[-1].text == TEXTS[1]


def test_a_collection_counted_by_another_recipe_is_refused(topics: Topics) -> None:
    with pytest.raises(RecipesDiffer, match="count again"):
        topics.keep_collection(rb.count(TEXTS, rb.Recipe(stop="english")))
    with pytest.raises(RecipesDiffer, match="another folder"):
        Topics.make(topics.path, recipe=rb.Recipe.lewis())


def test_what_is_wrong_with_topics_is_said(topics: Topics, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="choose from: wheat"):
        topics.topic("corn")
    with pytest.raises(UnknownName):
        topics.topic("../wheat")
    for name in ("a b", "", "../x", ".hidden", "a/b"):
        with pytest.raises(InvalidSetting, match="topic name"):
            topics.new(name, "text")
    with pytest.raises(InvalidSetting, match="already"):
        topics.new("wheat", "other")
    for text in ("", "  ", "!!!"):
        with pytest.raises(InvalidSetting, match=r"empty|no terms"):
            topics.new("new", text)
    with pytest.raises(MissingData, match="begin with"):
        Topics.open(tmp_path / "nowhere")
    with pytest.raises(MissingData, match="topic new corn"):
        Topics.make(tmp_path / "fresh").topic("corn")
    with pytest.raises(MissingData, match="topic collection"):
        Topics.make(tmp_path / "fresh").query(Topics.make(tmp_path / "fresh").new("a", "wheat"))
    with pytest.raises(UnknownName, match="bm25"):
        Topics.make(tmp_path / "other", form="bm25")


def test_damaged_files_are_named(topics: Topics) -> None:
    topic = topics.topic("wheat")
    topic.judge([judgement(0)])
    file = next(topic.judged_folder.iterdir())
    file.write_bytes(file.read_bytes() + b'{"document": "1"}\n')
    with pytest.raises(DamagedFile, match="judgement 2"):
        topic.history()
    (topic.folder / "topic.json").write_text("[]")
    with pytest.raises(DamagedFile, match=r"topic\.json"):
        topics.topic("wheat")
    (topics.path / "topics.json").write_text('{"format": "rubricate topics 9"}')
    with pytest.raises(DamagedFile, match="topics 9"):
        Topics.open(topics.path)


def test_terms_of_a_text_follow_the_recipe() -> None:
    assert terms_of("Wheat, WHEAT and corn", RECIPE) == {"and": 1, "corn": 1, "wheat": 2}
    with pytest.raises(InvalidSetting, match="no terms"):
        terms_of("the of and", rb.Recipe(stop="english"))


def test_examples_in_docstrings_are_true() -> None:
    assert doctest.testmod(import_module("rubricate.relevance.routing.feedback")).failed == 0
