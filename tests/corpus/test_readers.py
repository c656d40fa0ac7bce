"""Reading: every format, plain and packed, by content; which columns are what; the account that always adds up."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import subprocess
import sys
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rubricate as rb
from rubricate.corpus import Reject
from rubricate.corpus.readers import FORMATS
from rubricate.corpus.readers.html import html_text
from rubricate.corpus.readers.sources import Overlong, lines
from rubricate.errors import InputError, InvalidSetting, RejectedRow, TooLarge, UnknownName

TEXTS = ["the first text", "naïve Ω 漢字 😀", 'quotes " and, commas\nand lines']
LABELS = [("x",), ("x", "y"), ()]


def zstd(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    packed: bytes = sink.getvalue().to_pybytes()
    return packed


PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstd,
}


def as_csv(delimiter: str = ",") -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerow(["id", "text", "labels"])
    for n, (text, labels) in enumerate(zip(TEXTS, LABELS, strict=True)):
        writer.writerow([f"d{n}", text, json.dumps(labels) if labels else ""])
    return out.getvalue().encode()


def as_jsonl() -> bytes:
    rows = zip(TEXTS, LABELS, strict=True)
    return b"".join(
        json.dumps({"id": f"d{n}", "text": text, "labels": labels}).encode() + b"\n"
        for n, (text, labels) in enumerate(rows)
    )


def as_parquet() -> bytes:
    out = io.BytesIO()
    table = pa.table({"id": ["d0", "d1", "d2"], "text": TEXTS, "labels": [list(labels) for labels in LABELS]})
    pq.write_table(table, out)
    return out.getvalue()


CONTENT = {"jsonl": as_jsonl, "csv": as_csv, "tsv": lambda: as_csv("\t"), "parquet": as_parquet}


def write(path: Path, content: bytes | str) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read_documents(path: Any, **options: Any) -> list[rb.Document]:
    """All documents; the law of the account is checked on the way."""
    corpus = rb.read(path, **options)
    documents = list(corpus.documents())
    assert corpus.tally.rows_in == corpus.tally.kept + corpus.tally.rejected
    assert corpus.tally.kept == len(documents)
    assert corpus.tally.complete
    return documents


# formats and packings


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("kind", CONTENT)
def test_format_and_packing_are_known_by_content(tmp_path: Path, kind: str, packing: str) -> None:
    path = write(tmp_path / "no_ending", PACKINGS[packing](CONTENT[kind]()))
    documents = read_documents(path)
    assert [document.id for document in documents] == ["d0", "d1", "d2"]
    assert [document.text for document in documents] == TEXTS
    assert [document.labels for document in documents] == LABELS


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_wrong_name_does_not_matter(tmp_path: Path, packing: str) -> None:
    path = write(tmp_path / "wrong.csv.bz2", PACKINGS[packing](as_parquet()))
    assert [document.text for document in read_documents(path)] == TEXTS


def test_several_members_are_one_input(tmp_path: Path) -> None:
    for name, pack in PACKINGS.items():
        path = write(tmp_path / name, pack(b'{"text":"a"}\n') + pack(b'{"text":"b"}\n'))
        assert [document.text for document in read_documents(path)] == ["a", "b"]


@pytest.mark.parametrize("packing", ["gz", "bz2", "xz", "zst"])
def test_a_packed_file_cut_short_is_told(tmp_path: Path, packing: str) -> None:
    whole = PACKINGS[packing](os.urandom(3000).hex().join(['{"text":"', '"}\n']).encode())
    with pytest.raises(InputError, match=r"in the middle|damaged"):
        read_documents(write(tmp_path / "a", whole[: len(whole) // 2]))
    if packing != "zst":
        with pytest.raises(InputError, match=r"follows the compressed data|damaged"):
            read_documents(write(tmp_path / "a", whole + b"this is junk, not data"))


def test_fasttext_lines(tmp_path: Path) -> None:
    content = "__label__x __label__y two labels\n\n__label__x one\nnone at all\n__label__z\nlate __label__w label\n"
    corpus = rb.read(write(tmp_path / "a.txt", content))
    documents = list(corpus.documents())
    assert [(document.text, document.labels) for document in documents] == [
        ("two labels", ("x", "y")),
        ("one", ("x",)),
        ("none at all", ()),
        ("", ("z",)),
        ("late label", ("w",)),
    ]
    assert sum(corpus.tally.repairs.values()) == 1


def test_a_folder_per_label(tmp_path: Path) -> None:
    for name in ("b/2.txt", "b/deep/er.txt", "a/1.txt", "root.txt", ".hidden/x", "a/.DS_Store"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"text of {name}")
    (tmp_path / "a" / "packed").write_bytes(gzip.compress("gepackt".encode("utf-16")))
    (tmp_path / "a" / "latin").write_bytes("café".encode("latin-1"))
    corpus = rb.read(tmp_path)
    documents = list(corpus.documents())
    assert [(document.id, document.labels) for document in documents] == [
        ("a/1.txt", ("a",)),
        ("a/packed", ("a",)),
        ("b/2.txt", ("b",)),
        ("b/deep/er.txt", ("b",)),
        ("root.txt", ()),
    ]
    assert documents[1].text == "gepackt"
    assert corpus.tally.repairs["hidden file or folder skipped"] == 2
    assert corpus.tally.first[0].where == f"{tmp_path}/a/latin"
    assert 'encoding="latin-1"' in corpus.tally.first[0].reason
    assert "café" in [document.text for document in read_documents(tmp_path, encoding="latin-1")]


MBOX = b"""From a@example.org Thu Jan  1 10:00:00 2026
Message-ID: <1@example.org>
Subject: =?utf-8?q?Caf=C3=A9?= on
 two lines
Date: Thu, 01 Jan 2026 10:00:00 +0200
X-Gmail-Labels: Inbox,Important
Content-Type: multipart/alternative; boundary="b"

preamble
--b
Content-Type: text/html

<p>ignored</p>
--b
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

caf=E9 =
au lait
--b--

From b@example.org Thu Jan  1 11:00:00 2026
X-Label: spam
Content-Type: text/html; charset=utf-8

<style>p { x }</style><p>one &amp; <b>tw</b>o<br>three</p>
"""


def test_mbox_gives_subject_and_body(tmp_path: Path) -> None:
    documents = read_documents(write(tmp_path / "a", MBOX), keep=["Date"])
    assert [(document.id, document.labels) for document in documents] == [
        ("<1@example.org>", ("Inbox", "Important")),
        ("row-2", ("spam",)),
    ]
    assert documents[0].fields == {"subject": "Café on two lines", "body": "café au lait"}
    assert documents[1].fields["body"].split() == ["one", "&", "two", "three"]
    assert documents[0].kept == {"Date": "2026-01-01T08:00:00+00:00"}
    first = read_documents(tmp_path / "a", text="body", labels="Subject")[0]
    assert (first.fields, first.labels) == ({"body": "café au lait"}, ("Café on two lines",))
    with pytest.raises(InvalidSetting):
        rb.read(tmp_path / "a", text="sender")
    with pytest.raises(InputError, match="does not begin with a From line"):
        rb.read(write(tmp_path / "b", "text\na\n"), format="mbox")


def test_an_unknown_format_lists_the_known(tmp_path: Path) -> None:
    with pytest.raises(UnknownName) as error:
        rb.read(write(tmp_path / "a", "text\na\n"), format="xml")
    assert error.value.choices == sorted(FORMATS)


def test_a_wrong_format_names_the_option(tmp_path: Path) -> None:
    path = write(tmp_path / "a", "one line of prose\nand another\n")
    with pytest.raises(InputError, match="format="):
        rb.read(path)
    with pytest.raises(InputError, match="format="):
        rb.read(path, format="parquet")
    with pytest.raises(InputError, match=r'format="folders"'):
        rb.read(tmp_path, format="jsonl")
    with pytest.raises(InputError, match="a file where a folder is wanted"):
        rb.read(path, format="folders")
    assert len(rb.read(path, format="fasttext")) == 2


def test_a_csv_whose_header_looks_like_json_is_told_by_its_name(tmp_path: Path) -> None:
    documents = read_documents(write(tmp_path / "a.csv", "{text},text\n1,a\n"))
    assert [document.text for document in documents] == ["a"]


def test_several_files_are_one_corpus(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{n}.jsonl", f'{{"text":"{n}"}}\n') for n in range(3)]
    paths.append(write(tmp_path / "3.jsonl.gz", gzip.compress(b'{"text":"3"}\n')))
    assert [document.text for document in read_documents(paths)] == ["0", "1", "2", "3"]
    assert [document.id for document in read_documents(map(str, paths))] == ["row-1", "row-2", "row-3", "row-4"]
    paths.append(write(tmp_path / "b.csv", "text\na\n"))
    with pytest.raises(InputError, match="looks like csv where"):
        rb.read(paths)
    other = write(tmp_path / "c.csv", "id,body\n1,b\n")
    corpus = rb.read([paths[-1], other])
    with pytest.raises(InputError, match=r"c\.csv line 1: there is no column text"):
        list(corpus)
    assert corpus.tally.kept == 1


# standard input


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("kind", CONTENT)
def test_standard_input_is_looked_at_and_read(monkeypatch: pytest.MonkeyPatch, kind: str, packing: str) -> None:
    class Standard:
        buffer = io.BufferedReader(io.BytesIO(PACKINGS[packing](CONTENT[kind]())))

    monkeypatch.setattr(sys, "stdin", Standard)
    corpus = rb.read("-")
    assert [document.text for document in corpus.documents()] == TEXTS
    with pytest.raises(InputError, match="only once"):
        list(corpus)


def test_standard_input_can_be_held_and_is_never_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Standard:
        buffer = io.BufferedReader(io.BytesIO(as_jsonl()))

    monkeypatch.setattr(sys, "stdin", Standard)
    corpus = rb.read("-").in_memory()
    assert corpus.texts == corpus.texts == TEXTS
    assert not Standard.buffer.closed
    with pytest.raises(InvalidSetting, match="named twice"):
        rb.read(["-", "-"])


def test_a_pipe_is_read_to_its_end() -> None:
    code = "import rubricate as rb; c = rb.read('-'); print(sum(b.num_rows for b in c), c.tally.first[0].where)"
    src = str(Path(rb.__file__).parents[1])
    content = b"".join(b'{"text":"document %d"}\n' % n for n in range(50_000)) + b"broken\n"
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(
        command, input=content, capture_output=True, env={**os.environ, "PYTHONPATH": src}, check=True
    )
    assert done.stdout.split() == [b"50000", b"-", b"line", b"50001"]


# columns


@pytest.mark.parametrize(
    ("names", "text", "labels", "own"),
    [
        (["text", "title", "body", "label", "id"], ("title", "text"), "label", "id"),
        (["text", "label"], ("text",), "label", None),
        (["title", "body", "category"], ("title", "body"), "category", None),
        (["subject", "message", "uid"], ("subject", "message"), None, "uid"),
        (["abstract", "topics", "labels"], ("abstract",), "labels", None),
        (["Text", "Label", "ID"], ("Text",), "Label", "ID"),
    ],
)
def test_the_usual_columns_are_found(
    tmp_path: Path, names: list[str], text: tuple[str, ...], labels: str | None, own: str | None
) -> None:
    values = [f"value of {name}" for name in names]
    table = write(tmp_path / "a.csv", ",".join(names) + "\n" + ",".join(values) + "\n")
    jsonl = write(tmp_path / "a.jsonl", json.dumps(dict(zip(names, values, strict=True))))
    pq.write_table(pa.table({name: [value] for name, value in zip(names, values, strict=True)}), tmp_path / "a.parquet")
    for path in (table, jsonl, tmp_path / "a.parquet"):
        corpus = rb.read(path)
        (document,) = corpus.documents()
        assert corpus.fields == text
        assert document.fields == {name: f"value of {name}" for name in text}
        assert document.labels == ((f"value of {labels}",) if labels else ())
        assert document.id == (f"value of {own}" if own else "row-1")
        noted = "no label column found: documents have no labels" in corpus.tally.repairs
        assert noted == (labels is None)


def test_columns_can_be_named_and_kept(tmp_path: Path) -> None:
    rows = [{"a": "one", "b": "two", "c": ["x"], "d": 7, "when": "2026-01-01", "n": 1.5}]
    jsonl = write(tmp_path / "a.jsonl", "\n".join(map(json.dumps, rows)))
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet")
    table = write(tmp_path / "a.csv", "a,b,c,d,when,n\none,two,x,7,2026-01-01,1.5\n")
    for path in (jsonl, tmp_path / "a.parquet", table):
        (document,) = read_documents(path, text=["b", "a"], labels="c", id="d", keep=["when", "n"])
        assert document == rb.Document("7", {"b": "two", "a": "one"}, ("x",), {"when": "2026-01-01", "n": "1.5"})
        with pytest.raises(InputError, match="there is no column z; columns are: a, b, c, d, when, n"):
            rb.read(path, text="z")
        with pytest.raises(InvalidSetting, match="two roles"):
            rb.read(path, text=["a", "a"])


def test_labels_and_ids_missing_from_the_first_object_are_still_found(tmp_path: Path) -> None:
    lines_ = '{"text":"a"}\n{"text":"b","labels":["x"],"id":"i"}\n'
    documents = read_documents(write(tmp_path / "a.jsonl", lines_))
    assert [(document.id, document.labels) for document in documents] == [("row-1", ()), ("i", ("x",))]


def test_a_label_cell_can_hold_several_labels(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", 'text,label\na,x|y\nb,"[""x"",""y""]"\nc,[not json]\nd,\n')
    assert [document.labels for document in read_documents(path)] == [("x|y",), ("x", "y"), ("[not json]",), ()]
    assert read_documents(path, label_delimiter="|")[0].labels == ("x", "y")
    jsonl = write(tmp_path / "a.jsonl", '{"text":"a","label":"x;y"}')
    assert read_documents(jsonl, label_delimiter=";")[0].labels == ("x", "y")
    with pytest.raises(InvalidSetting):
        rb.read(path, label_delimiter="")


def test_formats_without_columns_refuse_their_names(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "__label__x text\n")
    with pytest.raises(InvalidSetting, match="no columns to name"):
        rb.read(path, labels="label")
    with pytest.raises(InvalidSetting, match="no columns to name"):
        rb.read(tmp_path, keep="date")


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16-le", "utf-32", "utf-8-sig", "shift_jis"])
def test_other_encodings_can_be_named(tmp_path: Path, encoding: str) -> None:
    text = "テスト" if encoding == "shift_jis" else "café"
    for name, content in (
        ("a.csv", f"id,text\n1,{text}\n"),
        ("a.jsonl", f'{{"text":"{text}"}}\n'),
        ("a.ft", f"__label__x {text}"),
    ):
        path = write(tmp_path / name, content.encode(encoding))
        assert [document.text for document in read_documents(path, encoding=encoding)] == [text]


def test_unusable_encodings_are_told(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "text\na\n")
    with pytest.raises(UnknownName, match="encoding"):
        rb.read(path, encoding="no-such")
    with pytest.raises(InvalidSetting, match="line by line"):
        rb.read(path, encoding="utf-7")
    with pytest.raises(InvalidSetting, match="delimiter="):
        rb.read(path, delimiter="::")


# rejects


def test_rejects_go_to_a_file_made_anew_by_each_reading(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", b'{"text":"a"}\nbroken\n{"text":"\xff"}\n{"text":7}\n')
    out = tmp_path / "rejects.jsonl"
    corpus = rb.read(path, rejects=out)
    assert not out.exists()
    for _ in range(2):
        assert len(list(corpus.documents())) == 1
        rows = [json.loads(line) for line in out.read_text().splitlines()]
        assert [row["where"] for row in rows] == [f"{path} line {n}" for n in (2, 3, 4)]
        assert rows[0]["raw"] == "broken\n"
        assert rows[1]["raw"] == '{"text":"\\xff"}\n'
        assert "text is a number (7)" in rows[2]["reason"]


def test_the_rejects_file_is_closed_when_reading_stops_early(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", "broken\n" + '{"text":"a"}\n' * 20_000)
    out = tmp_path / "rejects.jsonl"
    batches = iter(rb.read(path, rejects=out))
    next(batches)
    batches.close()  # type: ignore[attr-defined]
    assert len(out.read_text().splitlines()) == 1


def test_rejects_may_be_a_function_and_strict_stops(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "id,text\n1,a\n2\n3,c\n")
    rejects: list[Reject] = []
    assert len(read_documents(path, rejects=rejects.append)) == 2
    assert [reject.where for reject in rejects] == [f"{path} line 3"]
    with pytest.raises(RejectedRow, match="line 3: 1 cells where the header has 2"):
        read_documents(path, strict=True)


def test_rejects_never_overwrite_the_input(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "id,text\n1,a\n")
    with pytest.raises(InvalidSetting, match="part of the input"):
        rb.read(path, rejects=path)
    with pytest.raises(InvalidSetting, match="part of the input"):
        rb.read(tmp_path, rejects=tmp_path / "label" / "rejects.jsonl")
    with pytest.raises(InputError, match="cannot be written"):
        read_documents(path, rejects=tmp_path / "nowhere" / "rejects.jsonl")


def test_limits_can_be_raised(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl.gz", gzip.compress(b'{"text":"' + b"a" * 20_000_000 + b'"}\n'))
    with pytest.raises(TooLarge, match="max_ratio="):
        read_documents(path)
    assert len(read_documents(path, max_ratio=10_000)) == 1
    with pytest.raises(TooLarge, match="max_bytes="):
        read_documents(path, max_ratio=10_000, max_bytes=1_000_000)
    assert read_documents(path, max_ratio=10_000, max_row_bytes=1_000_000) == []


def test_parquet_by_delta_encoding_whole_number_ids_and_many_groups(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    texts = [f"shared beginning {n}" for n in range(1000)]
    table = pa.table({"id": range(1000), "text": texts, "label": ["x", None] * 500})
    for encoding in ("DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY", "PLAIN"):
        pq.write_table(table, path, row_group_size=300, use_dictionary=["label"], column_encoding={"text": encoding})
        documents = read_documents(path)
        assert [document.text for document in documents] == texts
        assert [document.id for document in documents] == [str(n) for n in range(1000)]
        assert [document.labels for document in documents] == [("x",), ()] * 500


# laws

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
documents_ = st.lists(st.tuples(words, st.lists(words, max_size=3)), max_size=8)
here = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def hygienic(labels: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clean for label in labels if (clean := unicodedata.normalize("NFC", label).strip())))


@here
@given(documents_)
def test_jsonl_comes_back_as_it_went(tmp_path: Path, rows: list[tuple[str, list[str]]]) -> None:
    content = "".join(json.dumps({"text": text, "labels": labels}, ensure_ascii=False) + "\n" for text, labels in rows)
    documents = read_documents(write(tmp_path / "a.jsonl", content))
    assert [(document.text, document.labels) for document in documents] == [
        (text, hygienic(names)) for text, names in rows
    ]


@here
@given(documents_, st.sampled_from(",;\t|"), st.sampled_from(["\n", "\r\n"]))
def test_csv_comes_back_as_it_went(tmp_path: Path, rows: list[tuple[str, list[str]]], separator: str, end: str) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=separator, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerow(["n", "text", "labels"])
    writer.writerows([n, text, json.dumps(labels)] for n, (text, labels) in enumerate(rows))
    documents = read_documents(write(tmp_path / "a.csv", out.getvalue()))
    assert [(document.text, document.labels) for document in documents] == [
        (text, hygienic(names)) for text, names in rows
    ]


@here
@given(documents_)
def test_parquet_comes_back_as_it_went(tmp_path: Path, rows: list[tuple[str, list[str]]]) -> None:
    columns = {"text": pa.array([text for text, _ in rows], pa.string())}
    columns["labels"] = pa.array([labels for _, labels in rows], pa.list_(pa.string()))
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    documents = read_documents(tmp_path / "a.parquet")
    assert [(document.text, document.labels) for document in documents] == [
        (text, hygienic(names)) for text, names in rows
    ]


@here
@given(st.binary(max_size=300), st.sampled_from(sorted({*FORMATS} - {"folders"})))
def test_any_bytes_are_read_or_refused_cleanly(tmp_path: Path, content: bytes, kind: str) -> None:
    path = write(tmp_path / "a", content)
    for how in (kind, None):
        try:
            corpus = rb.read(path, format=how)
            rows = sum(batch.num_rows for batch in corpus)
        except rb.errors.RubricateError:
            continue
        assert corpus.tally.rows_in == corpus.tally.kept + corpus.tally.rejected
        assert corpus.tally.kept == rows


class Dribble:
    """A stream that gives a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data, self._size = io.BytesIO(data), size

    def read(self, size: int, /) -> bytes:
        return self._data.read(min(size, self._size))

    def close(self) -> None:
        pass


@given(
    st.lists(st.sampled_from([b"a", b"bc", b"\n", b"\r", b"\r\n", b'"', b"longer"])),
    st.integers(1, 9),
    st.integers(3, 20),
)
def test_lines_are_the_same_however_the_bytes_arrive(pieces: list[bytes], size: int, limit: int) -> None:
    data = b"".join(pieces)
    split = list(lines(Dribble(data, size), limit))
    expected = data.splitlines(keepends=True)
    assert len(split) == len(expected)
    for line, right in zip(split, expected, strict=True):
        if len(right) > limit:
            assert isinstance(line, Overlong)
            assert line.quotes == right.count(b'"')
            assert right.startswith(line)
        else:
            assert not isinstance(line, Overlong)
            assert line == right


# HTML


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>a</p><p>b</p>", "a b"),
        ("un<b>believ</b>able", "unbelievable"),
        ("<script>var x = '<p>';</script>a<style>b</style>c", "a c"),
        ('<a title="x > y">a</a>', "a"),
        ("1 < 2 &lt; 3 &amp; &eacute;", "1 < 2 < 3 & é"),
        ("a<!-- no > comment -->b", "a b"),
        ("a <unclosed", "a <unclosed"),
        ("<script>never closed", "never closed"),
        ("a &#" + "9" * 100_000 + "; b", "a \ufffd b"),
    ],
)
def test_html_becomes_its_text(page: str, text: str) -> None:
    assert html_text(page).split() == text.split()


@pytest.mark.parametrize(
    "piece", ['<a x="', "<a ", '<a ">" ', "<!-- ", "<script>", "<", "&", "</", "<b>" + "&#x", "<a '>\" "]
)
def test_html_takes_linear_time(piece: str) -> None:
    start = time.process_time()
    html_text(piece * 200_000)
    assert time.process_time() - start < 20  # quadratic time would be many minutes


def test_nested_html_loses_no_word() -> None:
    page = "".join(f"<div>word{n} " for n in range(5000)) + "</div>" * 5000
    assert html_text(page).split() == [f"word{n}" for n in range(5000)]


# a key given twice, among keys and values that look like it


@given(
    st.lists(
        st.tuples(st.sampled_from(["text", "id", "labels", "other"]), st.sampled_from(['"text"', '"id":', "x", "\\"])),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from([":", " : "]),
)
def test_a_key_given_twice_is_noted_whatever_else_the_line_holds(pairs: list[tuple[str, str]], colon: str) -> None:
    def line(extra: list[tuple[str, str]]) -> str:
        return "{" + ",".join(json.dumps(key) + colon + json.dumps(value) for key, value in extra) + "}\n"

    whole = [("text", "a"), ("id", "1"), ("labels", "b")]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl"
        path.write_text(line(whole) + line([*pairs, ("text", "a")]))
        corpus = rb.read(path)
        len(corpus)
    keys = [key for key, _ in pairs] + ["text"]
    repeated = any(keys.count(key) > 1 for key in ("text", "id", "labels"))
    assert corpus.tally.kept == 2
    assert corpus.tally.repairs["a key given twice: the last value was used"] == int(repeated)
