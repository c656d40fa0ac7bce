"""Files of ours: written beside, fsynced, renamed; one update at a time.

Who reads a file, changes what it says and writes it back does so inside `updating(path)`: nobody else who does the same comes in
between, and a file that was replaced without asking (a copy, an earlier version of this program) is not overwritten.

The lock is one of the kernel's, on the file itself: it ends with its process, even one that is killed, works under every name
that links give to the file, and leaves nothing lying beside people's models. A file that is replaced by renaming is another
file: who gets the lock of one that has been replaced meanwhile lets it go and takes the new one's. What cannot be locked (some
network folders) is still compared before it is replaced.
"""

from __future__ import annotations

import errno
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ..errors import ChangedFile, InvalidSetting

fcntl: Any
try:
    import fcntl
except ImportError:  # not a system of the Unix family
    fcntl = None

Version = tuple[Any, ...]  # tells a file from what may stand in its place later
Waiting = Callable[[str], None]
HEAD = 512  # bytes; the first lines of our files name a SHA-256 of everything else
PATIENCE = 1.0  # seconds of waiting before it is told
STEP = 0.05
NO_LOCKS = (errno.EBADF, errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)  # of file systems that have none


def write_atomically(path: str | Path, parts: Iterable[bytes | memoryview]) -> None:
    """Write a file so that at any moment the old one or the new one is there whole: beside, fsync, rename, fsync folder.

    A link is followed: the file it leads to is replaced, not the link. Inside `updating`, `ChangedFile` is raised, and nothing is
    written, if the file is no longer the one that was there when the update began.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():  # renaming onto /dev/null would take it away from everybody
        raise InvalidSetting(f"{path}: is a folder, a device or a pipe; name a file to write")
    try:
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except PermissionError as problem:
        raise _unwritable(problem.errno, path.parent) from None
    try:
        with os.fdopen(handle, "wb") as out:
            for part in parts:
                out.write(part)
            out.flush()
            os.fsync(out.fileno())
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        Path(beside).chmod(mode)
        _refuse_others(path, _updates.versions.get(str(path)))
        Path(beside).replace(path)
        if str(path) in _updates.versions:
            _updates.versions[str(path)] = version_of(path)
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


def check_folder(path: str | Path) -> None:
    """Tell before the work, not after it, that no file can be written where this one is."""
    folder = Path(os.path.realpath(path)).parent
    if folder.is_dir() and not os.access(folder, os.W_OK | os.X_OK):
        raise _unwritable(errno.EACCES, folder)


def _unwritable(number: int | None, folder: Path) -> PermissionError:
    return PermissionError(
        number, "no file can be written in this folder; ask for permission, or write elsewhere (-o)", str(folder)
    )


# -- one update at a time


def version_of(path: str | Path) -> Version | None:
    """Which file is there now: what the first lines of a file of ours say, of others inode, size and time; None if none is."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # a named pipe must not keep us waiting
    except OSError:
        return None
    try:
        status = os.fstat(handle)
        with suppress(OSError):
            head = os.read(handle, HEAD)
            if head.startswith(b"rubricate "):
                return status.st_size, head
        return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
    finally:
        os.close(handle)


@contextmanager
def updating(path: str | Path, *, version: Version | None = None, waiting: Waiting | None = None) -> Iterator[None]:
    """Hold a file from before it is read until after it is replaced, so that no update of it is lost; it may also stand for the
    folder it is in. Inside, `write_atomically` replaces it once, if nobody else has done so.

    version: of the file, as it was read before; `ChangedFile` if it is another now. waiting: is told when somebody else holds the
    file for a second. A file that is not there yet has nothing that could be lost, and is not held. Within the same thread it
    may be held again.
    """
    real, versions = os.path.realpath(path), _updates.versions
    if real in versions:
        _refuse_others(real, version)
        yield
        return
    with _locked(real, waiting, shared=False):
        _refuse_others(real, version)
        versions[real] = version_of(real)
        try:
            yield
        finally:
            del versions[real]


@contextmanager
def reading(path: str | Path) -> Iterator[None]:
    """Keep a file from being updated while several files that belong together are read."""
    real = os.path.realpath(path)
    if real in _updates.versions:
        yield
        return
    with _locked(real, None, shared=True):
        yield


class _Updates(threading.local):
    """The files that this thread updates, as they were when it began."""

    def __init__(self) -> None:
        self.versions: dict[str, Version | None] = {}


_updates = _Updates()


def _refuse_others(path: str | Path, version: Version | None) -> None:
    """Refuse a file that is another than it was. One that is gone holds no update that could be lost, nor did one that was not
    there."""
    if version is not None and version_of(path) not in (None, version):
        raise ChangedFile(f"{path}: was changed by another program since it was read; nothing was written: do it again")


@contextmanager
def _locked(path: str, waiting: Waiting | None, *, shared: bool) -> Iterator[None]:
    """The kernel's lock of the file that has this name when the lock is ours; none if there is no file."""
    if fcntl is None:
        with _marked(path, waiting, shared=shared):
            yield
        return
    while True:
        handle = _open(path)
        if handle is None:
            yield
            return
        try:
            _take(handle, fcntl.LOCK_SH if shared else fcntl.LOCK_EX, path, waiting)
            if _is_at(handle, path):
                yield
                return
        finally:
            os.close(handle)


def _open(path: str) -> int | None:
    """A handle, for writing where that is allowed: a network folder locks nothing else. None if there is no file."""
    flags = getattr(os, "O_NONBLOCK", 0)  # a named pipe must not keep us waiting
    try:
        return os.open(path, os.O_RDWR | flags)
    except FileNotFoundError:
        return None
    except OSError:  # a folder, or only to be read
        return os.open(path, os.O_RDONLY | flags)


def _waiting_for(path: str) -> str:
    return f"waiting for another rubricate that is changing {Path(path).name}"


def _take(handle: int, kind: int, path: str, waiting: Waiting | None) -> None:
    try:
        for _ in range(round(PATIENCE / STEP)):
            try:
                fcntl.flock(handle, kind | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(STEP)
            else:
                return
        if waiting is not None:
            waiting(_waiting_for(path))
        fcntl.flock(handle, kind)
    except OSError as problem:
        if problem.errno not in NO_LOCKS:
            raise


def _is_at(handle: int, path: str) -> bool:
    """Whether the open file still has this name."""
    with suppress(FileNotFoundError):
        return os.path.samestat(Path(path).stat(), os.fstat(handle))
    return False


@contextmanager
def _marked(path: str, waiting: Waiting | None, *, shared: bool) -> Iterator[None]:
    """Where the system has no such locks: a file beside says that somebody is at it. One who is killed leaves it behind."""
    mark = Path(path).with_name(f".{Path(path).name}.lock")
    if shared or not Path(path).exists():
        yield
        return
    for turn in range(2**62):
        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            break
        except FileExistsError:
            if turn == round(PATIENCE / STEP) and waiting is not None:
                waiting(f"{_waiting_for(path)}; if there is none, delete {mark}")
            time.sleep(STEP)
    try:
        yield
    finally:
        mark.unlink(missing_ok=True)
