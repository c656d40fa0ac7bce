"""Where compiled loops are kept between two runs, decided before the first of them is compiled.

    1  where Numba keeps them: NUMBA_CACHE_DIR, the package's own __pycache__, the user's folder for caches
    2  else a private folder in the temporary directory: an installation may be read-only, and a service have no home
    3  else nowhere: loops are compiled in memory at every start, which takes longer, and is said once

What is kept is code that will be run. A temporary directory is open to all, so the private folder must be ours, a real folder,
and closed to everybody else; whatever else has its name is left alone.
"""

from __future__ import annotations

import logging
import os
import stat
import tempfile
from pathlib import Path
from typing import Any

import numba

USUAL = ("/tmp", "/var/tmp", "/usr/tmp")  # noqa: S108 - only compared with what tempfile found


def probe() -> None:
    """Never called: Numba tells where it would keep the compiled form of it."""


def numba_folder() -> Path | None:
    """The folder in which Numba keeps functions of this package; None if it can write to none."""
    try:
        return Path(str(numba.njit(cache=True)(probe).stats.cache_path))
    except (AttributeError, RuntimeError):  # nothing is compiled (NUMBA_DISABLE_JIT), or no locator is available
        return None


def private_folder() -> Path | None:
    """A folder of this user alone in the temporary directory; None where there is none to be trusted."""
    if not hasattr(os, "getuid"):
        return None
    try:
        shared = Path(tempfile.gettempdir())
        named = filter(None, map(os.environ.get, ("TMPDIR", "TEMP", "TMP")))
        if shared not in map(Path, (*USUAL, *map(os.path.abspath, named))):
            return None  # the working directory, for want of a better one: nobody wants a cache among their documents
        mode = shared.stat().st_mode
        if mode & 0o022 and not mode & stat.S_ISVTX:
            return None  # others could put a folder of theirs in place of ours
        path = shared / f"rubricate-{os.getuid()}"
        path.mkdir(mode=0o700, exist_ok=True)
        status = path.lstat()  # of a link, not of what somebody let it point to
    except OSError:
        return None
    ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077
    return path if ours else None


def set_numba_folder(folder: str | None) -> None:
    """Where to keep compiled functions; in the environment too, which Numba reads again whenever it has changed."""
    settings: Any = numba.config
    settings.CACHE_DIR = folder or ""
    if folder is None:
        os.environ.pop("NUMBA_CACHE_DIR", None)
    else:
        os.environ["NUMBA_CACHE_DIR"] = folder


def choose_folder() -> Path | None:
    """Where loops are kept; Numba is told where it has found no place itself."""
    if (folder := numba_folder()) is not None:
        return folder
    if (private := private_folder()) is not None:
        before = os.environ.get("NUMBA_CACHE_DIR")
        set_numba_folder(str(private))
        if (folder := numba_folder()) is not None:
            return folder
        set_numba_folder(before)
    logging.getLogger("rubricate").warning(
        "rubricate can write compiled loops neither beside itself, nor to a home, nor to a private temporary folder: they are "
        "compiled at every start, which takes a minute or so; set NUMBA_CACHE_DIR to a folder of your own"
    )
    return None


FOLDER = choose_folder()
CACHED = FOLDER is not None  # the `cache` of every kernel


def compiled_before() -> bool:
    """Whether compiled loops of this package lie on disk already, so that a person can be told why the first use is slow."""
    return FOLDER is not None and any(True for _ in FOLDER.glob("scan.scan-*.nbi"))
