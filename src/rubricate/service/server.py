"""Runs the application under uvicorn on a socket that listens already, and watches the model files."""

from __future__ import annotations

import signal
import socket
import threading
from pathlib import Path
from typing import Any

import uvicorn

from .access import Tokens, parse_bytes, parse_rate
from .app import make_app
from .limits import PatientProtocol
from .metrics import Metrics
from .served_models import ServedModels
from .workers import run_workers

STOP_SECONDS = 20  # that streams under way have when the service is told to stop


class Server(uvicorn.Server):
    """Says that it is not ready as soon as it is told to stop."""

    def __init__(self, config: uvicorn.Config, models: ServedModels, *, one_of_several: bool) -> None:
        super().__init__(config)
        self.models, self.one_of_several = models, one_of_several

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Streams under way may end; a second signal does not wait for them. uvicorn's own ends the process by the signal. Ctrl+C
        reaches all processes of a terminal: one of several waits for what the first one says."""
        if self.one_of_several and sig == signal.SIGINT:
            return
        self.models.stopping.set()
        self.should_exit, self.force_exit = True, self.should_exit


def run(
    paths: list[Path],
    sock: socket.socket,
    *,
    tokens: Path | None,
    rate: str,
    max_body: str,
    hosts: set[str] | None,
    tls: tuple[Path, Path] | None,
    workers: int = 1,
) -> None:
    """Serve until a signal says stop. workers: processes that answer."""
    most_bytes, limit = parse_bytes(max_body), None if rate == "none" else parse_rate(rate)
    known = None if tokens is None else Tokens(tokens)
    models = ServedModels(paths)

    def serve(metrics: Metrics) -> None:
        app = make_app(models, tokens=known, rate=limit, hosts=hosts, most_bytes=most_bytes, metrics=metrics)
        config = uvicorn.Config(
            app,
            http=PatientProtocol,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=512,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=STOP_SECONDS,
            ssl_certfile=None if tls is None else str(tls[0]),
            ssl_keyfile=None if tls is None else str(tls[1]),
        )
        threading.Thread(target=models.watch, daemon=True).start()
        try:
            Server(config, models, one_of_several=workers > 1).run([sock])
        finally:
            models.stopping.set()

    if workers == 1:
        serve(Metrics())
    else:
        run_workers(workers, models, sock, serve)
