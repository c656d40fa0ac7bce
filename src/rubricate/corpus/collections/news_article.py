"""A Usenet article as 20 Newsgroups has it: header lines, an empty line, the body. Latin-1, one article a file.

The `email` package is not used: it guesses at broken articles and recurses; names, values and the empty line suffice.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["GIVE_AWAY", "NewsArticle", "news_article"]

GIVE_AWAY = frozenset({"newsgroups", "xref", "path", "followup-to"})


@dataclass(frozen=True, slots=True)
class NewsArticle:
    """Header lines as (name, value) in their order, continuation lines joined; and the body, unchanged."""

    header: tuple[tuple[str, str], ...]
    body: str

    def value(self, name: str) -> str:
        """The first header of this name (any case), or the empty string."""
        wanted = name.lower()
        return next((value for own, value in self.header if own.lower() == wanted), "")

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
