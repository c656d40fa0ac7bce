"""Collections whose folders are the labels, OHSUMED and WebKB; and the sample that ships inside the package, the enquiries.

OHSUMED's first 20,000 abstracts of 1991: a document lies in the folder of each of its classes, merged by name; its first line is
the title. WebKB: the id of a page is category/university/name, where the name is the page's address. Enquiries to a public
library's help desk were written for this package; nobody is real.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .. import Columns, Corpus, Row, Tally
from ..readers import jsonl
from ..readers.archives import members
from ..readers.columns import ColumnChoice, ColumnRequest
from ..readers.decompression import Limits
from ..readers.html import html_page
from ..readers.sgml import decode
from ..readers.sources import Source
from .catalogue import CollectionReader, Split

_OHSUMED_PARTS = {"training": "train", "test": "test"}
_OHSUMED_CLASS = re.compile(r"C\d\d")
_WEBKB_CATEGORIES = ("course", "department", "faculty", "other", "project", "staff", "student")
_WEBKB_UNIVERSITIES = ("cornell", "misc", "texas", "washington", "wisconsin")
_ENQUIRIES = ColumnChoice(("subject", "text"), "labels", "id", ("date", "channel"))
_ENQUIRIES_TEST_FROM = "2026-01-01"


def _ohsumed_rows(path: Path, version: str, settings: dict[str, Any], tally: Tally) -> list[Row]:
    """All documents, by their number; the classes of each in alphabetical order."""

    def is_document(parts: tuple[str, ...]) -> bool:
        return len(parts) >= 3 and parts[-3] in _OHSUMED_PARTS and bool(_OHSUMED_CLASS.fullmatch(parts[-2]))

    documents: dict[tuple[str, str], Row] = {}
    for parts, data in sorted(members(path, select=is_document, tally=tally)):
        part, label, name = parts[-3:]
        title, _, body = decode(data).partition("\n")
        row = Row("/".join(parts), name, (title.strip(), body.strip()), (label,), (_OHSUMED_PARTS[part],))
        first = documents.setdefault((name, part), row)
        if first is not row:
            tally.repair("copy merged into one document with several labels")
            if first.texts != row.texts:
                tally.repair("copies of one document differ: the first was kept")
            documents[name, part] = first._replace(labels=tuple(dict.fromkeys([*first.labels, label])))
    return sorted(documents.values(), key=lambda row: row.id or "")


def split_by_column(whole: Corpus, version: str, settings: dict[str, Any]) -> Split:
    """As the collection's folders say, which the column `split` has."""
    part = np.array(whole.column("split"), dtype=object)
    return Split(part == "train", part == "test")


def _webkb_rows(path: Path, version: str, settings: dict[str, Any], tally: Tally) -> list[Row]:
    """All pages, by id."""

    def is_document(parts: tuple[str, ...]) -> bool:
        return len(parts) >= 3 and parts[-3] in _WEBKB_CATEGORIES and parts[-2] in _WEBKB_UNIVERSITIES

    rows = []
    for parts, data in members(path, select=is_document, tally=tally):
        category, university, _ = parts[-3:]
        rows.append(Row("/".join(parts), "/".join(parts[-3:]), tuple(html_page(data)), (category,), (university,)))
    return sorted(rows, key=lambda row: row.id or "")


def _webkb_split(whole: Corpus, version: str, settings: dict[str, Any]) -> Split:
    test = np.array(whole.column("university"), dtype=object) == settings["test_university"]
    return Split(~test, test)


def _enquiries_rows(path: Path, version: str, settings: dict[str, Any], tally: Tally) -> Iterator[Row]:
    source = Source(path, limits=Limits(), encoding="utf-8")
    return jsonl.rows(source, _ENQUIRIES, ColumnRequest(), tally)


def _enquiries_split(whole: Corpus, version: str, settings: dict[str, Any]) -> Split:
    """The last months for testing, as they would be met in use."""
    test = np.array(whole.column("date"), dtype=object) >= _ENQUIRIES_TEST_FROM
    return Split(~test, test)


ohsumed = CollectionReader(
    lambda settings: Columns(text=("title", "body"), keep=("split",)), _ohsumed_rows, split_by_column
)
webkb = CollectionReader(
    lambda settings: Columns(text=("title", "body"), keep=("university",)), _webkb_rows, _webkb_split
)
enquiries = CollectionReader(lambda settings: _ENQUIRIES.columns, _enquiries_rows, _enquiries_split)
