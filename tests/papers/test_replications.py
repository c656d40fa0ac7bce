"""The replications: each runs in a quick form on a sample of the data; and what the full runs left in the repository is sound."""

from __future__ import annotations

import io
import tarfile
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from rubricate.corpus import Corpus, Tally
from rubricate.corpus.readers.archives import members
from rubricate.counts import Counts
from rubricate.counts.term_scores import dkl, idf, kl, ranked, select
from rubricate.measures.metrics import accuracy, break_even
from rubricate.models.from_counts.multinomial import Multinomial
from rubricate.models.from_counts.prtfidf import PrTFIDF
from rubricate.terms.recipe import FIELD_BREAK
from rubricate_papers import plan_of, ready, replicate
from rubricate_papers.frame import VERDICTS, Result
from rubricate_papers.frame.files import read_result, results_in
from rubricate_papers.frame.page import page
from rubricate_papers.frame.text import lines
from rubricate_papers.joachims.newsgroups import Articles, by_training_size, lambdas
from rubricate_papers.joachims.reuters import Stories, balanced, by_words, classify_by_word, correct_by_method
from rubricate_papers.joachims.trials import trial
from rubricate_papers.schneider import trials as schneider
from rubricate_papers.schneider.readings import (
    READINGS,
    TOKENISERS,
    Reading,
    between_spaces,
    pieces,
    runs_of_letters,
    split_at_spaces,
)
from rubricate_papers.schneider.trials import hits_by_size, scaled_kl

RESULTS = Path(__file__).parents[2] / "replications"


STORIES = {
    f"reut2-{n:03d}.sgm" for n in (0, 5, 10, 16, 18)
}  # three of the training stories' files, two of the test stories'


def in_the_sample(parts: tuple[str, ...]) -> bool:
    """Some files of Reuters; of the collections with a file a document all of Cornell's pages and a sixteenth of the rest, drawn
    by name, so that a document in the folders of several labels is in all of them or in none."""
    return parts[-1] in STORIES or "cornell" in parts or zlib.crc32(parts[-1].encode()) % 16 == 0


@pytest.fixture(scope="module")
def sampled_data(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sample of the real documents: that a run is whole and well formed does not depend on their number."""
    folder = tmp_path_factory.mktemp("collections")
    for name in ("20_newsgroups", "ohsumed-first-20000-docs", "reuters21578", "webkb"):
        with tarfile.open(folder / f"{name}.tar", "w") as archive:
            for document in members(real_data / f"{name}.tar.xz", select=in_the_sample, tally=Tally()):
                entry = tarfile.TarInfo("/".join(document.parts))
                entry.size = len(document.data)
                archive.addfile(entry, io.BytesIO(document.data))
    return folder


@pytest.fixture(scope="module")
def quick(request: pytest.FixtureRequest, sampled_data: Path) -> Result:
    return replicate(request.param, data=sampled_data, quick=True)


@pytest.mark.data
@pytest.mark.parametrize("quick", ready(), indirect=True)
def test_the_quick_run_gives_tables_figures_and_verdicts(quick: Result) -> None:
    findings = quick.findings
    assert quick.plan.quick
    assert findings.tables
    assert all(row.what and row.n >= 0 for table in findings.tables for row in table.rows)
    assert any(row.printed is not None for table in findings.tables for row in table.rows)
    assert all(len(row) == len(grid.columns) for grid in findings.grids for row in grid.rows)
    assert all(len(series.x) == len(series.y) for figure in findings.figures for series in figure.series)
    assert all(claim.verdict in VERDICTS and claim.evidence for claim in findings.claims)
    assert findings.fingerprints
    assert "<svg" in page([quick]) or not findings.figures
    assert len(list(lines(quick))) > 5


@pytest.mark.parametrize("name", ready())
def test_a_quick_plan_is_a_part_of_the_full_one(name: str) -> None:
    small, whole = plan_of(name, quick=True), plan_of(name)
    assert (small.quick, whole.quick) == (True, False)
    assert small.folder == whole.folder
    assert set(small.settings) == set(whole.settings)
    assert small.repetitions <= whole.repetitions
    assert plan_of(name, seed=7).seed == 7


@pytest.mark.parametrize("folder", sorted(path.name for path in RESULTS.glob("[0-9]*")))
def test_the_full_run_is_kept_and_as_near_as_asked_or_explained(folder: str) -> None:
    result = read_result(RESULTS / folder / "results" / "result.json")
    assert not result.plan.quick
    assert result.plan.folder == folder
    for row in result.bounded_rows:
        assert row.reached or row.explained, f"{row.what}: {row.ours} for {row.printed}"
    assert result.naive
    assert (RESULTS / folder / "NOTES.md").read_text("utf-8").strip()
    for figure in result.findings.figures:
        assert (RESULTS / folder / "results" / f"{figure.key}.svg").is_file()


def test_the_page_in_the_repository_is_that_of_the_results_kept() -> None:
    assert (RESULTS / "index.html").read_text("utf-8") == page(results_in(RESULTS))


# -- parts of the replications, on small made-up collections


def random_documents(
    seed: int, *, documents: int = 60, terms: int = 40, labels: int = 3
) -> tuple[sparse.csr_array, np.ndarray, list[str]]:
    """Documents whose label makes some words likelier."""
    rng = np.random.default_rng(seed)
    y = np.arange(documents) % labels
    shares = rng.dirichlet(np.full(terms, 0.5), labels)
    X = np.array([rng.multinomial(rng.integers(5, 40), shares[label]) for label in y])
    return sparse.csr_array(X), np.array([f"label{label}" for label in y]), [f"term{n:02d}" for n in range(terms)]


@given(st.integers(0, 50), st.floats(0.5, 1.5))
def test_scaling_p_of_a_word_changes_kl_by_its_share(seed: int, factor: float) -> None:
    X, y, terms = random_documents(seed, labels=2)
    counts = Counts.from_matrix(X, y, terms)
    np.testing.assert_allclose(scaled_kl(1.0)(counts), kl(counts), atol=1e-15)
    between = scaled_kl(0.0)(counts) + factor * (kl(counts) - scaled_kl(0.0)(counts))
    np.testing.assert_allclose(scaled_kl(factor)(counts), between, atol=1e-12)


@given(st.integers(0, 50))
def test_kl_as_read_here_is_that_of_the_package(seed: int) -> None:
    X, y, terms = random_documents(seed, labels=2)
    counts = Counts.from_matrix(X, y, terms)
    np.testing.assert_allclose(READINGS["as printed"](counts), kl(counts), atol=1e-12)
    np.testing.assert_allclose(READINGS["dKL"](counts), dkl(counts), atol=1e-12)


@given(st.integers(0, 30))
def test_stories_found_at_each_size_are_those_of_break_even(seed: int) -> None:
    X, y, terms = random_documents(seed, labels=2)
    train, test = np.arange(0, 40), np.arange(40, 60)
    counts = Counts.from_matrix(X[train], y[train], terms)
    order, truth = ranked(kl(counts)), y[test] == "label1"
    by_size = hits_by_size(counts, order, X[test], truth, [5, 20, 10, 1000])
    for size, hits in zip([5, 20, 10, 40], by_size, strict=True):
        columns = order[:size]
        scores = Multinomial().fit_counts(counts.select(columns)).class_scores(X[test][:, columns])
        assert hits.mean() == pytest.approx(break_even(scores[:, 1] - scores[:, 0], truth.astype(int)).bep[0])


TEXTS = ["The U.S. firm's (B17) cost 1,250.75 dlrs.", "Corn, 7 pct up -- the firm"]


def two_stories() -> Corpus:
    return Corpus.from_texts(TEXTS, [["corn", "ship"], ["corn"]])


def test_tokenisers_of_002_differ_in_what_is_no_plain_word() -> None:
    assert list(between_spaces(TEXTS[0])) == ["the", "cost", "NUM", "dlrs"]
    assert list(between_spaces(f"a title{FIELD_BREAK}a body")) == ["a", "title", "a", "body"]
    assert pieces(f"a title{FIELD_BREAK}a body -- 7") == ["a", "title", "a", "body", "--", "7"]
    corpus = two_stories()
    words = [set(tokenise(corpus, corpus).terms) for tokenise in TOKENISERS.values()]
    assert words[0] == {"NUM", "b", "corn", "cost", "dlrs", "firm", "pct", "s", "the", "u", "up"}
    assert words[1] == set(runs_of_letters(corpus, corpus).terms) == words[0] - {"b"}
    assert words[2] == set(split_at_spaces(corpus, corpus).terms) == words[0] - {"b", "s", "u"}
    assert words[3] < words[0]


def test_numbers_that_cannot_be_chosen_are_still_in_the_total() -> None:
    stories = schneider.in_words(two_stories(), two_stories())
    no_numbers = stories.without_numbers()
    assert (stories.n_words, no_numbers.n_words, no_numbers.numbers) == (16, 13, 3)
    assert no_numbers.share_of_words == Reading("", no_numbers, stories.n_words).factor == 13 / 16


def test_words_chosen_once_are_the_same_for_all_topics() -> None:
    X, y, terms = random_documents(1)
    labels = [[label] for label in y]
    labels[0] = ["label0", "label2"]
    stories = schneider.Stories(X[:40], X[40:], terms, labels[:40], labels[40:])
    counts = stories.all_topic_counts()
    assert counts.n_documents == 41
    order, topics = ranked(kl(counts)), ["label0", "label1", "label2"]
    retrieval = schneider.retrieve_by_shared_words(stories, {"KL": kl}, [5, 20], topics)["KL"]
    for topic in topics:
        counts_of_topic, truth = stories.topic_counts(topic)
        np.testing.assert_array_equal(
            retrieval.hits[topic], hits_by_size(counts_of_topic, order, X[40:], truth, [5, 20])
        )


def test_a_trial_is_fitting_on_the_chosen_words() -> None:
    X, y, terms = random_documents(3)
    counts = Counts.from_matrix(X[:40], y[:40], terms)
    truth = [[label] for label in y[40:]]
    accuracies = trial(counts, X[40:], truth, sizes=[5, 0], drop=2)
    for n, top in enumerate((5, None)):
        columns = select(counts, by="mutual_information", top=top, min_occurrences=3, drop_most_frequent=2)
        fitted = PrTFIDF().fit_counts(counts.select(columns))
        assert accuracies["PrTFIDF"][n] == pytest.approx(100 * accuracy(fitted.predict(X[40:][:, columns]), truth))


def test_training_sets_that_grow_are_counted_as_if_each_were_counted_alone() -> None:
    X, y, terms = random_documents(5, documents=300, terms=150)
    labels = [[label] for label in y]
    articles = Articles(X, terms, labels, labels)
    sizes = [100, 150, 180]
    train, test = articles.split(1)
    order = np.random.default_rng(1).permutation(train)
    for size, result in zip(sizes, by_training_size(articles, 1, sizes), strict=True):
        assert result == trial(articles.counts_of(order[:size]), X[test], articles.truth(test), sizes=[0], drop=100)


def test_a_cross_posted_article_is_trained_in_each_of_its_groups_and_right_in_any() -> None:
    X, y, terms = random_documents(2, documents=30)
    labels = [[label] for label in y]
    labels[0] = ["label0", "label2"]
    articles = Articles(X, terms, labels, [[*groups, "elsewhere"] for groups in labels])
    counts = articles.counts_of(np.arange(30))
    assert counts.n_documents == 31
    assert articles.truth(np.array([0]))[0] == ["label0", "label2", "elsewhere"]
    assert articles.truth(np.array([0]), either=False)[0] == ["label0", "label2"]


def test_lambda_is_the_length_of_a_prototype_over_its_words() -> None:
    X, y, terms = random_documents(4, documents=90, terms=200)
    labels = [[label] for label in y]
    articles = Articles(X, terms, labels, labels)
    result = lambdas(articles, np.arange(90), words=60)
    counts = articles.counts_of(np.arange(90))
    columns = select(counts, by="mutual_information", top=60, min_occurrences=3, drop_most_frequent=100)
    weights, dense = idf(counts)[columns], X.toarray()[:, columns]
    values = [
        np.linalg.norm(dense[y == label].sum(axis=0) * weights) / dense[y == label].sum() for label in sorted(set(y))
    ]
    assert (result.mean, result.sd) == (pytest.approx(np.mean(values)), pytest.approx(np.std(values, ddof=1)))
    assert (result.least, result.largest) == (pytest.approx(min(values)), pytest.approx(max(values)))


def test_a_balanced_subsample_has_all_members_and_as_many_others() -> None:
    member = np.arange(50) % 5 == 0
    rows = balanced(member, np.random.default_rng(0))
    assert len(rows) == len(set(rows)) == 20
    assert set(np.flatnonzero(member)) <= set(rows.tolist())
    assert all(member[rows[:n]].sum() * 2 == n for n in range(2, 21, 2))  # so is each beginning of it


def test_one_word_as_a_classifier_is_counted_right() -> None:
    X = sparse.csr_array(np.array([[1, 0], [0, 1], [2, 1], [0, 0]]))
    stories = Stories(X, X, ["wheat", "corn"], [["wheat"]] * 4, [["wheat"], ["wheat", "corn"], ["corn"], []])
    result = classify_by_word(stories, "wheat")
    assert (result.positives, result.positives_with, result.negatives, result.negatives_with) == (2, 1, 2, 1)
    assert result.correct == 2


def test_answers_story_by_story_are_those_behind_the_accuracy() -> None:
    X, y, terms = random_documents(6, documents=200)
    labels = [["wheat"] if label == "label0" else [] for label in y]
    stories = Stories(X[:120], X[120:], terms, labels[:120], labels[120:])
    accuracies = by_words(stories, "wheat", 3, [10, 0])
    correct = correct_by_method(stories, "wheat", 3, {"PrTFIDF": 10, "TFIDF": 0})
    assert 100 * correct["PrTFIDF"].mean() == pytest.approx(accuracies["PrTFIDF"][0])
    assert 100 * correct["TFIDF"].mean() == pytest.approx(accuracies["TFIDF"][1])
