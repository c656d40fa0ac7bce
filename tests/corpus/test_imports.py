"""Documents are read without heavy libraries; a new process says which modules were loaded."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from rubricate import Corpus, Document, read
from rubricate.corpus import RowBatch, Tally
from rubricate.corpus.batches import BATCH_ROWS
from rubricate.errors import InputError

MAY_BE_LOADED = {"rubricate", "orjson"}  # besides the standard library

CSV = 'id,subject,text,labels,date\n1,Corn,wheat and corn,"[""grain"",""food""]",2026-01-02\n2,,gold,metal,\n2,,again,metal,\n3\n'
JSONL = '{"text": "wheat", "labels": ["grain", "grain "], "id": 7}\n{"text": 3}\nnot JSON\n{"text": "gold"}\n'
FASTTEXT = "__label__grain __label__food wheat and corn\n__label__metal gold __label__late\n"
MBOX = (
    "From a@b Mon Jan  5 10:00:00 2026\nSubject: =?utf-8?q?caf=C3=A9?=\nX-Label: grain, food\n"
    "Content-Type: text/html\n\n<p>wheat &amp; corn</p>\n"
)
FILES = {
    "a.csv": CSV,
    "a.tsv": CSV.replace(",", "\t"),
    "a.jsonl": JSONL,
    "a.ft": FASTTEXT,
    "a.mbox": MBOX,
    "a": "text\nx\n",
}

PROGRAM = """
import json, sys
before = set(sys.modules)
from rubricate import read
from rubricate.corpus import Tally, clean_labels
corpus = read(sys.argv[1], keep_going=True)
documents = [[document.id, document.text, document.labels] for document in corpus.documents()]
read_again = [] if sys.argv[1] == "-" else [len(corpus), corpus.ids, corpus.labels, corpus.texts]
loaded = {name.partition(".")[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names)
print(json.dumps([documents, sorted(loaded)]))
"""


def loaded_modules(path: str, data: bytes = b"") -> tuple[list[object], set[str]]:
    done = subprocess.run([sys.executable, "-c", PROGRAM, path], input=data, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    documents, loaded = json.loads(done.stdout)
    return documents, set(loaded)


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("name", FILES)
def test_reading_documents_loads_the_standard_library_and_orjson_alone(name: str, packed: bool, tmp_path: Path) -> None:
    path = tmp_path / (name + ".gz" if packed else name)
    path.write_bytes(gzip.compress(FILES[name].encode()) if packed else FILES[name].encode())
    documents, loaded = loaded_modules(str(path))
    assert documents
    assert loaded <= MAY_BE_LOADED


def test_standard_input_and_folders_are_read_without_heavy_libraries(tmp_path: Path) -> None:
    documents, loaded = loaded_modules("-", JSONL.encode())
    assert [document[1] for document in documents] == ["wheat", "gold"]  # type: ignore[index]
    assert loaded <= MAY_BE_LOADED
    (tmp_path / "grain").mkdir()
    (tmp_path / "grain" / "1").write_text("wheat")
    documents, loaded = loaded_modules(str(tmp_path))
    assert documents == [["grain/1", "wheat", ["grain"]]]
    assert loaded <= MAY_BE_LOADED


def test_the_names_of_collections_are_known_without_heavy_libraries() -> None:
    program = "import sys; from rubricate import collections; print(collections.COLLECTIONS.keys(), *sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"numpy", "pyarrow", "scipy", "numba", "pandas", "pydantic", "sklearn"} & set(done.stdout.split())


@pytest.mark.parametrize("name", FILES)
def test_plain_batches_have_the_rows_and_the_account_of_record_batches(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FILES[name])
    keep = ("date",) if name in ("a.csv", "a.tsv", "a.mbox") else ()
    plain, arrow = read(path, keep=keep, keep_going=True), read(path, keep=keep, keep_going=True)
    batches, record_batches = list(plain.row_batches()), list(iter(arrow))
    assert [batch.arrow() for batch in batches] == record_batches
    assert batches == [RowBatch.from_arrow(batch, arrow.columns) for batch in record_batches]
    assert asdict(plain.tally) == asdict(arrow.tally)
    documents: list[Document] = [document for batch in batches for document in batch.documents()]
    assert list(plain.documents()) == documents
    held = Corpus.from_batches(record_batches, columns=arrow.columns, name="held")
    assert list(held.documents()) == documents
    assert (held.ids, held.labels, held.texts) == (plain.ids, plain.labels, plain.texts)
    assert [held.column(column) for column in keep] == [plain.column(column) for column in keep]


def test_damage_is_told_in_the_same_words_and_after_the_same_rows(tmp_path: Path) -> None:
    path = tmp_path / "cut.csv.gz"
    rows = "text,label\n" + "".join(f"row {n * 7919 % 10007},a\n" for n in range(50_000))
    path.write_bytes(gzip.compress(rows.encode())[:-2000])
    ends: list[tuple[str, Tally]] = []
    for kind in ("documents", "row_batches", "__iter__"):
        corpus = read(path)
        with pytest.raises(InputError, match="rows before it were kept") as error:
            list(getattr(corpus, kind)())
        ends.append((str(error.value), corpus.tally))
    assert ends[0] == ends[1] == ends[2]
    assert ends[0][1].kept > 4 * BATCH_ROWS
