"""The page: no text from outside becomes markup, nothing is fetched or run, all is told in words, same input, same bytes."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubricate import metrics, report, significance, thresholds
from rubricate.evaluation import SHOWN, Bin, Coverage, Curve, Evaluation, choice, evaluate
from rubricate.evaluation.report import plots
from rubricate.evaluation.report.html import compact, name, number, percent, plain_text, text
from rubricate.evaluation.report.plots import nice_ticks
from rubricate.evaluation.report.style import DARK, LIGHT
from rubricate.training.choice import rivals

VOID = {"meta", "br", "hr", "img", "link", "input", "base"}
TAGS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "header",
        "nav",
        "main",
        "section",
        "footer",
        "h1",
        "h2",
        "h3",
        "p",
    ),
    *(
        "ol",
        "ul",
        "li",
        "a",
        "div",
        "span",
        "small",
        "bdi",
        "em",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    ),
    *("figure", "figcaption", "details", "summary", "article", "dl", "dt", "dd", "blockquote"),
    *("svg", "desc", "line", "circle", "path", "rect", "text"),
}
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</style><script>alert(1)</script>",
    "</title></svg><iframe src=//evil.example>",
    "<!--",
    "]]><svg onload=alert(1)>",
    "&lt;b&gt; &amp;amp; &#60;script&#62;",
    "javascript:alert(1)",
    "line\nbreak\ttab\r\nand \x00 \x1b[31m control \x85 \u2028",
    "\u202eevil\u2066 turned\u200f",
    "\ud800 half a character \udfff",
    "x" * 5000,
    "",
    "   ",
    "{{7*7}} ${7*7} %s {0}",
    "العربية / עברית",
    "👩‍👩‍👧 é e\u0301",
]
INNOCENT = "plain"


class Structure(HTMLParser):
    """Elements in order with the names of their attributes; texts apart. What is opened must be closed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, tuple[str, ...]]] = []
        self.values: list[tuple[str, str, str]] = []
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(key for key, _ in attrs)))
        self.values += [(tag, key, value or "") for key, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(key for key, _ in attrs)))
        self.values += [(tag, key, value or "") for key, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def parsed(page: str) -> Structure:
    found = Structure()
    found.feed(page)
    found.close()
    assert found.open == []
    return found


def problem(names: list[str], *, several: bool = True, n: int = 120) -> Evaluation:
    """An evaluation with mistakes of every kind."""
    draw = np.random.default_rng(0)
    width = len(names)
    label = draw.integers(0, width, n)
    truth = np.eye(width, dtype=int)[label]
    if several:
        truth |= draw.random(truth.shape) < 0.15
    scores = draw.normal(0, 1, truth.shape) + 1.8 * truth
    p = np.exp(scores)
    decisions = (scores > 1).astype(int) if several else np.eye(width, dtype=int)[scores.argmax(axis=1)]
    probabilities = p / (p + 3) if several else p / p.sum(axis=1, keepdims=True)
    return evaluate(
        labels=names,
        truth=truth,
        decisions=decisions,
        probabilities=probabilities,
        scores=scores,
        several=several,
        ids=[f"{names[0]} {row}" for row in range(n)],
        draws=20,
    )


def everything(word: Callable[[int], str], *, several: bool = True) -> dict[str, Any]:
    """All there can be on a page, every text made by `word`."""
    names = [f"{n} {word(n)}" for n in range(4)]
    draw = np.random.default_rng(1)
    truth = draw.random((80, 4)) < 0.4
    scores = draw.normal(0, 1, (80, 4)) + truth
    systems = {word(0) + "a": scores > 0.5, word(1) + "b": scores > 1.5}
    return {
        "evaluation": problem(names, several=several),
        "title": word(0),
        "made": {
            word(1): word(2),
            "group": {word(3): [word(4), 1, None]},
            word(5) + "tried": [{word(6): word(7), "f": 0.5}],
        },
        "cuts": thresholds.fit_thresholds(scores, truth, labels=names, draws=20),
        "top_terms": {label: [(word(8), 2.0), (word(9), 1.0)] for label in names},
        "errors": [
            {
                "id": word(10),
                "text": word(11),
                "true": [word(12)],
                "given": [word(13), word(14)],
                "probability": 0.93,
                "label": word(13),
                "words": [(word(15), 0.5), (word(16), -0.2)],
            }
        ],
        "learning_curve": [{"documents": n, "value": 0.5 + n / 1000, "low": 0.4, "high": 0.9} for n in (100, 200, 400)],
        "choice": chosen_by_test(word(0), word(1)),
        "comparison": significance.compare(systems, truth, measure="microF1", draws=50, interval_draws=50),
        "measure": word(17),
    }


def chosen_by_test(chosen: str, other: str) -> dict[str, Any]:
    """What a training kept of its choice: the runner-up, with a test."""
    draw = np.random.default_rng(2)
    truth = draw.random((80, 4)) < 0.4
    own, rival = (np.where(draw.random(truth.shape) < share, ~truth, truth) for share in (0.1, 0.15))
    tests = rivals(chosen, own, [rival], truth, by=metrics.measure("microF1"), draws=50)
    rows = [{"candidate": name, "value": 0.5, "low": 0.4, "high": 0.6} for name in (chosen, other)]
    report_ = {"measure": "microF1", "tried": [rows[0], rows[1] | {"against_chosen": tests[0].as_dict()}]}
    found = choice(report_)
    assert found is not None
    return found


def page_of(given_: dict[str, Any]) -> str:
    rest = dict(given_)
    return report.page(rest.pop("evaluation"), **rest)


def hostile(turn: int) -> Callable[[int], str]:
    return lambda n: HOSTILE[(n + turn) % len(HOSTILE)]


# -- nothing from outside becomes markup


@pytest.mark.parametrize("several", [True, False])
@pytest.mark.parametrize("turn", range(0, len(HOSTILE), 3))
def test_whatever_texts_hold_the_page_has_the_same_elements_and_attributes(turn: int, several: bool) -> None:
    innocent = parsed(page_of(everything(lambda n: f"{INNOCENT} {n}", several=several)))
    attacked = parsed(page_of(everything(hostile(turn), several=several)))
    wanted = [e for e in innocent.elements if e[0] != "em"]  # an empty name is said to be empty, in <em>
    assert [e for e in attacked.elements if e[0] not in ("em", "blockquote")] == [
        e for e in wanted if e[0] != "blockquote"
    ]
    assert {tag for tag, _ in attacked.elements} <= TAGS


def test_nothing_on_the_page_can_load_or_run_anything() -> None:
    page = page_of(everything(hostile(0)))
    found = parsed(page)
    assert page.count("<script") == page.count("<iframe") == page.count("<img") == page.count("<link") == 0
    assert not [
        key for _, key, _ in found.values if key.startswith("on") or key in ("src", "srcset", "style", "xlink:href")
    ]
    assert {value[0] for _, key, value in found.values if key == "href"} == {"#"}
    assert "url(" not in page
    assert "@import" not in page
    policy = [value for tag, key, value in found.values if tag == "meta" and key == "content"]
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in policy
    head = page[: page.index("<title>")]
    assert head.index("Content-Security-Policy") > head.index("charset")


def test_texts_come_out_as_they_went_in() -> None:
    given_ = everything(lambda n: f"<b>&{n}</b>")
    texts = [data for _, data in parsed(page_of(given_)).texts]
    assert "0 <b>&0</b>" in texts
    assert "<b>&11</b>" in texts


def test_names_keep_their_direction_to_themselves() -> None:
    turned = "\u202eabc"
    assert name(turned) == f"<bdi>{turned}</bdi>"
    assert plain_text(turned) == "abc"
    page = page_of(everything(lambda n: turned))
    found = parsed(page)
    outside = {tag for tag, data in found.texts if turned in data}
    assert outside <= {
        "bdi",
        "blockquote",
        "title",
        "th",
        "caption",
        "span",
        "td",
        "dd",
    }  # isolated by style, or alone in a cell
    assert not [data for tag, data in found.texts if tag in ("text", "desc") and "\u202e" in data]
    assert "th,td,caption,blockquote,p,li{unicode-bidi:isolate}" in page


@given(st.text(alphabet=st.characters(), max_size=60))
def test_any_text_is_escaped_encodable_and_on_one_line(value: str) -> None:
    shown = text(value)
    assert not set(shown) & set("<>\"'\n\r\t")
    assert len(text(value, 10).encode()) <= 10 * 8
    found = parsed(f"<p>{shown}</p>")
    assert found.elements == [("p", ())]


def test_a_page_with_half_characters_can_be_written() -> None:
    assert page_of(everything(hostile(2))).encode("utf-8")


# -- the page as a page


def test_the_same_input_gives_the_same_bytes() -> None:
    assert page_of(everything(lambda n: f"w{n}")) == page_of(everything(lambda n: f"w{n}"))


@pytest.mark.parametrize(
    ("part", "key"),
    [
        ("made", "made"),
        ("cuts", "thresholds"),
        ("top_terms", "terms"),
        ("errors", "errors"),
        ("learning_curve", "learning"),
        ("choice", "choice"),
        ("comparison", "comparison"),
    ],
)
def test_a_part_without_input_leaves_no_trace(part: str, key: str) -> None:
    given_ = everything(lambda n: f"w{n}")
    whole, less = page_of(given_), page_of(given_ | {part: None})
    assert f'id="{key}"' in whole
    assert f'"{key}"' not in less
    assert f"#{key}" not in less
    rest = {own: value for own, value in given_.items() if own not in (part, "evaluation")}
    assert report.page(given_["evaluation"], **rest) == less


def test_without_scores_and_probabilities_their_figures_are_left_out() -> None:
    truth = np.eye(3, dtype=int)[np.arange(30) % 3]
    found = evaluate(labels=["a", "b", "c"], truth=truth, decisions=np.roll(truth, 1, axis=0), several=False, draws=10)
    page = report.page(found, title="bare")
    assert [key for key in ("ranking", "probabilities", "person", "thresholds") if f'id="{key}"' in page] == []
    assert [key for key in ("summary", "overall", "labels", "confusion") if f'id="{key}"' in page] != []
    perfect = evaluate(labels=["a", "b", "c"], truth=truth, decisions=truth, several=False, draws=10)
    assert 'id="confusion"' not in report.page(perfect, title="perfect")


def test_links_lead_to_sections_and_headings_go_down_one_at_a_time() -> None:
    found = parsed(page_of(everything(lambda n: f"w{n}")))
    ids = [value for _, key, value in found.values if key == "id"]
    assert len(ids) == len(set(ids)) == 14
    assert [value for tag, key, value in found.values if tag == "a"] == [f"#{own}" for own in ids]
    levels = [int(tag[1]) for tag, _ in found.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("several", [True, False])
def test_tables_and_drawings_are_told_in_words(several: bool) -> None:
    page = page_of(everything(lambda n: f"w{n}", several=several))
    found = parsed(page)
    assert page.count("<table") == page.count("<caption>")
    assert all("scope" in keys for tag, keys in found.elements if tag == "th")
    assert all(
        "aria-label" in keys and "tabindex" in keys for tag, keys in found.elements if tag == "div" and "role" in keys
    )
    drawn = re.findall(r"<svg.*?</svg>", page)
    assert len(drawn) > 30
    for one in drawn:
        root = ET.fromstring(one)  # well-formed as XML as well
        hidden = root.get("aria-hidden") == "true"
        assert hidden or (root.get("role") == "img" and (root.findtext("title") or "").strip())
        if root.get("class") in ("plot", "map"):
            assert (root.findtext("desc") or "").strip()
    for section in re.findall(r"<section.*?</section>", page):
        if re.search(r'class="(plot|map)"', section):
            assert re.search(r"<figcaption>[^<]{40,}|class=\"note\">[^<]{40,}", section)


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_text_and_marks_stand_out_from_the_paper(colours: dict[str, str]) -> None:
    for paper in ("paper", "sheet"):
        assert all(contrast(colours[ink], colours[paper]) >= 4.5 for ink in ("ink", "soft", "accent"))
    assert set(LIGHT) == set(DARK)
    used = set(re.findall(r"var\(--(\w+)\)", page_of(everything(lambda n: f"w{n}"))))
    assert used == set(LIGHT)


def test_the_ring_is_drawn_on_its_line_where_a_threshold_decides() -> None:
    draw = np.random.default_rng(0)
    truth = (draw.random((400, 3)) < 0.3).astype(int)
    scores = draw.normal(0, 1, truth.shape) + truth
    found = evaluate(labels=["a", "b", "c"], truth=truth, decisions=scores > 0.4, scores=scores, several=True, draws=10)
    for curve in found.curves:
        drawn = plots.precision_recall(curve)
        line = re.findall(r'class="line"[^>]*|<path[^>]*class="line"[^>]*', drawn)[0]
        d = re.search(r' d="(.*?)"', line if " d=" in line else drawn)
        ring = re.search(r'<circle[^>]*cx="([\d.]+)" cy="([\d.]+)"', drawn)
        assert d
        assert ring
        assert f"{ring[1]} {ring[2]}" in d[1], "the ring is beside the line"
    assert "moves the ring along the line" in report.page(found, title="a page")
    assert "need not lie on the line" not in report.page(found, title="a page")


def test_where_the_best_label_decides_the_caption_says_what_the_ring_is() -> None:
    found = problem(["a", "b", "c"], several=False)
    shown = report.page(found, title="a page")
    assert "each document is given the label that is best for it" in shown
    assert "need not lie on the line" in shown
    assert "moving the threshold moves" not in shown


def test_a_thousand_labels_make_a_page_that_can_be_mailed() -> None:
    found = problem([f"label {n}" for n in range(1000)], n=3000, several=False)
    page = report.page(found, title="many", top_terms={f"label {n}": [("term", 1.0)] * 20 for n in range(1000)})
    assert len(page.encode()) < 1_500_000
    left = sum(row.met for row in found.labels) - SHOWN
    assert left > 700
    assert f"{left:,} smaller ones are left out here" in page
    assert "940 more labels are in the JSON" in page
    assert "Shown are the 20 labels with most errors, of 1,000" in page


def test_json_has_the_same_parts_and_is_strict() -> None:
    given_ = everything(lambda n: f"w{n}")
    rest = {key: value for key, value in given_.items() if key != "evaluation"}
    told = json.loads(json.dumps(report.numbers(given_["evaluation"], **rest), allow_nan=False))
    assert set(told) == set(given_)
    assert told["evaluation"]["overall"]["microF1"]["value"] == given_["evaluation"].overall["microF1"].value
    assert set(report.numbers(given_["evaluation"], title="t")) == {"title", "evaluation"}


def test_docs_explain_every_section() -> None:
    page = page_of(everything(lambda n: f"w{n}"))
    guide = (Path(__file__).parents[2] / "docs" / "reading-the-report.md").read_text("utf-8")
    for heading in re.findall(r"<h2>(.*?)</h2>", page):
        assert f"## {heading}\n" in guide


# -- figures


def finite(drawn: str) -> None:
    ET.fromstring(drawn)
    assert not re.search(r"\b(nan|inf)\b", drawn)


unit = st.floats(0, 1)


@given(st.lists(st.tuples(unit, unit), min_size=1, max_size=20), unit, unit)
@settings(max_examples=50)
def test_curves_stay_in_their_frame(points: list[tuple[float, float]], a: float, b: float) -> None:
    recall = tuple(sorted(r for r, _ in points))
    drawn = plots.precision_recall(Curve("x", recall, tuple(p for _, p in points), a, b, 0.1))
    finite(drawn)
    for d in re.findall(r' d="(.*?)"', drawn):
        for x, y in re.findall(r"([\d.]+) ([\d.]+)", d):
            assert 0 <= float(x) <= 182
            assert 0 <= float(y) <= 136
    accuracy = tuple(p for _, p in points)
    covered = (*recall[:-1], 1.0)
    finite(plots.coverage_accuracy(Coverage("certainty", recall, covered, accuracy, accuracy, accuracy, a)))
    finite(plots.reliability([Bin(p, q, min(p, q), max(p, q), n) for n, (p, q) in enumerate(points)]))
    finite(
        plots.learning_curve(
            [{"documents": n, "value": q, "low": q, "high": q} for n, (_, q) in enumerate(points)], "F"
        )
    )
    finite(plots.interval_bar(a, min(a, b), max(a, b)))


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6), st.integers(2, 8))
def test_ticks_are_round_and_take_in_the_range(low: float, span: float, about: int) -> None:
    ticks = nice_ticks(low, low + span, about)
    slack = 1e-6 * max(1, abs(low), span)
    assert ticks[0] <= low + slack
    assert ticks[-1] >= low + span - slack
    assert 2 <= len(ticks) <= about + 3


def test_whiskers_show_where_they_go_on_and_thresholds_that_never_give() -> None:
    inside, beyond = plots.whisker(0.5, 0.4, 0.6, (0, 1)), plots.whisker(0.5, -np.inf, 9, (0, 1))
    assert inside.count("<path") == 0
    assert beyond.count("<path") == 2
    finite(beyond)
    assert plots.whisker(np.inf, np.nan, np.nan, (0, 1)) == ""
    truth = np.array([[1, 0]] * 5 + [[0, 0]] * 5)
    cuts = thresholds.fit_thresholds(np.arange(20.0).reshape(10, 2), truth, labels=["0", "1"], draws=10, by="f")
    found = evaluate(labels=["0", "1"], truth=truth, decisions=1 - truth, several=True, draws=10)
    assert "never given" in report.page(found, title="t", cuts=cuts)


def test_goals_are_told_once_if_they_are_all_the_same() -> None:
    given_ = everything(lambda n: f"w{n}")
    scores, truth = np.random.default_rng(0).normal(0, 1, (50, 4)), np.random.default_rng(1).random((50, 4)) < 0.4
    names = [row.label for row in given_["evaluation"].labels]
    alike = thresholds.fit_thresholds(scores, truth, labels=names, draws=10, by=thresholds.Recall(0.9, sure=None))
    mixed = thresholds.fit_thresholds(
        scores, truth, labels=names, draws=10, by=["f", "f", "f", thresholds.Precision(0.5, sure=None)]
    )
    assert "goal: recall of at least 90 %" in page_of(given_ | {"cuts": alike})
    both = page_of(given_ | {"cuts": mixed})
    assert "highest F1</td>" in both
    assert "precision of at least 50 %</td>" in both


def test_a_learning_curve_may_lack_limits() -> None:
    given_ = everything(lambda n: f"w{n}")
    bare = [{"documents": 10, "value": 0.5}, {"documents": 20, "value": 0.6, "low": None, "high": float("nan")}]
    assert 'id="learning"' in page_of(given_ | {"learning_curve": bare})
    assert 'id="learning"' not in page_of(given_ | {"learning_curve": [{"documents": 1, "value": float("nan")}]})
    assert 'id="learning"' not in page_of(given_ | {"learning_curve": []})


def test_a_learning_curve_of_a_loss_falls_and_is_no_percentage() -> None:
    falling = [
        {"documents": n, "value": own, "low": own - 0.01, "high": own + 0.01} for n, own in ((10, 2.31), (20, 1.25))
    ]
    page = page_of(everything(lambda n: f"w{n}") | {"learning_curve": falling, "measure": "logloss"})
    section = page[page.index('<section id="learning"') :].partition("</section>")[0]
    assert "logloss, of which less is better, went from 2.3100 to 1.2500, still falling" in section
    assert "10 documents: 2.3100; 20 documents: 1.2500" in section
    assert "still falls" in section
    assert "231" not in section
    risen = page_of(everything(lambda n: f"w{n}") | {"measure": "microF1"})
    assert "still rises" in risen
    assert "still falls" not in risen


def test_numbers_are_written_for_people() -> None:
    assert [compact(n) for n in (7, 9999, 12_345, 1_234_567, 23_456_789)] == ["7", "9,999", "12k", "1.2M", "23M"]
    assert (percent(0.914), percent(0.914, 1), percent(float("nan")), percent(None)) == ("91", "91.4", "–", "–")
    assert [number(v) for v in (0.5, -2.0, 0.000123, 12)] == ["0.500", "−2.000", "0.00012", "12"]
    assert [number(v) for v in (None, "inf", "-inf")] == ["–", "∞", "−∞"]
