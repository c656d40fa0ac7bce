"""Text that is not UTF-8 but cp1252, as Excel for Windows writes it, is recognised; damaged UTF-8 is not taken for it."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest

import rubricate as rb
from commands import Run, captured, piped
from rubricate.corpus.readers import western
from rubricate.corpus.readers.western import AS_WESTERN, Evidence, Verdict, WesternLines

SAMPLE = Path(rb.__file__).parent / "data" / "enquiries.jsonl"
WESTERN = {
    "french": "L'été dernier, les élèves ont été reçus à l'hôtel « Le Château ». Ça va ? 25 € l'unité. « Réservé »",
    "german": "Der „Spaß“ mit Öl und Äpfeln – Grüße aus Köln; §5 Abs. 3, 20 °C, „heiß“, Fußgänger, für über zwölf",
    "english": "It’s the “best” of worlds – don’t you think… £20 at the café",
    "spanish": "¿Qué tal? El niño comió en España. ¡Año nuevo! Nº 5, 1ª",
    "icelandic": "Það er þó ekki þannig að við göngum öll í skóla",
    "catalan": "La col·lecció és molt bonica, l'àvia",
    "one word": "café",
}
OTHERS = {
    "cp1251": "Привет мир, как дела сегодня",
    "koi8-r": "Привет мир, как дела сегодня",
    "cp1253": "Καλημέρα κόσμε τι κάνεις",
    "cp1255": "שלום עולם מה שלומך",
    "cp1256": "مرحبا بالعالم كيف حالك",
    "gb18030": "你好世界,今天天气很好",
    "big5": "你好世界,今天天氣很好",
    "shift_jis": "こんにちは世界、今日はいい天気です",
    "euc-jp": "こんにちは世界、今日はいい天気です",
    "euc-kr": "안녕하세요 세계 오늘",
    "cp1250": "Zażółć gęślą jaźń, mała łódź płynie po rzece i się kołysze",
    "mac_roman": "L'été dernier, les élèves où êtes-vous, ça va très bien",
}


def table(rows: list[tuple[str, str]]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows([("label", "text"), *rows])
    return out.getvalue()


def read_texts(path: Any, **options: Any) -> tuple[list[str], Any]:
    corpus = rb.read(path, **options)
    return corpus.texts, corpus.tally


def enquiries() -> list[tuple[str, str]]:
    """The sample as an office writes it: with curly quotes, and euros."""
    rows = [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()]
    texts = [(row["labels"][0], row["text"].replace("'", "’") + " – 20 €") for row in rows if row["labels"]]
    return [(label, text.encode("cp1252", "ignore").decode("cp1252")) for label, text in texts]


@pytest.mark.parametrize("name", WESTERN)
def test_western_text_is_recognised_in_every_text_format(tmp_path: Path, name: str) -> None:
    text = WESTERN[name]
    files = {
        "a.csv": table([("x", text), ("y", "plain")]),
        "a.tsv": f"label\ttext\nx\t{text}\ny\tplain\n",
        "a.jsonl": f"{json.dumps({'text': text, 'label': 'x'}, ensure_ascii=False)}\n"
        + '{"text":"plain","label":"y"}\n',
        "a.ft": f"__label__x {text}\n__label__y plain\n",
    }
    for file, content in files.items():
        for end, pack in (("", bytes), (".gz", gzip.compress)):
            (tmp_path / f"{file}{end}").write_bytes(pack(content.encode("cp1252")))
            texts, tally = read_texts(tmp_path / f"{file}{end}")
            assert (texts, tally.rejected, dict(tally.repairs)) == ([text, "plain"], 0, {AS_WESTERN: 1})


@pytest.mark.parametrize("encoding", OTHERS)
def test_other_encodings_are_not_taken_for_western_text(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.csv").write_bytes(table([("x", OTHERS[encoding]), ("y", "plain")]).encode(encoding))
    assert read_texts(tmp_path / "a.csv", keep_going=True)[1].rejected == 1
    assert read_texts(tmp_path / "a.csv", encoding=encoding)[0] == [OTHERS[encoding], "plain"]


def test_a_table_by_excel_trains_the_model_of_its_utf8_twin(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rows = enquiries()
    told = {}
    for encoding in ("utf-8", "cp1252"):
        path = tmp_path / f"{encoding}.csv"
        path.write_bytes(table(rows).encode(encoding))
        ran = captured(
            capfd, "train", path, "-o", tmp_path / encoding, "--model", "multinomial", "--no-curve", "--json"
        )
        assert ran.code == 0, ran.err
        told[encoding] = ran.json
    assert told["cp1252"]["data"]["fingerprint"] == told["utf-8"]["data"]["fingerprint"]
    assert told["cp1252"]["rows"] == {
        "in": len(rows),
        "kept": len(rows),
        "rejected": 0,
        "repairs": {AS_WESTERN: len(rows)},
    }
    shown = captured(capfd, "info", tmp_path / "cp1252.csv")
    assert (
        "not UTF-8: taken for cp1252, as Excel for Windows writes it; if it is another, name it with --encoding"
        in shown.err
    )
    named = captured(capfd, "info", tmp_path / "cp1252.csv", "--encoding", "utf-8")
    assert named.code == 65
    assert f"{len(rows):,} of {len(rows):,} rows cannot be used: the row is not valid utf-8" in named.err


def test_a_byte_late_in_a_long_file_is_recognised(tmp_path: Path) -> None:
    rows = [("x", f"plain text number {n}") for n in range(50_000)]
    (tmp_path / "a.csv").write_bytes(table([*rows, ("y", "the last is café")]).encode("cp1252"))
    texts, tally = read_texts(tmp_path / "a.csv")
    assert (texts[-1], tally.rejected) == ("the last is café", 0)


def test_utf8_with_damaged_bytes_stays_utf8_and_its_damaged_rows_are_rejected(tmp_path: Path) -> None:
    draw = random.Random(0)
    lines = [f"x,été à la plage {n}\n".encode() for n in range(400)]
    for n in range(0, 400, 20):
        lines[n] = lines[n].replace("é".encode(), draw.choice([b"\xc3", b"\xa9", b"\xe9", b"\xff", b"\x93"]), 1)
    (tmp_path / "a.csv").write_bytes(b"label,text\n" + b"".join(lines))
    texts, tally = read_texts(tmp_path / "a.csv")
    assert (len(texts), tally.rejected, dict(tally.repairs)) == (380, 20, {})
    assert set(tally.reasons) == {"the row is not valid utf-8"}
    assert texts[0] == "été à la plage 1"


def test_lines_of_both_encodings_in_one_file_are_each_read_as_what_they_are(tmp_path: Path) -> None:
    western_rows = [f"x,L'été à Orléans, numéro {n}\n".replace("s,", "s;").encode("cp1252") for n in range(40)]
    lines = [*western_rows, "y,naïve Σ\n".encode()]
    (tmp_path / "a.csv").write_bytes(b"label,text\n" + b"".join(lines))
    texts, tally = read_texts(tmp_path / "a.csv")
    assert (texts[0], texts[-1], tally.rejected) == ("L'été à Orléans; numéro 0", "naïve Σ", 0)
    assert tally.repairs[AS_WESTERN] == 40


def test_a_byte_order_mark_and_a_named_encoding_are_believed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"\xef\xbb\xbflabel,text\nx,caf\xe9\ny,plain\n")
    assert read_texts(tmp_path / "a.csv")[0] == ["plain"]
    (tmp_path / "b.csv").write_bytes(b"label,text\nx,caf\xe9\ny,plain\n")
    assert read_texts(tmp_path / "b.csv", encoding="utf-8")[0] == ["plain"]
    assert read_texts(tmp_path / "b.csv", encoding="latin-1")[0] == ["café", "plain"]


def test_bytes_that_cp1252_lacks_reject_their_row_alone(tmp_path: Path) -> None:
    rows = [f"x,élève numéro {n}\n".encode("cp1252") for n in range(30)]
    rows[5] = b"x,\x81l\xe8ve\n"
    (tmp_path / "a.csv").write_bytes(b"label,text\n" + b"".join(rows))
    texts, tally = read_texts(tmp_path / "a.csv")
    assert (len(texts), tally.rejected, tally.first[0].where[-6:]) == (29, 1, "line 7")


def test_a_header_beyond_ascii_names_its_columns(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("catégorie,résumé\nx,été\n".encode("cp1252"))
    corpus = rb.read(tmp_path / "a.csv", text="résumé", labels="catégorie")
    assert (corpus.texts, corpus.labels) == (["été"], [["x"]])


def test_old_macintosh_line_ends_and_quoted_lines_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b'label,text\rx,"\xe9t\xe9\rdernier"\ry,caf\xe9\r')
    assert read_texts(tmp_path / "a.csv")[0] == ["été\rdernier", "café"]


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8"])
def test_standard_input_is_recognised(run: Run, encoding: str) -> None:
    rows = [("x", f"plain text number {n}") for n in range(30_000)] + [("y", f"café {n}") for n in range(100)]
    with piped(table(rows).encode(encoding)):
        ran = run("info", "-", "--json")
    assert ran.code == 0, ran.err
    told = ran.json
    assert (told["rows"]["rejected"], told["documents"]) == (0, 30_100)
    assert told["repairs"] == ({AS_WESTERN: 100} if encoding == "cp1252" else {})


def test_a_stream_is_judged_only_on_evidence_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(western, "WINDOW", 1 << 12)
    monkeypatch.setattr(western, "BLOCK", 1 << 10)
    damaged = b"plain \xe9 words\n" + b"plain words\n" * 10_000
    for rest, read, verdict in (
        ("déjà vu à Liège\n".encode() * 20, "déjà vu à Liège\n", False),
        ("déjà vu à Liège\n".encode("cp1252") * 20, "déjà vu à Liège\n", True),
    ):
        source_verdict = Verdict()
        lines = WesternLines(io.BytesIO(damaged + rest), source_verdict)
        parts = []
        while part := lines.read(1000):
            parts.append(part)
        text = b"".join(parts)
        assert source_verdict.western is verdict
        assert text.startswith(b"plain \xe9 words\n")  # too little to judge by: it stays as it is, and is rejected
        assert text.endswith(read.encode() * 20)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1000])
def test_evidence_does_not_depend_on_how_bytes_come(size: int) -> None:
    data = b"".join(text.encode("cp1252") + b"\n" for text in WESTERN.values()) + "naïve café Σ\n".encode() * 3
    whole, parts = Evidence(), Evidence()
    whole.add(data, last=True)
    for start in range(0, len(data), size):
        parts.add(data[start : start + size])
    parts.add(b"", last=True)
    assert (parts.well_formed, parts.ill_formed, parts.unwestern) == (
        whole.well_formed,
        whole.ill_formed,
        whole.unwestern,
    )
