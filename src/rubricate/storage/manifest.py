"""The manifest of a model file: what the model is and how it came about, as strict JSON with a format number.

A plain dictionary of the fields of `FIELDS`; unknown fields, and values of other types, are refused when it is written and
when it is read. What a file lacks has its default.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from ..errors import DamagedFile, InvalidSetting, RubricateError

FORMAT = 1
# format n -> what it is in format n + 1; each has a file in tests/fixtures that must load for ever
UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}

Manifest = dict[str, Any]


class Field:
    """What a field holds: a type, or a list or an object of one, or an object of fields; and what it is where it is missing."""

    def __init__(self, kind: type, default: Any = ..., *, of: type | dict[str, Field] | None = None) -> None:
        self.kind, self.default, self.of = kind, default, of

    def fault(self, value: Any) -> tuple[str, str] | None:
        """Where in a value the first fault is, and what it is."""
        if value is None and self.default is None:
            return None
        of_type, below_0 = type(value) is self.kind, self.default == 0 and isinstance(value, int) and value < 0
        if not of_type or below_0:
            return "", f"{value!r:.60} is not what belongs here, {WORDS[self.kind]}"
        if isinstance(self.of, dict):
            return fault_of(value, self.of)
        inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        wrong = ((key, part) for key, part in inside if self.of is not None and type(part) is not self.of)
        return next(((str(key), f"{part!r:.60} is not {WORDS[self.of]}") for key, part in wrong), None)  # type: ignore[index]


WORDS = {str: "a string", int: "a whole number", bool: "true or false", list: "a list", dict: "an object"}
MODEL = {"name": Field(str), "settings": Field(dict)}  # a fitted model, and the tree that `trees.encode` gave
DATA = {name: Field(int, 0) for name in ("documents", "rows", "rejected")}  # learned from; rows = documents + rejected
FIELDS = {
    "format": Field(int),
    "rubricate": Field(str),  # the version that wrote it
    "arrays": Field(dict, of=str),  # SHA-256 of each, in hexadecimal digits
    "model": Field(dict, None, of=MODEL),
    "recipe": Field(dict, None),  # Recipe.to_dict
    "labels": Field(list, [], of=str),
    "several_labels": Field(bool, False),
    "selection": Field(dict, None),
    "weighting": Field(dict, None),
    "decision": Field(dict, None),  # thresholds with their intervals: Thresholds.as_dict
    "calibration": Field(dict, None),  # what spoke for it: Calibrated.evidence; the curves are arrays
    "tried": Field(list, [], of=dict),  # choices, and how each did
    "data": Field(dict, {}, of={"fingerprint": Field(str, ""), **DATA}),
    "measure": Field(str, None),
    "random_state": Field(int, None),
    "notes": Field(list, [], of=str),
    "workbench": Field(dict, {}),  # whatever else, as long as it is JSON
}
FILLED_IN = ("format", "rubricate", "arrays")  # when a file is written


def fault_of(values: dict[str, Any], fields: dict[str, Field]) -> tuple[str, str] | None:
    """The first unknown, missing or wrong field."""
    for name in (*values, *fields):
        if name not in fields:
            return name, "there is no such field"
        if name not in values:
            if fields[name].default is ...:
                return name, "is missing"
        elif fault := fields[name].fault(values[name]):
            return f"{name}.{fault[0]}".rstrip("."), fault[1]
    return None


def checked_manifest(
    values: dict[str, Any], where: str = "manifest", error: type[RubricateError] = InvalidSetting
) -> Manifest:
    """The manifest with all its fields, or the first thing that is wrong with it."""
    if fault := fault_of(values, FIELDS):
        raise error(f"{where}: {fault[0]}: {fault[1]}")
    manifest = {name: deepcopy(field.default) for name, field in FIELDS.items()} | values
    manifest["data"] = {name: field.default for name, field in FIELDS["data"].of.items()} | manifest["data"]  # type: ignore[union-attr]
    return manifest


def manifest_in(values: Any, format_: int, where: str) -> Manifest:
    """The manifest of values in a file of this format, brought up to the present one."""
    if not isinstance(values, dict) or type(values.get("format")) is not int or values["format"] != format_:
        raise DamagedFile(f"{where}: the manifest is not one of format {format_}")
    for step in range(format_, FORMAT):
        values = UPGRADES[step](values)
    return checked_manifest(values, where, DamagedFile)
