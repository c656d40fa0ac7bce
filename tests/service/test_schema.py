"""Requests made from the service's own description: no answer that it does not declare, and none that is a fault of ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rubricate as rb

pytest.importorskip("fastapi")
schemathesis = pytest.importorskip("schemathesis")

from hypothesis import HealthCheck, given, settings  # noqa: E402
from schemathesis.specs.openapi.checks import positive_data_acceptance  # noqa: E402

from rubricate.service.app import make_app  # noqa: E402
from rubricate.service.served_models import ServedModels  # noqa: E402


@schemathesis.serializer("application/x-ndjson")
def as_lines(context: Any, value: Any) -> bytes:
    return str(value).encode("utf-8", "surrogatepass")


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = Path(tmp_path_factory.mktemp("served")) / "one.rub"
    texts, labels = ["corn and wheat", "gold and silver"] * 6, ["grain", "metal"] * 6
    rb.TextClassifier("multinomial", folds=2).fit(texts, labels).save(path)
    app = make_app(ServedModels([path]), tokens=None, rate=None, hosts=None, most_bytes=1 << 20)
    return schemathesis.openapi.from_asgi("/openapi.json", app)


def test_no_request_is_answered_with_a_fault_or_with_what_is_not_declared(schema: Any) -> None:
    operations = [operation.ok() for operation in schema.get_all_operations()]
    assert len(operations) == 8
    for operation in operations:

        @given(case=operation.as_strategy())
        @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
        def ask(case: Any) -> None:
            if case.path_parameters:
                case.path_parameters["name"] = "one"
            case.call_and_validate(excluded_checks=[positive_data_acceptance])  # a label must be one of the model

        ask()
