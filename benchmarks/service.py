"""The HTTP service beside its own load generator: documents a second in a stream, latency of single requests at 200 a second,
memory over many requests. `python -m benchmarks.service`; the model is a linear SVM trained on the sample."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

BLOCK = 500  # documents in a stream
SECONDS = 10.0
RATE = 200.0
CLIENTS = 4
REQUESTS = int(os.environ.get("RUBRICATE_REQUESTS", "20000"))  # of the look at memory; 200,000 take some minutes
TEXT = (
    "The app says my card has expired and I cannot borrow the audiobook that I reserved last week for my daughter. " * 5
)


def ask(connection: http.client.HTTPConnection, path: str, body: bytes) -> bytes:
    connection.request("POST", f"/v1/models/m/{path}", body, {"content-type": "application/json"})
    answer = connection.getresponse()
    content = answer.read()
    assert answer.status == 200, (answer.status, content[:200])
    return content


def connected(port: int) -> contextlib.closing[http.client.HTTPConnection]:
    return contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60))


def in_threads(work: Any, number: int) -> None:
    threads = [threading.Thread(target=work, args=(n,)) for n in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def documents_a_second(port: int) -> float:
    """Streams of two clients, one after the other, for some seconds."""
    lines = b"".join(json.dumps({"id": f"d{n}", "text": f"{TEXT} {n}"}).encode() + b"\n" for n in range(BLOCK))
    done = [0, 0]
    end = time.monotonic() + SECONDS

    def client(n: int) -> None:
        with connected(port) as connection:
            while time.monotonic() < end:
                assert ask(connection, "predict.ndjson", lines).count(b"\n") == BLOCK + 1
                done[n] += BLOCK

    start = time.monotonic()
    in_threads(client, 2)
    return sum(done) / (time.monotonic() - start)


def milliseconds(port: int) -> dict[str, float]:
    """Of single requests, from when each was due: waiting counts."""
    times: list[float] = []
    body = json.dumps({"id": "x", "text": TEXT}).encode()
    start = time.perf_counter() + 0.2

    def client(n: int) -> None:
        with connected(port) as connection:
            for i in range(int(RATE * SECONDS / CLIENTS)):
                due = start + (i * CLIENTS + n) / RATE
                time.sleep(max(0.0, due - time.perf_counter()))
                ask(connection, "predict", body)
                times.append(1000 * (time.perf_counter() - due))

    in_threads(client, CLIENTS)
    cuts = statistics.quantiles(times, n=100)
    return {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "most": max(times)}


def memory_mb(process: subprocess.Popen[str]) -> float:
    pages = int(Path(f"/proc/{process.pid}/statm").read_text("ascii").split()[1])
    return pages * 4096 / 1e6


def main() -> None:
    import rubricate as rb

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.rub"
        rb.TextClassifier("linear_svm").fit(rb.collections.load("enquiries")[0]).save(path)
        command = [sys.executable, "-m", "rubricate", "serve", str(path), "--port", "0", "--rate", "none", "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            told = ""
            while not told.rstrip().endswith("}"):
                told += process.stdout.readline()
            port = int(json.loads(told)["url"].rstrip("/").rpartition(":")[2])
            for _ in range(200):
                with contextlib.suppress(OSError), connected(port) as connection:
                    ask(connection, "predict", b'{"text": "x"}')
                    break
                time.sleep(0.1)
            found: dict[str, Any] = {"documents_a_second": documents_a_second(port), "milliseconds": milliseconds(port)}
            body = json.dumps({"text": TEXT}).encode()
            with connected(port) as connection:
                for n in range(REQUESTS):
                    ask(connection, "predict", body)
                    if n == REQUESTS // 10:
                        found["memory_mb_after_a_tenth"] = memory_mb(process)
            found |= {"requests": REQUESTS, "memory_mb": memory_mb(process)}
            process.terminate()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
