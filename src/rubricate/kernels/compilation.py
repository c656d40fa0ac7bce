"""How kernels are declared, where their compiled form is kept between two runs, and how all are compiled ahead.

Compiled kernels are kept in the first of these places; it is chosen before the first one is compiled:

    0  NUMBA_CACHE_DIR or the package's own __pycache__, if it holds them and cannot be written to: somebody compiled them ahead
    1  where Numba keeps them: NUMBA_CACHE_DIR, the package's own __pycache__, the user's folder for caches
    2  a private folder in the temporary directory, since an installation may be read-only, and a service have no home
    3  nowhere: kernels are compiled in memory at every start, which takes longer, and is said once

What is kept is code that will be run. A temporary directory is open to all, so the private folder must be ours, a real folder,
and closed to everybody else; whatever else has its name is left alone.

Types of arrays in signatures: a letter and bits say of what; s means two dimensions, ss three, w that it is written to. What is
not written to may be read-only, as arrays are that lie in a file.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pkgutil
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
from numba import float32, float64, int32, int64, types, uint8, uint16, uint32, uint64
from numba.core import caching

from ..errors import InvalidSetting

LOCATOR: Any = caching.UserProvidedCacheLocator
USUAL = ("/tmp", "/var/tmp", "/usr/tmp")  # noqa: S108 - only compared with what tempfile found


# -- where compiled kernels are kept


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
            return None  # tempfile has fallen back to the working directory: nobody wants a cache among their documents
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


def read_only_folder() -> Path | None:
    """A folder of compiled kernels that this process can read and not write."""
    folders = [Path(__file__).parent / "__pycache__"]
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        folders.insert(0, Path(named) / LOCATOR.get_suitable_cache_subpath(__file__))
    return next((folder for folder in folders if has_kernels(folder) and not os.access(folder, os.W_OK)), None)


def has_kernels(folder: Path) -> bool:
    return any(folder.glob("scan.scan-*.nbi"))


class KernelLocator(LOCATOR):  # type: ignore[misc]
    """Where Numba finds and keeps a kernel: in FOLDER, which may be read-only. A compiled kernel is good as long as no file of
    this package has changed: kernels have functions of other files compiled into them, which Numba by itself does not look at."""

    folder: Path | None = None

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        super().__init__(function, file)
        self._cache_path = str(self.folder)

    def ensure_cache_path(self) -> None:
        """It was tried when it was chosen."""

    def get_source_stamp(self) -> bytes:
        return sources_digest()

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> KernelLocator:
        return cls(function, file)


@cache
def sources_digest() -> bytes:
    """Of all files of this package."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.digest()


@contextmanager
def kernel_folder(folder: Path | None) -> Iterator[None]:
    """While a kernel is declared, Numba looks for it where we say; functions of others are none of our business."""
    settings: Any = numba.config
    before = settings.CACHE_LOCATOR_CLASSES
    settings.CACHE_LOCATOR_CLASSES = f"{__name__}.{KernelLocator.__name__}"
    KernelLocator.folder = folder
    try:
        yield
    finally:
        settings.CACHE_LOCATOR_CLASSES, KernelLocator.folder = before, FOLDER


def choose_folder() -> Path | None:
    """Where kernels are kept; Numba is told where it has found no place itself."""
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


READ_ONLY = (COMPILED_AHEAD := read_only_folder()) is not None
FOLDER = COMPILED_AHEAD or choose_folder()


def must_compile() -> bool:
    """Whether kernels will be compiled and kept, so that a person can be told why the first use is slow."""
    return FOLDER is not None and not has_kernels(FOLDER)


# -- kernels

KERNELS: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = []  # of the modules that have been imported


def kernel(*signatures: Any, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function for these signatures, or load its compiled form, when its module is imported; it releases the GIL."""

    def compile_or_load(function: Callable[..., Any]) -> Any:
        KERNELS.append((function, signatures, options))
        types_of = list(signatures)
        with kernel_folder(FOLDER):
            try:
                return numba.njit(types_of, cache=FOLDER is not None, nogil=True, **options)(function)
            except OSError:  # compiled ahead for another processor, and what was compiled now cannot be kept
                return numba.njit(types_of, nogil=True, **options)(function)

    return compile_or_load


def compile_kernels(folder: Path | None = None) -> int:
    """Compile all kernels and keep them, so that nothing is left to compile at first use; their number.

    folder: where to keep them, for processes that are started with NUMBA_CACHE_DIR=folder and may write to it; by default where
    this process does. What this process has kept already is copied.
    """
    if folder is None and FOLDER is None:
        raise InvalidSetting("compiled loops can be kept in none of the usual folders: name one that can be written to")
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        import_module(f"{__package__}.{module.name}")
    if folder is not None:
        before = os.environ.get("NUMBA_CACHE_DIR")
        set_numba_folder(str(folder.absolute()))
        try:
            copies = numba_folder()
            if copies is None or not copies.is_relative_to(folder.absolute()):
                raise InvalidSetting(f"{folder}: compiled loops cannot be written there; name another folder")
            for function, signatures, options in KERNELS:
                files = compiled_files(function)
                for path in files:
                    shutil.copy(path, copies)
                if not files:
                    with kernel_folder(copies):
                        numba.njit(list(signatures), cache=True, nogil=True, **options)(function)
        finally:
            set_numba_folder(before)
    return len(KERNELS)


def compiled_files(function: Callable[..., Any]) -> list[Path]:
    """What Numba has kept of a kernel: an index, and a file for each signature. None where nothing is kept."""
    code = function.__code__
    name = f"{Path(code.co_filename).stem}.{function.__qualname__}-{code.co_firstlineno}.*.nb?"
    return [] if FOLDER is None else list(FOLDER.glob(name))


def readable(of: Any, dimensions: int = 1) -> Any:
    return types.Array(of, dimensions, "C", readonly=True)


def tuple_of(*parts: Any) -> Any:
    return types.Tuple(parts)  # type: ignore[no-untyped-call]


u8, u8s, u16, u32, u64 = readable(uint8), readable(uint8, 2), readable(uint16), readable(uint32), readable(uint64)
i32, i32s, i64, i64s = readable(int32), readable(int32, 2), readable(int64), readable(int64, 2)
f32s, f64, f64s, f64ss = readable(float32, 2), readable(float64), readable(float64, 2), readable(float64, 3)
u8w, u8sw, u64w = uint8[::1], uint8[:, ::1], uint64[::1]
i32w, i64w, i64sw = int32[::1], int64[::1], int64[:, ::1]
f64w, f64sw = float64[::1], float64[:, ::1]
csr = tuple_of(i64, i32, f64)  # a sparse table: ends of rows with a 0 in front, columns, values
csr_ones = tuple_of(i64, i32)  # one of zeros and ones: ends of rows, columns
vocabulary_type = tuple_of(i32w, u64w, u8w, i64w, i64w)  # `Vocabulary.parts`
