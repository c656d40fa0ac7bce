"""Candidates: which is expected to win, by what was measured."""

from __future__ import annotations

import json
from pathlib import Path

from rubricate.training.candidates import (
    EXPECTED,
)

WHICH_MODEL = Path(__file__).parents[2] / "benchmarks" / "which_model.jsonl"


def test_the_expected_winner_is_the_best_of_the_measured_models() -> None:
    rows = [json.loads(line) for line in WHICH_MODEL.read_text("utf-8").splitlines()]
    whole = {(row["collection"], row["model"]): row for row in rows if row["set"] == "whole"}
    ranks: dict[str, list[int]] = {}
    for collection in {name for name, _ in whole}:
        figures = {
            model: row.get("accuracy", row.get("microF1"))
            for (name, model), row in whole.items()
            if name == collection and model in EXPECTED
        }
        for n, model in enumerate(sorted(figures, key=lambda own: -figures[own])):
            ranks.setdefault(model, []).append(n)
    assert min(ranks, key=lambda model: sum(ranks[model]) / len(ranks[model])) == EXPECTED[0]
