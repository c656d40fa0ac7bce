"""The manifest: what a model is and how it came about, as strict JSON with a format number. Unknown fields are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..errors import DamagedFile, InvalidSetting, RubricateError

__all__ = ["FORMAT", "Data", "Kept", "Manifest", "as_manifest", "made_manifest"]

FORMAT = 1
# format n -> what it is in format n + 1; each has a file in tests/fixtures that must load for ever
UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


class Section(BaseModel):
    """Exactly these fields, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Kept(Section):
    """A fitted model: its name, and the settings that `kept.arrays_of` gave; the arrays are in the file."""

    name: str
    settings: dict[str, Any]


class Data(Section):
    """What was learned from: rows read = documents + rejected."""

    fingerprint: str = ""
    documents: int = Field(default=0, ge=0)
    rows: int = Field(default=0, ge=0)
    rejected: int = Field(default=0, ge=0)


class Manifest(Section):
    """All that a file says besides its arrays. `format`, `rubricate` and `arrays` are filled in by `write`."""

    format: int = Field(ge=1)
    rubricate: str  # the version that wrote it
    arrays: dict[str, str]  # SHA-256 of each, in hexadecimal digits
    model: Kept | None = None
    recipe: dict[str, Any] | None = None  # Recipe.to_dict
    labels: list[str] = []
    several_labels: bool = False
    selection: dict[str, Any] | None = None
    weighting: dict[str, Any] | None = None
    decision: dict[str, Any] | None = None  # thresholds with their intervals: Cuts.as_dict
    calibration: dict[str, Any] | None = None  # what spoke for it: Calibrated.evidence; the curves are arrays
    tried: list[dict[str, Any]] = []  # choices, and how each did
    data: Data = Data()
    measure: str | None = None
    random_state: int | None = None
    notes: list[str] = []
    workbench: dict[str, Any] = {}  # whatever else, as long as it is JSON


def made_manifest(values: dict[str, Any]) -> Manifest:
    """The manifest of values somebody gave."""
    return checked(values, "manifest", InvalidSetting)


def as_manifest(values: Any, format_: int, where: str) -> Manifest:
    """The manifest of values in a file of this format, brought up to the present one."""
    if not isinstance(values, dict) or values.get("format") != format_:
        raise DamagedFile(f"{where}: the manifest is not one of format {format_}")
    for step in range(format_, FORMAT):
        values = UPGRADES[step](values)
    return checked(values, where, DamagedFile)


def checked(values: dict[str, Any], where: str, kind: type[RubricateError]) -> Manifest:
    """The manifest, or the first thing that is wrong with it."""
    try:
        return Manifest.model_validate(values)
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise kind(f"{where}: {place or 'the manifest'}: {first['msg']}") from None
