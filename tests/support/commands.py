"""Commands as a person or a script runs them: in this process (`Ran` is what came of it), or in one of their own."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rubricate.cli import main

HEAVY = {"numpy", "pyarrow", "numba", "scipy", "sklearn", "rich"}


@dataclass(frozen=True)
class Ran:
    """What a command printed and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Ran]


def code_of(*arguments: Any) -> int:
    """The exit code of a command, run in this process."""
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    return int(ended.value.code or 0)


def captured(capfd: pytest.CaptureFixture[str], *arguments: Any) -> Ran:
    """A command run in this process, with what it printed and nothing that was printed before."""
    capfd.readouterr()
    code = code_of(*arguments)
    shown = capfd.readouterr()
    return Ran(code, shown.out, shown.err)


@contextmanager
def piped(content: bytes) -> Iterator[None]:
    """A pipe with this content is the standard input of commands in this process."""
    reader, writer = os.pipe()

    def feed() -> None:
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(content)

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(1) as feeder, os.fdopen(reader) as stream:
        feeder.submit(feed)
        patch.setattr(sys, "stdin", stream)
        yield


def program(*arguments: Any) -> list[str]:
    """What starts a command in a process of its own."""
    return [sys.executable, "-c", "from rubricate.cli import main; main()", *map(str, arguments)]


def on_the_path(folder: Path) -> dict[str, str]:
    """The environment of a shell that finds `rubricate` in this folder."""
    folder.mkdir(exist_ok=True)
    shim = folder / "rubricate"
    shim.write_text(f'#!/bin/sh\nexec {shlex.join(program())} "$@"\n')
    shim.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def light_help(*commands: list[str]) -> str:
    """The help of these commands, from a process that must have loaded nothing heavy for it."""
    asked = [[*words, "--help"] for words in commands]
    code = (
        "import sys; from rubricate.cli import main\n"
        f"for words in {asked!r}:\n"
        "    try: main(words)\n    except SystemExit: pass\n"
        f"heavy = {HEAVY!r} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
