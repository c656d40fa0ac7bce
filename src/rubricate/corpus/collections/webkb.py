"""WebKB: pages by category and university. The id is category/university/name, where the name is the page's address."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .. import Columns, Corpus, Row, Tally
from ..readers.archives import Member, members
from ..readers.html import html_page
from .catalogue import Split

CATEGORIES = ("course", "department", "faculty", "other", "project", "staff", "student")
UNIVERSITIES = ("cornell", "misc", "texas", "washington", "wisconsin")


def columns(options: dict[str, Any]) -> Columns:
    """The page's title and its running text; the university is kept."""
    return Columns(text=("title", "body"), keep=("university",))


def rows(path: Path, version: str, options: dict[str, Any], tally: Tally) -> list[Row]:
    """All pages, by id."""

    def is_document(parts: tuple[str, ...]) -> bool:
        return len(parts) >= 3 and parts[-3] in CATEGORIES and parts[-2] in UNIVERSITIES

    return sorted(
        (_row(member) for member in members(path, select=is_document, tally=tally)), key=lambda row: row.id or ""
    )


def _row(member: Member) -> Row:
    category, university, name = member.parts[-3:]
    page = html_page(member.data)
    return Row("/".join(member.parts), f"{category}/{university}/{name}", tuple(page), (category,), (university,))


def split(whole: Corpus, version: str, options: dict[str, Any]) -> Split:
    """One university for testing."""
    test = np.array(whole.column("university"), dtype=object) == options["test_university"]
    return Split(~test, test)
