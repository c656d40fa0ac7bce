"""Hostile input, numbered as in the nasty list: a clean error, a reject with its reason, or a documented repair.

Never a crash, a hang or silent loss. The dangerous ones run in a process of their own with a memory and a time limit.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import os
import random
import socket
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rubricate as rb
from rubricate.corpus import Tally
from rubricate.corpus.readers import folders
from rubricate.corpus.readers.columns import ColumnChoice, ColumnRequest
from rubricate.corpus.readers.decompression import Limits
from rubricate.corpus.readers.sources import Source
from rubricate.errors import InputError, InvalidSetting, MissingData, RejectedRow

MEMORY = 2 << 30
SECONDS = 60
PRELUDE = """
import json, os, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), int(sys.argv[1])))
import rubricate as rb
from rubricate.errors import RubricateError

def account(path, **options):
    out, corpus = {"error": None, "rows": 0, "sizes": []}, None
    try:
        corpus = rb.read(path, **options)
        for batch in corpus:
            out["rows"] += batch.num_rows
            for field in corpus.fields:
                out["sizes"] += [len(text) for text in batch.column(field).to_pylist()][:10]
    except RubricateError as error:
        out["error"] = [type(error).__name__, str(error)]
    if corpus is not None:
        tally = corpus.tally
        assert tally.rows_in == tally.kept + tally.rejected and tally.kept == out["rows"], (tally, out)
        out.update(rejected=tally.rejected, reasons=list(tally.reasons), where=[reject.where for reject in tally.first])
        out["repairs"] = list(tally.repairs)
    return out

path = sys.argv[2]
"""


def sandboxed(path: Path, code: str = "print(json.dumps(account(path)))", memory: int = MEMORY) -> dict[str, Any]:
    """Read in a process of its own; the account it printed."""
    command = [sys.executable, "-W", "error", "-c", PRELUDE + code, str(memory), str(path)]
    src = str(Path(rb.__file__).parents[1])
    done = subprocess.run(
        command, capture_output=True, timeout=SECONDS, env={**os.environ, "PYTHONPATH": src}, check=False
    )
    assert done.returncode == 0, (done.returncode, done.stderr.decode()[-2000:])
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture
def in_memory(tmp_path: Path) -> Iterator[Path]:
    """A folder for many or huge sparse files; in memory where the system has such a place, for speed alone."""
    shared = Path("/dev/shm")
    if not (shared.is_dir() and os.access(shared, os.W_OK)):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=shared) as folder:
        yield Path(folder)


def written(folder: Path, name: str, content: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def everything(path: Path | list[Path], **options: Any) -> tuple[list[rb.Document], Any]:
    """All documents, and the tally, whose law is checked here for every test."""
    corpus = rb.read(path, **options)
    documents = list(corpus.documents())
    tally = corpus.tally
    assert tally.rows_in == tally.kept + tally.rejected
    assert tally.kept == len(documents)
    return documents, tally


def texts(documents: list[rb.Document]) -> list[str]:
    return [document.text for document in documents]


# CSV


def test_nasty_01_an_empty_csv_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is empty"):
        rb.read(written(tmp_path, "a.csv", ""))
    with pytest.raises(InputError, match="is empty"):
        rb.read(written(tmp_path, "a.csv", "\n\r\n\n"))


def test_nasty_02_a_header_alone_has_no_documents(tmp_path: Path) -> None:
    documents, tally = everything(written(tmp_path, "a.csv", "id,text,label"))
    assert documents == []
    assert tally.rows_in == 0


def test_nasty_03_an_unclosed_quote_swallows_nothing(tmp_path: Path) -> None:
    rows = "".join(f"{n},fine\n" for n in range(2, 100_002))
    path = written(tmp_path, "a.csv", 'id,text\n0,fine\n1,"open\n' + rows)
    out = sandboxed(path)
    assert out["error"][0] == "TooLarge"
    assert f"{path} line 3: a quoted cell that opens here is still open" in out["error"][1]
    assert out["rows"] == 1  # the row before the quote


def test_nasty_03_rows_after_a_quote_that_never_closes_are_read(tmp_path: Path) -> None:
    rows = "".join(f"{n},fine\n" for n in range(2, 5002))
    documents, tally = everything(written(tmp_path, "a.csv", 'id,text\n0,fine\n1,"open\n' + rows))
    assert len(documents) == 5001
    assert [(reject.where.split()[-1], tally.rejected) for reject in tally.first] == [("3", 1)]
    assert "quote in this line is not closed properly" in tally.first[0].reason


def test_nasty_03_broken_quotes_do_not_cost_quadratic_time(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "x,text\n" + 'a",",b\n' * 90_000)  # each line re-opens the quote it closes
    out = sandboxed(path)
    assert out["error"] is not None
    assert "quotes that are not closed" in out["error"][1]


def test_nasty_04_cr_alone_ends_lines(tmp_path: Path) -> None:
    documents, tally = everything(written(tmp_path, "a.csv", "id,text\r1,a\r2,b\r"))
    assert texts(documents) == ["a", "b"]
    assert "lines end in CR alone" in tally.repairs


def test_nasty_05_utf16_with_a_mark_is_read(tmp_path: Path) -> None:
    documents, tally = everything(written(tmp_path, "a.csv", "id,text\n1,naïve Ω\n".encode("utf-16")))
    assert texts(documents) == ["naïve Ω"]
    assert "read as UTF-16 (byte order mark)" in tally.repairs


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_nasty_05_utf16_without_a_mark_names_the_encoding(tmp_path: Path, encoding: str) -> None:
    path = written(tmp_path, "a.csv", "id,text\n1,naïve\n".encode(encoding))
    with pytest.raises(InputError, match=f'encoding="{encoding}"'):
        rb.read(path)
    assert texts(everything(path, encoding=encoding)[0]) == ["naïve"]


def test_nasty_05_half_a_utf16_character_rejects_its_row(tmp_path: Path) -> None:
    whole = "id,text\n1,a\n2,b".encode("utf-16")
    documents, tally = everything(written(tmp_path, "a.csv", whole + b"\x00"))
    assert texts(documents) == ["a"]
    assert tally.rejected == 1


def test_nasty_06_a_utf8_mark_is_no_part_of_the_header(tmp_path: Path) -> None:
    documents, tally = everything(written(tmp_path, "a.csv", b"\xef\xbb\xbftext,label\na,x\n"))
    assert (texts(documents), documents[0].labels) == (["a"], ("x",))
    assert "UTF-8 byte order mark removed" in tally.repairs


def test_nasty_07_nul_in_a_field_is_kept(tmp_path: Path) -> None:
    assert texts(everything(written(tmp_path, "a.csv", b"id,text\n1,a\0b\n2,c\n"))[0]) == ["a\0b", "c"]


def test_nasty_08_bytes_that_are_not_utf8_reject_their_row_only(tmp_path: Path) -> None:
    documents, tally = everything(written(tmp_path, "a.csv", b"id,text\n1,a\n2,\xff\xfe\x80\n3,c\n"))
    assert texts(documents) == ["a", "c"]
    assert tally.first[0].where.endswith("a.csv line 3")
    assert "encoding=" in tally.first[0].reason
    with pytest.raises(InputError, match="the header is not valid utf-8"):
        rb.read(written(tmp_path, "b.csv", b"\xff\xfe\x80"))


def test_nasty_09_a_field_of_300_kb_is_kept_and_one_of_200_mb_rejected(in_memory: Path) -> None:
    path = in_memory / "a.csv"
    with path.open("wb") as file:
        file.write(b'id,text\n1,"' + b"x" * 300_000 + b'"\n2,"')
        file.seek(200 << 20, os.SEEK_CUR)
        file.write(b'"\n3,fine\n4,"')
        file.seek(200 << 20, os.SEEK_CUR)
        file.write(b'\n2,two lines"\n5,fine\n')
    out = sandboxed(path, memory=1 << 30)
    assert (out["rows"], out["rejected"], out["error"]) == (3, 2, None)
    assert out["sizes"] == [300_000, 4, 4]
    assert out["reasons"] == ["the row has more than 67,108,864 bytes"]


def test_nasty_10_ragged_rows_are_rejected(tmp_path: Path) -> None:
    documents, tally = everything(written(tmp_path, "a.csv", "id,text,label\n1,a\n2,b,x\n3,c,x,y\n4,,,\n"))
    assert texts(documents) == ["b"]
    assert set(tally.reasons) == {"2 cells where the header has 3", "4 cells where the header has 3"}
    assert tally.rejected == 3


def test_nasty_11_duplicate_header_names_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="column names are given twice: text"):
        rb.read(written(tmp_path, "a.csv", "text,label,text\na,b,c\n"))


def test_nasty_12_a_hundred_thousand_columns_are_read(tmp_path: Path) -> None:
    header = ",".join(f"c{n}" for n in range(100_000)) + ",text\n"
    path = written(tmp_path, "a.csv", header + ("1," * 100_000 + "fine\n") * 3)
    out = sandboxed(path)
    assert (out["rows"], out["sizes"]) == (3, [4, 4, 4])
    missing = sandboxed(path, "print(json.dumps(account(path, text='nowhere')))")
    assert "and 99981 more" in missing["error"][1]
    assert len(missing["error"][1]) < 1000
    twice = sandboxed(written(tmp_path, "b.csv", "a," * 100_000 + "text\n"))
    assert "given twice" in twice["error"][1]


@pytest.mark.parametrize("cell", ['=HYPERLINK("http://x")', "+1", "-1", "@sum", "\t=1"])
def test_nasty_13_formula_cells_are_data(tmp_path: Path, cell: str) -> None:
    quoted = cell.replace('"', '""')
    documents, _ = everything(written(tmp_path, "a.csv", f'id,text,label\n1,"{quoted}","{quoted}"\n'))
    assert texts(documents) == [cell]
    assert documents[0].labels == (cell.strip(),)


@pytest.mark.parametrize("separator", [";", "\t", "|", ","])
def test_nasty_14_the_separator_is_found_in_the_header(tmp_path: Path, separator: str) -> None:
    rows = [["id", "text", "label"], ["1", '"a,b;c|d\te"', "x"]]
    path = written(tmp_path, "a.csv", "\n".join(separator.join(row) for row in rows))
    documents, _ = everything(path)
    assert (texts(documents), documents[0].labels) == (["a,b;c|d\te"], ("x",))


def test_nasty_15_missing_columns_are_told_with_those_that_exist(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "alpha,beta\n1,2\n")
    with pytest.raises(InputError, match="no text column found; columns are: alpha, beta"):
        rb.read(path)
    with pytest.raises(InputError, match="there is no column gamma; columns are: alpha, beta"):
        rb.read(path, text="alpha", labels="gamma")
    with pytest.raises(InputError, match="format="):
        rb.read(path)


# JSONL


def test_nasty_16_nested_arrays_are_rejected(tmp_path: Path) -> None:
    deep = b"[" * 200_000 + b"]" * 200_000
    out = sandboxed(written(tmp_path, "a.jsonl", b'{"text":"a"}\n{"text":' + deep + b'}\n{"text":"b"}\n'))
    assert (out["rows"], out["rejected"], out["error"]) == (2, 1, None)
    assert "depth limit" in out["reasons"][0]


@pytest.mark.parametrize("depth", [900, 20_000, 200_000])
def test_nasty_17_nested_objects_are_rejected(tmp_path: Path, depth: int) -> None:
    deep = b'{"text":' * depth + b"1" + b"}" * depth
    out = sandboxed(written(tmp_path, "a.jsonl", b'{"text":"a"}\n' + deep + b'\n{"text":"b"}\n'))
    assert (out["rows"], out["rejected"], out["error"]) == (2, 1, None)


def test_nasty_18_an_integer_of_100_000_digits_is_rejected(tmp_path: Path) -> None:
    out = sandboxed(written(tmp_path, "a.jsonl", b'{"text":"a"}\n{"text":"b","id":' + b"9" * 100_000 + b"}\n"))
    assert (out["rows"], out["rejected"], out["error"]) == (1, 1, None)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_nasty_19_numbers_outside_json_are_rejected(tmp_path: Path, number: str) -> None:
    lines = f'{{"text":"a"}}\n{{"text":"b","score":{number}}}\n'
    documents, tally = everything(written(tmp_path, "a.jsonl", lines))
    assert (texts(documents), tally.rejected) == (["a"], 1)
    assert "not valid JSON" in next(iter(tally.reasons))


def test_nasty_20_a_lone_surrogate_is_rejected(tmp_path: Path) -> None:
    lines = '{"text":"a"}\n{"text":"\\ud800"}\n{"text":"\\ud83d\\ude00"}\n'
    documents, tally = everything(written(tmp_path, "a.jsonl", lines))
    assert (texts(documents), tally.rejected) == (["a", "😀"], 1)


def test_nasty_21_of_a_key_given_twice_the_last_counts_and_it_is_noted(tmp_path: Path) -> None:
    lines = (
        '{"text":"a","text":"b"}\n{"text":"c","x":{"text":"d"}}\n{"text":"\\"text\\":1"}\n{"label":"text","text":"e"}\n'
    )
    documents, tally = everything(written(tmp_path, "a.jsonl", lines))
    assert texts(documents) == ["b", "c", '"text":1', "e"]
    assert tally.repairs["a key given twice: the last value was used"] == 1


def test_nasty_22_a_line_of_1_gb_is_rejected_without_holding_it(in_memory: Path) -> None:
    path = in_memory / "a.jsonl"
    with path.open("wb") as file:
        file.write(b'{"text":"a"}\n{"text":"')
        file.seek(1 << 30, os.SEEK_CUR)
        file.write(b'"}\n{"text":"b"}\n')
    out = sandboxed(path, memory=1 << 30)
    assert (out["rows"], out["rejected"], out["error"]) == (2, 1, None)
    assert out["where"] == [f"{path} line 2"]


def test_nasty_23_a_truncated_last_line_is_rejected(tmp_path: Path) -> None:
    documents, tally = everything(written(tmp_path, "a.jsonl", '{"text":"a"}\n{"text":"b'))
    assert (texts(documents), tally.rejected) == (["a"], 1)
    assert tally.first[0].where.endswith("a.jsonl line 2")


def test_nasty_24_blank_lines_are_nothing_and_a_trailing_comma_is_told(tmp_path: Path) -> None:
    documents, tally = everything(written(tmp_path, "a.jsonl", '\n{"text":"a"}\n  \n{"text":"b"},\n\n'))
    assert (texts(documents), tally.rows_in) == (["a"], 2)
    assert "no comma" in tally.first[0].reason


def test_nasty_25_labels_are_strings_lists_or_null(tmp_path: Path) -> None:
    values = ['"x"', '["x","y"]', "null", "[]", "7", "true", '{"a":1}', '[["x"]]', '["x",7]', "[null]"]
    lines = "".join(f'{{"text":"t{n}","label":{value}}}\n' for n, value in enumerate(values))
    path = written(tmp_path, "tickets.jsonl", lines)
    documents, tally = everything(path)
    assert [document.labels for document in documents] == [("x",), ("x", "y"), (), ()]
    assert tally.rejected == 6
    with pytest.raises(RejectedRow) as error:
        everything(path, strict=True)
    assert str(error.value) == f"{path} line 5: label is a number (7); use a string or a list of strings"


def test_nasty_26_text_that_is_null_is_rejected_and_empty_text_is_kept(tmp_path: Path) -> None:
    lines = '{"text":"a"}\n{"text":null}\n{"label":"x"}\n{"text":""}\n{"text":7}\n{"text":["b","c"]}\n'
    documents, tally = everything(written(tmp_path, "a.jsonl", lines))
    assert (texts(documents), tally.rejected) == (["a", "", "b\nc"], 3)
    two = '{"title":null,"body":"a"}\n{"title":null,"body":null}\n'
    documents, tally = everything(written(tmp_path, "b.jsonl", two))
    assert [document.fields for document in documents] == [{"title": "", "body": "a"}]
    assert tally.rejected == 1


@pytest.mark.parametrize("content", ['[{"text":"a"}]', '\n[\n  {"text":"a"}\n]\n'])
def test_nasty_27_an_array_is_told_with_its_cure(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match=r"JSON array, not one object a line.*jq -c '\.\[\]'"):
        rb.read(written(tmp_path, "a.jsonl", content))
    with pytest.raises(InputError, match=r"several lines.*jq -c \."):
        rb.read(written(tmp_path, "b.json", '{\n  "text": "a"\n}\n'))


# Parquet


def test_nasty_28_a_parquet_file_of_zero_bytes_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is empty"):
        rb.read(written(tmp_path, "a.parquet", b""))


def test_nasty_29_a_truncated_footer_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": ["a", "b"]}), path)
    whole = path.read_bytes()
    for size in (4, 8, len(whole) // 2, len(whole) - 8, len(whole) - 1):
        with pytest.raises(InputError, match="not Parquet, or damaged"):
            rb.read(written(tmp_path, "b.parquet", whole[:size]))


def bomb(path: Path, length: int, rows: int) -> None:
    one = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array(["a" * length]))
    table = pa.table({"text": one}).replace_schema_metadata(None)
    pq.write_table(table, path, compression="zstd", write_statistics=False, store_schema=False)


@pytest.mark.parametrize(("length", "rows"), [(2000, 1_000_000), (2_000_000, 1000), (1 << 20, 100_000)])
def test_nasty_30_a_tiny_parquet_file_does_not_become_gigabytes(tmp_path: Path, length: int, rows: int) -> None:
    path = tmp_path / "a.parquet"
    bomb(path, length, rows)
    assert length * rows > 400_000 * path.stat().st_size
    out = sandboxed(path, memory=1 << 30)
    assert out["error"][0] == "TooLarge"
    assert "max_ratio=" in out["error"][1]


def test_nasty_30_a_row_of_millions_of_labels_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    many = 5_000_000
    values = pa.DictionaryArray.from_arrays(pa.array(np.zeros(many, np.int32)), ["x"])
    labels = pa.ListArray.from_arrays(pa.array([0, many], pa.int32()), values)
    pq.write_table(pa.table({"text": ["a"], "labels": labels}), path, compression="zstd")
    assert path.stat().st_size < 10_000
    out = sandboxed(path, memory=1 << 30)
    assert out["error"][0] == "TooLarge"
    assert "claims 5,000,000 values in 1 rows" in out["error"][1]


def test_nasty_30_a_small_dictionary_is_no_bomb(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    bomb(path, 100, 5000)
    documents, _ = everything(path)
    assert len(documents) == 5000


def test_nasty_31_text_may_be_a_dictionary_or_bytes_but_not_nested(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    folded = pa.array(["a", "b", None]).dictionary_encode()
    for column in (folded, pa.array(["a", "b", None], pa.large_string()), pa.array([b"a", b"b", None])):
        pq.write_table(pa.table({"text": column}), path)
        documents, tally = everything(path)
        assert (texts(documents), tally.rejected) == (["a", "b"], 1)
    pq.write_table(pa.table({"text": pa.array([b"a", b"\xff", b"c"])}), path)
    documents, tally = everything(path)
    assert (texts(documents), list(tally.reasons)) == (["a", "c"], ["text is not valid UTF-8"])
    for column in (pa.array([["a"]]), pa.array([{"x": "a"}]), pa.array([1])):
        pq.write_table(pa.table({"text": column}), path)
        with pytest.raises(InputError, match="text must be strings"):
            rb.read(path)


def varint(number: int) -> bytes:
    """Thrift's whole numbers: zigzag, seven bits a byte."""
    number = number << 1
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


@pytest.mark.parametrize("everywhere", [False, True])
def test_nasty_32_a_footer_that_claims_2_to_the_62_rows_is_refused(tmp_path: Path, everywhere: bool) -> None:
    path = tmp_path / "a.parquet"
    rows = 5_001
    pq.write_table(pa.table({"text": ["a"] * rows}), path, store_schema=False)
    whole = path.read_bytes()
    size = int.from_bytes(whole[-8:-4], "little")
    footer = whole[-8 - size : -8]
    honest, lie = b"\x16" + varint(rows), b"\x16" + varint(1 << 62)
    assert footer.count(honest) >= 2
    footer = footer.replace(honest, lie) if everywhere else footer.replace(honest, lie, 1)
    path.write_bytes(whole[: -8 - size] + footer + len(footer).to_bytes(4, "little") + b"PAR1")
    out = sandboxed(path)
    assert out["error"][0] in ("InputError", "TooLarge")
    assert out["rows"] == 0


def test_nasty_33_flipped_bits_in_parquet_end_in_errors_not_in_crashes(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    rng = random.Random(33)
    words = [" ".join(rng.choices(["alpha", "beta", "gamma", "delta"], k=5)) for _ in range(300)]
    table = pa.table({"id": [str(n) for n in range(300)], "text": words, "labels": [["x"], ["x", "y"], []] * 100})
    pq.write_table(table, path, row_group_size=100, compression="snappy", write_page_checksum=True)
    code = """
import random
whole, rng = open(path, "rb").read(), random.Random(33)
footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
def content():
    try:
        corpus = rb.read(path)
        return [tuple(map(str, (d.id, d.text, d.labels))) for d in corpus.documents()] + [corpus.tally.rejected]
    except RubricateError as error:
        return None
right, out = content(), {"same": 0, "refused": 0, "changed": 0, "changed_data": 0}
for turn in range(1000):
    at = rng.randrange(footer * 8 if turn % 2 else 0, len(whole) * 8)  # the footer is where Arrow is at its weakest
    changed = bytearray(whole)
    changed[at // 8] ^= 1 << at % 8
    open(path, "wb").write(changed)
    found = content()
    kind = "refused" if found is None else "same" if found == right else "changed"
    out[kind] += 1
    out["changed_data"] += kind == "changed" and at // 8 < footer
print(json.dumps(out))
"""
    out = sandboxed(path, code)
    assert out["same"] + out["refused"] + out["changed"] == 1000
    assert out["refused"] > 300
    assert out["changed_data"] == 0  # the checksums of pages hold; nothing in Parquet guards the footer


# Trees and archives


def tree(folder: Path) -> Path:
    root = folder / "tree"
    for label in ("x", "y"):
        (root / label).mkdir(parents=True)
        written(root / label, "1.txt", f"document of {label}")
    return root


def test_nasty_34_a_loop_of_links_is_not_followed(tmp_path: Path) -> None:
    root = tree(tmp_path)
    (root / "x" / "up").symlink_to(root)
    (root / "x" / "self").symlink_to("self")
    documents, tally = everything(root)
    assert [document.id for document in documents] == ["x/1.txt", "y/1.txt"]
    assert tally.rejected == 2
    assert all("link" in reason for reason in tally.reasons)


def test_nasty_35_a_link_out_of_the_folder_is_rejected(tmp_path: Path) -> None:
    root = tree(tmp_path)
    (root / "x" / "passwd").symlink_to("/etc/passwd")
    (root / "x" / "etc").symlink_to("/etc")
    (root / "y" / "inside.txt").symlink_to(root / "x" / "1.txt")
    documents, tally = everything(root)
    assert [document.id for document in documents] == ["x/1.txt", "y/1.txt", "y/inside.txt"]
    assert list(tally.reasons) == ["is a link that leads out of the folder"]
    assert tally.rejected == 2


def test_nasty_36_pipes_sockets_and_devices_are_rejected_unopened(tmp_path: Path) -> None:
    root = tree(tmp_path)
    os.mkfifo(root / "x" / "pipe")
    (root / "x" / "zero").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(root)  # the path of a socket may have 108 bytes only
        try:
            server.bind("x/sock")
        finally:
            os.chdir(here)
        out = sandboxed(root)
    assert (out["rows"], out["rejected"], out["error"]) == (2, 3, None)
    for path in (Path("/dev/zero"), root / "x" / "pipe"):
        assert "not a file" in sandboxed(path)["error"][1]


def test_nasty_37_odd_file_names_are_read(tmp_path: Path) -> None:
    root = tree(tmp_path)
    label = os.fsencode(root / "x")
    names = [b"new\nline", b"..txt..", b"caf\xe9\\.txt", b"n" * 255, b"%2e%2e%2f"]
    for name in names:
        Path(os.fsdecode(label + b"/" + name)).write_text(repr(name))
    documents, tally = everything(root)
    ids = {document.id for document in documents}
    assert {"x/new\nline", "x/caf\\xe9\\\\.txt", "x/" + "n" * 255, "x/%2e%2e%2f"} <= ids
    assert tally.repairs["a file name that is not UTF-8 written with escapes"] == 1
    assert tally.repairs["hidden file or folder skipped"] == 1  # ..txt..
    seen: list[Any] = []
    everything(root, encoding="latin-1", max_row_bytes=5, rejects=seen.append)
    assert seen
    assert all("\n" not in reject.where and reject.where.encode() for reject in seen)


def test_nasty_38_a_tree_of_many_files_streams(in_memory: Path) -> None:
    code = """
for label in "abcd":
    os.mkdir(f"{path}/{label}")
    for n in range(5000):
        with open(f"{path}/{label}/{n}", "w") as file:
            file.write("tiny")
corpus = rb.read(path)
batches = iter(corpus)
next(batches)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
rows = sum(batch.num_rows for batch in batches)
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(json.dumps({"kept": corpus.tally.kept, "rejected": corpus.tally.rejected, "grown": grown}))
"""
    out = sandboxed(in_memory, code)
    assert (out["kept"], out["rejected"]) == (20_000, 0)
    assert out["grown"] < 32 << 10  # kilobytes


def test_nasty_39_files_that_vanish_or_grow_while_read_are_handled(tmp_path: Path) -> None:
    root = tree(tmp_path)
    for n in range(3):
        written(root / "y", f"{n}.txt", "z" * 10)
    tally = Tally()
    source = Source(root, limits=Limits(max_row_bytes=100), encoding="utf-8")
    rows = folders.rows(source, ColumnChoice(), ColumnRequest(), tally)
    assert next(rows).id == "x/1.txt"
    assert next(rows).id == "y/0.txt"  # the names of y are known by now
    (root / "y" / "1.txt").unlink()
    (root / "y" / "2.txt").write_text("z" * 1000)
    assert list(rows) == []
    assert list(tally.reasons) == ["vanished while the folder was read", "has more than 100 bytes"]


def test_nasty_39_a_file_that_grows_after_it_was_measured_stays_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree(tmp_path)
    real = os.open

    def growing(path: Any, flags: int, *rest: Any, **more: Any) -> int:
        descriptor = real(path, flags, *rest, **more)
        if str(path).endswith("x/1.txt"):
            Path(path).write_text("z" * 1000)
        return descriptor

    corpus = rb.read(root, max_row_bytes=100)
    monkeypatch.setattr(os, "open", growing)
    assert [document.id for document in corpus.documents()] == ["y/1.txt"]
    assert corpus.tally.rejected == 1


def test_nasty_40_what_may_not_be_read_is_told() -> None:
    drop = """
import pyarrow, rubricate.corpus.readers.folders, rubricate.corpus.readers.jsonl  # which nobody else may read
if os.getuid() == 0:  # root may read everything
    os.setuid(65534)
print(json.dumps(account(path)))
"""
    with (
        tempfile.TemporaryDirectory() as name
    ):  # of its own: other sessions close pytest's folder to others now and then
        folder = Path(name)
        folder.chmod(0o755)
        root = tree(folder)
        (root / "y" / "1.txt").chmod(0)
        (root / "z").mkdir(mode=0)
        alone = written(folder, "a.jsonl", '{"text":"a"}')
        alone.chmod(0)
        out = sandboxed(root, drop)
        single = sandboxed(alone, drop)
        (root / "z").chmod(0o700)  # so that it can be removed by those who are not root
    assert (out["rows"], out["rejected"]) == (1, 2)
    assert out["reasons"] == ["may not be read by you", "the folder may not be read by you"]
    assert "may not be read by you" in single["error"][1]


def test_nasty_41_a_gzip_bomb_is_stopped(tmp_path: Path) -> None:
    member = gzip.compress(b'{"text":"' + b"a" * (1 << 20) + b'"}\n')
    path = written(tmp_path, "a.jsonl.gz", member * 1024)
    assert path.stat().st_size < 1_200_000
    out = sandboxed(path, memory=1 << 30)
    assert out["error"][0] == "TooLarge"
    assert f"{path}: unpacks to more than 200 times its size" in out["error"][1]
    assert "raise max_ratio=" in out["error"][1]
    out = sandboxed(path, "print(json.dumps(account(path, max_ratio=1e9, max_bytes=50 << 20)))", memory=1 << 30)
    assert "raise max_bytes=" in out["error"][1]
    assert 0 < out["rows"] <= 50


def test_nasty_42_a_bzip2_bomb_is_stopped(tmp_path: Path) -> None:
    member = bz2.compress(b"a" * (40 << 20))
    path = written(tmp_path, "a.jsonl.bz2", bz2.compress(b'{"text":"a"}\n{"text":"') + member * 25)
    assert path.stat().st_size < 3000
    out = sandboxed(path, memory=1 << 30)
    assert out["error"][0] == "TooLarge"


def test_nasty_43_archives_are_never_opened(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../evil.txt", "slip")
    inner = path.read_bytes()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("inner.zip", inner)
    for name in ("a.zip", "a.csv", "a.jsonl"):
        with pytest.raises(InputError, match="is a zip archive; unpack it"):
            rb.read(written(tmp_path, name, path.read_bytes()))
    root = tree(tmp_path)
    written(root / "x", "nested.zip", inner)
    documents, tally = everything(root)
    assert (len(documents), list(tally.reasons)) == (2, ["is a zip archive"])


def test_nasty_43_tar_and_doubly_packed_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tgz"
    with tarfile.open(path, "w:gz") as archive:
        archive.add(written(tmp_path, "b.txt", "text"), "../b.txt")
    with pytest.raises(InputError, match="is a tar archive; unpack it"):
        rb.read(path)
    with pytest.raises(InputError, match="is gzip inside gzip; unpack it once"):
        rb.read(written(tmp_path, "c.gz", gzip.compress(gzip.compress(b"text\na\n"))))


LINES = b"".join(b'{"text":"document %d"}\n' % n for n in range(60_000))


def rows_before_the_error(corpus: rb.Corpus) -> tuple[int, str]:
    """How many rows were handed on before the error, and what it said."""
    rows = 0
    try:
        for batch in corpus:
            rows += batch.num_rows
    except InputError as error:
        return rows, str(error)
    return rows, ""


def test_nasty_44_gzip_with_junk_behind_it_keeps_its_rows_and_is_told(tmp_path: Path) -> None:
    corpus = rb.read(written(tmp_path, "a.jsonl.gz", gzip.compress(LINES) + b"junk"))
    rows, error = rows_before_the_error(corpus)
    assert "not gzip follows the compressed data" in error
    assert "60,000 rows before it were kept" in error
    assert rows == corpus.tally.kept == 60_000


@pytest.mark.parametrize("damage", ["crc", "middle", "cut"])
def test_nasty_44_damaged_gzip_hands_on_the_rows_before_and_is_told(tmp_path: Path, damage: str) -> None:
    packed = bytearray(gzip.compress(LINES))
    if damage == "crc":
        packed[-6] ^= 1
    elif damage == "middle":
        packed[len(packed) * 3 // 4] ^= 0xFF
    else:
        del packed[-len(packed) // 4 :]
    corpus = rb.read(written(tmp_path, "a.jsonl.gz", bytes(packed)))
    rows, error = rows_before_the_error(corpus)
    assert ("in the middle" if damage == "cut" else "damaged") in error
    assert f"{rows:,} rows before it were kept" in error
    assert rows == corpus.tally.kept > 1000
    assert not corpus.tally.complete


def test_nasty_44_zeros_behind_gzip_are_padding(tmp_path: Path) -> None:
    documents, _ = everything(written(tmp_path, "a.jsonl.gz", gzip.compress(b'{"text":"a"}\n') + bytes(1000)))
    assert texts(documents) == ["a"]


# mbox (45 to 50, SGML, are in test_collections.py)

FROM = b"From a@example.org Thu Jan  1 00:00:00 2026\n"


def mail(*headers: bytes, body: bytes = b"text\n") -> bytes:
    return FROM + b"".join(header + b"\n" for header in headers) + b"\n" + body + b"\n"


def test_nasty_51_a_multipart_3000_deep_is_read(tmp_path: Path) -> None:
    parts = b"".join(b"--b%d\nContent-Type: multipart/mixed; boundary=b%d\n\n" % (n, n + 1) for n in range(3000))
    deep = mail(b"Content-Type: multipart/mixed; boundary=b0", body=parts + b"--b3000\n\ninnermost\n--b3000--\n")
    out = sandboxed(written(tmp_path, "a.mbox", deep + mail()))
    assert (out["rows"], out["rejected"], out["error"]) == (2, 0, None)
    assert out["sizes"][2:] == [len("innermost"), len("text\n")]


def test_nasty_52_twenty_thousand_addresses_cost_nothing(tmp_path: Path) -> None:
    to = b"To: " + b",\n ".join(b'"Doe, Jane" <jane%d@example.org>' % n for n in range(20_000))
    out = sandboxed(written(tmp_path, "a.mbox", mail(to, b"Subject: hello") * 5))
    assert (out["rows"], out["error"]) == (5, None)


def test_nasty_53_a_from_line_in_a_body_begins_no_mail(tmp_path: Path) -> None:
    body = b"one\nFrom here on\n\nFrom now on, all is well.\n>From quoted\n>>From twice\n"
    documents, _ = everything(written(tmp_path, "a.mbox", mail(body=body) + mail()))
    assert [document.fields["body"] for document in documents] == [
        "one\nFrom here on\n\nFrom now on, all is well.\nFrom quoted\n>From twice\n",
        "text\n",
    ]


@pytest.mark.parametrize(
    "charset", [b"x-unknown", b"ascii", b"utf-7", b"idna", b"rot13", b"unicode_escape", b"undefined"]
)
def test_nasty_54_an_unknown_or_wrong_charset_falls_back_and_is_noted(tmp_path: Path, charset: bytes) -> None:
    one = mail(
        b"Content-Type: text/plain; charset=" + charset, b"Subject: =?x-unknown?q?caf=E9?=", body=b"caf\xe9 \\ud800\n"
    )
    documents, tally = everything(written(tmp_path, "a.mbox", one))
    assert documents[0].fields == {"subject": "café", "body": "café \\ud800\n"}
    assert sum(tally.repairs.values()) == 1


def test_nasty_55_base64_junk_is_rejected(tmp_path: Path) -> None:
    head = b"Content-Transfer-Encoding: base64"
    damaged = mail(head, body=b"aGVsbG8*gd29ybGQ=\n") + mail(head, body=b"aGVsbG8gd29ybGQ\n")
    documents, tally = everything(written(tmp_path, "a.mbox", damaged + mail(head, body=b"aGVsbG8g\r\nd29ybGQ=\n")))
    assert [document.fields["body"] for document in documents] == ["hello world"]
    assert tally.rejected == 2
    assert all("base64" in reason for reason in tally.reasons)


def test_nasty_56_a_mail_with_attachments_alone_is_rejected(tmp_path: Path) -> None:
    attached = b"--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=x\n\nnot the text\n--b--\n"
    image = mail(b"Content-Type: image/png", body=b"\x89PNG\n")
    both = mail(b'Content-Type: multipart/mixed; boundary="b"', body=attached) + image + mail()
    documents, tally = everything(written(tmp_path, "a.mbox", both))
    assert len(documents) == 1
    assert tally.reasons == {"no text part (attachments only)": 2}


# Text and labels


def both_ways(folder: Path, text: str, label: str = "x") -> list[rb.Document]:
    """The same document through JSONL and CSV."""
    lines = written(folder, "t.jsonl", json.dumps({"text": text, "label": label}))
    table = folder / "t.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["text", "label"], [text, label]])
    return everything(lines)[0] + everything(table)[0]


@pytest.mark.parametrize("text", ["   ", "...!?", "😀👩‍👩‍👧🏳️‍🌈", " \t\r\n "])
def test_nasty_57_text_without_words_is_kept(tmp_path: Path, text: str) -> None:
    assert texts(both_ways(tmp_path, text)) == [text, text]


def test_nasty_58_ten_megabytes_without_a_space_are_kept(tmp_path: Path) -> None:
    path = written(tmp_path, "a.jsonl", '{"text":"' + "x" * 10_000_000 + '"}\n')
    assert sandboxed(path)["sizes"] == [10_000_000]
    assert sandboxed(written(tmp_path, "a.csv", "id,text\n1," + "x" * 10_000_000))["sizes"] == [10_000_000]


@pytest.mark.parametrize(
    "text", ["\u202eabc\u202c", "a\u200bb\ufeffc", "e" + "\u0301" * 10_000, "a\u2028b\x85c\x0bd\x1ce"]
)
def test_nasty_59_odd_unicode_is_kept_as_it_is(tmp_path: Path, text: str) -> None:
    assert texts(both_ways(tmp_path, text)) == [text, text]


def test_nasty_60_labels_that_are_nfc_and_nfd_twins_become_one(tmp_path: Path) -> None:
    lines = '{"text":"a","label":"caf\u00e9"}\n{"text":"b","label":"cafe\u0301"}\n'
    documents, tally = everything(written(tmp_path, "a.jsonl", lines))
    assert {document.labels for document in documents} == {("caf\u00e9",)}
    assert tally.repairs["label put into Unicode form NFC"] == 1


def test_nasty_61_white_space_around_labels_goes_and_case_stays(tmp_path: Path) -> None:
    documents, tally = everything(written(tmp_path, "a.csv", "text,label\na,News\nb,news\nc,news \n"))
    assert [document.labels for document in documents] == [("News",), ("news",), ("news",)]
    assert tally.repairs["white space around a label removed"] == 1


@pytest.mark.parametrize("label", ["<script>alert(1)</script>", "a,b", "a\nb", "a/b", "..", "[x", "__label__"])
def test_nasty_62_odd_labels_are_data(tmp_path: Path, label: str) -> None:
    assert [document.labels for document in both_ways(tmp_path, "t", label)] == [(label,), (label,)]


def test_nasty_63_nul_is_kept_in_text_and_labels(tmp_path: Path) -> None:
    documents = both_ways(tmp_path, "a\0b", "x\0y")
    assert [(document.text, document.labels) for document in documents] == [("a\0b", ("x\0y",))] * 2


def test_nasty_64_surrogates_never_come_through(tmp_path: Path) -> None:
    lines = '{"text":"\\udc80"}\n{"text":"a","label":"\\ud800"}\n{"text":"b","id":"\\udfff"}\n{"text":"ok"}\n'
    documents, tally = everything(written(tmp_path, "a.jsonl", lines))
    assert (texts(documents), tally.rejected) == (["ok"], 3)
    cesu = b"id,text\n1,\xed\xa0\x80\n2,ok\n"  # a surrogate written as UTF-8
    documents, tally = everything(written(tmp_path, "a.csv", cesu))
    assert (texts(documents), tally.rejected) == (["ok"], 1)
    utf16 = "id,text\n1,a".encode("utf-16") + b"\x00\xd8" + "\n2,ok\n".encode("utf-16-le")
    documents, tally = everything(written(tmp_path, "b.csv", utf16))
    assert (texts(documents), tally.rejected) == (["ok"], 1)
    path = tmp_path / "a.parquet"
    broken = pa.Array.from_buffers(pa.string(), 2, pa.array([b"\xed\xa0\x80", b"ok"]).buffers())
    pq.write_table(pa.table({"text": broken}), path)
    documents, tally = everything(path)
    assert (texts(documents), tally.rejected) == (["ok"], 1)


def test_nasty_75_the_same_id_twice_is_rejected(tmp_path: Path) -> None:
    lines = '{"id":1,"text":"a","label":"x"}\n{"id":"1","text":"b","label":"y"}\n{"id":2,"text":"c"}\n'
    path = written(tmp_path, "a.jsonl", lines)
    documents, tally = everything(path)
    assert [document.id for document in documents] == ["1", "2"]
    assert tally.first[0].where.endswith("a.jsonl line 2")
    documents, tally = everything([path, written(tmp_path, "b.jsonl", '{"id":2,"text":"d"}\n')])
    assert tally.rejected == 2


def test_every_number_has_a_test() -> None:
    have = {int(name.split("_")[2]) for name in globals() if name.startswith("test_nasty_")}
    assert have == {*range(1, 45), *range(51, 65), 75}


def test_a_path_that_is_not_there_is_told() -> None:
    for path in ("/nowhere/a.csv", "/etc/passwd/a.csv"):
        with pytest.raises(MissingData, match="there is no such file"):
            rb.read(path)
    with pytest.raises(InputError):
        rb.read("a\0b")
    with pytest.raises(InputError):
        rb.read("n" * 5000)
    with pytest.raises(InvalidSetting):
        rb.read([])
    with pytest.raises(InvalidSetting):
        rb.read("-", max_bytes=0)
