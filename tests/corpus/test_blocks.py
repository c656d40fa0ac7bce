"""JSON Lines by compiled code: whatever the bytes, the rows and the account are those of the strict reader."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rubricate as rb
from rubricate.corpus.readers import blocks, delimited

PLAIN = b'{"id": "a", "text": "wheat and corn", "labels": ["grain", "feed"], "date": "1987"}'
AFTER_TEXT = rb"""
"labels": "grain"
"labels": " grain"
"labels": ["x", "x"]
"labels": [""]
"labels": ["e\u0301"]
"labels": ["x", null]
"labels": [["x"]]
"labels": {"x": 1}
"labels": 3
"labels": []
"labels": null
"labels": [], "labels": ["x"]
"id": 7
"id": -7
"id": 0
"id": -0
"id": 1.5
"id": 1e2
"id": 007
"id": 123456789012345678901
"id": true
"id": "row-3"
"id": ""
"id": null
"date": 3
"date": ""
"x": {"text": "b", "y": [1, -2.5e-3, true, false, null, {}, [], "\n"]}
"x": [1,]
"x": [1 2]
"x": 1e999
"x": 01
"x": -
"x": 1.
"x": .5
"x": 1e
"x": nul
"x": tru
"x": nullx
"x": [}
"x": {]}
"x": {"y"}
"x": {"y": 1}, "id": "q"
"text": "b"
""".split(b"\n")
LINES = rb"""
null
7
[]
{}
{
}
[1]
not json
{"text": "a"}
{"text": "a"},
{"text": "a",}
{"text": "a"}}
{"text" "a"}
{"text": null, "text": "b"}
{"te\u0078t": "a"}
{"text": null}
{"text": ["a", "b"]}
{"text": 3}
{"text": "a
{"text": "\u00e9 \ud83d\ude00 \n\t\/\\\"\b\f\r \u0000"}
{"text": "\ud83d"}
{"text": "\ude00"}
{"text": "\ud83d\u0041"}
{"text": "\u12g4"}
{"text": "\x"}
{"text": "\u
{"title": "t", "text": null}
{"title": "t"}
{"text": "a"} {"text": "b"}
""".split(b"\n")
BYTES = [
    b"  ",
    b"\t",
    b"\x0c",
    b"\r",
    b"\xef\xbb\xbf{}",
    b"\xff",
    b'\t{"text":"a"}\r',
    b'{"text": "a\tb"}',
    b'{"text": "a\x7f"}',
]
BYTES += [
    b'{"text": "\xe2\x82"}',
    b'{"text": "\xed\xa0\x80"}',
    b'{"text": "\xf0\x9f\x98\x80 \xd0\xb6"}',
    b'{"text": "a"}\r{"text": "b"}',
]
BYTES += [b'{"text": "a", "labels": ["\xc3\xa9"]}', b'{"text": "a", "x": ' + b"[" * 70 + b"]" * 70 + b"}"]
SPECIAL = [*LINES, *BYTES, *(b'{"text": "a", ' + rest + b"}" for rest in AFTER_TEXT)]


def reading(path: Path, *, compiled: bool, monkeypatch: pytest.MonkeyPatch, **options: Any) -> dict[str, Any]:
    """Everything that a reading gives: rows, rejects, repairs."""
    rejects: list[Any] = []
    with monkeypatch.context() as patch:
        for module in (blocks, delimited):
            patch.setattr(module, "pays", lambda size: compiled)
        patch.setattr(blocks, "SIZE", 200)
        patch.setattr(blocks, "BLOCK", 64)
        patch.setattr(blocks, "MOST_SINGLE", 3)
        try:
            options = {"format": "jsonl", **options}
            corpus = rb.read(path, keep_going=True, rejects=rejects.append, **options)
            rows = [row for batch in corpus for row in batch.to_pylist()]
        except rb.errors.InputError as error:
            return {"error": str(error)}
    tally = corpus.tally
    return {
        "rows": rows,
        "rejects": [(reject.where, reject.reason, reject.raw) for reject in rejects],
        "account": (tally.rows_in, tally.kept, tally.rejected),
        "repairs": dict(tally.repairs),
        "first": dict(tally.first_repairs),
    }


line = st.one_of(
    st.sampled_from(SPECIAL),
    st.just(PLAIN),
    st.builds(
        lambda text, labels, row_id: orjson.dumps({"id": row_id, "labels": labels, "text": text}),
        st.text(max_size=30),
        st.lists(st.text(max_size=4), max_size=3),
        st.integers(0, 30),
    ),
    st.binary(max_size=12),
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("blocks") / "lines.jsonl"


@given(lines=st.lists(line, max_size=40), end=st.sampled_from([b"\n", b"\r\n", b""]))
@example(lines=SPECIAL, end=b"\n")
@example(lines=[*SPECIAL, *SPECIAL[::-1]], end=b"\r\n")
@example(lines=[PLAIN[:8] + str(n).encode() + PLAIN[8:] for n in range(40)], end=b"")
def test_compiled_and_strict_reading_give_the_same_rows_and_the_same_account(
    path: Path, lines: list[bytes], end: bytes
) -> None:
    between = b"\r\n" if end == b"\r\n" else b"\n"
    path.write_bytes(PLAIN + between + between.join(lines) + end)
    with pytest.MonkeyPatch.context() as patch:
        for options in ({}, {"keep": "date"}, {"text": ("title", "text")}, {"encoding": "utf-8"}):
            if options.get("text"):
                path.write_bytes(b'{"title": "t", "text": "x", "id": "first"}\n' + path.read_bytes())
            strict = reading(path, compiled=False, monkeypatch=patch, **options)
            assert reading(path, compiled=True, monkeypatch=patch, **options) == strict


@pytest.mark.parametrize("special", SPECIAL, ids=repr)
def test_each_kind_of_line_alone_among_plain_ones(path: Path, special: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = [orjson.dumps({"id": f"d{n}", "text": "wheat " * n, "labels": ["grain"]}) for n in range(20)]
    random.Random(3).shuffle(plain)
    path.write_bytes(b"\n".join([*plain[:10], special, *plain[10:]]))
    strict = reading(path, compiled=False, monkeypatch=monkeypatch)
    assert reading(path, compiled=True, monkeypatch=monkeypatch) == strict


def test_plain_lines_are_read_in_blocks_and_a_broken_line_does_not_change_that(path: Path) -> None:
    """So it is the compiled way that is compared above."""
    lines = [orjson.dumps({"id": f"d{n}", "text": "wheat", "labels": ["grain"]}) for n in range(1000)]
    lines[500] = b"{broken"
    strict_lines: list[bytes] = []

    def strict_rows(stream: Any, before: int) -> Any:
        strict_lines.append(stream.read(-1))
        return iter(())

    choice = blocks.ColumnChoice(("text",), "labels", "id")
    with pytest.MonkeyPatch.context() as patch, path.open("wb") as file:
        patch.setattr(blocks, "pays", lambda size: True)
        file.write(b"\n".join(lines))
        file.close()
        with path.open("rb") as stream:
            read = list(blocks.read_blocks(stream, 1 << 20, partial(blocks.json_parser, choice), strict_rows))
    assert [len(block.ids) for block in read] == [500, 499]
    assert strict_lines == [b"{broken\n", b""]


def test_a_line_without_an_end_is_not_held(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "LONGEST", 1000)
    path.write_bytes(PLAIN + b"\n" + b'{"text": "' + b"x" * 5000 + b'"}\n' + PLAIN.replace(b'"a"', b'"b"', 1))
    strict = reading(path, compiled=False, monkeypatch=monkeypatch, max_row_bytes=2000)
    compiled = reading(path, compiled=True, monkeypatch=monkeypatch, max_row_bytes=2000)
    assert compiled == strict
    assert compiled["account"] == (3, 2, 1)


HEADER = b"id,text,labels,date\n"
CELLS = [
    b"",
    b"a",
    b"wheat",
    b'"a"',
    b'"a,b"',
    b'"a\nb"',
    b'"a\r\nb"',
    b'"a ""b"" c"',
    b'a"b',
    b'"a" ',
    b'"a"b',
    b'"a',
    b' "a"',
    b"a\rb",
]
CELLS += [
    b'"a\rb"',
    b"[1]",
    b'["x"]',
    b'"[""x"", ""y""]"',
    b" x",
    b"x ",
    "é".encode(),
    "e\u0301".encode(),
    b"\xff",
    b"a\x00b",
    b"=1",
    b'""',
    b'""""',
]
RECORDS = [b"", b" ", b",,,", b"a", b"a,b,c,d,e", b"\r", b"1,2,3,4\r"]

record = st.one_of(
    st.sampled_from(RECORDS),
    st.lists(st.sampled_from(CELLS), min_size=4, max_size=4).map(b",".join),
    st.integers(0, 40).map(lambda n: b'%d,"wheat, corn",grain,1987' % n),
    st.binary(max_size=12),
)


@given(records=st.lists(record, max_size=60), end=st.sampled_from([b"\n", b"\r\n", b""]))
@example(records=[b'%d,"wheat\n, corn",grain,1987' % n for n in range(60)], end=b"\r\n")
@example(
    records=[
        *(b'%d,"wheat\n, corn",grain,1987' % n for n in range(60)),
        b'7,"open',
        *(b"%d,a,b,c" % n for n in range(60)),
    ],
    end=b"",
)
def test_compiled_and_strict_reading_of_tables_are_the_same(path: Path, records: list[bytes], end: bytes) -> None:
    between = b"\r\n" if end == b"\r\n" else b"\n"
    path.write_bytes(HEADER + between.join(records) + end)
    with pytest.MonkeyPatch.context() as patch:
        for options in ({}, {"keep": "date"}, {"text": ("date", "text")}, {"encoding": "utf-8"}, {"labels": "date"}):
            options = {"format": "csv", **options}
            strict = reading(path, compiled=False, monkeypatch=patch, **options)
            assert reading(path, compiled=True, monkeypatch=patch, **options) == strict


@pytest.mark.parametrize("cell", CELLS, ids=repr)
@pytest.mark.parametrize("place", range(4))
def test_each_kind_of_cell_alone_among_plain_ones(
    path: Path, cell: bytes, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = [b'%d,"wheat, ""corn""",grain,1987' % n for n in range(30)]
    special = [b"x", b"y", b"z", b"u"]
    special[place] = cell
    path.write_bytes(b"\n\n" + HEADER + b"\n".join([*plain[:12], b",".join(special), b",".join(special), *plain[12:]]))
    strict = reading(path, compiled=False, monkeypatch=monkeypatch, format="csv")
    assert reading(path, compiled=True, monkeypatch=monkeypatch, format="csv") == strict


def test_plain_records_are_read_in_blocks(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [b'%d,"wheat\nand ""corn""",grain,1987' % n for n in range(1000)]
    lines[500] = b"500,too,many,cells,here"
    path.write_bytes(HEADER + b"\n".join(lines))
    for module in (blocks, delimited):
        monkeypatch.setattr(module, "pays", lambda size: True)
    monkeypatch.setattr(rb.corpus.RowBatch, "arrow", lambda batch: pytest.fail("a batch of single rows"))
    corpus = rb.read(path, format="csv", keep_going=True)
    assert [batch.num_rows for batch in corpus] == [500, 499]
    assert corpus.tally.rejected == 1


def test_no_line_makes_the_kernel_read_or_write_outside_its_arrays(with_bounds_checked: Callable[[str], None]) -> None:
    with_bounds_checked("""
from test_blocks import CELLS, PLAIN, RECORDS, SPECIAL
from rubricate.corpus.readers.columns import ColumnChoice
from rubricate.corpus.readers.blocks import is_utf8, json_parser, table_parser

parser = json_parser(ColumnChoice(("text", "title"), "labels", "id", ("date",)))
for line in SPECIAL:
    for end in range(len(line) + 1):
        if is_utf8(line[:end]):
            parser.parse(PLAIN + b"\\n" + line[:end])
parser.parse(b'{"text":""}\\n' * 1000)
parser.parse(b'{"text":"","labels":[' + b",".join(b'"%d"' % n for n in range(101)) + b"]}\\n")
choice = ColumnChoice(("text",), "labels", "id", ("date",))
parser = table_parser(choice, ["id", "text", "labels", "date"], ",")
for cells in (*RECORDS, *(b",".join([cell, b"a", cell, other]) for cell in CELLS for other in CELLS)):
    for end in range(len(cells) + 1):
        if is_utf8(cells[:end]):
            parser.parse(b"1,2,3,4\\n" + cells[:end])
parser = table_parser(ColumnChoice(("text",), None, None, ()), ["text"], ",")
parser.parse(b"a\\n" * 1000)
""")
