"""A folder per label: the first folder below the root is the label, the path below it the id, a file is a document.

Files directly in the root have no label. The order is by name, folder by folder, and only the names of the folders on
the way down are held. Packed files are unpacked by content. Nothing outside the root is ever read: links to folders,
links that lead out of the root, pipes, sockets and devices are rejected without being opened. Hidden files and
folders (.DS_Store, .git) are skipped, a repair of the tally. A name that is not UTF-8 gets its odd bytes as \\xNN and its
backslashes doubled.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ...errors import InputError
from .. import Row, Tally
from ..tally import printable_path
from .columns import ColumnChoice, ColumnRequest, UnusableRow, default_columns
from .decompression import BLOCK, decompressed_stream
from .sources import ENCODING_CURE, LIMIT_CURE, GuardedFile, Source, encoded_text

HIDDEN = "hidden file or folder skipped"
# should a link or a pipe take the file's place after we looked, opening neither follows nor waits
OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def choose_columns(source: Source, request: ColumnRequest) -> ColumnChoice:
    if not source.is_folder:
        raise InputError(source.name, "is a file where a folder is wanted", "name the folder above the labels")
    _sorted_names(source.path, source.name)  # a folder that cannot be opened is an error now
    return default_columns("a folder", request)


def rows(source: Source, choice: ColumnChoice, request: ColumnRequest, tally: Tally) -> Iterator[Row]:
    root = source.path.resolve()
    levels: list[tuple[str, Iterator[str]]] = [("", iter(_sorted_names(source.path, source.name)))]
    while levels:
        parent, names = levels[-1]
        name = next(names, None)
        if name is None:
            levels.pop()
            continue
        if name.startswith("."):
            tally.repair(HIDDEN)
            continue
        relative = f"{parent}/{name}" if parent else name
        path = source.path / relative
        where = printable_path(path)
        try:
            status = path.lstat()
            if stat.S_ISDIR(status.st_mode):
                levels.append((relative, iter(_sorted_names(path, where))))
                continue
            text = _read_text(path, where, root, status, source, tally)
        except (UnusableRow, InputError) as error:  # damage of one file, not of the collection
            tally.reject(where, error.what, error.cure)
            continue
        except FileNotFoundError:
            tally.reject(where, "vanished while the folder was read")
            continue
        except OSError as error:
            tally.reject(where, f"cannot be read ({error.strerror})")
            continue
        try:
            relative.encode()
        except UnicodeEncodeError:
            tally.repair("a file name that is not UTF-8 written with escapes")
            relative = os.fsencode(relative.replace("\\", "\\\\")).decode("utf-8", "backslashreplace")
        yield Row(where, relative, (text,), (relative.split("/", 1)[0],) if "/" in relative else ())


def _sorted_names(folder: Path, where: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries)
    except PermissionError:
        raise InputError(where, "the folder may not be read by you", "ask for read permission (chmod +rx)") from None
    except OSError as error:
        raise InputError(where, f"the folder cannot be read ({error.strerror})") from error


def _read_text(path: Path, where: str, root: Path, status: os.stat_result, source: Source, tally: Tally) -> str:
    if stat.S_ISLNK(status.st_mode):
        path, status = _link_target(path, root)
    if not stat.S_ISREG(status.st_mode):
        raise UnusableRow("is a pipe, socket or device, not a file")
    limit = source.limits.max_row_bytes
    too_long = UnusableRow(f"has more than {limit:,} bytes", LIMIT_CURE)
    if status.st_size > limit:
        raise too_long
    try:
        descriptor = os.open(path, OPEN_FLAGS)
    except PermissionError:
        raise UnusableRow("may not be read by you", "ask for read permission (chmod +r)") from None
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnusableRow("is a pipe, socket or device, not a file")
        stream = decompressed_stream(GuardedFile(file, where), where, source.limits)
        encoded = encoded_text(stream, where, source.encoding)
        data = bytearray()
        while part := encoded.stream.read(BLOCK):
            data += part
            if len(data) > limit:  # it may have grown since, or be packed
                raise too_long
    for note in encoded.notes:
        tally.repair(note)
    try:
        return data.decode(encoded.encoding)
    except UnicodeError:
        raise UnusableRow(f"is not valid {source.encoding}", ENCODING_CURE) from None


def _link_target(path: Path, root: Path) -> tuple[Path, os.stat_result]:
    """The file a link leads to, if it stands inside the root and is no folder."""
    try:
        real = path.resolve(strict=True)
    except (OSError, RuntimeError):
        raise UnusableRow("is a link that leads nowhere or in a circle") from None
    if root not in real.parents:
        raise UnusableRow("is a link that leads out of the folder", "copy the file into the folder if it belongs there")
    status = real.lstat()
    if stat.S_ISDIR(status.st_mode):
        raise UnusableRow("is a link to a folder; such links are not followed", "copy the folder if it belongs there")
    return real, status
