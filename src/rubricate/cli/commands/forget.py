"""rubricate forget MODEL PATH"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..model_update import changed
from ..options import as_json, jobs, model_file, out_file, reading


@click.command("forget")
@model_file
@reading
@jobs
@out_file("File to write; MODEL itself if not given.")
@as_json
def command(model: Path, path: str, jobs: int | None, out: Path | None, as_json: bool, **given: Any) -> None:
    """Take documents back out, as if they had never been learned: give them with the labels they were learned with.

    Models of counts subtract them, bit for bit; others are fitted anew on what is left. Documents that were never learned are
    refused, and nothing is changed.
    """
    changed(model, path, out, jobs, as_json, given, forget=True)
