"""What happens to files that are kept: bits flip, disks fill up, processes are killed, strangers leave files that run code."""

from __future__ import annotations

import builtins
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rubricate.errors import DamagedFile, TooLarge


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def refused(read: Callable[[Path], Any], path: Path) -> bool:
    """Whether a file is refused by whoever reads it."""
    try:
        read(path)
    except (DamagedFile, TooLarge):
        return True
    return False


def flipped(path: Path, places: Iterable[int]) -> Iterator[int]:
    """Each of these bits of a file in turn, the wrong way round for as long as its number is looked at."""
    content = path.read_bytes()
    with path.open("r+b", buffering=0) as file:
        for place in places:
            own = content[place // 8]
            os.pwrite(file.fileno(), bytes([own ^ 1 << place % 8]), place // 8)
            yield place
            os.pwrite(file.fileno(), bytes([own]), place // 8)


class Canary:
    """Whoever unpickles it leaves a trace."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return builtins.open, (str(self.path), "w")


@contextmanager
def limited(what: int, limit: int) -> Iterator[None]:
    """With no more than so much of a resource."""
    soft, hard = resource.getrlimit(what)
    resource.setrlimit(what, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(what, (soft, hard))


KILLED = """
import os, random, signal, time

draw, seen, within = random.Random(0), [0, 0], 0
for moment in range(moments):
    ready, says = os.pipe()
    child = os.fork()
    if child == 0:
        n = moment
        while True:
            save(n % 2)
            n += 1
            if n == moment + 1:
                os.write(says, b"!")
    os.read(ready, 1)
    os.close(ready)
    os.close(says)
    time.sleep(draw.uniform(0, longest))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    seen[which()] += 1
    left = [name for name in os.listdir(os.path.dirname(path)) if name.endswith(".part")]
    within += bool(left)
    for name in left:
        os.unlink(os.path.join(os.path.dirname(path), name))
print(*seen, within)
"""


def killed_while_saving(code: str, *paths: Path, moments: int) -> tuple[int, int, int]:
    """Processes that save one thing and the other in turn, killed at moments of chance. How often the one was then found, how
    often the other, and how often a process was killed while it wrote.

    code: finds the paths in sys.argv[1:]; sets path, the file; save(n), which writes number n, 0 or 1; which(), which reads the
    file and says its number; and longest, the seconds a process has at the most.
    """
    command = [sys.executable, "-c", f"moments = {moments}\n{code}\n{KILLED}", *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    first, second, within = map(int, done.stdout.split())
    return first, second, within
