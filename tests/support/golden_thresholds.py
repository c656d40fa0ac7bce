"""Golden cases of thresholds: 001 sec. 3.4."""

from __future__ import annotations

import numpy as np

from golden_cases import Case, covers
from rubricate import metrics, thresholds


@covers("lewis_threshold")
def lewis_threshold(case: Case) -> None:
    scores, labels, beta = np.array(case.input["scores"]), np.array(case.input["labels"]), case.input["beta"]
    cut = thresholds.scut(scores, labels, beta=beta)
    assigned = scores > cut
    case.check("threshold", cut)
    case.check("n_assigned", int(assigned.sum()))
    case.check("f", metrics.f_beta(assigned.astype(int), labels, beta=beta))
