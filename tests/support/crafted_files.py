"""Files as a forger makes them: any numbers, valid checksums. And commands run on them, each in a process of its own with limits.

`tried` starts one process, which runs `warm` itself, so that all is imported and compiled, and then each command in a fork. What
a command may do to memory, it does to the fork alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import rubricate as rb

Arrays = dict[str, np.ndarray[Any, Any]]
ROOM = 1 << 30  # bytes a command may take beyond what the process had when it was forked
SECONDS = 30
LARGEST = {"i": 2**62, "u": 255, "f": 1e300}

FORKS = """
import json, os, resource, signal, sys, traceback

room, seconds = int(sys.argv[1]), int(sys.argv[2])
warm, commands = json.load(sys.stdin)
from rubricate.cli import main

def run(command):
    try:
        main(command)
    except SystemExit as done:
        return done.code or 0
    except BaseException:
        traceback.print_exc()
        return 99
    return 98

real = os.dup(1)
for command in warm:
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    assert run(command) == 0, command
sys.stdout.flush()
found = []
for number, command in enumerate(commands):
    path = f"{sys.argv[3]}/{number}.said"
    child = os.fork()
    if child == 0:
        out = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1), os.dup2(out, 2)
        size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + room, size + room))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.alarm(seconds)
        code = run(command)
        sys.stdout.flush(), sys.stderr.flush()
        os._exit(code)
    status = os.waitpid(child, 0)[1]
    found.append([os.waitstatus_to_exitcode(status), open(path, errors="replace").read()[-3000:]])
os.write(real, json.dumps(found).encode())
"""


@dataclass(frozen=True)
class Done:
    """What became of a command: its exit code (below 0 the signal that ended it; 99 a traceback), and all it printed."""

    command: list[str]
    code: int
    said: str


def tried(commands: Sequence[Sequence[Any]], folder: Path, *, warm: Sequence[Sequence[Any]]) -> list[Done]:
    """Run commands, each in a fork of one process; folder: where what they print is kept."""
    asked = [[str(word) for word in command] for command in commands]
    given = json.dumps([[[str(word) for word in command] for command in warm], asked])
    done = subprocess.run(
        [sys.executable, "-c", FORKS, str(ROOM), str(SECONDS), str(folder)],
        input=given,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(rb.__file__).parents[1])},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return [Done(command, *row) for command, row in zip(asked, json.loads(done.stdout), strict=True)]


def changed_arrays(arrays: Arrays) -> Iterator[tuple[str, Arrays]]:
    """The arrays with one of them made wrong in ways that do not depend on what it means: a name for each way, all arrays."""
    for name, array in sorted(arrays.items()):
        others = {key: value for key, value in arrays.items() if key != name}
        yield f"{name}: missing", others
        for how, other in changed_array(array):
            yield f"{name}: {how}", others | {name: other}


def changed_array(array: np.ndarray[Any, Any]) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """One array made wrong."""
    yield "one too few", array[:-1]
    yield "empty", array[:0]
    yield "one too many", np.append(array, array[-1:])
    yield "twice as many", np.concatenate([array, array])
    yield "a column", array.reshape(-1, 1)
    yield "of another type", array.astype(np.int16 if array.dtype.kind == "f" else np.float32)
    yield "of narrow numbers", array.astype(np.int8)
    for where, place in (("first", 0), ("middle", len(array) // 2), ("last", -1)):
        for how, value in wrong_numbers(array.dtype):
            other = array.copy()
            other[place] = value
            yield f"{where} {how}", other


def wrong_numbers(dtype: np.dtype[Any]) -> Iterator[tuple[str, Any]]:
    """Numbers that no array of this type should hold."""
    yield "too large", min(LARGEST[dtype.kind], np.iinfo(dtype).max) if dtype.kind in "iu" else LARGEST["f"]
    if dtype.kind in "if":
        yield "negative", -3
        yield "far below", np.iinfo(dtype).min if dtype.kind == "i" else -1e300
    if dtype.kind == "f":
        yield "nan", np.nan
        yield "infinite", np.inf
