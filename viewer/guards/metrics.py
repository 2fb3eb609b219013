"""Metrics for Prometheus: requests, response times, refusals, and the size of the ledger.

No label contains a record or a name.  The ledger is never counted from the start: each request adds what is new.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from threading import Lock
from typing import Any

from flask import Flask, Response

from ledger import __version__
from ledger.record.errors import NotForNow
from ledger.stores import questions
from viewer.guards.health import free
from viewer.pages.live import Notifier
from viewer.server.context import store
from viewer.server.request_log import LogEntry, RequestLog

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds."""
APPEND = "/api/v1/records/<record_id>/events"
REFUSED = {
    400: "not readable", 401: "wrong key", 404: "no such record", 409: "overtaken", 413: "too large",
    415: "not readable", 422: "not recordable", 429: "too often", 503: "not writable",
}  # fmt: skip
"""Why an append was refused, by status."""


def measure(app: Flask, request_log: RequestLog) -> None:
    """Counts every answer and serves the counts at /metrics.  Raises NotForNow without the extra ``metrics``."""
    try:
        prometheus: Any = import_module("prometheus_client")
    except ImportError:
        raise NotForNow(
            "metrics need an extra that is not installed here: pip install 'domino-ledger[metrics]'"
        ) from None
    registry = prometheus.CollectorRegistry()
    prometheus.ProcessCollector(registry=registry)
    prometheus.Gauge("domino_info", "The version.", ["version"], registry=registry).labels(__version__).set(1)
    registry.register(_Gauges(app, request_log))
    labels = ("rule", "method")
    count = prometheus.Counter("domino_answers", "Answers.", [*labels, "status"], registry=registry)
    seconds = prometheus.Histogram(
        "domino_answer_seconds", "Until an answer began.", labels, registry=registry, buckets=BUCKETS
    )
    recorded = prometheus.Counter("domino_events_recorded", "Events recorded through this server.", registry=registry)
    refused = prometheus.Counter("domino_appends_refused", "Refused appends.", ["reason"], registry=registry)
    for reason in set(REFUSED.values()):  # present from the start, so the first refusal is a change
        refused.labels(reason)

    def count_answer(entry: LogEntry) -> None:
        rule = entry.rule or "none"
        count.labels(rule, entry.method, entry.status).inc()
        seconds.labels(rule, entry.method).observe(entry.seconds)
        if entry.recorded:
            recorded.inc(entry.recorded)
        if rule == APPEND and entry.status != 200:
            refused.labels(REFUSED.get(entry.status, "other")).inc()

    def show() -> Response:
        page = prometheus.generate_latest(registry)
        return Response(page, content_type=prometheus.CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})

    request_log.listeners.append(count_answer)
    app.add_url_rule("/metrics", "metrics", show)


class _Gauges:
    """The current values, read when Prometheus asks."""

    def __init__(self, app: Flask, request_log: RequestLog) -> None:
        self._app, self._request_log = app, request_log
        self._records = self._events = 0
        self._lock = Lock()

    def describe(self) -> list[Any]:
        """Returns nothing.  Without this method, registering would call `collect` before there is a ledger."""
        return []

    def collect(self) -> Iterator[Any]:
        """The gauges."""
        gauge = import_module("prometheus_client.core").GaugeMetricFamily
        notifier: Notifier = self._app.extensions["notifier"]
        yield gauge("domino_requests_running", "Requests in progress, streams included.",
                    self._request_log.running)  # fmt: skip
        yield gauge("domino_live_streams", "Open live streams.", notifier.open_streams)
        yield gauge("domino_live_streams_most", "The limit on live streams.", notifier.most)
        yield gauge("domino_audits_waiting", "Records waiting for an audit.",
                    self._app.extensions.get("waiting", 0))  # fmt: skip
        records, events = self._size()
        yield gauge("domino_ledger_records", "Records in the ledger.", records)
        yield gauge("domino_ledger_events", "Events in the ledger.", events)
        free_bytes = free(store())
        if free_bytes is not None:
            yield gauge("domino_disk_free_bytes", "Free bytes on the ledger's disk.", free_bytes)

    def _size(self) -> tuple[int, int]:
        """The number of records and events in the ledger, counting only what came since the last look."""
        with self._lock:
            events = store().size()
            if events < self._events:  # another ledger, or one that lost events
                self._records = self._events = 0
            self._records += questions.opened(store(), self._events, events)
            self._events = events
            return self._records, events
