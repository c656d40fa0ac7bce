"""`predict MODEL -` answers each line when it comes; the answers are those for a file; it ends with input, reader or ^C."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Any

import pytest

import rubricate as rb

LINES = [b'{"text":"corn and wheat"}\n', b'{"id":"b","text":"gold"}\n', b"nonsense\n", b'{"text":"silver mine"}\n']


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("live") / "m.rub"
    texts, labels = ["corn and wheat", "gold and silver"] * 6, ["grain", "metal"] * 6
    rb.TextClassifier("multinomial", folds=2).fit(texts, labels).save(path)
    return path


def default_interrupt() -> None:
    """A background job of a shell ignores ^C, and so would its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def started(model: Path, *options: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(Path(rb.__file__).parents[1])}
    command = [sys.executable, "-m", "rubricate", "predict", str(model), "-", *options]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env=environment,
        preexec_fn=default_interrupt,  # noqa: PLW1509 -- no other thread is at work
    )


def next_line(stream: IO[bytes]) -> Any:
    """The next line of output; a test that waits a minute for it has failed."""
    assert select.select([stream], [], [], 60)[0], "no answer came"
    return json.loads(stream.readline())


def test_each_line_is_answered_before_the_next_is_sent(model: Path) -> None:
    with started(model) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(LINES[0])
        assert next_line(process.stdout)["id"] == "row-1"
        process.stdin.write(LINES[1] + LINES[2])
        assert next_line(process.stdout)["id"] == "b"
        process.stdin.write(LINES[3])
        assert next_line(process.stdout)["id"] == "row-3"
        process.stdin.close()
        assert process.wait(60) == 0
        assert b"4 rows in = 3 kept + 1 rejected" in process.stderr.read()  # type: ignore[union-attr]


@pytest.mark.parametrize("form", ["jsonl", "tsv", "fasttext", "trec"])
def test_the_answers_are_those_for_a_file(run: Any, model: Path, tmp_path: Path, form: str) -> None:
    lines = [
        json.dumps({"id": f"d{n}", "text": f"corn {n} gold wheat silver"[: 4 + n % 20]}).encode() for n in range(300)
    ]
    content = b"\n".join(lines) + b"\n"
    (tmp_path / "new.jsonl").write_bytes(content)
    out = tmp_path / "out"
    assert run("predict", model, tmp_path / "new.jsonl", "-o", out, "--to", form, "--abstain", 0.6).code == 0
    with started(model, "--to", form, "--abstain", "0.6") as process:
        answers, _ = process.communicate(content)
        assert answers == out.read_bytes()


def test_more_than_a_megabyte_goes_on_with_compiled_loops_and_the_same_answers(
    run: Any, model: Path, tmp_path: Path
) -> None:
    line = json.dumps({"text": f"corn and wheat, {' ' * 400}gold"}).encode() + b"\n"  # few words: these take the time
    (tmp_path / "new.jsonl").write_bytes(line * 3000)
    out = tmp_path / "out"
    assert run("predict", model, tmp_path / "new.jsonl", "-o", out).code == 0
    with started(model) as process:
        answers, _ = process.communicate(line * 3000)
        assert answers == out.read_bytes()


def test_an_interrupt_ends_a_stream_with_its_summary(model: Path) -> None:
    with started(model) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(LINES[0])
        next_line(process.stdout)
        time.sleep(0.2)  # it waits for input by now; a test that is too fast only tests an earlier moment
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert b"1 document, 1 label given" in process.stderr.read()  # type: ignore[union-attr]


def test_a_reader_that_has_gone_is_no_error(model: Path) -> None:
    with started(model) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(LINES[0])
        next_line(process.stdout)
        process.stdout.close()
        process.stdin.write(LINES[1])
        process.stdin.close()
        assert process.wait(60) == 0
        assert b"rror" not in process.stderr.read()  # type: ignore[union-attr]
