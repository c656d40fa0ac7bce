"""Shared settings and fixtures."""

from __future__ import annotations

import gc
import hashlib
import os
import pkgutil
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import rubricate as rb
from commands import Ran, Run, captured
from forks import Forks

# The usual examples are the same in every run, so that a red run can be run again; "thorough" draws new ones.
settings.register_profile(
    "usual", deadline=None, max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))


def pytest_configure() -> None:
    """In a fresh clone the kernels are compiled by both workers together: one begins with the first module, the other with the
    last, and each loads what the other has kept."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is not None:
        modules = sorted(module.name for module in pkgutil.iter_modules([str(Path(rb.__file__).parent / "kernels")]))
        for name in modules if worker == "gw0" else reversed(modules):
            import_module(f"rubricate.kernels.{name}")


def pytest_collection_finish() -> None:
    """Modules and tests are there to the end: the garbage collector need not go through them again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real collections; tests that need it are skipped where it is missing."""
    folder = os.environ.get("RUBRICATE_DATA", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("RUBRICATE_DATA names no folder with the real collections")
    return Path(folder)


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process."""

    def run_it(*arguments: Any) -> Ran:
        return captured(capfd, *arguments)

    return run_it


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """Runs commands in processes of their own, which are forked."""
    forks = Forks()
    yield forks
    forks.close()


@pytest.fixture(scope="session")
def bounds_checked_cache(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where kernels that check bounds are cached, by the sources of all kernels: Numba's usual cache does not tell them
    apart. In pytest's cache, so that they are compiled once for all workers and runs; without that, once a run."""
    sources = sorted((Path(rb.__file__).parent / "kernels").glob("*.py"))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    cache: pytest.Cache | None = getattr(request.config, "cache", None)
    if cache is None:
        run_folder = tmp_path_factory.getbasetemp()
        return (run_folder.parent if "PYTEST_XDIST_WORKER" in os.environ else run_folder) / "bounds-checked"
    folder = cache.mkdir("bounds-checked")
    for path in folder.iterdir():
        if path.name != digest:
            shutil.rmtree(path, ignore_errors=True)
    return folder / digest


@pytest.fixture
def with_bounds_checked(bounds_checked_cache: Path, request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Runs a program with kernels that check bounds; it may import the module of the test."""

    def run(program: str) -> None:
        here = Path(__file__).parent
        environment = {
            **os.environ,
            "NUMBA_BOUNDSCHECK": "1",
            "NUMBA_CACHE_DIR": str(bounds_checked_cache),
            "PYTHONPATH": os.pathsep.join(map(str, (here / "support", here.parent / "src", request.path.parent))),
        }
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-3000:]

    return run
