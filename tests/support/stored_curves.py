"""Calibration curves of many labels, for tests of files."""

from __future__ import annotations

import numpy as np

from rubricate.decisions.calibration import Calibrated, Isotonic
from rubricate.measures.metrics import Reliability
from rubricate.scoring.calibrated import Range


def curves(n: int, *, corners: int = 40) -> Calibrated:
    """A curve for each of n labels; every tenth shares one."""
    draw = np.random.default_rng(0)
    shared = np.linspace(-9, 9, 200), np.linspace(0.01, 0.9, 200)
    corners_of = [
        shared if label % 10 == 0 else (np.sort(draw.normal(size=corners)), np.sort(draw.random(corners)))
        for label in range(n)
    ]
    pooled = np.arange(n) % 10 == 0
    isotonic = Isotonic(Range(np.full(n, -9.0), np.full(n, 9.0)), pooled, False, tuple(corners_of))
    diagram = Reliability(np.array([0.1, 0.9]), np.array([0.2, 0.8]), np.array([7, 3]))
    return Calibrated(isotonic, {"isotonic": 0.5}, diagram, 5, 0)
