"""An installation that nobody may write to, used by somebody without a home: compiled loops go to a private temporary folder, or
are not kept at all, and every command works."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rubricate as rb

NOBODY = 65534
# who can run our Python and is stopped by missing permissions: nobody, or root without its powers over files
UNPRIVILEGED = (
    ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"],
    ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"],
)
SENTENCE = "compiled at every start"
ASKED = "from rubricate.kernels import compilation; print(compilation.FOLDER)"


@cache
def unprivileged() -> list[str]:
    """What goes before a command so that it is run without root's powers."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv"):
        for words in UNPRIVILEGED:
            done = subprocess.run([*words, sys.executable, "-c", "import numba"], capture_output=True, check=False)
            if done.returncode == 0:
                return words
    pytest.skip("root may write everywhere, and here its powers cannot be given up")


class Installation:
    """A copy of the package that may be read alone; a home that may not be written to; an own temporary directory."""

    def __init__(self, folder: Path) -> None:
        self.package, self.home, self.temporary = folder / "package", folder / "home", folder / "temporary"
        package = Path(rb.__file__).parent
        shutil.copytree(package, self.package / "rubricate", ignore=shutil.ignore_patterns("__pycache__"))
        for path in (self.home, self.temporary):
            path.mkdir()
        self.temporary.chmod(0o1777)
        self.before = unprivileged()
        for path in (folder, self.home, self.package, *self.package.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)

    def run(self, *arguments: Any, temporary: Path | None = None) -> subprocess.CompletedProcess[str]:
        """A command, or Python with -c."""
        words = arguments if arguments[0] == "-c" else ("-m", "rubricate", *arguments)
        return subprocess.run(
            [*self.before, sys.executable, *map(str, words)],
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(self.home),
                "TMPDIR": str(temporary or self.temporary),
                "PYTHONPATH": str(self.package),
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            cwd=self.home,
            capture_output=True,
            text=True,
            check=False,
        )

    def prepare(self) -> None:
        """Give it what this process has compiled, but for the scanner: to compile everything would take a minute."""
        from rubricate.kernels import compilation

        folder = Path(self.run("-c", ASKED).stdout.strip())
        if compilation.FOLDER is None or folder.parent != self.private:
            return  # then everything is compiled
        for path in compilation.FOLDER.glob("*.nb?"):
            if not path.name.startswith("scan."):
                shutil.copy(path, folder)
                (folder / path.name).chmod(0o644)

    @property
    def user(self) -> int:
        """Whose private folder it is."""
        return NOBODY if self.before == UNPRIVILEGED[0] else os.geteuid()

    @property
    def private(self) -> Path:
        """Where compiled loops go."""
        return self.temporary / f"rubricate-{self.user}"


@pytest.fixture
def installed() -> Iterator[Installation]:
    folder = Path(tempfile.mkdtemp())  # pytest's own folders are closed to other users
    try:
        yield Installation(folder)
    finally:
        for path in (folder, *folder.rglob("*")):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o700)
        shutil.rmtree(folder)


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o644)
    return path


def test_a_read_only_installation_without_a_home_counts_and_predicts(installed: Installation) -> None:
    texts = written(
        installed.temporary / "a.jsonl", '{"text": "wheat corn", "label": "x"}\n{"text": "loan", "label": "y"}\n'
    )
    model = installed.temporary / "model.rub"
    rb.TextClassifier("multinomial", jobs=1).fit(["wheat", "corn", "loan", "bank"] * 5, ["x", "x", "y", "y"] * 5).save(
        model
    )
    model.chmod(0o644)
    assert installed.run("--help").returncode == 0
    installed.prepare()
    counted = installed.run("count", texts, "-o", installed.temporary / "a.counts")
    assert counted.returncode == 0, counted.stderr
    assert SENTENCE not in counted.stderr
    assert stat.S_IMODE(installed.private.stat().st_mode) == 0o700
    kept = {path: path.stat().st_mtime_ns for path in installed.private.rglob("*.nb?")}
    assert any(path.name.startswith("scan.scan-") for path in kept)
    again = installed.run("count", texts, "-o", installed.temporary / "b.counts")
    assert again.returncode == 0, again.stderr
    assert "compiling" not in again.stderr
    predicted = installed.run("predict", model, texts)
    assert predicted.returncode == 0, predicted.stderr
    assert '"x"' in predicted.stdout
    assert {path: path.stat().st_mtime_ns for path in kept} == kept, "nothing was compiled twice"
    assert not list(installed.package.rglob("__pycache__"))


def test_where_nothing_can_be_kept_it_works_all_the_same_and_says_so_once(installed: Installation) -> None:
    planted = installed.temporary / "planted"
    planted.mkdir(mode=0o777)
    installed.private.symlink_to(planted)
    texts = written(installed.temporary / "a.jsonl", '{"text": "wheat corn", "label": "x"}\n')
    counted = installed.run("count", texts, "-o", installed.temporary / "a.counts")
    assert counted.returncode == 0, counted.stderr
    assert counted.stderr.count(SENTENCE) == 1
    assert not list(planted.iterdir()), "a folder that somebody planted is not used"
    assert installed.run("--help").stderr == ""


def test_a_temporary_directory_that_cannot_be_written_to_is_passed_over(installed: Installation) -> None:
    closed = installed.home  # tempfile then takes /tmp or another one, or there is none
    asked = installed.run("-c", f"import tempfile; tempfile.tempdir = {str(closed)!r}; {ASKED}", temporary=closed)
    assert (asked.returncode, asked.stdout) == (0, "None\n"), asked.stderr
    assert asked.stderr.count(SENTENCE) == 1
    assert len(asked.stderr.strip().splitlines()) == 1
    assert not list(closed.iterdir())


def test_a_private_folder_is_used_only_if_it_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rubricate.kernels import compilation

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    own = tmp_path / f"rubricate-{os.getuid()}"
    assert compilation.private_folder() == own
    assert stat.S_IMODE(own.stat().st_mode) == 0o700
    assert compilation.private_folder() == own, "the second time too"
    for mode in (0o770, 0o707, 0o711):
        own.chmod(mode)
        assert compilation.private_folder() is None
    own.chmod(0o700)
    if os.geteuid() == 0:
        os.chown(own, NOBODY, NOBODY)
        assert compilation.private_folder() is None, "a folder of somebody else"
        os.chown(own, 0, 0)
    own.rename(tmp_path / "elsewhere")
    own.symlink_to(tmp_path / "elsewhere")
    assert compilation.private_folder() is None, "a link, even to a folder of ours"
    own.unlink()
    own.write_text("")
    assert compilation.private_folder() is None, "a file"
    own.unlink()
    tmp_path.chmod(0o777)
    assert compilation.private_folder() is None, "others could take its place"
    tmp_path.chmod(0o1777)
    assert compilation.private_folder() == own


def test_the_working_directory_is_no_temporary_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rubricate.kernels import compilation

    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert compilation.private_folder() is None
    assert not list(tmp_path.iterdir())


def test_compiled_loops_are_looked_for_where_numba_keeps_them(tmp_path: Path) -> None:
    said = "from rubricate.kernels import compilation; print(compilation.FOLDER, compilation.must_compile())"
    done = subprocess.run(
        [sys.executable, "-c", said],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(Path(rb.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    (folder,) = tmp_path.iterdir()
    assert done.stdout == f"{folder} True\n"
