"""Shared settings and fixtures."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("usual", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real collections; tests that need it are skipped where it is missing."""
    folder = os.environ.get("RUBRICATE_DATA", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("RUBRICATE_DATA names no folder with the real collections")
    return Path(folder)
