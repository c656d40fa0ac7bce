"""The terms of a document that is one text, or texts of several fields.

Fields stand one after the other with a break that no term and no pair crosses; with `prefix_fields` each term carries its field's
name.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import UnknownName
from .recipe import FIELD_BREAK, Recipe

Document = str | Mapping[str, str]
TEXT = "text"  # the field that a plain text is


def document_terms(document: Document, recipe: Recipe) -> list[str]:
    """In order, field after field."""
    if recipe.prefix_fields:
        fields = fields_of(document, recipe)
        return [f"{name}:{term}" for name, text in fields.items() for term in recipe.terms(text)]
    return recipe.terms(joined_text(document, recipe))


def joined_text(document: Document, recipe: Recipe) -> str:
    """The text of a document, or of its fields with a break between them."""
    if isinstance(document, str) and recipe.fields is None:
        return document
    return FIELD_BREAK.join(fields_of(document, recipe).values())


def fields_of(document: Document, recipe: Recipe) -> dict[str, str]:
    """The fields that the recipe looks at."""
    fields = {TEXT: document} if isinstance(document, str) else document
    for name in recipe.fields or ():
        if name not in fields:
            raise UnknownName("text field", name, map(str, fields))
    return {str(name): fields[name] for name in recipe.fields or fields}
