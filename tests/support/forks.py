"""Commands in processes of their own, forked from one that has imported and warmed up everything, so that a process costs little.

A fork has its own memory, files and locks. `in_turn` runs commands one after the other, each with a limit of memory and time; a
fork goes on to the next command until one ends it, by a signal or at its limit of time, and the next command then gets a new
fork. `together` runs commands at the same time, each in a fork.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rubricate as rb
from commands import Ran

ROOM = 1 << 30  # bytes a command may take beyond what its process has when it begins
SECONDS = 30
A_FORK = 25  # commands at most: what one does to memory unseen may harm those after it, but no others

SERVER = """
import gc, json, os, resource, signal, sys, traceback

requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
null = os.open(os.devnull, os.O_RDWR)
os.dup2(null, 0), os.dup2(null, 1)
from rubricate.cli import main

room, seconds, a_fork = map(int, sys.argv[1:])

def run(command):
    try:
        main(command)
    except SystemExit as done:
        code = done.code or 0
    except BaseException:
        traceback.print_exc()
        code = 99
    else:
        code = 98
    sys.stdout.flush(), sys.stderr.flush()
    return code

def write_to(path, *places):
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    for place in places:
        os.dup2(handle, place)
    os.close(handle)

def run_limited(command, path):
    write_to(path, 1, 2)
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (size + room, hard))
    signal.alarm(seconds)
    code = run(command)
    signal.alarm(0)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    return code

def in_turn(commands, folder):
    codes = []
    while len(codes) < len(commands):
        begun, (reader, writer) = len(codes), os.pipe()
        child = os.fork()
        if child == 0:
            try:
                for number in range(begun, min(begun + a_fork, len(commands))):
                    os.write(writer, b"%d\\n" % run_limited(commands[number], f"{folder}/{number}.said"))
                os._exit(0)
            finally:
                os._exit(97)
        os.close(writer)
        with os.fdopen(reader) as ended:
            codes += map(int, ended)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status != 0:
            codes.append(status)
    return codes

def together(commands, folder, inputs):
    children = []
    for number, command in enumerate(commands):
        child = os.fork()
        if child == 0:
            if inputs:
                os.dup2(os.open(inputs[number], os.O_RDONLY), 0)
            write_to(f"{folder}/{number}.out", 1)
            write_to(f"{folder}/{number}.err", 2)
            os._exit(run(command))
        children.append(child)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]

for line in requests:
    work, warm, *arguments = json.loads(line)
    for command in warm:
        assert run(command) == 0, command
    gc.collect(), gc.freeze()  # what is here now is not looked at again by the forks' collectors, which would copy it
    answers.write(json.dumps({"in_turn": in_turn, "together": together}[work](*arguments)) + "\\n")
    answers.flush()
"""


@dataclass(frozen=True)
class Done:
    """What became of a command: its exit code (below 0 the signal that ended it; 99 a traceback), and all it printed."""

    command: list[str]
    code: int
    said: str


def words(commands: Sequence[Sequence[Any]]) -> list[list[str]]:
    return [[str(word) for word in command] for command in commands]


class Forks:
    """One process that has imported the package, and forks for each piece of work."""

    def __init__(self) -> None:
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed with the process
        self._server = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(ROOM), str(SECONDS), str(A_FORK)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            env={**os.environ, "PYTHONPATH": str(Path(rb.__file__).parents[1])},
        )

    def ask(self, *request: Any) -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps(request) + "\n")
        self._server.stdin.flush()

    def answer(self) -> Any:
        assert self._server.stdout is not None
        line = self._server.stdout.readline()
        if not line:
            self._errors.seek(0)
            raise AssertionError(self._errors.read()[-3000:])
        return json.loads(line)

    def close(self) -> None:
        self._server.kill()
        self._server.communicate()
        self._errors.close()

    def warm(self, commands: Sequence[Sequence[Any]]) -> None:
        """Run commands in the process that forks, so that its forks need not import what these did."""
        self.ask("in_turn", words(commands), [], "")
        self.answer()

    def in_turn(self, commands: Sequence[Sequence[Any]], folder: Path, *, warm: Sequence[Sequence[Any]]) -> list[Done]:
        """What became of commands, one after the other. folder: for what they print; warm: commands that are run first, in the
        process that forks, so that all is imported and compiled."""
        self.ask("in_turn", words(warm), words(commands), str(folder))
        said = [folder / f"{number}.said" for number in range(len(commands))]
        return [
            Done(command, code, path.read_text(errors="replace")[-3000:])
            for command, code, path in zip(words(commands), self.answer(), said, strict=True)
        ]

    def together(self, commands: Sequence[Sequence[Any]], folder: Path, feeds: Sequence[bytes] = ()) -> list[Ran]:
        """What became of commands that ran at the same time. feeds: what each reads from standard input; all have begun to read
        before one has any of it."""
        inputs = [folder / f"{number}.in" for number in range(len(feeds))]
        for path in inputs:
            os.mkfifo(path)
        self.ask("together", [], words(commands), str(folder), [str(path) for path in inputs])
        pipes = [path.open("wb") for path in inputs]
        for pipe in pipes:
            pipe.write(BLANK)
            pipe.flush()
        for pipe, feed in zip(pipes, feeds, strict=True):
            pipe.write(feed)
            pipe.close()
        codes = self.answer()
        printed = [
            [(folder / f"{number}.{kind}").read_text() for kind in ("out", "err")] for number in range(len(codes))
        ]
        return [Ran(code, *texts) for code, texts in zip(codes, printed, strict=True)]


BLANK = (
    b" " * 8191 + b"\n"
) * 128  # a megabyte, more than a pipe holds: when it is written, the reader has begun to read
