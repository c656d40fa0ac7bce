"""rubricate warm [DIR]"""

from __future__ import annotations

import time
from pathlib import Path

import click

from ..options import json_option
from ..output import next_command, print_json, say


@click.command("warm")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path, file_okay=False))
@json_option
def command(folder: Path | None, as_json: bool) -> None:
    """Compile all loops now, so that no command compiles anything at its first use: for an image, or a machine that others use.

    DIR: where to keep them, for processes that are started with NUMBA_CACHE_DIR=DIR; otherwise beside the package, or where
    Numba keeps them. The code is for this kind of processor and this version of rubricate.
    """
    from ...kernels import compilation

    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    start = time.process_time()
    kernels = compilation.compile_kernels(folder)
    seconds = time.process_time() - start
    where = compilation.FOLDER if folder is None else folder
    if as_json:
        print_json({"kernels": kernels, "folder": str(where), "cpu_seconds": round(seconds, 2)})
        return
    say(f"{kernels} loops compiled in {where} ({seconds:.1f} CPU seconds)")
    next_command("rubricate demo" if folder is None else f"NUMBA_CACHE_DIR={folder} rubricate demo")
