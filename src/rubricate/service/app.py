"""The application: routes over served models. Nothing is computed here: bodies are checked, models asked, lines sent.

GET   /v1/models, /v1/models/{name}         what is served, with cards
POST  /v1/models/{name}/predict             a document or a list of documents
POST  /v1/models/{name}/predict.ndjson      a stream of documents, answered line by line
POST  /v1/models/{name}/explain             why a text has its labels
GET   /health, /ready, /metrics, /          alive, models as they should be, counters, a page to try a text
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import orjson
from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from .. import __version__
from ..errors import InvalidSetting, RubricateError, UnknownName
from ..scoring.prediction_rows import OutputSettings
from ..scoring.predictions import NamedText
from ..scoring.reasons import term_spans
from .access import Rate, Tokens
from .limits import Limits
from .line_stream import LineStream
from .metrics import Metrics, metrics_text
from .served_models import ServedModel, ServedModels

PAGE = Path(__file__).parent / "page"
PAGE_FILES = {
    "page.html": "text/html",
    "page.js": "text/javascript",
    "page.css": "text/css",
    "icon.svg": "image/svg+xml",
}
OPEN = {"/", *(f"/{file}" for file in PAGE_FILES), "/health", "/ready"}  # answered without a token
QUICK_CHARACTERS = 20_000  # of text that is answered at once; more goes to a thread, so that others need not wait
MOST_DOCUMENTS = 10_000  # in one body; a stream may have any number
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
]


def whole_characters(text: str) -> str:
    """JSON can spell half a character (\\ud800 alone), which is no text: no encoding has it."""
    if not text.isascii():
        text.encode()  # a ValueError, which makes the answer 422
    return text


Unicode = Annotated[str, AfterValidator(whole_characters)]


class TextDocument(BaseModel):
    """A document that is one text."""

    model_config = ConfigDict(extra="forbid", strict=True)
    id: Unicode | None = Field(None, max_length=10_000)
    text: Unicode
    fields: None = None


class FieldsDocument(BaseModel):
    """A document with a text for each of the fields that the model reads."""

    model_config = ConfigDict(extra="forbid", strict=True)
    id: Unicode | None = Field(None, max_length=10_000)
    text: None = None
    fields: dict[Unicode, Unicode] = Field(min_length=1)


class Problem(BaseModel):
    """What is wrong, in words."""

    detail: Any


OneDocument = TextDocument | FieldsDocument
Documents = OneDocument | Annotated[list[OneDocument], Field(min_length=1, max_length=MOST_DOCUMENTS)]
WHY = {
    400: "The body is not JSON in UTF-8.",
    401: "A bearer token is needed.",
    404: "There is no such model.",
    408: "The body came too slowly.",
    413: "The body is too large.",
    421: "This service does not answer for the host.",
    422: "The body or a parameter cannot be used.",
    429: "Too many requests; Retry-After says when to come again.",
    431: "The headers are too large.",
}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": why} for status, why in WHY.items()
}
NDJSON: dict[str, Any] = {"application/x-ndjson": {"schema": {"type": "string"}}}
NDJSON_BODY = {"requestBody": {"required": True, "content": NDJSON}}
K = Annotated[int | None, Query(ge=1, le=100_000, description="The K most probable labels of each document.")]
Share = Annotated[float | None, Query(ge=0, le=1, allow_inf_nan=False)]


def make_app(
    models: ServedModels,
    *,
    tokens: Tokens | None,
    rate: Rate | None,
    hosts: set[str] | None,
    most_bytes: int,
    metrics: Metrics | None = None,
) -> Any:
    """The ASGI application. tokens: who may ask; None: whoever reaches it. hosts: names in the Host header; None: any. metrics:
    where requests are counted."""
    metrics = Metrics() if metrics is None else metrics
    # nothing leaves the machine: FastAPI can export requests when an environment variable says so
    telemetry: Any = {
        "tracing": False,
        "metrics": False,
        "logs": False,
        "operation_spans": False,
        "auto_configure": False,
    }
    app = FastAPI(
        title="rubricate", version=__version__, docs_url=None, redoc_url=None, telemetry=telemetry, responses=PROBLEMS
    )
    app.state.models, app.state.metrics = models, metrics

    @app.exception_handler(RubricateError)
    async def our_error(request: Request, error: Exception) -> Response:
        return problem(404 if isinstance(error, UnknownName) and error.kind == "model" else 422, str(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)  # noqa: S101 -- what FastAPI promises
        details = [{"where": [str(part) for part in row["loc"]], "what": row["msg"]} for row in error.errors()[:20]]
        return problem(422, details)

    @app.get("/v1/models")
    async def list_models() -> Response:
        return as_json({"models": [model.card() for model in models.models.values()]})

    @app.get("/v1/models/{name}")
    async def model_card(name: str) -> Response:
        return as_json(models.model_named(name).card())

    @app.post("/v1/models/{name}/predict")
    async def predict(
        name: str, body: Documents, k: K = None, threshold: Share = None, abstain: Share = None,
        every_label: bool = False, words: bool = False,
    ) -> Response:  # fmt: skip
        """Labels with probabilities: an object for a document, a list for a list."""
        model, settings = models.model_named(name), OutputSettings(k, threshold, abstain, every_label, words)
        documents = named_documents(model, body if isinstance(body, list) else [body])
        lines = await quickly(documents, lambda: model.lines(documents, settings))
        metrics.documents(name, len(documents))
        content = b"[" + lines[:-1].replace(b"\n", b",") + b"]\n" if isinstance(body, list) else lines
        return Response(content, media_type="application/json", headers={"model-digest": model.digest})

    @app.post(
        "/v1/models/{name}/predict.ndjson",
        openapi_extra=NDJSON_BODY,
        responses={200: {"content": NDJSON}},
        response_class=LineStream,
        status_code=200,
    )
    async def predict_stream(
        name: str, k: K = None, threshold: Share = None, abstain: Share = None,
        every_label: bool = False, words: bool = False,
    ) -> Response:  # fmt: skip
        """A line of JSON for each line of JSON, in their order; a line that cannot be used gets `{"line": …, "error": …}`. The
        last line is `{"done": true, …}`."""
        model, settings = models.model_named(name), OutputSettings(k, threshold, abstain, every_label, words)
        stream = LineAnswers(model, settings, metrics)
        return LineStream(stream.answer, stream.close, {"model-digest": model.digest})

    @app.post("/v1/models/{name}/explain")
    async def explain(
        name: str,
        body: OneDocument,
        label: str | None = None,
        top: Annotated[int, Query(ge=1, le=1000)] = 15,
        spans: bool = False,
    ) -> Response:
        """What each term adds to the score, as `rubricate explain --json`. spans: also where the terms stand in the text."""
        model = models.model_named(name)
        document = model.document(body.text, body.fields)
        reasons = await quickly([NamedText("", document)], lambda: model.predictor.explain(document, label, limit=top))
        rows = [asdict(reason) for reason in reasons]
        if spans:
            text = body.text if body.text is not None else "\n".join((body.fields or {}).values())
            for row, reason in zip(rows, reasons, strict=True):
                row["spans"] = term_spans(text, model.predictor.vocabulary.recipe, dict(reason.terms))
        return as_json(rows, headers={"model-digest": model.digest})

    @app.get("/health")
    async def health() -> Response:
        return as_json({"alive": True})

    @app.get(
        "/ready", responses={503: {"model": Problem, "description": "Stopping, or a model file could not be taken."}}
    )
    async def ready() -> Response:
        problems = dict(models.problems)
        stopping = models.stopping.is_set()
        return as_json(
            {"ready": not (problems or stopping), "problems": problems}, status=503 if problems or stopping else 200
        )

    @app.get("/metrics", response_class=PlainTextResponse)
    async def show_metrics() -> Response:
        return Response(metrics_text(metrics.state(models), models), media_type="text/plain; version=0.0.4")

    for file, kind in PAGE_FILES.items():
        app.add_route("/" if file == "page.html" else f"/{file}", static(PAGE / file, kind), include_in_schema=False)
    return Limits(Admission(app, metrics, tokens, rate, hosts), most_bytes=most_bytes)


class Admission:
    """In front of the routes: who may ask, the headers that every answer has, and the counters. Plain ASGI, so that a body is
    read by nobody but its route."""

    def __init__(
        self, app: Any, metrics: Metrics, tokens: Tokens | None, rate: Rate | None, hosts: set[str] | None
    ) -> None:
        self.app, self.metrics, self.tokens, self.rate, self.hosts = app, metrics, tokens, rate, hosts

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status = time.perf_counter(), 500

        async def with_headers(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                present = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(pair for pair in HEADERS if pair[0] not in present)]
            await send(message)

        answer = self.refusal(Request(scope)) or self.app
        try:
            await answer(scope, receive, with_headers)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            self.metrics.request(route, status, time.perf_counter() - start)

    def refusal(self, request: Request) -> Response | None:
        """Why a request is not answered: a foreign Host (a web page that found us by DNS), no token, too many requests."""
        host = request.headers.get("host", "")
        name = (
            host
            if host.endswith("]")
            else host.partition(":")[0]
            if not host.startswith("[")
            else host.rpartition(":")[0]
        )
        if self.hosts is not None and name.strip("[]").lower() not in self.hosts:
            return problem(421, f"this service does not answer for the host {name!r}; see --host")
        if request.url.path in OPEN:
            return None
        client = request.client.host if request.client else ""
        if self.tokens is not None:
            scheme, _, token = request.headers.get("authorization", "").partition(" ")
            owner = self.tokens.name_of(token.strip()) if scheme.lower() == "bearer" else None
            if owner is None:
                detail = "send an `Authorization: Bearer TOKEN` header with a token of this service"
                return problem(401, detail, {"www-authenticate": "Bearer"})
            client = owner
        seconds = 0.0 if self.rate is None else self.rate.wait(client)
        if self.rate is not None and seconds > 0:
            detail = (
                f"more than {self.rate.per_second:g} requests a second; send many documents in one request, or a stream"
            )
            return problem(429, detail, {"retry-after": str(math.ceil(seconds))})
        return None


def named_documents(model: ServedModel, documents: Sequence[OneDocument], first: int = 1) -> list[NamedText]:
    """Documents as the model takes them; one without an id is named after its number, as the command does it."""
    return [
        NamedText(
            document.id if document.id is not None else f"row-{number}", model.document(document.text, document.fields)
        )
        for number, document in enumerate(documents, first)
    ]


async def quickly(documents: list[NamedText], work: Callable[[], Any]) -> Any:
    """Little work at once, which a thread would only delay; much of it in a thread."""
    size = sum(len(text) if isinstance(text, str) else sum(map(len, text.values())) for _, text, _ in documents)
    return work() if size <= QUICK_CHARACTERS else await asyncio.to_thread(work)


class LineAnswers:
    """Lines of documents answered by the model that was served when the stream began."""

    def __init__(self, model: ServedModel, settings: OutputSettings, metrics: Metrics) -> None:
        self.model, self.settings, self.metrics = model, settings, metrics
        self.line = self.documents = self.errors = 0

    def answer(self, lines: bytes) -> bytes:
        """The answers to whole lines, in their order; blank lines have none."""
        out: list[bytes] = []
        block: list[NamedText] = []
        before = self.documents

        def flush() -> None:
            if block:
                out.append(self.model.lines(block, self.settings))
                self.documents += len(block)
                block.clear()

        for line in lines.split(b"\n"):
            self.line += 1
            if not line.strip():
                continue
            try:
                block.append(self.parse(line))
            except (ValueError, RubricateError) as error:
                flush()
                self.errors += 1
                out.append(orjson.dumps({"line": self.line, "error": str(error)}, option=orjson.OPT_APPEND_NEWLINE))
        if lines.endswith(b"\n"):
            self.line -= 1  # what follows the last line feed is the beginning of the next block
        flush()
        self.metrics.documents(self.model.name, self.documents - before)
        return b"".join(out)

    def parse(self, line: bytes) -> NamedText:
        """A line of JSON as a document."""
        row = orjson.loads(line)
        if not isinstance(row, dict):
            raise InvalidSetting('not an object: send {"text": ...}')
        row_id, text, fields = row.get("id"), row.get("text"), row.get("fields")
        if row_id is not None and not isinstance(row_id, str):
            raise InvalidSetting("id is not a string")
        if text is not None and not isinstance(text, str):
            raise InvalidSetting("text is not a string")
        if fields is not None and not (
            isinstance(fields, dict) and all(isinstance(value, str) for value in fields.values())
        ):
            raise InvalidSetting("fields is not an object of strings")
        return NamedText(row_id if row_id is not None else f"row-{self.line}", self.model.document(text, fields))

    def close(self, problem: str | None) -> bytes:
        """The last line, by which a whole answer is told from one that broke off."""
        last = {
            "done": problem is None,
            "documents": self.documents,
            "errors": self.errors,
            "digest": self.model.digest,
        }
        return orjson.dumps(last | ({"error": problem} if problem else {}), option=orjson.OPT_APPEND_NEWLINE)


def as_json(value: Any, *, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    return Response(orjson.dumps(value, option=options), status, headers=headers, media_type="application/json")


def problem(status: int, detail: Any, headers: dict[str, str] | None = None) -> Response:
    return as_json({"detail": detail}, status=status, headers=headers)


def static(path: Path, kind: str) -> Callable[[Request], Awaitable[Response]]:
    content = path.read_bytes()

    async def send(request: Request) -> Response:
        return Response(content, media_type=f"{kind}; charset=utf-8")

    return send
