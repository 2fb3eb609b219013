"""Whatever is asked of the API, it answers as its document says.

Where DOMINO_EXAMPLES is set, all edges of what may be asked and posted are tried too, and thrice as many requests of
each kind: some 25,000 requests.
"""

from __future__ import annotations

import os

import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from golden import CASES
from ledger.keep.recorder import Recorder
from ledger.record import codec
from temporary import TemporaryStore
from viewer.app import create_app


def guessable() -> Flask:
    """The viewer of a ledger with one record, whose id is easily guessed."""
    store = TemporaryStore()
    Recorder(store).import_record(codec.decode(CASES[0].read_bytes()), "0")
    return create_app(store.reopen)


EDGES = bool(os.environ.get("DOMINO_EXAMPLES"))
# Each process works out the edges when it collects this file.
config = schemathesis.Config.from_dict({"phases": {"coverage": {"enabled": EDGES}}})
schema = schemathesis.openapi.from_wsgi("/api/openapi.json", guessable(), config=config)


@schema.parametrize()
@settings(
    max_examples=30 if EDGES else 10, derandomize=True, deadline=None, phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
def test_every_answer_is_as_the_document_says(case: schemathesis.Case) -> None:
    # A schema does not know the players, and accepts 2.0 as a whole number: a valid request may still be refused.
    excluded = [positive_data_acceptance] if case.method == "POST" else None
    # In this process nothing unpacks a compressed answer.
    case.call_and_validate(headers={"Accept-Encoding": "identity"}, excluded_checks=excluded)
