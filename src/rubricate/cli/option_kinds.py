"""Kinds of options that many commands have: with a default that the help shows; files and folders; whole numbers and shares."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

PATH = click.Path(path_type=Path)
FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)
FROM_0, FROM_1 = click.IntRange(min=0), click.IntRange(min=1)
SHARE = click.FloatRange(0, 1)

setting = partial(click.option, show_default=True)
seed_option = partial(setting, "--seed", default=0, type=FROM_0)
top_option = partial(setting, "--top", type=FROM_0)
