"""Metrics for Prometheus: how much is asked, how long it takes, what is refused, and what the ledger holds.

No record and nobody's name is a label.  The ledger is never counted through for it: what came since the last look is
added to what was known then.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from threading import Lock
from typing import Any

from flask import Flask, Response

from ledger import __version__
from ledger.errors import NotForNow
from viewer.answers import Answer, Answers
from viewer.health import free
from viewer.live import Bell
from viewer.pages import store

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds."""
APPEND = "/api/records/<record_id>/events"
REFUSED = {
    400: "not readable", 401: "wrong key", 404: "no such record", 409: "overtaken", 413: "too large",
    415: "not readable", 422: "not recordable", 429: "too often", 503: "not writable",
}  # fmt: skip
"""Why an append was refused, by status."""


def measure(app: Flask, answers: Answers) -> None:
    """Counts every answer, and shows the counts at /metrics.  Raises NotForNow without the extra ``metrics``."""
    try:
        prometheus: Any = import_module("prometheus_client")
    except ImportError:
        raise NotForNow(
            "metrics need an extra that is not installed here: pip install 'domino-ledger[metrics]'"
        ) from None
    registry = prometheus.CollectorRegistry()
    prometheus.ProcessCollector(registry=registry)
    prometheus.Gauge("domino_info", "The version.", ["version"], registry=registry).labels(__version__).set(1)
    registry.register(_Now(app, answers))
    asked = ("rule", "method")
    count = prometheus.Counter("domino_answers", "Answers.", [*asked, "status"], registry=registry)
    taken = prometheus.Histogram(
        "domino_answer_seconds", "Until an answer began.", asked, registry=registry, buckets=BUCKETS
    )
    recorded = prometheus.Counter("domino_events_recorded", "Events recorded through this server.", registry=registry)
    refused = prometheus.Counter("domino_appends_refused", "Refused appends.", ["reason"], registry=registry)
    for reason in set(REFUSED.values()):  # there from the beginning, so that the first is a change
        refused.labels(reason)

    def told(answer: Answer) -> None:
        rule = answer.rule or "none"
        count.labels(rule, answer.method, answer.status).inc()
        taken.labels(rule, answer.method).observe(answer.seconds)
        if answer.recorded:
            recorded.inc(answer.recorded)
        if rule == APPEND and answer.status != 200:
            refused.labels(REFUSED.get(answer.status, "other")).inc()

    def shown() -> Response:
        page = prometheus.generate_latest(registry)
        return Response(page, content_type=prometheus.CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})

    answers.listeners.append(told)
    app.add_url_rule("/metrics", "metrics", shown)


class _Now:
    """What is not counted but stands so at the moment."""

    def __init__(self, app: Flask, answers: Answers) -> None:
        self._app, self._answers = app, answers
        self._records = self._events = 0
        self._lock = Lock()

    def describe(self) -> list[Any]:
        """Nothing: without this it would be asked when it is registered, before there is a ledger to ask."""
        return []

    def collect(self) -> Iterator[Any]:
        """The gauges."""
        gauge = import_module("prometheus_client.core").GaugeMetricFamily
        bell: Bell = self._app.extensions["bell"]
        yield gauge("domino_requests_running", "Requests that are not answered yet, streams included.",
                    self._answers.running)  # fmt: skip
        yield gauge("domino_live_streams", "Streams to those who watch.", bell.open_streams)
        yield gauge("domino_live_streams_most", "How many there may be.", bell.most)
        yield gauge("domino_audits_waiting", "Records that grew and are not audited yet.",
                    self._app.extensions.get("waiting", 0))  # fmt: skip
        records, events = self._size()
        yield gauge("domino_ledger_records", "Records in the ledger.", records)
        yield gauge("domino_ledger_events", "Events in the ledger.", events)
        left = free(store())
        if left is not None:
            yield gauge("domino_disk_free_bytes", "What is left on the disk of the ledger.", left)

    def _size(self) -> tuple[int, int]:
        """How many records and events the ledger has; only those are counted that came since the last look."""
        with self._lock:
            events = store().size()
            if events < self._events:  # it is another ledger, or has lost some
                self._records = self._events = 0
            self._records += store().openings(self._events, events)
            self._events = events
            return self._records, events
