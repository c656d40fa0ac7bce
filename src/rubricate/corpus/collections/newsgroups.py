"""20 Newsgroups: articles by group, which headers are read, and what becomes of cross-posted copies.

headers      fields                   what
  subject    subject, body            as 000 does
  none       body
  safe       headers, subject, body   without Newsgroups, Xref, Path and Followup-To, which give the answer away
  all        headers, subject, body   the whole header

crossposts="copies" keeps each copy as a document with its folder's label (000); "merged" makes one document with
several labels of copies with the same Message-ID or, without one, the same bytes. The kept column `groups` names the
groups (of the twenty, separated by spaces) an article was posted to, so that scoring can count any of them right; the
by-date version has lost that header and knows only the folder.

An article is header lines, an empty line, the body; Latin-1, one article a file. The `email` package is not used: it guesses at
broken articles and recurses; names, values and the empty line suffice.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import Columns, Corpus, Row, Tally
from ..readers.archives import Member, members
from ..splits import held_out
from .catalogue import CollectionReader, Split
from .folders import split_by_column

_GROUPS = """alt.atheism comp.graphics comp.os.ms-windows.misc comp.sys.ibm.pc.hardware comp.sys.mac.hardware comp.windows.x
misc.forsale rec.autos rec.motorcycles rec.sport.baseball rec.sport.hockey sci.crypt sci.electronics sci.med sci.space
soc.religion.christian talk.politics.guns talk.politics.mideast talk.politics.misc talk.religion.misc"""
GROUPS = frozenset(_GROUPS.split())
_FIELDS = {
    "subject": ("subject", "body"),
    "none": ("body",),
    "safe": ("headers", "subject", "body"),
    "all": ("headers", "subject", "body"),
}
GIVE_AWAY = frozenset({"newsgroups", "xref", "path", "followup-to"})


@dataclass(frozen=True, slots=True)
class NewsArticle:
    """Header lines as (name, value) in their order, continuation lines joined; and the body, unchanged."""

    header: tuple[tuple[str, str], ...]
    body: str

    def value(self, name: str) -> str:
        """The first header of this name (any case), or the empty string."""
        lower_name = name.lower()
        return next((value for header, value in self.header if header.lower() == lower_name), "")

    def lines(self, *, without: frozenset[str] = frozenset()) -> str:
        """The header as text, without the headers of these (lower-case) names."""
        return "\n".join(f"{name}: {value}" for name, value in self.header if name.lower() not in without)


def news_article(data: bytes) -> NewsArticle:
    """Take an article apart. Without a first line `Name: value` there is no header and all is body."""
    text = data.decode("latin-1")
    header: list[tuple[str, str]] = []
    position = 0
    while position < len(text):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        line = text[position:end].removesuffix("\r")
        if not line:
            position = end + 1
            break
        name, colon, value = line.partition(":")
        if line[0] in " \t" and header:
            header[-1] = (header[-1][0], f"{header[-1][1]} {line.strip()}")
        elif colon and name and not any(c.isspace() for c in name):
            header.append((name, value.strip()))
        else:
            break
        position = end + 1
    return NewsArticle(tuple(header), text[position:])


def _columns(settings: dict[str, Any]) -> Columns:
    return Columns(text=_FIELDS[settings["headers"]], keep=("groups", "split"))


def _rows(path: Path, version: str, settings: dict[str, Any], tally: Tally) -> list[Row]:
    """All articles, by group and number."""

    def is_document(parts: tuple[str, ...]) -> bool:
        return len(parts) >= 2 and parts[-2] in GROUPS and (version != "bydate" or _part(parts) is not None)

    by_message: dict[bytes, Row] = {}
    copies: list[Row] = []
    for member in sorted(members(path, select=is_document, tally=tally)):
        article = news_article(member.data)
        row = _row(member, article, version, settings["headers"])
        if settings["crossposts"] == "copies":
            copies.append(row)
            continue
        name = article.value("message-id").encode() or hashlib.sha256(member.data).digest()
        first = by_message.setdefault(name, row)
        if first is not row:
            tally.repair("cross-posted copy merged into one document")
            groups = dict.fromkeys([*(first.kept[0] or "").split(), *(row.kept[0] or "").split()])
            labels = tuple(dict.fromkeys([*first.labels, *row.labels]))
            by_message[name] = first._replace(labels=labels, kept=(" ".join(groups), first.kept[1]))
    return sorted(copies or by_message.values(), key=lambda row: row.id or "")


def _part(parts: tuple[str, ...]) -> str | None:
    folder = parts[-3] if len(parts) > 2 else ""
    return "train" if folder.endswith("train") else "test" if folder.endswith("test") else None


def _row(member: Member, article: NewsArticle, version: str, headers: str) -> Row:
    label, number = member.parts[-2:]
    posted_to = [group for group in article.value("newsgroups").replace(",", " ").split() if group in GROUPS]
    without = frozenset({"subject"}) | (GIVE_AWAY if headers == "safe" else frozenset())
    text = {"headers": "", "subject": article.value("subject"), "body": article.body}
    if headers in ("safe", "all"):
        text["headers"] = article.lines(without=without)
    groups = " ".join(dict.fromkeys([label, *posted_to]))
    split = _part(member.parts) if version == "bydate" else None
    name = "/".join(member.parts)
    return Row(name, f"{label}/{number}", tuple(text[field] for field in _FIELDS[headers]), (label,), (groups, split))


def _split(whole: Corpus, version: str, settings: dict[str, Any]) -> Split:
    """By date as given; else a seeded random part, stratified by group."""
    if version == "bydate":
        return split_by_column(whole, version, settings)
    test = held_out(whole.labels, settings["test"], seed=settings["seed"])
    return Split(~test, test)


newsgroups = CollectionReader(_columns, _rows, _split)
