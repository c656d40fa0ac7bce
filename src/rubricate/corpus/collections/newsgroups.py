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
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from .. import Columns, Corpus, Row, Tally
from ..readers.archives import Member, members
from ..splits import held_out
from .news_article import GIVE_AWAY, NewsArticle, news_article
from .shape import Split

__all__ = ["GROUPS"]

GROUPS = (
    "alt.atheism",
    "comp.graphics",
    "comp.os.ms-windows.misc",
    "comp.sys.ibm.pc.hardware",
    "comp.sys.mac.hardware",
    "comp.windows.x",
    "misc.forsale",
    "rec.autos",
    "rec.motorcycles",
    "rec.sport.baseball",
    "rec.sport.hockey",
    "sci.crypt",
    "sci.electronics",
    "sci.med",
    "sci.space",
    "soc.religion.christian",
    "talk.politics.guns",
    "talk.politics.mideast",
    "talk.politics.misc",
    "talk.religion.misc",
)

_KNOWN = frozenset(GROUPS)
_FIELDS = {
    "subject": ("subject", "body"),
    "none": ("body",),
    "safe": ("headers", "subject", "body"),
    "all": ("headers", "subject", "body"),
}


def columns(options: dict[str, Any]) -> Columns:
    """Fields by header policy; groups and, by date, the part are kept."""
    return Columns(text=_FIELDS[options["headers"]], keep=("groups", "split"))


def rows(path: Path, version: str, options: dict[str, Any], tally: Tally) -> list[Row]:
    """All articles, by group and number."""

    def wanted(parts: tuple[str, ...]) -> bool:
        return len(parts) >= 2 and parts[-2] in _KNOWN and (version != "bydate" or _part(parts) is not None)

    merged: dict[bytes, Row] = {}
    found: list[Row] = []
    for member in sorted(members(path, wanted=wanted, tally=tally)):
        article = news_article(member.data)
        row = _row(member, article, version, options["headers"])
        if options["crossposts"] == "copies":
            found.append(row)
            continue
        name = article.value("message-id").encode() or hashlib.sha256(member.data).digest()
        first = merged.setdefault(name, row)
        if first is not row:
            tally.repair("cross-posted copy merged into one document")
            groups = dict.fromkeys([*(first.kept[0] or "").split(), *(row.kept[0] or "").split()])
            labels = tuple(dict.fromkeys([*first.labels, *row.labels]))
            merged[name] = first._replace(labels=labels, kept=(" ".join(groups), first.kept[1]))
    return sorted(found or merged.values(), key=lambda row: row.id or "")


def _part(parts: tuple[str, ...]) -> str | None:
    folder = parts[-3] if len(parts) > 2 else ""
    return "train" if folder.endswith("train") else "test" if folder.endswith("test") else None


def _row(member: Member, article: NewsArticle, version: str, headers: str) -> Row:
    label, number = member.parts[-2:]
    posted = [group for group in article.value("newsgroups").replace(",", " ").split() if group in _KNOWN]
    without = frozenset({"subject"}) | (GIVE_AWAY if headers == "safe" else frozenset())
    text = {"headers": "", "subject": article.value("subject"), "body": article.body}
    if headers in ("safe", "all"):
        text["headers"] = article.lines(without=without)
    groups = " ".join(dict.fromkeys([label, *posted]))
    split = _part(member.parts) if version == "bydate" else None
    name = "/".join(member.parts)
    return Row(name, f"{label}/{number}", tuple(text[own] for own in _FIELDS[headers]), (label,), (groups, split))


def split(whole: Corpus, version: str, options: dict[str, Any]) -> Split:
    """By date as given; else a seeded random part, stratified by group."""
    if version == "bydate":
        given = np.array(whole.column("split"), dtype=object)
        return Split(given == "train", given == "test")
    test = held_out(whole.labels, options["test"], seed=options["seed"])
    return Split(~test, test)
