"""What can go wrong, in one tree. Imports nothing.

    RubricateError
    ├── InputError            the data a person gave: says where, what was found, what to do
    │   ├── RejectedRow       one row could not be used and `strict` was asked for
    │   ├── TooLarge          input that would burst a stated limit (compression bombs, huge lines)
    │   └── MissingData       a file or collection is not where it was said to be (also a FileNotFoundError)
    ├── UnknownName           a name that is not in its table (preset, format, collection, label, term; also a ValueError)
    ├── InvalidSetting        settings that contradict each other or make no sense (also a ValueError)
    ├── RecipesDiffer         counts made by two recipes must not meet
    ├── NeedsRecount          a statistic that selection has made untrue, or that was never taken
    ├── NeverCounted          subtracting what was never added (also a ValueError)
    ├── DamagedFile           a file of ours whose bytes are not those we wrote
    ├── ChangedFile           a file that somebody else replaced after it was read: writing it would lose their update
    └── MissingExtra          an optional package is needed; the message names the command that installs it

    UserWarning
    ├── LabelWarning          labels that were changed by the rule for labels (see `corpus.labels`), with the first places
    └── RejectsWarning        more than a tenth of the rows that were read could not be used, for one and the same reason

`InputError` carries `where`, `what` and `cure`, so that a program can use the parts and a person reads one sentence.
`BadChoice` and `NotContained` are the earlier names of `InvalidSetting` and `NeverCounted`.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "BadChoice",
    "ChangedFile",
    "DamagedFile",
    "InputError",
    "InvalidSetting",
    "LabelWarning",
    "MissingData",
    "MissingExtra",
    "NeedsRecount",
    "NeverCounted",
    "NotContained",
    "RecipesDiffer",
    "RejectedRow",
    "RejectsWarning",
    "RubricateError",
    "TooLarge",
    "UnknownName",
]


class RubricateError(Exception):
    """Anything rubricate raises on purpose."""


class InputError(RubricateError):
    """Bad input: `where` it is, `what` was found, the `cure`."""

    def __init__(self, where: str, what: str, cure: str = "") -> None:
        self.where, self.what, self.cure = where, what, cure
        super().__init__(f"{where}: {what}" + (f"; {cure}" if cure else ""))


class RejectedRow(InputError):
    """A row that cannot be used, met while reading strictly."""


class TooLarge(InputError):
    """Input beyond a stated limit."""


class MissingData(InputError, FileNotFoundError):
    """A file, folder or collection that is not there."""


class UnknownName(RubricateError, ValueError):
    """A name that is not in its table; the message lists the table."""

    def __init__(self, kind: str, name: str, choices: Iterable[str]) -> None:
        self.kind, self.name, self.choices = kind, name, sorted(choices)
        super().__init__(f"unknown {kind} {name!r}; choose from: {', '.join(self.choices)}")


class InvalidSetting(RubricateError, ValueError):
    """Settings that cannot go together."""


class RecipesDiffer(RubricateError):
    """Counts of two recipes were about to be mixed."""


class NeedsRecount(RubricateError):
    """The statistic asked for is not in these counts."""


class NeverCounted(RubricateError, ValueError):
    """Counts were about to be subtracted that had never been added."""


class DamagedFile(RubricateError):
    """A file whose checksum, shape or format does not hold."""


class ChangedFile(RubricateError):
    """A file that is no longer the one that was read."""


class MissingExtra(RubricateError):
    """An optional package is missing."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs the package {package}: pip install 'rubricate[{extra}]'")


class LabelWarning(UserWarning):
    """Labels were changed: put into one spelling, taken as text, or left out where they were missing."""


class RejectsWarning(UserWarning):
    """More than a tenth of the rows could not be used, for one reason."""


BadChoice = InvalidSetting
NotContained = NeverCounted
