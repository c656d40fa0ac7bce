"""The self-check of a page: texts with their terms, scores, probabilities and labels as Python has them.

The texts are odd ones, which browsers and Unicode versions disagree on, and words of the vocabulary drawn by chance; never
documents. Python works with the numbers that go into the page, after terms were left out and weights rounded.
"""

from __future__ import annotations

from itertools import chain, repeat
from random import Random
from typing import Any

from ..scoring.predictor import Predictor
from ..terms.fields import document_terms
from .parts import document_of
from .payload import Payload

TEXTS = 24
CELLS = 20_000  # texts x labels: with very many labels fewer texts will do
FEWEST = 4
LONGEST = 40  # words of a text drawn by chance

ODD = (
    "",
    "ﬁnd the STRASSE in the Straße, ẞ and ŉ",
    "İstanbul, ISPARTA and ıssız; ΣΑΣ, ᾳ and Ὀδυσσεύς",
    "a\u0323\u0307\u0301 q\u0301\u0323 e" + "\u0301\u0316" * 40,  # marks out of order, and a run of eighty
    "\u1112\u1161\u11ab\u1100\u116e\u11a8 한국 \uac00\u11a8",  # Hangul apart, together, and half
    "日本語のﾃｷｽﾄ กำลัง ភាសា မြန်မာ",
    "हिन्दी क\u093c बाংলা \u09c7\u09be اَلْعَرَبِيَّة",
    "co\u00adoperate zero\u200dwidth space\u200bhere \u202eright to left\u202c \ufeffmark",
    "1,250.75 and 3.14 of x2, ½ ² Ⅷ ٣٤",
    "tab\tline\nbreak\x0bpage\x0cnul\x00escape\x1b next\x85 sep\u2028end",
    "\U0001d400\U00010400 😀👩\u200d👩 \U000110a5\U000110ba \U0001d15e",
    "\U0001e4ee\u0301 \U00011f04\U00011f42 \u0897 \U000113c5",  # known to later versions of Unicode only
    "don't e-mail: www.example.org/~user?id=7 (or 'call') O'Neill & Söhne",
)


def self_check(payload: Payload, predictor: Predictor) -> dict[str, Any]:
    """What Python says of the texts: numbers into the payload, texts and terms into the head."""
    texts = check_texts(predictor, max(FEWEST, min(TEXTS, CELLS // max(len(predictor.labels), 1))))
    documents = [document_of(predictor, text) for text in texts]
    terms = [list(document_terms(document, predictor.vocabulary.recipe)) for document in documents]
    counts = [predictor.vocabulary.count_terms(document_terms) for document_terms in terms]
    scores, probabilities, decisions, _ = predictor.predict_counts(counts)
    payload.floats("check.scores", scores)
    payload.floats("check.probabilities", probabilities)
    payload.whole("check.decisions", decisions)
    fields = [[document] if isinstance(document, str) else list(document.values()) for document in documents]
    return {"texts": [{"fields": row, "terms": row_terms} for row, row_terms in zip(fields, terms, strict=True)]}


def check_texts(predictor: Predictor, n: int) -> list[str]:
    """n texts, half of them words of the vocabulary with odd characters among them."""
    draw, terms = Random(0), predictor.vocabulary.terms  # noqa: S311 -- the same texts for the same model
    prefix = predictor.vocabulary.recipe.prefix_fields

    def word() -> str:
        term = terms[int(draw.random() * len(terms))] if terms else "word"
        times = 1 + int(draw.random() * 3)
        return " ".join(repeat(term.rpartition(":")[2] if prefix else term, times))

    drawn = (" ".join(word() for _ in range(1 + int(draw.random() * LONGEST))) for _ in repeat(None))
    texts: list[str] = []
    for odd, common in zip(chain(ODD, repeat("")), drawn, strict=False):
        texts += [f"{odd} {common}"] if len(texts) >= 2 * len(ODD) else [odd, common]
        if len(texts) >= n:
            break
    return texts[:n]
