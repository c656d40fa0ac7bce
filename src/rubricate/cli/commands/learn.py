"""rubricate learn MODEL PATH"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..model_update import changed
from ..options import as_json, jobs, model_file, out_file, reading


@click.command("learn")
@model_file
@reading
@jobs
@out_file("File to write; MODEL itself if not given.")
@click.option("--again", is_flag=True, help="Learn all of them, also those that were learned before.")
@as_json
def command(
    model: Path, path: str, jobs: int | None, out: Path | None, again: bool, as_json: bool, **given: Any
) -> None:
    """Learn further documents, without the old ones at hand.

    Models of counts add them to their statistics, exactly; others keep what their documents count to and are fitted anew. Labels
    that are new need cuts of their own: train again for these. Documents that were learned before are left out; those that had
    other labels then (same id, or same text where there are no ids) are corrected.
    """
    changed(model, path, out, jobs, as_json, given, forget=False, again=again)
