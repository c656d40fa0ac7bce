"""A fitted classifier as one HTML file, which scores in the browser and loads and sends nothing.

    Predictor -> fewer terms, rounder weights, if asked for -> arrays -> one script, one style, one block of data

The policy in the file lets the browser run this script and this style alone, by their hashes, and no request at all. The same
model gives the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

from .. import __version__
from ..errors import InvalidSetting
from ..foundation.files import write_atomically
from ..scoring.arrays import Longs, TermVector
from ..scoring.documents import as_documents
from ..scoring.predictor import Predictor
from ..terms.fields import Document
from .characters import put_characters
from .parts import document_of, put_model, refuse_what_cannot_go
from .payload import Payload
from .reduction import Comparison, compare, rounded, with_terms
from .self_check import check_texts, self_check
from .stemmers import stemmer_script
from .training_counts import document_frequencies, training_documents

LARGEST = 30_000_000  # bytes of a page
MADE_UP = 200  # texts of the model's own words, where no documents are at hand
FOLDER = Path(__file__).parent / "page"
SCORING = (
    "payload", "characters", "terms", "sums", "weights", "scores", "probabilities", "decisions", "model", "check",
)  # fmt: skip
VIEWS = ("files", "answers", "elements", "why_view", "text_view", "file_view", "page")


@dataclass(frozen=True, slots=True)
class PageSummary:
    """What a page that was written holds, and what was changed for it."""

    bytes: int
    labels: int
    terms: int
    single_document_terms: int | None  # terms that only one training document has; None: the file does not tell
    left_out: int  # terms of too few documents
    comparison: Comparison | None  # with the whole model; None where nothing was changed, or no documents are at hand


def write_page(
    fitted: Any,
    path: str | Path,
    *,
    title: str,
    min_documents: int = 1,
    small: bool = False,
    check: Iterable[Document] | None = None,
    check_name: str = "the given documents",
) -> PageSummary:
    """Write the page of a classifier. fitted: a `TextClassifier`, or the parts of its file (`scoring.format_1.fitted_parts`).

    min_documents: terms that fewer training documents have are left out. small: weights of 7 digits. check: documents on which
    the changes are judged; otherwise training documents, if the file has them.
    """
    whole = Predictor.from_classifier(fitted)
    refuse_what_cannot_go(whole)
    frequencies = document_frequencies(fitted)
    predictor = reduced(whole, frequencies, min_documents=min_documents, small=small)
    comparison = None
    if predictor is not whole:
        documents = None if check is None else [whole.vocabulary.count(text) for text in as_documents(list(check))]
        comparison = comparison_of(whole, predictor, fitted, documents, check_name)
    left_out = len(whole.vocabulary.terms) - len(predictor.vocabulary.terms)
    about = {
        "model": model_name(whole),
        "documents": whole.report.get("documents"),
        "statement": whole.report.get("statement"),
        "digest": whole.digest,
        "version": __version__,
        "left_out": left_out,
        "min_documents": min_documents,
        "small": small,
    }
    page = page_bytes(predictor, about, title)
    if len(page) > LARGEST:
        raise InvalidSetting(
            f"no page: it would have {len(page) / 1e6:.0f} MB, and more than {LARGEST // 1_000_000} do not open well; "
            "train with fewer terms (--select), leave rare ones out (--min-documents), or round the weights (--small)"
        )
    write_atomically(path, [page])
    stay = None if frequencies is None else frequencies[frequencies >= min_documents]
    return PageSummary(
        bytes=len(page),
        labels=len(predictor.labels),
        terms=len(predictor.vocabulary.terms),
        single_document_terms=None if stay is None else int((stay < 2).sum()),
        left_out=left_out,
        comparison=comparison,
    )


def model_name(predictor: Predictor) -> str:
    """As people call it: `support vector on ltc`."""
    chosen = predictor.report["chosen"]
    weighting = f" on {chosen['weighting']}" if chosen["weighting"] else ""
    return str(chosen["model"]).replace("_", " ") + weighting


# -- what was asked to be smaller


def reduced(predictor: Predictor, frequencies: Longs | None, *, min_documents: int, small: bool) -> Predictor:
    """The classifier as it goes into the page: the same one, if nothing is to be changed."""
    if min_documents > 1:
        if frequencies is None:
            raise InvalidSetting(
                "min_documents: the model was saved slim and does not know how many documents have a term; "
                f"save it whole, or train with select=common:{min_documents}"
            )
        predictor = with_terms(predictor, frequencies >= min_documents)
    return rounded(predictor) if small else predictor


def comparison_of(
    whole: Predictor, predictor: Predictor, fitted: Any, documents: list[TermVector] | None, name: str
) -> Comparison | None:
    """On the documents given, or training documents; rounding alone can also be judged on texts of the model's own words."""
    if documents is None:
        documents, name = training_documents(fitted), "training documents"
    if documents is None and len(predictor.vocabulary.terms) == len(whole.vocabulary.terms):
        texts = [document_of(whole, text) for text in check_texts(whole, MADE_UP)]
        documents, name = [whole.vocabulary.count(text) for text in texts], "texts of its own words"
    return None if documents is None else compare(whole, predictor, documents, on=name)


# -- the file


def page_bytes(predictor: Predictor, about: dict[str, Any], title: str) -> bytes:
    script, style = script_of(predictor.vocabulary.recipe.stem), source("page.css")
    policy = (
        f"default-src 'none'; script-src '{source_hash(script)}'; style-src '{source_hash(style)}'; connect-src 'none'; "
        "img-src 'none'; form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    name = html.escape(title.encode("utf-8", "replace").decode())
    model = model_text(predictor, about)
    page = Template(source("page.html")).substitute(policy=policy, title=name, style=style, script=script, model=model)
    return page.encode()


def model_text(predictor: Predictor, about: dict[str, Any]) -> str:
    """Everything that the scripts need of a classifier."""
    payload = Payload()
    put_characters(payload)
    head = {"about": about, **put_model(payload, predictor), "check": self_check(payload, predictor)}
    return payload.base64(head)


def script_of(language: str | None) -> str:
    """All scripts, one behind the other; only the stemmer of the model's language goes in."""
    stemmer = (
        "const makeStemmer = () => null;\n" if language is None else source("stemmer.js") + stemmer_script(language)
    )
    scripts = [source(f"{name}.js") for name in SCORING]
    return "\n".join(['"use strict";', *scripts, stemmer, *(source(f"{name}.js") for name in VIEWS)])


def source(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")


def source_hash(text: str) -> str:
    """As a policy names a script or style: the SHA-256 of what stands between its tags."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
