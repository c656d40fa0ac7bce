"""The frame of experiments: summaries, rows, files, words, drawings, the page."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import orjson
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rubricate.cli.commands.papers import run_replication
from rubricate.errors import DamagedFile, MissingData, UnknownName
from rubricate_papers import PAPERS, ready, replication_named
from rubricate_papers.frame import (
    Best,
    Claim,
    Figure,
    Findings,
    Grid,
    Naive,
    Plan,
    Printed,
    Result,
    Row,
    Series,
    Summary,
    Table,
    Watch,
    alone,
    best_of,
    mean_of_shares,
    over,
    share_of,
    verdict_of,
    verdict_of_parts,
)
from rubricate_papers.frame.figures import figure_svg, standalone_svg
from rubricate_papers.frame.files import read_result, results_in, write_all, write_result
from rubricate_papers.frame.page import page
from rubricate_papers.frame.published import published
from rubricate_papers.frame.text import lines, markdown

NASTY = '<script>alert("x")</script> & "quoted" \u202e'


def example_result(*, quick: bool = False, name: str = "joachims", paper: str = "000") -> Result:
    plan = Plan(
        paper=paper,
        name=name,
        title=f"A title {NASTY}",
        data=("d",),
        split="s",
        recipes=("r",),
        methods=("A", "B"),
        repetitions=3,
        quick=quick,
        settings={"words": [1, 10, 0], "stop": True},
    )
    rows = (
        Row.of("A", Summary(90.0, 89.0, 91.0, 3), Printed("k", 90.3, "table 4", "w"), within=2.5),
        Row.of("B", alone(7.0), Printed("k", 8.0, "table 4", "w")),
        Row.of(NASTY, over([])),
    )
    curves = (
        Series.of("A", [1, 10, 100], [over([1, 2]), over([2, 3]), over([3, 5])]),
        Series(method="B", x=(1.0, 10.0), y=(float("nan"), 2.0)),
        Series(method="A", x=(10.0,), y=(2.4,), printed=True),
    )
    findings = Findings(
        tables=(Table(key="t", title=NASTY, measure="%", rows=rows, where="table 4", note=NASTY),),
        grids=(Grid(key="g", title="Grid", columns=("", "a|b"), rows=(("x", 1.5), ("y", None)), note="n"),),
        figures=tuple(
            Figure(key=f"f{log}", title=NASTY, across="x", up="y", series=curves, log=log) for log in (False, True)
        ),
        claims=(Claim(said=NASTY, verdict="holds", evidence="p = 0.01", where="sec. 1"),),
        best=(Best(task="t", method="A", value=90.0, measure="%", equals=("B",)),),
        notes=(NASTY,),
        fingerprints={"data": "ab" * 32},
    )
    return Result(
        plan=plan,
        findings=findings,
        seconds=12.5,
        stages={"reading": 1.0},
        naive=(Naive(what="from text", seconds=4.0, times=100, how="measured"),),
        versions={"python": "3.11"},
        cores=2,
    )


# -- summaries and rows


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=30))
def test_the_interval_over_repetitions_is_students(values: list[float]) -> None:
    ours = over(values)
    if np.ptp(values) < 1e-9:
        return
    low, high = stats.t.interval(0.95, len(values) - 1, loc=np.mean(values), scale=stats.sem(values))
    assert ours.low == pytest.approx(low, abs=1e-9, rel=1e-9)
    assert ours.high == pytest.approx(high, abs=1e-9, rel=1e-9)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_of_a_share_is_wilsons(hits_and_documents: tuple[int, int]) -> None:
    hits, n = hits_and_documents
    ours, theirs = share_of(hits, n), stats.binomtest(hits, n).proportion_ci(0.95, method="wilson")
    assert ours.value == pytest.approx(100 * hits / n)
    assert (ours.low, ours.high) == (pytest.approx(100 * theirs.low, abs=1e-9), pytest.approx(100 * theirs.high))


def test_the_interval_of_a_mean_of_shares_is_that_of_drawing_documents_anew() -> None:
    n, shares = np.array([40, 300, 90, 700]), np.array([0.4, 0.95, 0.7, 0.9])
    ours = mean_of_shares(n * shares, n)
    sampled = 100 * np.random.default_rng(0).binomial(n, shares, size=(20_000, 4)) / n
    low, high = np.quantile(sampled.mean(axis=1), [0.025, 0.975])
    assert ours.value == pytest.approx(100 * shares.mean())
    assert (ours.low, ours.high) == (pytest.approx(low, abs=0.3), pytest.approx(high, abs=0.3))
    assert ours.n == n.sum()


def test_labels_without_documents_do_not_count_in_a_mean_of_shares() -> None:
    assert mean_of_shares([3, 0], [4, 0]) == mean_of_shares([3], [4])
    assert mean_of_shares([], []).n == 0
    sure = mean_of_shares([4], [4])
    assert sure.value == 100.0
    assert sure.low is not None
    assert sure.low < 100


def test_undefined_repetitions_are_left_out_and_one_has_no_interval() -> None:
    assert over([1.0, float("nan"), 3.0]) == over([1.0, 3.0])
    assert over([2.0]) == Summary(2.0, None, None, 1)
    assert over([]).n == 0
    assert share_of(0, 0).n == 0


def test_a_row_is_as_near_as_asked_or_better_where_that_is_allowed() -> None:
    printed = Printed("k", 80.0, "table 5", "w")
    assert Row.of("a", alone(82.0), printed, within=2.0).reached is True
    assert Row.of("a", alone(82.1), printed, within=2.0).reached is False
    assert Row.of("a", alone(85.0), printed, within=2.0, or_better=True).reached is True
    assert Row.of("a", alone(77.0), printed, within=2.0, or_better=True).reached is False
    assert Row.of("a", alone(85.0), printed).reached is None
    assert Row.of("a", alone(85.0), printed).difference == pytest.approx(5.0)


def test_a_verdict_is_one_of_four() -> None:
    with pytest.raises(UnknownName, match="verdict"):
        Claim(said="s", verdict="perhaps", evidence="e")


def test_a_claim_holds_if_all_its_parts_do_and_in_part_if_some_do() -> None:
    assert verdict_of_parts([True, True]) == verdict_of(True, False) == "holds"
    assert verdict_of_parts([True, False]) == verdict_of(False, True) == "holds in part"
    assert verdict_of_parts(iter([False, False])) == verdict_of(False, False) == "does not hold"


def test_the_best_has_the_highest_value_and_equals_are_those_that_do_not_differ_from_it() -> None:
    values = {"a": 1.0, "b": 3.0, "c": 2.0}
    assert best_of(values, lambda best, other: values[best] - values[other] < 1.5) == ("b", ("c",))


def test_stages_of_a_name_add_up_and_are_reported() -> None:
    progress: list[str] = []
    watch = Watch(progress.append)
    for _ in range(2):
        with watch("reading"):
            pass
    assert list(watch.stages) == ["reading"]
    assert len(progress) == 2
    assert watch.stages["reading"] <= watch.seconds


# -- files


def test_a_result_comes_back_from_its_file(tmp_path: Path) -> None:
    result = example_result()
    write_result(result, tmp_path / "result.json")
    loaded = read_result(tmp_path / "result.json")
    first, again = (replace(version.findings, figures=()) for version in (result, loaded))
    assert first == again
    assert np.isnan(loaded.findings.figures[0].series[1].y[0])  # null in JSON
    assert loaded.plan == result.plan
    assert loaded.naive == result.naive
    assert loaded.findings.figures[0].series[0] == result.findings.figures[0].series[0]
    write_result(loaded, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "result.json").read_bytes()


def test_a_file_that_is_no_result_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="no such file"):
        read_result(tmp_path / "none.json")
    for content in ("", "[]", "{}", '{"format": 1, "result": {"plan": 3}}', '{"format": 99, "result": {}}'):
        (tmp_path / "bad.json").write_text(content)
        with pytest.raises(DamagedFile):
            read_result(tmp_path / "bad.json")


def test_papers_share_a_page_and_quick_runs_keep_apart(tmp_path: Path) -> None:
    where = write_all([example_result()], tmp_path)
    write_all([example_result(name="schneider", paper="002")], tmp_path)
    quick = write_all([example_result(quick=True)], tmp_path)
    assert where.name == "index.html"
    assert quick.name == "quick.html"
    assert [result.plan.folder for result in results_in(tmp_path)] == ["000-joachims", "002-schneider"]
    assert [result.plan.quick for result in results_in(tmp_path, quick=True)] == [True]
    folder = tmp_path / "000-joachims" / "results"
    assert {path.name for path in folder.iterdir()} == {
        "result.json", "plan.json", "published.json", "tables.md", "fFalse.svg", "fTrue.svg",
    }  # fmt: skip
    assert where.read_text("utf-8").count("<section") == 4


# -- words and drawings


def test_the_terminal_shows_ours_beside_the_printed_number() -> None:
    text = "\n".join(lines(example_result()))
    assert re.search(r"A +90.00 +89.00 to 91.00 +90.30 +-0.30 +within 2.5: yes +3 +table 4", text)
    assert "HOLDS" in text
    assert "the naive way about 6.7 min (estimated)" in text


def test_a_bar_in_a_cell_does_not_break_a_table_of_markdown() -> None:
    text = markdown(example_result())
    assert "a\\|b" in text
    bars = [
        line.replace("\\|", "").count("|") for line in text.splitlines() if line.startswith("| x") or "a\\|b" in line
    ]
    assert len(set(bars)) == 1


def test_a_drawing_is_sound_xml_and_safe() -> None:
    for figure in example_result().findings.figures:
        text = standalone_svg(figure)
        ElementTree.fromstring(text)
        assert "<script>" not in text
        assert "hollow: printed in the paper" in text


def dot_figure() -> Figure:
    ours = [Summary(90.0, 89.0, 91.0, 5), Summary(70.0, None, None, 1)]
    return Figure(
        key="dots",
        title=NASTY,
        across="%",
        up="%",
        panels=("one task", f"another {NASTY}"),
        series=(
            Series.by_panel("A", ours),
            Series.by_panel(f"B {NASTY}", [Summary(95.0, 94.0, 96.0, 5), over([])]),
            Series(method="A", x=(0.0,), y=(90.5,), printed=True),
        ),
    )


def test_methods_by_task_are_dots_with_limits_where_there_are_some() -> None:
    root = ElementTree.fromstring(standalone_svg(dot_figure()))
    kinds = [element.get("class") for element in root.iter()]
    assert kinds.count("panel") == 2
    assert kinds.count("mark") == 3  # B has no value in the second task
    assert kinds.count("limits") == 2
    assert kinds.count("ring") == 1
    (desc,) = (element.text for element in root.iter() if element.tag.endswith("desc"))
    assert "one task: A 90 (89 to 91)" in str(desc)
    assert "A as printed 90.5" in str(desc)
    assert "<script>" not in standalone_svg(dot_figure())


def test_dots_stand_where_their_values_are() -> None:
    root = ElementTree.fromstring(standalone_svg(dot_figure()))
    (ours, printed), *_ = (
        [float(str(element.get("cx"))) for element in g.iter() if element.get("cx")]
        for g in root.iter()
        if g.get("class") == "m0"
    )
    ends = next(
        re.findall(r"[\d.]+", str(element.get("d"))) for element in root.iter() if element.get("class") == "limits"
    )
    low, high = float(ends[0]), float(ends[2])
    assert ours == pytest.approx((low + high) / 2, abs=0.2)
    assert printed == pytest.approx(ours + (high - low) / 4, abs=0.2)


def test_dots_come_back_from_a_file(tmp_path: Path) -> None:
    whole = example_result()
    write_result(replace(whole, findings=replace(whole.findings, figures=(dot_figure(),))), tmp_path / "result.json")
    loaded = read_result(tmp_path / "result.json").findings.figures[0]
    assert figure_svg(loaded) == figure_svg(dot_figure())


def test_a_curve_of_one_point_is_drawn() -> None:
    flat = Figure(key="f", title="t", across="x", up="y", series=(Series(method="A", x=(5.0,), y=(3.0,)),), log=True)
    assert "<svg" in figure_svg(flat)


def test_the_page_is_complete_in_itself_and_safe() -> None:
    text = page([example_result(), example_result(name="schneider", paper="002")])
    assert "<script" not in text
    assert "http" not in text.replace("http-equiv", "")
    assert page([example_result(), example_result(name="schneider", paper="002")]) == text
    assert text.count('id="learned"') == 1


# -- the command


def test_the_command_prints_tables_or_json_and_writes_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rubricate_papers.replicate", lambda name, **options: example_result(quick=options["quick"]))
    runner = CliRunner()
    tables = runner.invoke(run_replication, ["000", "--quick", "--out", str(tmp_path / "new")])
    assert tables.exit_code == 0, tables.output
    assert "within 2.5: yes" in tables.stdout
    assert (tmp_path / "new" / "quick.html").is_file()
    as_json = runner.invoke(run_replication, ["joachims", "--json"])
    assert orjson.loads(as_json.stdout)["plan"]["paper"] == "000"
    assert isinstance(runner.invoke(run_replication, ["salton"]).exception, UnknownName)


# -- names and printed figures


def test_a_paper_is_known_by_name_and_number() -> None:
    for name, paper in PAPERS.items():
        assert {replication_named(name), replication_named(f"{paper}-{name.replace('_', '-')}")} == {name}
        assert replication_named(paper) == next(first for first, number in PAPERS.items() if number == paper)
    with pytest.raises(UnknownName, match="joachims"):
        replication_named("salton")


@pytest.mark.parametrize("name", ready())
def test_printed_figures_have_a_place_and_a_key_of_their_own(name: str) -> None:
    figures = published(name)
    assert figures.paper["number"] == PAPERS[name]
    assert all(figure.where and figure.what for figure in figures.values())
    assert figures.find("no such key") is None
    with pytest.raises(UnknownName):
        figures["no such key"]


@pytest.mark.parametrize("name", ready())
def test_a_replication_has_words_for_its_plan_and_all_it_shows(name: str) -> None:
    paper = published(name)
    plan = paper.plan(recipes=["r"], methods=["A"], quick=True, seed=3)
    assert (plan.paper, plan.name, plan.seed, plan.quick) == (PAPERS[name], name, 3, True)
    assert set(paper.texts["plan"]["quick"]) <= set(paper.texts["plan"]["settings"])
    fields = {
        "tables": {"title", "measure"},
        "grids": {"title"},
        "figures": {"title", "across", "up"},
        "claims": {"said", "where"},
    }
    for kind, needed in fields.items():
        assert all(needed <= set(words) for words in paper.texts[kind].values())


def test_values_are_filled_into_the_words_of_a_table() -> None:
    table = published("joachims").table("lambda", [Row.of("mean", alone(1.0))], spread=0.5, spread_prime=0.25)
    assert (table.key, table.measure) == ("lambda", "eq. 24")
    assert "0.500 with IDF, 0.250 with IDF'" in table.note
