"""The rules in a browser, as the server sends them: their reports equal those here, byte for byte.

Here are some fixtures: `tests/wide/test_runtime.py` lets the same runtime read all of them, without a browser.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask import request
from playwright.sync_api import Browser, BrowserType, Page

from golden import ARCHIVES, CASES, FIXTURES, name_of
from ledger.record import codec
from runtime_home import runtime
from serving import serving
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.browser_app import answer
from viewer.in_browser.runtime import PACK, PYTHON, WORKER

SOME = CASES[::9]
SAMPLE = 1
"""Records of each conformance archive."""

START = """async ([script, pack]) => {
  const worker = new Worker(script, { type: "module" });
  const answers = new Map();
  let number = 0;
  window.rules = await new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }) => {
      if (data.ready) resolve((name, text) => new Promise((done) => {
        number += 1;
        answers.set(number, done);
        worker.postMessage({ number, name, text });
      }));
      else if (data.number === undefined) reject(new Error(data.failed));
      else answers.get(data.number)(data.text);
    };
    worker.postMessage({ source: { address: pack } });
  });
}"""


QUIET = "/nowhere"
"""The page for what is not there: it does not make a phone ready by itself, as all others do."""
CACHED = """async (addresses) => {
  for (const address of addresses) {
    let answer = null;
    while (!answer?.ok) {
      answer = await fetch(address, { cache: "only-if-cached", mode: "same-origin" }).catch(() => null);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}"""
"""Waits until the browser's cache has these: on a busy machine it writes them later than the page has them."""


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page of the server, under its strict policy, with the rules in a worker."""
    built = runtime()
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(90_000)
    page.goto(f"{address}{QUIET}")
    folder = f"{address}/runtime/{built.digest}"
    page.evaluate(START, [f"{folder}/{WORKER}", f"{folder}/{PACK}"])
    yield page
    context.close()


def questions() -> Iterator[tuple[str, str]]:
    """Some fixtures and a sample of conformance, each as the question for its replay."""
    for case in SOME:
        yield name_of(case), json.dumps({"text": case.read_text("utf-8")})
    for name in ARCHIVES:
        with codec.open_bytes(FIXTURES / name) as lines:
            for number, line in zip(range(SAMPLE), lines, strict=False):
                yield f"{name}:{number}", json.dumps({"text": line.decode()})


def test_replays_are_the_same_in_a_browser(page: Page) -> None:
    texts = dict(questions())
    answers = page.evaluate(
        """async (texts) => {
          const answers = {};
          for (const [name, text] of Object.entries(texts)) answers[name] = await window.rules("replay", text);
          return answers;
        }""",
        texts,
    )
    wrong = [name for name, text in texts.items() if answers[name] != answer("replay", text)]
    assert wrong == []
    assert len(answers) == len(SOME) + SAMPLE * len(ARCHIVES)


def test_the_next_time_nothing_is_fetched(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any], tmp_path
) -> None:
    # With a cache on the disk, as people have it: one in memory is too small for the rules.
    built, paths, store = runtime(), [], TemporaryStore()
    app = create_app(store.reopen)
    app.before_request(lambda: paths.append(request.path))
    context = browser_type.launch_persistent_context(tmp_path, **browser_type_launch_args)
    with serving(app, threads=4) as address:
        folder = f"{address}/runtime/{built.digest}"
        for count in (1, 2):
            page = context.new_page()
            page.set_default_timeout(90_000)
            page.goto(f"{address}{QUIET}")
            page.evaluate(START, [f"{folder}/{WORKER}", f"{folder}/{PACK}"])
            assert sorted(path.rpartition("/")[2] for path in paths if "/runtime/" in path) == [PYTHON, PACK, WORKER]
            assert paths.count(QUIET) == count
            page.evaluate(CACHED, [f"{folder}/{name}" for name in (PYTHON, PACK, WORKER)])
            page.close()
    context.close()
