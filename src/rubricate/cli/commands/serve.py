"""rubricate serve MODEL..."""

from __future__ import annotations

import ipaddress
import socket
from pathlib import Path
from typing import Any

import click

from ..options import PATH, check_files, json_option
from ..output import print_json, say

LOOPBACK = ("127.0.0.1", "::1", "localhost")


@click.command("serve")
@click.argument("models", metavar="MODEL...", nargs=-1, required=True, type=PATH, callback=check_files)
@click.option(
    "--port", default=8765, show_default=True, type=click.IntRange(0, 65535), help="0: any free one, which is told."
)
@click.option(
    "--address", default="127.0.0.1", show_default=True, help="Where to listen. Others than loopback need --tokens."
)
@click.option(
    "--host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="Name under which the service may be asked, beside its address.",
)
@click.option(
    "--tokens",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Lines `name sha256`: who may ask, by bearer tokens.",
)
@click.option(
    "--rate",
    default="200/s",
    show_default=True,
    metavar="N/s",
    help="Requests of one client; 50/s, 600/min, or `none`.",
)
@click.option("--max-body", default="64MB", show_default=True, metavar="SIZE", help="Of a request, streams included.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 64), help="Processes that answer.")
@click.option(
    "--tls-cert", type=click.Path(path_type=Path, exists=True), help="Certificate, with --tls-key: answer by https."
)
@click.option("--tls-key", type=click.Path(path_type=Path, exists=True), help="Its key.")
@json_option
def command(
    models: tuple[Path, ...], port: int, address: str, hosts: tuple[str, ...], tokens: Path | None, rate: str, max_body: str,
    workers: int, tls_cert: Path | None, tls_key: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Answer over HTTP with one or more models: predict, explain, cards, metrics, and a page to try a text at `/`.

    On loopback, for programs of this machine, unless --address says otherwise. A model file that is replaced is taken over
    whole, or not at all. Answers are the bytes of `rubricate predict` and `rubricate explain --json`. Needs the extra
    `rubricate[serve]`.
    """
    from ...errors import InvalidSetting

    if tokens is None and not is_loopback(address):
        raise InvalidSetting(
            f"--address {address} can be reached from other machines: give --tokens FILE, or listen on 127.0.0.1"
        )
    if (tls_cert is None) != (tls_key is None):
        raise InvalidSetting("--tls-cert and --tls-key go together")
    try:
        import uvicorn  # noqa: F401

        from ...service import app as _  # noqa: F401
    except ModuleNotFoundError as missing:
        raise InvalidSetting(f"serving needs {missing.name}: pip install 'rubricate[serve]'") from None
    from ...service.server import run

    names = {*LOOPBACK, address, *hosts} if address not in ("0.0.0.0", "::") or hosts else None  # noqa: S104
    settings: dict[str, Any] = {
        "tokens": tokens,
        "rate": rate,
        "max_body": max_body,
        "hosts": names,
        "workers": workers,
    }
    with open_socket(address, port) as sock:
        scheme = "http" if tls_cert is None else "https"
        host = f"[{address}]" if ":" in address else address
        url = f"{scheme}://{host}:{sock.getsockname()[1]}/"
        if as_json:
            print_json({"url": url, "models": [path.stem for path in models]})
        else:
            say(f"{url} answers with {', '.join(path.stem for path in models)}; Ctrl+C stops it")
        run(list(models), sock, tls=None if tls_cert is None or tls_key is None else (tls_cert, tls_key), **settings)


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return address == "localhost" or ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def open_socket(address: str, port: int) -> socket.socket:
    """A socket that listens."""
    from ...errors import InvalidSetting

    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # the protocol is named: asyncio sends small answers at once (TCP_NODELAY) only on sockets that say they are TCP
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((address, port))
        sock.listen(256)
        return sock
    except OSError as problem:
        sock.close()
        raise InvalidSetting(
            f"cannot listen on {address} port {port} ({problem.strerror}): choose another --port"
        ) from None
