"""OHSUMED's first 20,000 abstracts of 1991: a document lies in the folder of each of its classes, merged by name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from .. import Columns, Corpus, Row, Tally
from ..readers.archives import members
from ..readers.sgml import decode
from .catalogue import Split

LABEL_NAMES = {
    "C01": "Bacterial Infections and Mycoses",
    "C02": "Virus Diseases",
    "C03": "Parasitic Diseases",
    "C04": "Neoplasms",
    "C05": "Musculoskeletal Diseases",
    "C06": "Digestive System Diseases",
    "C07": "Stomatognathic Diseases",
    "C08": "Respiratory Tract Diseases",
    "C09": "Otorhinolaryngologic Diseases",
    "C10": "Nervous System Diseases",
    "C11": "Eye Diseases",
    "C12": "Urologic and Male Genital Diseases",
    "C13": "Female Genital Diseases and Pregnancy Complications",
    "C14": "Cardiovascular Diseases",
    "C15": "Hemic and Lymphatic Diseases",
    "C16": "Neonatal Diseases and Abnormalities",
    "C17": "Skin and Connective Tissue Diseases",
    "C18": "Nutritional and Metabolic Diseases",
    "C19": "Endocrine Diseases",
    "C20": "Immunologic Diseases",
    "C21": "Disorders of Environmental Origin",
    "C22": "Animal Diseases",
    "C23": "Pathological Conditions, Signs and Symptoms",
}

_PARTS = {"training": "train", "test": "test"}
_CLASS = re.compile(r"C\d\d")


def columns(options: dict[str, Any]) -> Columns:
    """The first line is the title, the rest the abstract."""
    return Columns(text=("title", "body"), keep=("split",))


def rows(path: Path, version: str, options: dict[str, Any], tally: Tally) -> list[Row]:
    """All documents, by their number; the classes of each in alphabetical order."""

    def is_document(parts: tuple[str, ...]) -> bool:
        return len(parts) >= 3 and parts[-3] in _PARTS and bool(_CLASS.fullmatch(parts[-2]))

    documents: dict[tuple[str, str], Row] = {}
    for parts, data in sorted(members(path, select=is_document, tally=tally)):
        part, label, name = parts[-3:]
        title, _, body = decode(data).partition("\n")
        row = Row("/".join(parts), name, (title.strip(), body.strip()), (label,), (_PARTS[part],))
        first = documents.setdefault((name, part), row)
        if first is not row:
            tally.repair("copy merged into one document with several labels")
            if first.texts != row.texts:
                tally.repair("copies of one document differ: the first was kept")
            documents[name, part] = first._replace(labels=tuple(dict.fromkeys([*first.labels, label])))
    return sorted(documents.values(), key=lambda row: row.id or "")


def split(whole: Corpus, version: str, options: dict[str, Any]) -> Split:
    """As the folders say."""
    part = np.array(whole.column("split"), dtype=object)
    return Split(part == "train", part == "test")
