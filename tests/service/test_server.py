"""The service as a process: clients that send everything before they read, slow senders, and a stop that lets streams end."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import rubricate as rb

pytest.importorskip("fastapi")


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A service of one model in a process of its own."""
    path = tmp_path_factory.mktemp("served") / "m.rub"
    texts, labels = ["corn and wheat", "gold and silver"] * 6, ["grain", "metal"] * 6
    rb.TextClassifier("multinomial", folds=2).fit(texts, labels).save(path)
    environment = {**os.environ, "PYTHONPATH": str(Path(rb.__file__).parents[1])}
    command = [sys.executable, "-m", "rubricate", "serve", str(path), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        port = int(process.stderr.readline().split("/ answers")[0].rpartition(":")[2])
        wait_until_ready(port)
        yield port
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0


def wait_until_ready(port: int) -> None:
    for _ in range(600):
        try:
            if ask(port, "GET", "/health"):
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the service did not start")


def ask(port: int, method: str, path: str, body: bytes | None = None) -> bytes:
    """The answer to a request that is sent whole before anything is read."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=300)) as connection:
        connection.request(method, path, body=body, headers={"content-type": "application/json"})
        return connection.getresponse().read()


def test_a_client_that_reads_only_after_sending_everything_is_answered_to_the_last_line(port: int) -> None:
    line = b'{"text":"corn and wheat"}\n'
    documents = 80_000  # answers of 6 MB, more than the sockets hold
    *answers, last = ask(port, "POST", "/v1/models/m/predict.ndjson", line * documents).splitlines()
    assert len(answers) == documents
    assert json.loads(last)["documents"] == documents
    assert json.loads(answers[-1])["id"] == f"row-{documents}"


def test_a_line_is_answered_before_the_next_one_comes(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        head = "POST /v1/models/m/predict.ndjson HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head.encode())
        received = b""
        for n in range(1, 4):
            line = b'{"text":"corn"}\n'
            connection.sendall(b"%x\r\n%b\r\n" % (len(line), line))
            while b'"row-%d"' % n not in received:
                received += connection.recv(65536)
        connection.sendall(b"0\r\n\r\n")
        while b'"done":true' not in received:
            received += connection.recv(65536)
        assert received.count(b'"id":') == 3


def test_a_head_that_never_ends_is_cut_off(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: local")
        assert connection.recv(1000) == b""  # closed by the service


def test_eight_threads_get_the_answers_that_one_gets(port: int) -> None:
    def predict(n: int) -> bytes:
        return ask(
            port, "POST", "/v1/models/m/predict", json.dumps({"text": f"corn gold {'wheat ' * (n % 5)}"}).encode()
        )

    expected = [predict(n) for n in range(5)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(predict, range(80))) == expected * 16


def test_what_cannot_be_served_is_said_before_anything_is_loaded(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rubricate", "serve"]
    environment = {**os.environ, "PYTHONPATH": str(Path(rb.__file__).parents[1])}

    def refused(*arguments: str) -> tuple[int, str]:
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False, env=environment)
        return done.returncode, done.stderr

    code, words = refused(str(tmp_path / "none.rub"))
    assert (code, "there is no such file" in words) == (66, True)
    file = tmp_path / "m.rub"
    file.write_bytes(b"")
    code, words = refused(str(file), "--address", "0.0.0.0")
    assert (code, "--tokens" in words) == (2, True)


@pytest.fixture
def two_workers(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A service of two processes."""
    texts, labels = ["corn and wheat", "gold and silver"] * 6, ["grain", "metal"] * 6
    rb.TextClassifier("multinomial", folds=2).fit(texts, labels).save(tmp_path / "m.rub")
    environment = {**os.environ, "PYTHONPATH": str(Path(rb.__file__).parents[1])}
    command = [sys.executable, "-m", "rubricate", "serve", str(tmp_path / "m.rub"), "--port", "0", "--workers", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        port = int(process.stderr.readline().split("/ answers")[0].rpartition(":")[2])
        wait_until_ready(port)
        yield process, port
        process.terminate()  # nothing if it has ended
        process.wait(30)


def documents_counted(port: int) -> int:
    lines = ask(port, "GET", "/metrics").decode().splitlines()
    return sum(int(line.rpartition(" ")[2]) for line in lines if line.startswith("rubricate_documents_total{"))


def test_two_processes_answer_alike_and_count_together(two_workers: tuple[subprocess.Popen[str], int]) -> None:
    process, port = two_workers
    with ThreadPoolExecutor(8) as pool:
        answers = set(pool.map(lambda _: ask(port, "POST", "/v1/models/m/predict", b'{"text":"corn"}'), range(60)))
    assert len(answers) == 1
    seen = 0
    for _ in range(200):  # processes tell each other every second
        before, seen = seen, documents_counted(port)
        assert seen >= before
        if seen == 60:
            break
        time.sleep(0.05)
    assert seen == 60
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0
    with pytest.raises(ConnectionRefusedError):
        ask(port, "GET", "/health")


def test_if_one_of_two_processes_dies_the_service_ends(two_workers: tuple[subprocess.Popen[str], int]) -> None:
    process, _ = two_workers
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        pytest.skip("this system does not tell the children of a process")
    os.kill(int(children.read_text().split()[0]), signal.SIGKILL)
    assert process.wait(30) == 65
    assert process.stderr is not None
    assert "ended by itself" in process.stderr.read()
