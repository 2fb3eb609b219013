"""Imports that wait until they are used."""

from __future__ import annotations

import gc
import subprocess
import sys
from threading import Thread
from types import ModuleType

import pytest

from golden import FIXTURES
from ledger.record.later import later, without_gc


def test_what_is_imported_waits_until_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    with later():
        import colorsys
        from fractions import Fraction
    assert "colorsys" not in sys.modules
    assert colorsys.rgb_to_hsv(1, 1, 1) == (0, 0, 1)
    assert "colorsys" in sys.modules
    assert Fraction(1, 2) == 0.5
    assert isinstance(Fraction(1, 2), Fraction)


def test_a_module_of_a_package_may_wait() -> None:
    with later():
        from xml import dom
    assert dom.Node.ELEMENT_NODE == 1


def test_a_missing_module_is_missed_only_when_it_is_used() -> None:
    with later():
        import no_such_module  # type: ignore[import-not-found]
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        no_such_module.something()


def test_another_thread_imports_as_usual() -> None:
    imported: list[object] = []

    def other() -> None:
        import wave

        imported.append(wave)

    with later():
        thread = Thread(target=other)
        thread.start()
        thread.join()
    assert isinstance(imported[0], ModuleType)


def test_an_audit_of_a_file_imports_neither_stores_nor_simulations() -> None:
    file = FIXTURES / "zigzag" / "all-pass-broken.json"
    code = (
        "import sys; from ledger.cli import cli; cli(['audit', '--no-explain', sys.argv[1]], standalone_mode=False); "
        "unused = ('ledger.stores.sql', 'ledger.keep.stored_audits', 'ledger.play', 'ledger.audit.causes'); "
        "sys.exit(str([name for name in sys.modules if name.startswith(unused)] or ''))"
    )
    done = subprocess.run([sys.executable, "-c", code, file], capture_output=True, text=True, check=False)
    assert "breach" in done.stdout
    assert done.stderr.strip() == ""


@pytest.mark.parametrize("enabled", [True, False])
def test_python_never_looks_for_garbage_in_what_was_imported(*, enabled: bool) -> None:
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        with without_gc():
            imported = [before]
            assert not gc.isenabled()
        assert gc.isenabled() is enabled
        assert not any(found is imported for found in gc.get_objects())
    finally:
        (gc.enable if before else gc.disable)()
