"""The service: its answers are the commands' bytes; whatever is wrong is said with the right status; a model file is taken over
whole or not at all."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rubricate as rb

pytest.importorskip("fastapi")

from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from rubricate.service.access import Rate, Tokens, parse_bytes, parse_rate
from rubricate.service.app import make_app
from rubricate.service.limits import Limits
from rubricate.service.metrics import metrics_text
from rubricate.service.served_models import ServedModels
from rubricate.service.workers import Noticeboard, WorkerMetrics

TEXTS = [
    "corn and wheat prices",
    "gold and silver",
    "wheat, wheat!",
    "silver mine in Peru",
    "",
    "ab\u0301c \u202e wheat",
]


LABELS = ("grain", "metal", "oil")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models, one label a document and several, and documents as JSON Lines."""
    folder = tmp_path_factory.mktemp("served")
    words = {"grain": "corn wheat barley prices", "metal": "gold silver copper mine", "oil": "oil crude barrel pipe"}
    texts, single, several = [], [], []
    for n in range(60):
        names = sorted(words)
        label, other = names[n % 3], names[(n + n // 3) % 3]
        mixed = words[label].split()[n % 4 :] + words[other].split()[: n % 3]
        texts.append(" ".join([*mixed, f"word{n % 7}"]))
        single.append(label)
        several.append(sorted({label, other}) if n % 3 else [label])
    rb.TextClassifier("multinomial", folds=3).fit(texts, single).save(folder / "one.rub")
    rb.TextClassifier("support_vector", folds=3).fit(texts, several).save(folder / "several.rub")
    lines = [json.dumps({"id": f"d{n}", "text": text}) for n, text in enumerate(TEXTS)]
    (folder / "new.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


def client_of(*paths: Path, **settings: Any) -> TestClient:
    known = {"tokens": None, "rate": None, "hosts": None, "most_bytes": 1 << 20, **settings}
    return TestClient(make_app(ServedModels(paths), **known), raise_server_exceptions=False)


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient]:
    with client_of(folder / "one.rub", folder / "several.rub") as client:
        yield client


OPTIONS = [{}, {"k": 2}, {"threshold": 0.3}, {"abstain": 0.9}, {"every_label": True}, {"words": True}]


def command_flags(options: dict[str, Any]) -> list[Any]:
    """The parameters of a request as options of the command."""
    flags: list[Any] = []
    for name, value in options.items():
        flags.append("-k" if name == "k" else f"--{name.replace('_', '-')}")
        flags += [] if value is True else [value]
    return flags


@pytest.mark.parametrize("model", ["one", "several"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_answers_are_the_bytes_of_the_command(
    run: Any, client: TestClient, folder: Path, tmp_path: Path, model: str, options: dict[str, Any]
) -> None:
    out = tmp_path / "out.jsonl"
    flags = command_flags(options)
    assert run("predict", folder / f"{model}.rub", folder / "new.jsonl", "-o", out, *flags).code == 0
    expected = out.read_bytes()
    body = (folder / "new.jsonl").read_bytes()
    stream = client.post(f"/v1/models/{model}/predict.ndjson", content=body, params=options)
    *lines, last = stream.content.splitlines(keepends=True)
    assert b"".join(lines) == expected
    digest = client.get(f"/v1/models/{model}").json()["digest"]
    assert json.loads(last) == {"done": True, "documents": len(TEXTS), "errors": 0, "digest": digest}
    assert stream.headers["model-digest"] == digest
    documents = [json.loads(line) for line in body.splitlines()]
    together = client.post(f"/v1/models/{model}/predict", json=documents, params=options)
    assert together.content == b"[" + expected[:-1].replace(b"\n", b",") + b"]\n"
    alone = client.post(f"/v1/models/{model}/predict", json=documents[0], params=options)
    assert alone.content == expected.splitlines(keepends=True)[0]


@pytest.mark.parametrize("model", ["one", "several"])
def test_reasons_are_the_bytes_of_the_command(run: Any, client: TestClient, folder: Path, model: str) -> None:
    text = "wheat and silver"
    expected = run("explain", folder / f"{model}.rub", text, "--json").out
    assert client.post(f"/v1/models/{model}/explain", json={"text": text}).text == expected


def test_words_are_found_in_the_text_where_they_stand(client: TestClient) -> None:
    text = "Corn, WHEAT—gold"
    (reason,) = client.post(
        "/v1/models/one/explain", params={"spans": True, "label": "grain"}, json={"text": text}
    ).json()
    adds = dict(reason["terms"])
    assert {text[start:end].lower(): value for start, end, value in reason["spans"]} == {
        word: adds[word] for word in ("corn", "wheat", "gold")
    }


def test_a_line_that_cannot_be_used_gets_its_number_and_the_others_their_answers(client: TestClient) -> None:
    lines = [b'{"text":"corn"}', b"", b"[1]", b'{"text":7}', b'{"id":3,"text":"x"}', b"\xff", b'{"text":"gold"}']
    answers = [
        json.loads(line)
        for line in client.post("/v1/models/one/predict.ndjson", content=b"\n".join(lines)).content.splitlines()
    ]
    assert [answer.get("id") or answer.get("line") for answer in answers] == ["row-1", 3, 4, 5, 6, "row-7", None]
    assert answers[-1]["done"] is True
    assert (answers[-1]["documents"], answers[-1]["errors"]) == (2, 4)


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("none/predict", {"text": "x"}, 404),
        ("one/predict", {"txt": "x"}, 422),
        ("one/predict", {}, 422),
        ("one/predict", [], 422),
        ("one/predict", {"text": 5}, 422),
        ("one/predict", {"fields": {}}, 422),
        ("one/predict?k=0", {"text": "x"}, 422),
        ("one/predict?threshold=nan", {"text": "x"}, 422),
        ("one/explain?label=none", {"text": "x"}, 422),
        ("one/explain?top=0", {"text": "x"}, 422),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_sentence(client: TestClient, path: str, body: Any, status: int) -> None:
    answer = client.post(f"/v1/models/{path}", json=body)
    assert answer.status_code == status
    assert answer.json()["detail"]


def test_a_body_that_is_no_json_is_refused(client: TestClient) -> None:
    for content in (b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"text": ' + b"9" * 10_000 + b"}"):
        answer = client.post("/v1/models/one/predict", content=content, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422)


def test_too_large_a_body_is_refused_whether_it_is_announced_or_not(folder: Path) -> None:
    with client_of(folder / "one.rub", most_bytes=1000) as client:
        large = b'{"text": "' + b"x" * 2000 + b'"}'
        assert client.post("/v1/models/one/predict", content=large).status_code == 413
        assert client.post("/v1/models/one/predict", content=iter([large[:900], large[900:]])).status_code == 413
        last = json.loads(client.post("/v1/models/one/predict.ndjson", content=iter([large])).content.splitlines()[-1])
        assert (last["done"], "1,000 bytes" in last["error"]) == (False, True)
        assert client.get("/v1/models", headers={"x": "y" * 20_000}).status_code == 431


def test_only_tokens_of_the_file_are_answered_and_a_changed_file_counts_at_once(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "tokens"

    def write(*tokens: str) -> None:
        lines = [f"{token} {hashlib.sha256(token.encode()).hexdigest()}" for token in tokens]
        file.write_text("# who\n" + "\n".join(lines) + "\n", "utf-8")
        file.chmod(0o600)

    write("anna")
    with client_of(folder / "one.rub", tokens=Tokens(file)) as client:
        ask = lambda token: client.get("/v1/models", headers={"authorization": f"Bearer {token}"}).status_code  # noqa: E731
        assert (ask("anna"), ask("bert"), client.get("/v1/models").status_code) == (200, 401, 401)
        assert client.get("/health").status_code == 200
        write("bert", "carl")
        assert (ask("anna"), ask("bert")) == (401, 200)
        file.write_text("nonsense", "utf-8")
        assert ask("bert") == 200
    file.chmod(0o644)
    with pytest.raises(rb.errors.InputError, match="chmod 600"):
        Tokens(file)


def test_a_client_that_asks_too_often_is_told_when_to_come_again(folder: Path) -> None:
    with client_of(folder / "one.rub", rate=Rate(0.1)) as client:
        assert client.get("/v1/models").status_code == 200
        answer = client.get("/v1/models")
        assert answer.status_code == 429
        assert 1 <= int(answer.headers["retry-after"]) <= 10
        assert client.get("/health").status_code == 200


def test_a_rate_lets_through_so_many_a_second_and_no_more() -> None:
    rate = Rate(5)
    allowed = sum(rate.wait("a", now=n / 100) == 0 for n in range(1000))  # a hundred requests a second for ten seconds
    assert 50 <= allowed <= 55
    assert rate.wait("b", now=10.0) == 0
    assert parse_rate("600/min").per_second == 10
    assert parse_bytes("64MB") == 64_000_000
    for wrong in ("fast", "0/s", "5/h"):
        with pytest.raises(rb.errors.InvalidSetting):
            parse_rate(wrong)


def test_a_foreign_host_is_not_answered(folder: Path) -> None:
    with client_of(folder / "one.rub", hosts={"127.0.0.1", "localhost", "::1"}) as client:
        for host, status in (
            ("localhost:8765", 200),
            ("[::1]:1", 200),
            ("127.0.0.1", 200),
            ("evil.example:8765", 421),
            ("localhost.evil.example", 421),
        ):
            assert client.get("/v1/models", headers={"host": host}).status_code == status


def test_a_replaced_file_is_taken_over_whole_or_not_at_all(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.rub"
    path.write_bytes((folder / "one.rub").read_bytes())
    models = ServedModels([path])
    with TestClient(make_app(models, tokens=None, rate=None, hosts=None, most_bytes=1 << 20)) as client:
        digest = client.get("/v1/models/m").json()["digest"]
        half = tmp_path / "half"
        half.write_bytes((folder / "several.rub").read_bytes()[:-100])
        half.replace(path)
        models.reload_changed()
        assert client.get("/v1/models/m").json()["digest"] == digest
        answer = client.get("/ready")
        assert answer.status_code == 503
        assert "m.rub" in answer.json()["problems"]["m"]
        assert 'rubricate_model_problem{model="m"} 1' in client.get("/metrics").text
        whole = tmp_path / "whole"
        whole.write_bytes((folder / "several.rub").read_bytes())
        whole.replace(path)
        models.reload_changed()
        card = client.get("/v1/models/m").json()
        assert card["digest"] != digest
        assert card["multilabel"] is True
        assert client.get("/ready").status_code == 200
        path.unlink()
        models.reload_changed()
        assert client.post("/v1/models/m/predict", json={"text": "corn"}).status_code == 200


def test_the_page_loads_nothing_from_elsewhere(client: TestClient) -> None:
    answer = client.get("/")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    for path in ("/", "/page.js", "/page.css"):
        content = client.get(path)
        assert content.status_code == 200
        assert "http" not in content.text.replace("http-equiv", "")
        assert "innerHTML" not in content.text


def test_metrics_count_requests_and_documents_and_hold_no_text(client: TestClient) -> None:
    client.post("/v1/models/one/predict", json=[{"text": "secretword"}] * 3)
    client.get("/nowhere/secretword")
    text = client.get("/metrics").text
    assert 'rubricate_documents_total{model="one"} 3' in text
    assert 'rubricate_requests_total{route="other",status="404"} 1' in text
    assert "secretword" not in text


def sample(text: str, name: str) -> float:
    """The value of a line of metrics."""
    return float(next(line for line in text.splitlines() if line.startswith(f"{name} ")).rpartition(" ")[2])


def test_metrics_tell_what_answered_documents_are_like_beside_the_training_documents(client: TestClient) -> None:
    client.post("/v1/models/one/predict?k=3", json=[{"text": "corn wheat unheard"}, {"text": "gold"}])
    stream = b'{"text": "corn barley"}\nnonsense\n{"text": "wheat prices"}\n'
    client.post("/v1/models/one/predict.ndjson", content=stream)
    text = client.get("/metrics").text
    model = '{model="one"}'
    assert sample(text, f"rubricate_documents_total{model}") == 4
    assert (
        sample(text, 'rubricate_label_documents_total{model="one",label="grain"}') == 3
    )  # as the model decides, whatever k
    assert sample(text, f"rubricate_unknown_term_share_sum{model}") == pytest.approx(1 / 3, abs=1e-5)
    assert sample(text, f"rubricate_document_terms_sum{model}") == 8
    assert sample(text, f"rubricate_document_terms_count{model}") == 4
    assert 0 < sample(text, f"rubricate_certainty_sum{model}") <= 4
    assert sample(text, f"rubricate_reference_documents{model}") == 60
    shares = [sample(text, f'rubricate_reference_label_share{{model="one",label="{name}"}}') for name in LABELS]
    assert sum(shares) == pytest.approx(1, abs=1e-5)
    assert sample(text, f"rubricate_reference_document_terms{model}") > 1


def test_what_processes_have_counted_is_added_up(folder: Path) -> None:
    models = ServedModels([folder / "one.rub"])
    board = Noticeboard(2, n_labels=3)
    first, second = (WorkerMetrics(board, n) for n in range(2))
    for metrics, times in ((first, 2), (second, 3)):
        for _ in range(times):
            metrics.request("/health", 200, 0.003)
        metrics.request(f"/only/{times}", 404, 0.003)
        metrics.documents("one", times)
    assert metrics_text(first.state(models), models).count("/only/2") > 0
    second.write(models)
    texts = [metrics_text(metrics.state(models), models) for metrics in (first, second)]
    for text in texts:
        assert sample(text, 'rubricate_requests_total{route="/health",status="200"}') == 5
        assert sample(text, 'rubricate_requests_total{route="/only/3",status="404"}') == 1
        assert sample(text, 'rubricate_documents_total{model="one"}') == 5
        assert sample(text, 'rubricate_request_seconds_bucket{route="/health",le="0.005"}') == 5


HUGE_NUMBER = b'{"text": 1' + b"0" * 100_000 + b"}"
HOSTILE = {
    "a nest of lists": b"[" * 100_000,
    "a nest of objects": b'{"fields":' * 50_000,
    "a huge number": HUGE_NUMBER,
    "an infinite number": b'{"text": "corn", "id": 1e999}',
    "invalid UTF-8": b'{"text": "corn \xff\xfe"}',
    "half a character": b'{"text": "\\ud800"}',
    "a zero byte": b'{"text": "corn \\u0000 wheat"}',
    "a bomb of one word": json.dumps({"text": "corn " * 190_000}).encode(),
    "a bomb of one letter": json.dumps({"text": "c" * 1_000_000}).encode(),
    "combining marks": json.dumps({"text": "e" + "\u0301" * 150_000}, ensure_ascii=False).encode(),
    "repeated keys": b'{"text": "corn", "text": "gold"}',
    "packed": b"\x1f\x8b\x08\x00" + b"\x00" * 1000,
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("route", ["predict", "predict.ndjson", "explain"])
def test_hostile_bodies_get_an_error_or_an_answer(client: TestClient, name: str, route: str) -> None:
    answer = client.post(f"/v1/models/one/{route}", content=HOSTILE[name], headers={"content-type": "application/json"})
    assert answer.status_code in ((200,) if route.endswith("ndjson") else (200, 400, 422)), answer.text[:200]
    if route.endswith("ndjson"):
        *lines, last = answer.content.splitlines()
        assert len(lines) == 1
        assert json.loads(last)["done"] is True
    assert client.get("/health").json() == {"alive": True}


def test_100_000_tiny_documents_in_a_list_are_refused_with_the_number_that_may_be(folder: Path) -> None:
    """As a stream they are answered: `test_server` sends as many."""
    with client_of(folder / "one.rub", most_bytes=1 << 24) as roomy:
        body = b"[" + b",".join([b'{"text":"a"}'] * 100_000) + b"]"
        answer = roomy.post("/v1/models/one/predict", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert "10000" in answer.text.replace(",", "")


def test_a_body_that_stops_half_way_is_refused() -> None:
    """Nothing more comes: after the time that a sender may be silent, the one who waits is told."""

    async def body_to_its_end(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass

    parts = [{"type": "http.request", "body": b'{"text"', "more_body": True}]

    async def receive() -> Any:
        return parts.pop() if parts else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        raise AssertionError(message)

    limits = Limits(body_to_its_end, most_bytes=100, silent_seconds=0.01)
    with pytest.raises(HTTPException) as refused:
        asyncio.run(limits({"type": "http", "headers": [], "path": "/"}, receive, send))
    assert refused.value.status_code == 408
