"""Whatever a person does, a command ends with a sentence and its exit code; no terminal obeys a character from outside."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

import rubricate as rb
from commands import Ran, captured, program
from rubricate import cli
from rubricate.cli.output import echo, escape_controls, printable, visible

HOSTILE = "\x1b]0;title\x07 \x1b[2J \x9b31m \u202e \x7f"
LABELS = [f"one{HOSTILE}", f"two\n{HOSTILE}"]
Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Commands in a folder with a few files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(cli.TRACEBACK, raising=False)
    texts = [f"{'red apple' if n % 2 else 'blue sky'} number{n % 5}" for n in range(40)]
    lines(tmp_path / "data.jsonl", ({"id": n, "text": t, "labels": "ab"[n % 2]} for n, t in enumerate(texts)))
    lines(tmp_path / "one.jsonl", [{"text": "one document", "labels": "a"}])
    lines(
        tmp_path / "types.jsonl",
        [3, None, "x", [], {"text": None}, {"text": [1], "labels": {}}, {"text": 1, "labels": 1}],
    )
    Path("empty.jsonl").touch()
    Path("folder").mkdir()
    rb.TextClassifier("support_vector").fit(texts, ["ab"[n % 2] for n in range(40)]).save("m.rub")
    return lambda *arguments: captured(capfd, *arguments)


def lines(path: Path, rows: Any) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def lacks_control(text: str) -> bool:
    return all(c.isprintable() or c in "\n\t" for c in text)


# -- a sentence and an exit code

TRAIN = ("train", "data.jsonl", "-m", "multinomial", "-o", "new.rub")
CLUMSY = [
    (("train", "types.jsonl", "-o", "new.rub"), 65),
    (("train", "empty.jsonl", "-o", "new.rub"), 65),
    (("train", "folder", "-o", "new.rub"), 65),
    (("train", "m.rub", "-o", "new.rub"), 65),
    (("train", "data.jsonl", "-o", "missing/new.rub"), 66),
    (("train", "data.jsonl", "-o", "folder"), 2),
    (("train", "data.jsonl", "-o", "link"), 2),
    (("train", "data.jsonl", "-o", "pipe"), 2),
    (("count", "data.jsonl", "-o", "pipe"), 2),
    (("predict", "m.rub", "data.jsonl", "-o", "pipe"), 2),
    (("train", "one.jsonl", "-o", "new.rub"), 0),
    ((*TRAIN, "--folds", "10000"), 0),
    ((*TRAIN, "--folds", "-1"), 2),
    ((*TRAIN, "--seed", "-1"), 2),
    ((*TRAIN, "--select", "dkl:0"), 2),
    ((*TRAIN, "--select", "dkl:²"), 2),
    ((*TRAIN, "--select", "dkl:" + "9" * 5000), 2),
    ((*TRAIN, "--decide", "top:²"), 2),
    ((*TRAIN, "--decide", "top:" + "9" * 5000), 2),
    ((*TRAIN, "--decide", "precision:nan"), 2),
    ((*TRAIN, "--measure", "nonsense"), 2),
    ((*TRAIN, "--budget", "²s"), 2),
    ((*TRAIN, "--recipe", "min_length=²"), 2),
    ((*TRAIN, "--test-set", "²"), 2),
    ((*TRAIN, "--test-set", "²pc"), 2),
    (("train", "data.jsonl", "-o", "new.rub", "-m", "multinomial:smoothing=" + "[" * 5000), 2),
    (("split", "data.jsonl", "-o", "parts", "--seed", "-1"), 2),
    (("evaluate", "m.rub", "data.jsonl", "--seed", "-1"), 2),
    (("evaluate", "data.jsonl", "m.rub"), 65),
    (("evaluate", "m.rub", "nowhere.jsonl"), 66),
    (("predict", "nowhere.rub", "data.jsonl"), 66),
    (("explain", "m.rub", ""), 0),
    (("explain", "m.rub", "apple", "--label", "zebra"), 2),
    (("compare", "m.rub", "m.rub", "data.jsonl", "--seed", "-1"), 2),
    (("compare", "m.rub", "m.rub", "data.jsonl", "--measure", "nonsense"), 2),
    (("forget", "m.rub", "data.jsonl"), 2),
    (("learn", "data.jsonl", "data.jsonl"), 65),
    (("merge", "data.jsonl", "-o", "new.counts"), 65),
    (("topic", "new", "t", "words", "--expand", "9" * 20, "--topics", "topics"), 2),
    (("topic", "new", "t", "words", "--draws", "9" * 20, "--topics", "topics"), 2),
    (("topic", "rank", "nobody", "data.jsonl", "--topics", "topics"), 66),
    (("screen", "data.jsonl", "--topic", "nobody", "--topics", "topics"), 66),
    (("screen", "data.jsonl", "--topic", "nobody", "--topics", "topics", "--seed", "-1"), 2),
]


@pytest.mark.parametrize(
    ("arguments", "code"), CLUMSY, ids=lambda own: " ".join(own)[:70] if isinstance(own, tuple) else ""
)
def test_a_clumsy_use_ends_with_a_sentence_and_its_exit_code(run: Run, arguments: tuple[str, ...], code: int) -> None:
    Path("link").symlink_to("nowhere/at/all")
    os.mkfifo("pipe")
    done = run(*arguments)
    assert done.code == code, done.err
    assert "Traceback" not in done.err
    assert "fault of ours" not in done.err
    if code:
        assert done.err.splitlines()[-1].startswith(("rubricate: ", "Error: "))
        assert done.out == ""
    assert Path("link").is_symlink()
    assert Path("pipe").is_fifo(), "a file was put in the place of a pipe"


@pytest.mark.parametrize(
    ("fault", "code", "said"),
    [
        (
            TypeError("of ours \x1b[31m\nrubricate: all is well"),
            70,
            "a fault of ours: TypeError: of ours \\x1b[31m\\nrub",
        ),
        (RecursionError("too deep"), 70, "a fault of ours: RecursionError: too deep"),
        (MemoryError(), 70, "not enough memory"),
        (EOFError("early"), 65, "ends in the middle"),
        (OSError(28, "No space left on device"), 74, "No space left"),
        (KeyboardInterrupt(), 130, ""),
        (click.Abort(), 130, ""),
    ],
)
def test_any_fault_is_one_sentence_and_its_exit_code(
    run: Run, monkeypatch: pytest.MonkeyPatch, fault: BaseException, code: int, said: str
) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise fault

    monkeypatch.setattr("rubricate.cli.commands.papers.show_collections.callback", fails)
    done = run("collections")
    assert (done.code, done.out) == (code, "")
    assert len(done.err.strip().splitlines()) == bool(said)
    assert said in done.err
    assert "Traceback" not in done.err
    assert lacks_control(done.err)
    monkeypatch.setenv(cli.TRACEBACK, "1")
    assert ("Traceback" in run("collections").err) == bool(said)


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments", ["--help", "collections", "collections --json", "info data.jsonl", "predict m.rub data.jsonl"]
)
@pytest.mark.parametrize(
    ("redirected", "code"), [(">/dev/full", 74), (">&-", 74), ("2>&- >/dev/null", 0), ("| true", 0)]
)
def test_output_that_goes_nowhere_is_told(run: Run, arguments: str, redirected: str, code: int) -> None:
    command = " ".join(f"'{word}'" for word in program())
    done = subprocess.run(
        f"set -o pipefail; {command} {arguments} {redirected}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert (done.stderr.splitlines()[-1:] or [""])[0].startswith("rubricate: ") == (code == 74)


# -- nothing from outside is obeyed


def test_control_characters_are_shown_and_not_obeyed(capfd: pytest.CaptureFixture[str]) -> None:
    assert visible("a\x1b[31m\u202eb\nc\udcff") == "a\\x1b[31m\\u202eb\\nc\\udcff"
    assert visible("plain «text» – 日本") == "plain «text» – 日本"
    assert printable(f"a\n{HOSTILE}", 200).isprintable()
    echo(f"\n\nx{HOSTILE}\nnext: lines of others", bold=f"y{HOSTILE}")
    shown = capfd.readouterr().out
    assert lacks_control(shown)
    assert shown.count("\n") == 3
    value = {f"k{HOSTILE}": [HOSTILE, "é"]}
    escaped = escape_controls(json.dumps(value, ensure_ascii=False).encode())
    assert json.loads(escaped) == value
    assert lacks_control(escaped.decode())


def test_what_an_encoding_lacks_is_shown_as_an_escape(run: Run) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(program("inspect", "m.rub"), capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        (f"no such command {HOSTILE}",),
        ("train", f"--nothing{HOSTILE}\nError: all is well"),
        ("train", "DATA", "-o", f"missing{HOSTILE}/x\ny"),
        ("train", "DATA", "-o", f"new{HOSTILE}\n.rub", "-m", "multinomial"),
        ("train", "DATA", "-o", "new.rub", "-m", f"none{HOSTILE}\n"),
        ("train", "DATA", "-o", "new.rub", "--measure", f"none{HOSTILE}\n"),
        ("train", "DATA", "-o", "new.rub", "--text", f"none{HOSTILE}\n"),
        ("train", "DATA", "-o", "new.rub", "--encoding", f"none{HOSTILE}\n"),
        ("info", "DATA"),
        ("info", "DATA", "--json"),
        ("info", f"nowhere{HOSTILE}\nrubricate: all is well"),
        ("terms", "DATA", "--label", f"none{HOSTILE}\n"),
        ("inspect", "MODEL"),
        ("inspect", "MODEL", "--json"),
        ("inspect", f"nowhere{HOSTILE}\n"),
        ("explain", "MODEL", f"apple{HOSTILE}\n"),
        ("explain", "MODEL", "apple", "--label", f"none{HOSTILE}\n"),
        ("evaluate", "MODEL", "DATA"),
        ("evaluate", "MODEL", "DATA", "--json"),
        ("count", "DATA", "-o", f"new{HOSTILE}\n.counts"),
        ("split", "DATA", "-o", f"new{HOSTILE}\nparts"),
        ("label-errors", "DATA", "-m", "multinomial"),
        ("compare", "MODEL", "MODEL", "DATA"),
        ("topic", "new", f"t{HOSTILE}\n", "words"),
        ("topic", "show", f"t{HOSTILE}\n"),
    ],
    ids=lambda own: visible(" ".join(own))[:60],
)
def test_names_labels_and_cells_reach_no_terminal_raw(run: Run, arguments: tuple[str, ...]) -> None:
    data, model = f"data{HOSTILE}.jsonl", f"model{HOSTILE}.rub"
    rows = [
        {"id": f"{n}{HOSTILE}", "text": f"{'apple' if n % 2 else 'sky'} {HOSTILE}", "labels": LABELS[n % 2]}
        for n in range(40)
    ]
    lines(Path(data), [*rows, {"text": "x", "labels": {HOSTILE: 1}}])
    rb.TextClassifier("multinomial").fit([row["text"] for row in rows], [row["labels"] for row in rows]).save(model)
    done = run(*({"DATA": data, "MODEL": model}.get(word, word) for word in arguments))
    assert lacks_control(done.out)
    assert lacks_control(done.err)
    assert done.code in (0, 2, 65, 66)
    for line in done.err.splitlines():
        assert not line.startswith(("Error: all is well", "rubricate: all is well"))


def test_only_one_file_writes_for_people() -> None:
    for path in Path(cli.__file__).parent.rglob("*.py"):
        if path.name != "output.py":
            assert "click.echo(" not in path.read_text("utf-8"), path.name
