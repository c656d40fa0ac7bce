"""Shared settings and fixtures."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from commands import Ran, Run, captured

# The usual examples are the same in every run, so that a red run can be run again; "thorough" draws new ones.
settings.register_profile(
    "usual", deadline=None, max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))


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
def bounds_checked_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where kernels that check bounds are cached, once a run for all workers: Numba's usual cache does not tell them apart."""
    run_folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        run_folder = run_folder.parent
    return run_folder / "bounds-checked"


@pytest.fixture
def with_bounds_checked(request: pytest.FixtureRequest, bounds_checked_cache: Path) -> Callable[[str], None]:
    """Runs a program with kernels that check bounds; it may import the test's own module."""

    def run(program: str) -> None:
        here = Path(__file__).parent
        environment = {
            **os.environ,
            "NUMBA_BOUNDSCHECK": "1",
            "NUMBA_CACHE_DIR": str(bounds_checked_cache),
            "PYTHONPATH": os.pathsep.join([str(request.path.parent), str(here / "support"), str(here.parent / "src")]),
        }
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-3000:]

    return run
