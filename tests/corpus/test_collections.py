"""The papers' collections: their readers on small files of our own, their numbers on the real data."""

from __future__ import annotations

import io
import lzma
import os
import random
import signal
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from rubricate import collections
from rubricate.corpus import Corpus, Reject, Row, Tally
from rubricate.corpus.collections.newsgroups import news_article
from rubricate.corpus.collections.reuters21578 import TEN_TOPICS, iso_date, reuters_articles
from rubricate.corpus.readers import archives
from rubricate.corpus.readers.html import html_page
from rubricate.corpus.readers.medline import mesh_labels, read_medline, source_date
from rubricate.corpus.readers.sgml import plain, records
from rubricate.corpus.readers.trec import read_qrels, read_topics, read_trec
from rubricate.errors import InputError, InvalidSetting, MissingData, RejectedRow, TooLarge, UnknownName

DATA = os.environ.get("RUBRICATE_DATA", "")
real = [
    pytest.mark.data,
    pytest.mark.skipif(not DATA, reason="RUBRICATE_DATA does not name a folder with the collections"),
]


def on_real_data(test: Callable[..., None]) -> Callable[..., None]:
    for mark in real:
        test = mark(test)
    return test


@pytest.fixture
def kill_limit() -> Iterator[None]:
    """A generous limit: linear work takes milliseconds, quadratic work on these inputs takes minutes."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError("more than 30 s: not linear")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(30)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def pack(path: Path, files: dict[str, bytes], *, mode: str = "w:xz") -> Path:
    """An archive with these files, in this order."""
    with tarfile.open(path, mode) as tar:  # type: ignore[call-overload]
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return path


def unpack(root: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return root


# -- Reuters


def article(
    number: int, *, topics: str = "", split: str = "TRAIN", judged: str = "YES", day: str = "26-FEB-1987", **own: str
) -> str:
    items = "".join(f"<D>{topic}</D>" for topic in topics.split())
    text = own.get("text", f"<TEXT>&#2;\n<TITLE>TITLE {number}</TITLE>\n<BODY>Body {number}.\n&#3;</BODY></TEXT>")
    return (
        f'<REUTERS TOPICS="{judged}" LEWISSPLIT="{split}" CGISPLIT="TRAINING-SET" '
        f'OLDID="{number + 5000}" NEWID="{number}">\n'
        f"<DATE>{day} 15:01:01.79</DATE>\n<TOPICS>{items}</TOPICS>\n<PLACES><D>usa</D><D>peru</D></PLACES>\n"
        f"<UNKNOWN> \n&#5;&#5;C T\nf0704reute</UNKNOWN>\n{text}\n</REUTERS>\n"
    )


DOCTYPE = '<!DOCTYPE lewis SYSTEM "lewis.dtd">\n'
REUTERS_FILES = {
    "./reut2-001.sgm": (
        DOCTYPE
        + article(10, topics="grain wheat", split="TEST", day="8-APR-1987")
        + article(9, topics="rare", split="TEST", day="9-APR-1987")
        + article(8, split="TEST", judged="NO", day=" 9-APR-1987")
    ).encode(),
    "./README.txt": b"not a document",
    "./reut2-000.sgm": (
        DOCTYPE
        + article(1, topics="earn")
        + article(2, topics="grain", day="7-APR-1987")
        + article(3, judged="NO")
        + article(4, judged="BYPASS", topics="earn")
        + article(5, split="NOT-USED", topics="earn", day="8-APR-1987")
        + article(6)
    ).encode(),
}


@pytest.fixture
def reuters(tmp_path: Path) -> Path:
    pack(tmp_path / "reuters21578.tar.xz", REUTERS_FILES)
    return tmp_path


def parse(text: str | bytes) -> tuple[list[Row], Tally]:
    tally = Tally()
    data = text.encode() if isinstance(text, str) else text
    return list(reuters_articles([data], where="reut2-000.sgm", tally=tally)), tally


def test_reuters_title_and_body_stay_apart_and_attributes_are_kept(reuters: Path) -> None:
    whole = collections.read("Reuters", data=reuters)
    assert whole.fields == ("title", "body")
    assert whole.ids == ["1", "2", "3", "4", "5", "6", "8", "9", "10"]
    first = next(whole.documents())
    assert first.fields == {"title": "TITLE 1", "body": "Body 1."}
    assert first.labels == ("earn",)
    assert first.kept["date"] == "1987-02-26T15:01:01"
    assert first.kept["places"] == "usa peru"
    assert (first.kept["lewissplit"], first.kept["topics_attribute"], first.kept["oldid"]) == ("TRAIN", "YES", "5001")


@pytest.mark.parametrize(
    ("version", "train", "test"),
    [
        ("modapte", ["1", "2", "6"], ["9", "10"]),
        ("ModLewis", ["1", "2", "3", "6"], ["8", "9", "10"]),
        ("90", ["2"], ["10"]),
        ("10", ["1", "2", "6"], ["9", "10"]),
        ("joachims", ["1", "2", "3", "4", "6"], ["5", "8", "9", "10"]),
    ],
)
def test_reuters_splits_are_those_of_its_readme(reuters: Path, version: str, train: list[str], test: list[str]) -> None:
    parts = collections.load("reuters21578", version=version, data=reuters)
    assert [part.ids for part in parts] == [train, test]


def test_ninety_topics_have_a_training_and_a_test_document_and_ten_are_the_largest(reuters: Path) -> None:
    train, test = collections.load("reuters21578", version="90", data=reuters)
    assert (train.labels, test.labels) == ([["grain"]], [["grain"]])
    train, test = collections.load("reuters21578", version="10", data=reuters)
    assert (train.labels, test.labels) == ([["earn"], ["grain"], []], [[], ["grain", "wheat"]])


@pytest.mark.parametrize(
    ("line", "date"),
    [
        ("26-FEB-1987 15:01:01.79", "1987-02-26T15:01:01"),
        ("  3-MAR-1987 09:18:21.26", "1987-03-03T09:18:21"),
        ("31-MAR-1987 605:12:19.12", "1987-03-31"),
        ("19-OCT-1987 15:37:46.03&#9;&#9;&#9;RM", "1987-10-19T15:37:46"),
        ("5-APR-1987 16:21:33.44    # date added by S Finch as guesswork ", "1987-04-05T16:21:33"),
        ("99-FEB-1987 15:01:01", None),
        ("26-XXX-1987 15:01:01", None),
        ("", None),
    ],
)
def test_a_dirty_date_is_read_as_far_as_it_makes_sense(line: str, date: str | None) -> None:
    assert iso_date(line) == date


def test_brief_and_unprocessed_articles_lose_no_text() -> None:
    brief = '<TEXT TYPE="BRIEF">&#2;\n******<TITLE>FED SETS REPOS</TITLE>\n Blah blah blah.\n&#3;\n</TEXT>'
    unprocessed = '<TEXT TYPE="UNPROC">&#2;\n FEDERAL RESERVE\n Reuter\n&#3;</TEXT>'
    inside = "<TITLE>T</TITLE> between <AUTHOR>By A</AUTHOR><DATELINE>ROME</DATELINE><BODY>body</BODY>"
    stray = f"<TEXT>&#2;before {inside} after</TEXT>"
    rows, tally = parse(
        article(1, text=brief) + article(2, text=unprocessed) + article(3, text=stray) + article(4, text="loose")
    )
    assert rows[0].texts == ("FED SETS REPOS", "")
    assert tally.repairs["filler in place of a BRIEF article's body left out"] == 1
    assert rows[1].texts == ("", "FEDERAL RESERVE\n Reuter")
    assert rows[2].texts[0] == "T"
    assert rows[2].texts[1].split() == ["before", "between", "body", "after"]
    assert rows[2].kept[-2:] == ("ROME", "By A")
    assert rows[3].texts[1] == "loose"


def test_an_article_without_a_number_is_rejected_and_told() -> None:
    rows, tally = parse("<REUTERS>lost?</REUTERS>\n" + article(2))
    assert [row.id for row in rows] == ["2"]
    assert tally.first[0].where == "reut2-000.sgm line 1"
    assert "lost?" in tally.first[0].raw


def test_bytes_are_utf8_or_latin1_for_each_article_on_its_own() -> None:
    text = "<TEXT><BODY>Z\u00fcrich</BODY></TEXT>"
    rows, _ = parse(article(1, text=text).encode("latin-1") + article(2, text=text).encode("utf-8"))
    assert [row.texts[1] for row in rows] == ["Z\u00fcrich", "Z\u00fcrich"]


@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_records_are_the_same_however_the_stream_is_cut(size: int) -> None:
    data = (DOCTYPE + "".join(article(n) for n in range(1, 6))).encode()
    whole = list(records([data], "REUTERS", where="f", tally=Tally()))
    cut = [data[at : at + size] for at in range(0, len(data), size)]
    assert list(records(cut, "REUTERS", where="f", tally=Tally())) == whole
    assert [record.where for record in whole] == ["f line 2", "f line 14", "f line 26", "f line 38", "f line 50"]


# -- nasty inputs, SGML


@pytest.mark.usefixtures("kill_limit")
def test_nasty_45_unclosed_attributes_take_linear_time() -> None:
    for piece in ('<a x="', "<a ", "<", "<!--", "</", "<BODY x=", "&#", "&a", "<REUTERS ", "<title"):
        junk = piece * 200_000
        rows, _ = parse(article(1, text=f"<TEXT><BODY>first {junk} last</BODY></TEXT>"))
        words = " ".join(row.texts[1] for row in rows).split()
        assert words[0] == "first"
        assert words[-1] == "last"
        assert "last" in html_page(f"Content-type: text/html\n\n<p>first {junk} last".encode()).body


def test_nasty_45_eight_thousand_unclosed_attributes_stay_as_text() -> None:
    rows, _ = parse(article(1, text="<TEXT><BODY>" + '<a x="' * 8000 + "</BODY></TEXT>"))
    assert rows[0].texts[1] == '<a x="' * 8000


@pytest.mark.usefixtures("kill_limit")
def test_nasty_46_five_thousand_nested_tags_lose_no_text() -> None:
    nested = "".join(f"<x>word{n} " for n in range(5000)) + "</x>" * 5000
    known = "".join(f"<BODY>word{n} " for n in range(5000)) + "</BODY>" * 5000
    expected = [f"word{n}" for n in range(5000)]
    for inner in (nested, known):
        rows, _ = parse(article(1, text=f"<TEXT><BODY>{inner}</BODY></TEXT>"))
        assert rows[0].texts[1].split() == expected
    assert html_page(f"<html>{nested}</html>".encode()).body.split() == expected


def test_nasty_47_control_entities_become_spaces_and_unknown_ones_stay() -> None:
    text = (
        "a&#3;b&#127;c &lt;d&gt; AT&amp;T &amp;lt; &nobody; &#xD800; &#99999999999999; &#38; &eacute; x&y &hyph;\x02."
    )
    assert plain(text) == "a b c <d> AT&T &lt; &nobody; &#xD800; &#99999999999999; & \u00e9 x&y - ."


def test_nasty_47_digits_beyond_pythons_limit_are_no_crash() -> None:
    assert plain("&#" + "9" * 100_000 + ";").endswith("9;")
    assert html_page(b"<p>&#" + b"9" * 100_000 + b"; end").body.endswith("end")


def test_nasty_48_an_article_whose_body_never_closes_ends_with_its_record() -> None:
    rows, _ = parse(article(1, text="<TEXT><TITLE>T</TITLE><BODY>one two</TEXT>") + article(2))
    assert [row.texts for row in rows] == [("T", "one two"), ("TITLE 2", "Body 2.")]
    unclosed = article(1, text="<TEXT><BODY>one two").replace("</REUTERS>", "")
    rows, tally = parse(unclosed + article(2) + unclosed.replace('NEWID="1"', 'NEWID="3"'))
    assert [row.texts[1] for row in rows] == ["one two", "Body 2.", "one two"]
    assert tally.repairs["REUTERS record without </REUTERS> ended where the next began"] == 2


@pytest.mark.usefixtures("kill_limit")
def test_nasty_49_billion_laughs_are_never_expanded() -> None:
    lines = ['<!ENTITY lol "lol">', *(f'<!ENTITY lol{n} "{f"&lol{n - 1};" * 10}">' for n in range(1, 10))]
    rows, _ = parse(
        f"<!DOCTYPE lewis [{''.join(lines)}]>\n" + article(1, text="<TEXT><BODY>ha &lol9; ha</BODY></TEXT>")
    )
    assert rows[0].texts[1] == "ha &lol9; ha"


def test_nasty_50_an_external_entity_is_never_opened(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("do-not-read")
    head = f'<!DOCTYPE lewis SYSTEM "{secret.as_uri()}" [<!ENTITY xxe SYSTEM "{secret.as_uri()}">]>\n'
    rows, _ = parse(head + article(1, text="<TEXT><BODY>see &xxe; here</BODY></TEXT>"))
    assert rows[0].texts[1] == "see &xxe; here"


# -- folders and archives


@pytest.mark.parametrize("mode", ["w:xz", "w:gz", "w:bz2", "w"])
def test_an_archive_and_a_folder_give_the_same_documents_in_the_same_order(tmp_path: Path, mode: str) -> None:
    suffix = {"w:xz": ".tar.xz", "w:gz": ".tar.gz", "w:bz2": ".tar.bz2", "w": ".tar"}[mode]
    archive = pack(tmp_path / f"reuters21578{suffix}", REUTERS_FILES, mode=mode)
    folder = unpack(tmp_path / "elsewhere" / "reuters21578", REUTERS_FILES)
    expected = list(collections.read("reuters", data=folder).documents())
    for place in (tmp_path, archive, folder.parent):
        assert list(collections.read("reuters", data=place).documents()) == expected


def test_the_folder_may_come_from_the_environment(reuters: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUBRICATE_DATA", str(reuters))
    assert len(collections.read("reuters")) == 9
    monkeypatch.delenv("RUBRICATE_DATA")
    with pytest.raises(MissingData, match=r"no folder was given; get reuters21578 from: David D\. Lewis"):
        collections.read("reuters")


def test_missing_data_says_where_a_person_gets_it(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match=r"is not in this folder; get webkb from: Carnegie Mellon"):
        collections.load("webkb", data=tmp_path)
    with pytest.raises(MissingData, match="there is no such folder"):
        collections.load("webkb", data=tmp_path / "nowhere")
    (tmp_path / "webkb").mkdir()
    with pytest.raises(MissingData, match="no document of WebKB"):
        collections.load("webkb", data=tmp_path)


def test_an_archive_cut_short_anywhere_is_an_error_that_names_it(reuters: Path) -> None:
    path = reuters / "reuters21578.tar.xz"
    whole = path.read_bytes()
    for size in (0, 5, 40, len(whole) // 2, len(whole) - 30, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError, match=r"reuters21578\.tar\.xz: .*(damaged|cut short)"):
            len(collections.read("reuters", data=reuters))


def test_a_plain_tar_cut_between_two_files_is_no_smaller_collection(tmp_path: Path) -> None:
    path = pack(tmp_path / "reuters21578.tar", REUTERS_FILES, mode="w")
    whole = path.read_bytes()
    end = len(whole.rstrip(b"\0"))
    for size in range(0, end, 512):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError, match=r"reuters21578\.tar: "):
            len(collections.read("reuters", data=tmp_path))


def test_a_flipped_bit_in_an_archive_is_noticed(reuters: Path) -> None:
    path = reuters / "reuters21578.tar.xz"
    whole = path.read_bytes()
    for at in range(12, len(whole), max(1, len(whole) // 60)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 16]) + whole[at + 1 :])
        with pytest.raises(InputError, match=r"reuters21578\.tar\.xz"):
            len(collections.read("reuters", data=reuters))


def test_a_damaged_header_in_the_middle_of_an_archive_is_noticed(tmp_path: Path) -> None:
    path = pack(tmp_path / "reuters21578.tar", REUTERS_FILES, mode="w")
    whole = bytearray(path.read_bytes())
    at = whole.index(b"./reut2-000.sgm")
    whole[at + 3] ^= 1
    path.write_bytes(whole)
    with pytest.raises(InputError, match="damaged"):
        len(collections.read("reuters", data=tmp_path))


@pytest.mark.parametrize("claim", [b"\xff" * 12, b"\x80" + b"\x00" * 3 + b"\x7f" * 8])
@pytest.mark.usefixtures("kill_limit")
def test_a_header_that_claims_an_impossible_size_is_no_hang(tmp_path: Path, claim: bytes) -> None:
    header = bytearray(tarfile.TarInfo("reut2-000.sgm").tobuf(tarfile.GNU_FORMAT))
    header[124:136] = claim
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    (tmp_path / "reuters21578.tar").write_bytes(bytes(header) + bytes(10240))
    with pytest.raises(InputError):
        len(collections.read("reuters", data=tmp_path))


@pytest.mark.parametrize("size", ["-512", "99999999999999999"])
@pytest.mark.usefixtures("kill_limit")
def test_an_extended_header_that_claims_an_impossible_size_is_no_hang(tmp_path: Path, size: str) -> None:
    with tarfile.open(tmp_path / "reuters21578.tar", "w", format=tarfile.PAX_FORMAT) as tar:
        info = tarfile.TarInfo("reut2-000.sgm")
        info.pax_headers = {"size": size}
        tar.addfile(info)
    with pytest.raises(InputError, match="damaged"):
        len(collections.read("reuters", data=tmp_path))


@pytest.mark.usefixtures("kill_limit")
def test_changed_bytes_in_a_plain_archive_give_documents_or_a_clean_error(tmp_path: Path) -> None:
    path = tmp_path / "reuters21578.tar"
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as tar:
        for name, data in REUTERS_FILES.items():
            info = tarfile.TarInfo(name)
            info.size, info.pax_headers = len(data), {"comment": "caf\u00e9", "path": name, "GNU.sparse.name": "x"}
            tar.addfile(info, io.BytesIO(data))
    whole = path.read_bytes()
    dice = random.Random(1)
    clean = 0
    for _ in range(400):
        changed = bytearray(whole)
        for _ in range(dice.randint(1, 4)):
            changed[dice.randrange(len(whole) - 8192)] = dice.randrange(256)
        path.write_bytes(changed)
        try:
            clean += len(collections.read("reuters", data=tmp_path)) > 0
        except InputError:
            continue
    assert clean > 0


def test_path_tricks_and_links_in_an_archive_are_rejected_told_and_never_opened(tmp_path: Path) -> None:
    secret = tmp_path / "reut2-007.sgm"
    secret.write_text(article(777))
    good = REUTERS_FILES["./reut2-000.sgm"]
    with tarfile.open(tmp_path / "reuters21578.tar.xz", "w:xz") as tar:
        for name in ("../reut2-001.sgm", "/etc/reut2-002.sgm", "a/../../reut2-003.sgm", "reut2-000.sgm"):
            info = tarfile.TarInfo(name)
            info.size = len(good)
            tar.addfile(info, io.BytesIO(good))
        for number, kind in enumerate((tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE), 4):
            info = tarfile.TarInfo(f"reut2-00{number}.sgm")
            info.type, info.linkname = kind, str(secret)
            tar.addfile(info)
    rejects: list[Reject] = []
    whole = collections.read("reuters", data=tmp_path / "reuters21578.tar.xz", sink=rejects.append)
    assert whole.ids == ["1", "2", "3", "4", "5", "6"]
    assert len(rejects) == whole.tally.rejected == 7
    assert whole.tally.rows_in == whole.tally.kept + whole.tally.rejected
    assert Counter(whole.tally.reasons) == {
        "a name that leads out of the archive": 3,
        "a link, device or sparse file in the archive": 4,
    }
    assert sorted(path.name for path in tmp_path.iterdir()) == ["reut2-007.sgm", "reuters21578.tar.xz"]
    with pytest.raises(RejectedRow, match="leads out of the archive"):
        len(collections.read("reuters", data=tmp_path / "reuters21578.tar.xz", strict=True))


def test_links_and_pipes_in_a_folder_are_rejected_and_never_opened(tmp_path: Path) -> None:
    folder = unpack(tmp_path / "reuters21578", REUTERS_FILES)
    (tmp_path / "outside.sgm").write_text(article(777))
    (folder / "reut2-002.sgm").symlink_to(tmp_path / "outside.sgm")
    os.mkfifo(folder / "reut2-003.sgm")
    (folder / "loop").symlink_to(folder)
    whole = collections.read("reuters", data=tmp_path)
    assert len(whole) == 9
    assert whole.tally.reasons == {"no plain file": 2}


def test_an_archive_that_unpacks_to_far_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "FREE_BYTES", 1 << 20)
    pack(tmp_path / "reuters21578.tar.xz", {"junk": bytes(32 << 20)})
    with pytest.raises(TooLarge, match=r"reuters21578\.tar\.xz: it unpacks to more than 200 times its size"):
        len(collections.read("reuters", data=tmp_path))


def test_a_file_of_many_megabytes_is_rejected_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MEMBER_BYTES", 500)
    pack(tmp_path / "reuters21578.tar.xz", {"reut2-001.sgm": article(7).encode(), **REUTERS_FILES})
    whole = collections.read("reuters", data=tmp_path)
    assert whole.ids == ["7"]
    assert whole.tally.rejected == 2


def test_a_file_that_is_no_archive_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "reuters21578.tar.xz").write_bytes(lzma.compress(b"just a text, not an archive" * 100))
    with pytest.raises(InputError, match="damaged"):
        len(collections.read("reuters", data=tmp_path))


# -- 20 Newsgroups


def post(subject: str, body: str, *, groups: str = "sci.space", number: str = "", **more: str) -> bytes:
    lines = {"Path": "cantaloupe!crabapple", "Xref": "x sci.space:1", "Newsgroups": groups, "Subject": subject, **more}
    if number:
        lines["Message-ID"] = f"<{number}@x>"
    return "".join(f"{name}: {value}\n" for name, value in lines.items()).encode("latin-1") + f"\n{body}\n".encode(
        "latin-1"
    )


CROSS = post("Rockets", "caf\u00e9 in orbit", groups="sci.space,alt.atheism,misc.test", number="1")
NEWS = {
    "20_newsgroups/sci.space/9": CROSS,
    "20_newsgroups/sci.space/10": post("Mars", "red planet", number="2", **{"Followup-To": "sci.space"}),
    "20_newsgroups/alt.atheism/5": CROSS,
    "20_newsgroups/alt.atheism/6": post("Gods", "none", groups="alt.atheism", number="3", From="a@b"),
}


@pytest.fixture
def news(tmp_path: Path) -> Path:
    pack(tmp_path / "20_newsgroups.tar.xz", NEWS)
    bydate = {
        "20news-bydate-train/sci.space/9": post("Mars", "red", groups=""),
        "20news-bydate-test/sci.space/11": post("Moon", "grey", groups=""),
        "20news-bydate-test/alt.atheism/7": post("Gods", "none", groups=""),
    }
    pack(tmp_path / "20news-bydate.tar.xz", bydate)
    return tmp_path


def test_newsgroup_articles_are_named_by_group_and_number(news: Path) -> None:
    whole = collections.read("20_Newsgroups", version="original", data=news)
    assert whole.ids == ["alt.atheism/5", "alt.atheism/6", "sci.space/10", "sci.space/9"]
    assert whole.labels == [["alt.atheism"], ["alt.atheism"], ["sci.space"], ["sci.space"]]
    assert whole.column("groups") == ["alt.atheism sci.space", "alt.atheism", "sci.space", "sci.space alt.atheism"]
    assert whole.column("subject")[-1] == "Rockets"
    assert whole.column("body")[-1] == "caf\u00e9 in orbit\n"


@pytest.mark.parametrize(
    ("headers", "fields"),
    [("subject", ("subject", "body")), ("none", ("body",)), ("safe", ("headers", "subject", "body"))],
)
def test_a_header_policy_that_is_safe_gives_no_answer_away(news: Path, headers: str, fields: tuple[str, ...]) -> None:
    whole = collections.read("20news", headers=headers, data=news)
    assert whole.fields == fields
    assert not any("sci.space" in text or "crabapple" in text for text in whole.texts)
    everything = collections.read("20news", headers="all", data=news)
    assert "Newsgroups: sci.space" in everything.column("headers")[2]


def test_crossposted_copies_merge_into_one_document_with_several_labels(news: Path) -> None:
    whole = collections.read("20newsgroups", crossposts="merged", data=news)
    assert whole.ids == ["alt.atheism/5", "alt.atheism/6", "sci.space/10"]
    assert whole.labels[0] == ["alt.atheism", "sci.space"]
    assert whole.column("groups")[0] == "alt.atheism sci.space"
    assert whole.tally.repairs["cross-posted copy merged into one document"] == 1


def test_copies_without_a_message_id_merge_when_their_bytes_are_the_same(tmp_path: Path) -> None:
    same, other = post("S", "b", groups=""), post("S", "c", groups="")
    files = {"alt.atheism/1": same, "sci.med/1": same, "sci.med/2": other}
    unpack(tmp_path / "20_newsgroups", files)
    assert collections.read("20news", crossposts="merged", data=tmp_path).labels == [
        ["alt.atheism", "sci.med"],
        ["sci.med"],
    ]


def test_by_date_is_split_as_its_folders_say(news: Path) -> None:
    train, test = collections.load("20news", version="ByDate", data=news)
    assert train.ids == ["sci.space/9"]
    assert test.ids == ["alt.atheism/7", "sci.space/11"]
    with pytest.raises(UnknownName, match="option of 20newsgroups here 'test'"):
        collections.load("20news", version="bydate", data=news, test=0.5)


def test_the_original_is_split_by_a_seed(news: Path) -> None:
    parts = collections.load("20news", data=news, test=0.5, seed=3)
    assert [part.ids for part in parts] == [
        part.ids for part in collections.load("20news", data=news, test=0.5, seed=3)
    ]
    assert sorted(parts[0].ids + parts[1].ids) == collections.read("20news", data=news).ids
    assert [sorted(label for labels in part.labels for label in labels) for part in parts] == [
        ["alt.atheism", "sci.space"]
    ] * 2


@pytest.mark.parametrize(
    ("data", "subject", "body"),
    [
        (b"Subject: a\n b\nFrom: x\n\nbody\n\nmore", "a b", "body\n\nmore"),
        (b"Subject: a\r\n\r\nbody", "a", "body"),
        (b"no header at all\n\nbody", "", "no header at all\n\nbody"),
        (b"Subject: only", "only", ""),
        (b"", "", ""),
        (b"\nbody", "", "body"),
        (b"SUBJECT: x\nbroken line\nSubject: y\n\nz", "x", "broken line\nSubject: y\n\nz"),
    ],
)
def test_an_article_is_taken_apart_at_its_first_empty_line(data: bytes, subject: str, body: str) -> None:
    article = news_article(data)
    assert (article.value("subject"), article.body) == (subject, body)


# -- OHSUMED


def test_an_abstract_has_the_classes_of_all_its_folders(tmp_path: Path) -> None:
    root = "ohsumed-first-20000-docs/"
    files = {
        f"{root}training/C23/0000002": b"Second title.\n Two.\n",
        f"{root}training/C04/0000001": b"A title.\n One sentence.\n Another.\n",
        f"{root}training/C01/0000001": b"A title.\n One sentence.\n Another.\n",
        f"{root}test/C01/0000003": b"Third.\n x\n",
        f"{root}test/C02/0000003": b"Third, changed.\n x\n",
        f"{root}test/other/0000004": b"no class\n",
    }
    pack(tmp_path / "ohsumed-first-20000-docs.tar.xz", files)
    train, test = collections.load("OHSUMED", data=tmp_path)
    assert (train.ids, train.labels) == (["0000001", "0000002"], [["C01", "C04"], ["C23"]])
    assert train.column("title") == ["A title.", "Second title."]
    assert train.column("body") == ["One sentence.\n Another.", "Two."]
    assert (test.ids, test.labels, test.column("title")) == (["0000003"], [["C01", "C02"]], ["Third."])
    assert train.tally.repairs["copies of one document differ: the first was kept"] == 1
    assert list(collections.LABEL_NAMES) == [f"C{n:02d}" for n in range(1, 24)]


# -- WebKB

HEAD = b"Date: Tue, 10 Dec 1996 21:37:51 GMT\nServer: NCSA/1.4.2\nContent-type: text/html\n\n"


@pytest.mark.parametrize(
    ("data", "page"),
    [
        (
            HEAD + b"<html><title>\n My  <b>home</b>\n</title><body>Hi &amp; <i>welcome</i></body>",
            ("My home", "Hi & welcome"),
        ),
        (HEAD.replace(b"\n", b"\r\n") + b"<title>T</title>x", ("T", "x")),
        (b"<HTML><TITLE>No header</TITLE>\n\nText", ("No header", "Text")),
        (b"WWW Alert:  Redirection response\nDate: x\n\n<TITLE>301</TITLE>Moved", ("301", "Moved")),
        (b"Date: x\nServer: NCSA/1.4.cp: No match.\n<p>Text: here", ("", "Text: here")),
        (b"Content-Type: text/plain\n\nif a <b and c> d", ("", "if a <b and c> d")),
        (HEAD + b"<title>Never closed\n<p>Text", ("Never closed", "Text")),
        (HEAD + b"<TITLE>", ("", "")),
        (HEAD + b"it\x92s caf\xe9", ("", "it\u2019s caf\u00e9")),
        (b"just text", ("", "just text")),
        (b"", ("", "")),
    ],
)
def test_a_page_loses_its_header_and_its_tags_and_nothing_else(data: bytes, page: tuple[str, str]) -> None:
    assert html_page(data) == page


def test_webkb_is_split_by_university_and_named_by_address(tmp_path: Path) -> None:
    files = {
        "webkb/course/cornell/http\uf03a^^www.cs.cornell.edu^x": HEAD + b"Course",
        "webkb/student/texas/http:^^www.utexas.edu^~me\uf00d": HEAD + b"Me",
        "webkb/staff/misc/http:^^a.b": HEAD + b"Staff",
    }
    pack(tmp_path / "webkb.tar.xz", files)
    train, test = collections.load("WebKB", data=tmp_path)
    assert test.ids == ["course/cornell/http:^^www.cs.cornell.edu^x"]
    assert train.ids == ["staff/misc/http:^^a.b", "student/texas/http:^^www.utexas.edu^~me%0D"]
    assert train.labels == [["staff"], ["student"]]
    assert train.column("university") == ["misc", "texas"]
    _, test = collections.load("webkb", data=tmp_path, test_university="texas")
    assert test.column("body") == ["Me"]
    with pytest.raises(UnknownName, match="unknown test_university 'mit'"):
        collections.load("webkb", data=tmp_path, test_university="mit")


# -- names, tallies, fingerprints


def test_unknown_names_list_the_table(reuters: Path) -> None:
    with pytest.raises(
        UnknownName,
        match="unknown collection 'rcv1'; choose from: 20newsgroups, enquiries, ohsumed, reuters21578, webkb",
    ):
        collections.load("rcv1", data=reuters)
    with pytest.raises(UnknownName, match="unknown version of reuters21578 '91'; choose from: 10, 90, joachims"):
        collections.load("reuters", version="91", data=reuters)
    with pytest.raises(UnknownName, match="unknown headers 'some'"):
        collections.load("20news", headers="some", data=reuters)
    with pytest.raises(UnknownName, match="option of reuters21578"):
        collections.load("reuters", headers="none", data=reuters)
    with pytest.raises(InvalidSetting, match="use load"):
        collections.read("reuters", version="90", data=reuters)


@pytest.mark.parametrize("name", ["reuters", "Reuters-21578", "REUTERS21578"])
def test_names_and_versions_are_matched_in_any_case(reuters: Path, name: str) -> None:
    for version in ("90", "R(90)", "90-topics"):
        assert len(collections.load(name, version=version, data=reuters)[0]) == 1


def test_the_table_describes_every_collection() -> None:
    assert [collection.name for collection in collections.available()] == [
        "enquiries",
        "reuters21578",
        "20newsgroups",
        "ohsumed",
        "webkb",
    ]
    assert collections.COLLECTIONS["reuters21578"].sizes["90"] == {"train": 7770, "test": 3019}
    for collection in collections.available():
        assert collection.title
        assert collection.source
        assert collection.terms
        assert collection.papers or collection.name == "enquiries"
        for version in collection.versions:
            assert version.about
            assert version.files
            assert all(len(part.fingerprint) == 64 and part.documents > 0 for part in version.parts.values())


def test_rejects_of_a_collection_are_told_once_to_the_sink_and_stay_in_the_tally(tmp_path: Path) -> None:
    unpack(tmp_path / "reuters21578", {"reut2-000.sgm": (article(1) + article(1) + "<REUTERS>x</REUTERS>").encode()})
    rejects: list[Reject] = []
    train, test = collections.load("reuters", data=tmp_path, sink=rejects.append)
    assert len(rejects) == 2
    assert (len(train), train.tally.rejected, len(test), test.tally.rejected) == (1, 2, 0, 0)
    whole = collections.read("reuters", data=tmp_path)
    for _ in range(2):
        assert whole.ids == ["1"]
        assert (whole.tally.rows_in, whole.tally.kept, whole.tally.rejected) == (3, 1, 2)
    with pytest.raises(RejectedRow):
        collections.load("reuters", data=tmp_path, strict=True)


def test_a_fingerprint_sees_every_letter_and_no_order() -> None:
    def of(texts: list[str], labels: list[list[str]], names: list[str]) -> str:
        return collections.fingerprint(Corpus.from_texts(texts, labels, names))

    first = of(["x", "y"], [["a", "b"], []], ["1", "2"])
    assert first == of(["y", "x"], [[], ["b", "a"]], ["2", "1"])
    others = [
        of(["x", "z"], [["a", "b"], []], ["1", "2"]),
        of(["x", "y"], [["ab"], []], ["1", "2"]),
        of(["x", "y"], [["a", "b"], []], ["1", "3"]),
        of(["x1", "y"], [["a", "b"], []], ["1", "2"]),
    ]
    assert len({first, *others}) == 5


def test_other_documents_than_the_tables_do_not_verify(reuters: Path) -> None:
    verification = collections.verify("reuters", "90", reuters)
    assert not verification.same
    assert (verification.name, verification.version, verification.found["train"][0]) == ("reuters21578", "90", 1)
    assert verification.expected["train"][0] == 7770


# -- TREC

TREC_DOCUMENTS = """\
<DOC>
<DOCNO> AP880212-0001 </DOCNO>
<FILEID>AP-NR-02-12-88 2344EST</FILEID>
<HEAD>Reports Former Saigon Officials Released</HEAD>
<HEAD>By SOMEBODY</HEAD>
<DATELINE>BANGKOK (AP) </DATELINE>
<TEXT>
   More than 150 officers <P>of AT&amp;T <TITLE>within</TITLE> <!-- noise --> a <b and c>.
</TEXT>
<TEXT>And more.</TEXT>
</DOC>
<doc><docno>LA010189-0002</docno><headline><p>Small</p></headline><text>letters</text></doc>
<DOC><DOCNO>FR94-3</DOCNO><USDEPT>No text tag</USDEPT> at all</DOC>
<DOC>no number</DOC>
<DOC><DOCNO>WSJ870324-0001</DOCNO><HL>Unclosed headline<LP>Lead.<TEXT>Body
"""


def test_trec_documents_have_a_title_a_body_and_the_topics_they_are_relevant_to(tmp_path: Path) -> None:
    (tmp_path / "ap").write_text(TREC_DOCUMENTS)
    (tmp_path / "qrels").write_text(
        "51 0 AP880212-0001 1\n52 0 AP880212-0001 0\n53 0 AP880212-0001 2\n\n51 0 FR94-3 -1\n"
    )
    corpus = read_trec(tmp_path / "ap", qrels=tmp_path / "qrels")
    first, small, bare, unclosed = corpus.documents()
    assert (first.id, first.labels) == ("AP880212-0001", ("51", "53"))
    assert first.kept == {"date": "1988-02-12", "judged": "51 52 53"}
    assert first.fields["title"].split("\n") == ["Reports Former Saigon Officials Released", "By SOMEBODY"]
    words = "More than 150 officers of AT&T within a <b and c>. And more."
    assert " ".join(first.fields["body"].split()) == words
    assert (small.fields["title"], small.fields["body"], small.kept["date"]) == ("Small", "letters", "1989-01-01")
    assert bare.fields["body"].split() == ["No", "text", "tag", "at", "all"]
    assert (bare.labels, bare.kept) == ((), {"date": None, "judged": "51"})
    assert (unclosed.fields["title"], unclosed.fields["body"]) == ("Unclosed headline", "Lead.\nBody")
    assert corpus.tally.reasons == {"a DOC without DOCNO": 1}
    assert corpus.tally.rows_in == 5


def test_trec_documents_of_a_folder_come_in_the_order_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "b.xz").write_bytes(lzma.compress(b"<DOC><DOCNO>2</DOCNO><TEXT>two</TEXT></DOC>"))
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "z").write_text("<DOC><DOCNO>1</DOCNO><TEXT>one</TEXT></DOC>")
    assert read_trec(tmp_path).ids == ["1", "2"]


def test_trec_topics_end_where_the_next_field_begins(tmp_path: Path) -> None:
    text = (
        "<top>\n<head> Tipster Topic Description\n<num> Number:  051\n<dom> Domain:  Economics\n"
        "<title> Topic:  Airbus Subsidies\n<desc> Description:\nDocument discusses\naid.\n"
        "<narr> Narrative:\nA relevant one.\n<con> Concept(s):\n1. Airbus\n</top>\n"
        "<top>\n<num> Number: 401\n<title> foreign minorities\n</top>\n"
    )
    (tmp_path / "topics").write_text(text)
    first, second = read_topics(tmp_path / "topics")
    assert (first.number, first.title, first.description) == ("051", "Airbus Subsidies", "Document discusses aid.")
    assert (first.narrative, first.concepts) == ("A relevant one.", "1. Airbus")
    assert (second.number, second.title, second.narrative) == ("401", "foreign minorities", "")
    (tmp_path / "topics").write_text("<top><title>none</top>")
    with pytest.raises(InputError, match="topics line 1: a topic without <num>"):
        read_topics(tmp_path / "topics")


@pytest.mark.parametrize("line", ["51 0 AP-1", "51 0 AP-1 yes", "51 0 AP-1 --1", "51 0 AP-1 1 2"])
def test_a_qrels_line_that_is_none_is_an_error_with_its_number(tmp_path: Path, line: str) -> None:
    (tmp_path / "qrels").write_text(f"51 0 AP-0 1\n{line}\n")
    with pytest.raises(InputError, match="qrels line 2: found"):
        read_qrels(tmp_path / "qrels")


def test_trec_and_medline_files_that_are_not_there_are_missing_data(tmp_path: Path) -> None:
    for reading in (lambda path: len(read_trec(path)), lambda path: len(read_medline(path)), read_qrels, read_topics):
        with pytest.raises(MissingData, match="nowhere"):
            reading(tmp_path / "nowhere")


# -- MEDLINE

MEDLINE = """\
.I 1
.U
87049087
.S
Am J Emerg Med 8703; 4(6):491-5
.M
Allied Health Personnel/*; Electric Countershock/*MT/IS; Human; Support, U.S. Gov't, P.H.S..
.T
Refibrillation managed by EMT-Ds.
.P
JOURNAL ARTICLE.
.W
Some patients convert
 and refibrillate. .M
.A
Stults KR; Brown DD.
.I 2
.U
87049088
.S
Lancet 1991 Mar 2; 1:1
.T
No abstract, no terms.
.I 3
.T
Only a number.
.I
.T
Nothing to name it by.
"""


def test_medline_records_have_mesh_headings_as_labels(tmp_path: Path) -> None:
    (tmp_path / "ohsu").write_text(MEDLINE)
    corpus = read_medline(tmp_path / "ohsu")
    first, second, third = corpus.documents()
    assert (first.id, first.fields["title"]) == ("87049087", "Refibrillation managed by EMT-Ds.")
    assert first.fields["body"] == "Some patients convert\n and refibrillate. .M"
    assert first.labels == ("Allied Health Personnel", "Electric Countershock", "Human", "Support, U.S. Gov't, P.H.S.")
    assert (first.kept["date"], first.kept["authors"], first.kept["number"]) == ("1987-03", "Stults KR; Brown DD.", "1")
    assert (second.id, second.labels, second.fields["body"], second.kept["date"]) == ("87049088", (), "", "1991")
    assert third.id == "3"
    assert corpus.tally.rows_in == 4
    assert corpus.tally.rejected == 1
    assert corpus.tally.first[0].where.endswith("ohsu line 27")
    train, test = corpus.at([0, 1]).split(field="date", since="1991")
    assert (train.ids, test.ids) == (["87049087"], ["87049088"])


def test_subheadings_become_labels_of_their_own_when_asked() -> None:
    terms = "Electric Countershock/*MT/IS; *Human ; ;Child."
    assert mesh_labels(terms) == ("Electric Countershock", "Human", "Child")
    expected = ("Electric Countershock", "Electric Countershock/MT", "Electric Countershock/IS", "Human", "Child")
    assert mesh_labels(terms, subheadings=True) == expected


@pytest.mark.parametrize(
    ("source", "date"),
    [("Am J Med 8703; 4(6)", "1987-03"), ("J 9113; 1", "1991"), ("J 1990; 2", "1990"), ("J", None)],
)
def test_the_date_of_a_medline_record_is_in_its_source(source: str, date: str | None) -> None:
    assert source_date(source) == date


# -- the real collections


@pytest.fixture(scope="module")
def loaded() -> Iterator[Callable[[str, str], tuple[Corpus, Corpus]]]:
    """Parts of the real collections. Files that several versions share are read once, to save the tests' time."""
    parts: dict[tuple[str, str], tuple[Corpus, Corpus]] = {}
    sources: dict[tuple[Any, ...], Corpus] = {}
    reading = collections._read

    def once(collection: Any, version: Any, data: Any, strict: bool, sink: Any, settings: dict[str, Any]) -> Corpus:
        key = (version.files, str(data), settings.get("headers"), settings.get("crossposts"))
        if key not in sources:
            sources[key] = reading(collection, version, data, strict, sink, settings)
        return sources[key]

    def get(name: str, version: str) -> tuple[Corpus, Corpus]:
        if (name, version) not in parts:
            parts[name, version] = collections.load(name, version=version, data=DATA)
        return parts[name, version]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(collections, "_read", once)
        yield get


Loaded = Callable[[str, str], tuple[Corpus, Corpus]]
SPLITS = [(collection.name, version.name) for collection in collections.available() for version in collection.versions]


@on_real_data
@pytest.mark.parametrize(("name", "version"), SPLITS)
def test_the_real_collections_are_those_of_the_table(loaded: Loaded, name: str, version: str) -> None:
    parts = dict(zip(("train", "test"), loaded(name, version), strict=True))
    described = next(described for described in collections.COLLECTIONS[name].versions if described.name == version)
    for part, expected in described.parts.items():
        corpus = collections.read(name, version=version, data=DATA) if part == "all" else parts[part]
        assert (len(corpus), collections.fingerprint(corpus)) == (expected.documents, expected.fingerprint)
        assert corpus.tally.rejected == 0
    assert (
        len({label for corpus in parts.values() for several in corpus.labels for label in several}) == described.labels
    )


SIZES = {
    ("reuters21578", "modapte"): (9603, 3299),
    ("reuters21578", "modlewis"): (13625, 6188),
    ("reuters21578", "90"): (7770, 3019),
    ("reuters21578", "10"): (9603, 3299),
    ("reuters21578", "joachims"): (14824, 6754),
    ("20newsgroups", "bydate"): (11314, 7532),
    ("ohsumed", "first20000"): (6286, 7643),
    ("webkb", "university"): (7414, 867),
}


@on_real_data
@pytest.mark.parametrize(("name", "version"), SIZES)
def test_the_real_collections_have_the_papers_sizes(loaded: Loaded, name: str, version: str) -> None:
    train, test = loaded(name, version)
    assert (len(train), len(test)) == SIZES[name, version]
    assert not set(train.ids) & set(test.ids)


@on_real_data
def test_reuters_has_21578_articles_each_with_a_date_and_most_with_text(loaded: Loaded) -> None:
    train, test = loaded("reuters21578", "joachims")
    documents = [*train.documents(), *test.documents()]
    assert len(documents) == 21578
    assert {document.id for document in documents} == {str(n) for n in range(1, 21579)}
    assert Counter(document.kept["text_type"] for document in documents) == {
        "NORM": 19043,
        "BRIEF": 1798,
        "UNPROC": 737,
    }
    assert [document.id for document in documents if not document.text.strip()] == ["12793"]
    assert max(document.kept["date"] or "" for document in train.documents()) < "1987-04-08"
    assert min(document.kept["date"] or "" for document in test.documents()) >= "1987-04-08"
    assert not any(chr(code) in document.text for document in documents for code in (1, 2, 3, 5, 22, 30, 31, 127))


@on_real_data
def test_the_ten_largest_topics_have_their_known_sizes(loaded: Loaded) -> None:
    train, test = (
        Counter(label for labels in part.labels for label in labels) for part in loaded("reuters21578", "10")
    )
    assert [train[topic] for topic in TEN_TOPICS] == [2877, 1650, 538, 433, 389, 369, 347, 212, 197, 181]
    assert [test[topic] for topic in TEN_TOPICS] == [1087, 719, 179, 149, 189, 117, 131, 71, 89, 56]
    every = Counter(label for labels in loaded("reuters21578", "modapte")[0].labels for label in labels)
    assert tuple(topic for topic, _ in every.most_common(10)) == TEN_TOPICS


@on_real_data
def test_ninety_topics_all_have_training_and_test_documents(loaded: Loaded) -> None:
    train, test = ({label for labels in part.labels for label in labels} for part in loaded("reuters21578", "90"))
    assert train == test
    assert len(train) == 90
    assert all(labels for part in loaded("reuters21578", "90") for labels in part.labels)


@on_real_data
def test_the_original_newsgroups_are_19997_in_twenty_groups(loaded: Loaded) -> None:
    train, test = loaded("20newsgroups", "19997")
    assert len(train) + len(test) == 19997
    assert len(test) == round(0.33 * 19997)
    sizes = Counter(label for part in (train, test) for labels in part.labels for label in labels)
    assert sizes.pop("soc.religion.christian") == 997
    assert set(sizes.values()) == {1000}
    assert all(abs(count - 330) <= 1 for count in Counter(label for labels in test.labels for label in labels).values())
    merged = collections.read("20newsgroups", crossposts="merged", data=DATA)
    assert len(merged) == 19997 - 531


@on_real_data
def test_webkb_has_8281_pages_of_seven_categories(loaded: Loaded) -> None:
    train, test = loaded("webkb", "university")
    sizes = Counter(label for part in (train, test) for labels in part.labels for label in labels)
    assert sizes == {
        "other": 3763,
        "student": 1641,
        "faculty": 1124,
        "course": 930,
        "project": 504,
        "department": 182,
        "staff": 137,
    }
    assert sum(sizes.values()) == 8281
    assert set(test.column("university")) == {"cornell"}


@on_real_data
def test_a_real_collection_is_the_same_packed_and_unpacked(tmp_path: Path) -> None:
    with tarfile.open(Path(DATA) / "reuters21578.tar.xz") as tar:
        tar.extractall(tmp_path / "reuters21578", filter="data")
    verification = collections.verify("reuters21578", "90", tmp_path)
    assert verification.same
    assert [size for size, _ in verification.found.values()] == [7770, 3019]
