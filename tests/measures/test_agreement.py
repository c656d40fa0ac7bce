"""Coefficients of agreement against other people's implementations and published values; adjudication as 004 made its data."""

from __future__ import annotations

import itertools
import json
import math

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from rubricate import agreement
from rubricate.errors import InvalidSetting, UnknownName

N = None
# Krippendorff (2011), four observers and twelve units, missing data
PUBLISHED = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]
# fourteen judgements of ten items on five labels, as they are often shown for Fleiss' kappa: 0.210
FOURTEEN = (
    """0 0 0 0 14  0 2 6 4 2  0 0 3 5 6  0 3 9 2 0  2 2 8 1 1  7 7 0 0 0  3 2 6 3 0  2 5 3 2 2  6 5 2 1 0  0 2 2 3 7"""
)
SCALES = ("nominal", "ordinal", "interval", "ratio")


@st.composite
def judgements(draw: st.DrawFn, missing: bool = True) -> list[list[int | None]]:
    """Annotators x items of 1 to 4, or None."""
    annotators, items = draw(st.integers(2, 5)), draw(st.integers(1, 10))
    label = st.sampled_from([1, 2, 3, 4, *([None] if missing else [])])
    return [draw(st.lists(label, min_size=items, max_size=items)) for _ in range(annotators)]


# -- published values, other implementations


@pytest.mark.parametrize(("scale", "printed"), list(zip(SCALES, (0.743, 0.815, 0.849, 0.797), strict=True)))
def test_alpha_is_the_published_one(scale: str, printed: float) -> None:
    assert round(agreement.krippendorff_alpha(PUBLISHED, scale=scale), 3) == printed


@given(judgements(), st.sampled_from(SCALES))
def test_alpha_is_the_krippendorff_packages(rows: list[list[int | None]], scale: str) -> None:
    found = agreement.krippendorff_alpha(rows, scale=scale)
    table = np.array(rows, dtype=float)
    pairable = table[:, (~np.isnan(table)).sum(axis=0) >= 2]
    if len(np.unique(pairable[~np.isnan(pairable)])) < 2:
        assert math.isnan(found)
        return
    assert found == pytest.approx(krippendorff.alpha(table, level_of_measurement=scale), rel=1e-9, abs=1e-12)


def test_alpha_takes_an_order_for_words() -> None:
    words = {1: "low", 2: "middle", 3: "high", 4: "very high", 5: "highest", None: None}
    rows = [[words[one] for one in row] for row in PUBLISHED]
    found = agreement.krippendorff_alpha(rows, scale="ordinal", order=["low", "middle", "high", "very high", "highest"])
    assert found == pytest.approx(agreement.krippendorff_alpha(PUBLISHED, scale="ordinal"))
    assert found != pytest.approx(agreement.krippendorff_alpha(rows, scale="ordinal"))  # sorted by name


def test_fleiss_kappa_is_the_published_one() -> None:
    rows = np.array(FOURTEEN.split(), dtype=int).reshape(10, 5)
    items = [np.repeat(np.arange(5), row) for row in rows]
    assert round(agreement.fleiss_kappa(np.array(items).T), 3) == 0.210


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30))
def test_cohens_kappa_is_scikit_learns(pairs: list[tuple[str, str]]) -> None:
    a, b = zip(*pairs, strict=True)
    found = agreement.cohen_kappa(a, b)
    if len({*a, *b}) == 1:
        assert math.isnan(found)
        return
    assert found == pytest.approx(cohen_kappa_score(a, b), rel=1e-9, abs=1e-12)
    table = [[sum(pair == (x, y) for pair in pairs) for y in "abc"] for x in "abc"]
    assert agreement.kappa_of_table(table) == pytest.approx(found)
    assert agreement.percent([a, b]) == pytest.approx(np.mean([x == y for x, y in pairs]))


# -- laws


@given(judgements(missing=False))
def test_fleiss_is_alpha_but_for_the_small_sample(rows: list[list[int]]) -> None:
    """alpha = 1 - (1 - kappa) (1 - 1/n), n judgements."""
    kappa, alpha = agreement.fleiss_kappa(rows), agreement.krippendorff_alpha(rows)
    assume(not math.isnan(kappa))
    assert 1 - alpha == pytest.approx((1 - kappa) * (1 - 1 / np.size(rows)))


@given(judgements())
def test_names_and_order_do_not_matter(rows: list[list[int | None]]) -> None:
    renamed = [[None if one is None else f"label {9 - one}" for one in row] for row in rows]
    shuffled = [row[::-1] for row in renamed[::-1]]
    for name in ("percent", "cohen", "fleiss", "krippendorff"):
        found = [agreement.interval(one, of=name, draws=1).value for one in (rows, renamed, shuffled)]
        assert found[1:] == [pytest.approx(found[0], nan_ok=True)] * 2


def test_perfect_agreement_is_one_and_opposition_is_below_zero() -> None:
    same, opposed = [list("aabbc")] * 3, [list("aabb"), list("bbaa")]
    for name in ("percent", "cohen", "fleiss", "krippendorff"):
        assert getattr(agreement.report(same, draws=20).overall, name).value == 1.0
    assert agreement.cohen_kappa(*opposed) == -1.0
    assert agreement.krippendorff_alpha(opposed) < 0
    assert agreement.percent(opposed) == 0.0


def test_kappa_of_many_weighs_pairs_by_the_items_they_share() -> None:
    """With complete data it is Conger's: mean agreement of pairs against mean chance agreement of pairs."""
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 3, size=(4, 50))
    rows[1:, :30] = rows[0, :30]
    pairs = list(itertools.combinations(rows, 2))
    observed = np.mean([np.mean(a == b) for a, b in pairs])
    expected = np.mean([sum(np.mean(a == c) * np.mean(b == c) for c in range(3)) for a, b in pairs])
    found = agreement.interval(rows, of="cohen", draws=1).value
    assert found == pytest.approx((observed - expected) / (1 - expected))

    one_more = np.full((1, 50), np.nan)  # somebody who judged one item, differently: a small part of the whole
    one_more[0, 0] = (rows[0, 0] + 1) % 3
    assert abs(agreement.interval(np.vstack([rows, one_more]), of="cohen", draws=1).value - found) < 0.05


def test_items_judged_once_say_nothing() -> None:
    alone = [[*row, one] for row, one in zip(PUBLISHED, (5, N, N, N), strict=True)]
    for scale in SCALES:
        assert agreement.krippendorff_alpha(alone, scale=scale) == agreement.krippendorff_alpha(PUBLISHED, scale=scale)
    assert agreement.percent(alone) == agreement.percent(PUBLISHED)
    assert agreement.report(PUBLISHED, draws=5).used == 11


# -- reports


def test_a_label_is_judged_against_the_rest() -> None:
    found = agreement.report(PUBLISHED, draws=10)
    assert list(found.labels) == [1, 2, 3, 4, 5]
    for label, coefficients in found.labels.items():
        against_rest = [[None if one is None else one == label for one in row] for row in PUBLISHED]
        assert coefficients.krippendorff.value == pytest.approx(agreement.krippendorff_alpha(against_rest))
        assert coefficients.percent.value == pytest.approx(agreement.percent(against_rest))
        assert math.isnan(coefficients.fleiss.value)  # items have different numbers of judgements
    assert agreement.report(PUBLISHED, scale="ordinal", draws=1).overall.krippendorff.value == pytest.approx(0.8153875)
    assert [row[0] for row in found.table()] == ["label", "overall", *"12345"]
    json.dumps(found.as_dict(), allow_nan=False)


def test_several_labels_are_summed_before_dividing() -> None:
    rng = np.random.default_rng(1)
    first = (rng.random((60, 3)) < [0.5, 0.2, 0.05]).astype(float)
    second = np.where(rng.random((60, 3)) < 0.15, 1 - first, first)
    second[7, 1] = np.nan
    found = agreement.report_indicators([first, second], labels=["x", "y", "z"], draws=200)
    observed, expected = [], []
    for n, name in enumerate("xyz"):
        a, b = first[:, n], second[:, n]
        both = ~np.isnan(b)
        assert found.labels[name].cohen.value == pytest.approx(cohen_kappa_score(a[both], b[both]))
        observed.append(np.mean(a[both] != b[both]))
        expected.append(1 - sum(np.mean(a[both] == c) * np.mean(b[both] == c) for c in (0, 1)))
    assert found.overall.cohen.value == pytest.approx(1 - sum(observed) / sum(expected))
    assert found.overall.percent.value == pytest.approx(1 - np.mean(observed))
    assert (found.annotators, found.items, found.used) == (2, 60, 60)
    for name in ("percent", "cohen", "krippendorff"):
        one = getattr(found.overall, name)
        assert one.low < one.value < one.high


def test_intervals_of_agreement_cover() -> None:
    def judged(n: int, seed: int) -> np.ndarray:
        rng = np.random.default_rng(seed)
        truth = rng.choice(3, size=n, p=[0.5, 0.3, 0.2])
        return np.array([np.where(rng.random(n) < 0.25, rng.integers(0, 3, n), truth) for _ in range(3)])

    names = ("percent", "krippendorff")
    large = judged(100_000, 10**6)
    true = [agreement.interval(large, of=name, draws=1).value for name in names]
    covered = np.zeros(2)
    for seed in range(400):
        judgements_of_60 = judged(60, seed)
        found = [agreement.interval(judgements_of_60, of=name, draws=300, random_state=seed) for name in names]
        covered += [one.low <= value <= one.high for one, value in zip(found, true, strict=True)]
    assert (covered / 400 >= 0.91).all()
    assert (covered / 400 <= 0.98).all()


def test_the_same_seed_gives_the_same_interval() -> None:
    one, same, other = (agreement.interval(PUBLISHED, draws=50, random_state=seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other
    assert one.value == other.value
    assert one.draws == 50


# -- adjudication

LIKELY = {"Likely Indoor": "Indoor", "Likely Outdoor": "Outdoor"}


def test_gold_is_what_all_are_definite_about() -> None:
    rows = [
        ["Indoor", "Indoor", "Likely Outdoor", "Ambiguous", "Outdoor", "Indoor", None],
        ["Indoor", "Outdoor", "Outdoor", "Outdoor", None, "Likely Indoor", None],
        [None, None, None, None, "Outdoor", "Likely Indoor", "Outdoor"],
    ]
    gold = agreement.adjudicate(rows, likely=LIKELY, undecided=["Ambiguous"])
    assert gold.labels == ("Indoor", None, None, None, "Outdoor", None, None)
    assert gold.kept == (0, 4)
    why = {one.item: one.why for one in gold.dropped}
    assert why == {1: "disagree", 2: "only likely", 3: "undecided", 5: "only likely", 6: "too few"}
    assert gold.likely == {2: "Outdoor", 5: "Indoor"}
    assert set(gold.reasons) == set(agreement.REASONS)


def test_sables_first_data_set_is_told_in_a_sentence() -> None:
    """004 sec. 4.1: 1,675 images judged twice, 1,339 (79.9 %) with a definite label in the same direction, 401 Indoor."""
    author = ["Indoor"] * 401 + ["Outdoor"] * 938 + ["Indoor"] * 336
    volunteers = [[None] * 1675 for _ in range(3)]
    for item in range(1675):
        volunteers[item % 3][item] = author[item] if item < 1339 else "Likely Indoor"
    gold = agreement.adjudicate([author, *volunteers], likely=LIKELY)
    assert str(gold) == (
        "1,675 items: 1,339 kept (79.9 %), 336 dropped (all lean the same way, not all are definite 336)"
    )
    assert [gold.labels.count(label) for label in ("Indoor", "Outdoor")] == [401, 938]


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(
            st.lists(st.sampled_from(["x", "y", "maybe x", "?", None]), min_size=n, max_size=n), min_size=0, max_size=12
        )
    ),
    st.integers(1, 3),
)
def test_items_in_are_items_kept_and_items_dropped(items: list[list[str | None]], at_least: int) -> None:
    rows = list(zip(*items, strict=True))
    gold = agreement.adjudicate(rows, likely={"maybe x": "x"}, undecided=["?"], at_least=at_least)
    assert sorted([*gold.kept, *(one.item for one in gold.dropped)]) == list(range(len(items)))
    assert sum(gold.reasons.values()) == len(gold.dropped)
    for item, label in enumerate(gold.labels):
        said = [one for one in items[item] if one is not None]
        definite = len(said) >= at_least and set(said) in ({"x"}, {"y"})
        assert label == (said[0] if definite else None)
        assert (item in gold.kept) == definite


def test_sets_of_labels_agree_if_they_are_the_same() -> None:
    one, other = frozenset({"grain", "trade"}), frozenset({"grain"})
    gold = agreement.adjudicate([[one, one, frozenset()], [one, other, frozenset()]])
    assert gold.labels == (one, None, frozenset())
    assert gold.kept == (0, 2)


def test_bad_choices_are_told() -> None:
    for call, told in (
        (lambda: agreement.percent([[1, 2]]), "1 annotators"),
        (lambda: agreement.percent([[1, 2], [1]]), r"\[1, 2\] judgements"),
        (lambda: agreement.fleiss_kappa(PUBLISHED), r"\[1, 2, 3, 4\] judgements.*krippendorff_alpha"),
        (lambda: agreement.krippendorff_alpha([["a", "b"], ["a", "a"]], scale="interval"), "not numbers"),
        (lambda: agreement.krippendorff_alpha([[-1, 2], [1, 2]], scale="ratio"), "at least 0"),
        (lambda: agreement.krippendorff_alpha([[1, 2], [1, 2]], order=[1]), r"\['2'\]"),
        (lambda: agreement.kappa_of_table([[1, 2, 3], [4, 5, 6]]), r"\(2, 3\)"),
        (lambda: agreement.report_indicators([[1, 0], [1, 1]]), r"\(2, 2\)"),
        (lambda: agreement.report_indicators(np.full((2, 3, 2), 2.0)), "0, 1 and nan"),
        (lambda: agreement.report_indicators(np.zeros((2, 3, 2)), labels=["x"]), "1 labels for 2"),
        (lambda: agreement.report([[], []]), "0 items"),
        (lambda: agreement.adjudicate([["a"], ["a", "b"]]), r"\[1, 2\]"),
        (lambda: agreement.adjudicate([["a"]], at_least=0), "at_least=0"),
    ):
        with pytest.raises(InvalidSetting, match=told):
            call()
    with pytest.raises(UnknownName, match="interval, nominal, ordinal, ratio"):
        agreement.krippendorff_alpha(PUBLISHED, scale="metric")
    with pytest.raises(UnknownName, match="cohen, fleiss"):
        agreement.interval(PUBLISHED, of="scott")
