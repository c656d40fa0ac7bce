"""Files of our own: arrays and a manifest, no code. Written beside, fsynced, renamed; refused if a single bit differs.

line 1    what it is and its version, e.g. `rubricate counts 1`
line 2    SHA-256 of everything after this line
rest      safetensors: named arrays, and the manifest as JSON in its metadata
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from .errors import DamagedFile, MissingData

__all__ = ["load_arrays", "save_arrays", "write_atomically"]

Arrays = dict[str, np.ndarray[Any, Any]]
FIRST_LINE_LIMIT = 100


def write_atomically(path: str | Path, parts: Iterable[bytes | memoryview]) -> None:
    """Write a file so that at any moment the old one or the new one is there whole: beside, fsync, rename, fsync folder."""
    path = Path(path)
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as out:
            for part in parts:
                out.write(part)
            out.flush()
            os.fsync(out.fileno())
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        Path(beside).chmod(mode)
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def save_arrays(path: str | Path, arrays: Arrays, manifest: dict[str, Any], *, kind: str, version: int) -> None:
    """Save named arrays and a manifest under `kind` and `version`."""
    from safetensors.numpy import save

    text = orjson.dumps(manifest, option=orjson.OPT_SORT_KEYS).decode()
    body = save({name: np.ascontiguousarray(array) for name, array in arrays.items()}, metadata={"manifest": text})
    digest = hashlib.sha256(body).hexdigest()
    write_atomically(path, [f"rubricate {kind} {version}\n{digest}\n".encode(), body])


def load_arrays(path: str | Path, *, kind: str, version: int) -> tuple[Arrays, dict[str, Any]]:
    """Arrays and manifest of `save_arrays`; anything else is refused with the reason."""
    path = Path(path)
    content = content_of(path)
    first, _, rest = content[: FIRST_LINE_LIMIT + 70].partition(b"\n")
    words = first.decode("ascii", "replace").split()
    if len(words) != 3 or words[0] != "rubricate" or not words[2].isdigit():
        raise DamagedFile(f"{path}: not a file of rubricate")
    if words[1] != kind:
        raise DamagedFile(f"{path}: holds {words[1]}, not {kind}")
    if int(words[2]) > version:
        raise DamagedFile(f"{path}: format {words[2]} is newer than this rubricate reads ({version}); update rubricate")
    digest = rest[:64]
    start = len(first) + 1 + 64 + 1
    if first != f"rubricate {kind} {int(words[2])}".encode() or content[start - 1 : start] != b"\n":
        raise DamagedFile(f"{path}: the first lines are damaged")
    body = memoryview(content)[start:]
    if hashlib.sha256(body).hexdigest().encode() != digest:
        raise DamagedFile(f"{path}: the checksum does not match; the file was changed or cut off")
    return _parsed(path, body)


def content_of(path: Path) -> bytes:
    """All bytes of an ordinary file; a named pipe must not keep us waiting."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise MissingData(str(path), "there is no such file", "check the name") from None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise DamagedFile(f"{path}: not a file of rubricate; it is no ordinary file at all")
        with os.fdopen(handle, "rb", closefd=False) as opened:
            return opened.read()
    finally:
        os.close(handle)


def _parsed(path: Path, body: memoryview) -> tuple[Arrays, dict[str, Any]]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    size = int.from_bytes(body[:8], "little")
    try:
        arrays = load(bytes(body))
        manifest = orjson.loads(orjson.loads(body[8 : 8 + size])["__metadata__"]["manifest"])
    except (SafetensorError, KeyError, TypeError, ValueError, AttributeError) as problem:
        raise DamagedFile(f"{path}: {problem}") from None
    if not isinstance(manifest, dict):
        raise DamagedFile(f"{path}: the manifest is no object of JSON")
    return arrays, manifest
