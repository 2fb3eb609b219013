"""Imports that wait until they are used, so that each command starts fast.

    with later():
        from ledger.audit.auditor import audit

A function, a class or a module can wait; import a constant by its module.  Each use costs a lookup, so this is for what
few runs need, not for what a loop calls.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import Lock, get_ident
from types import SimpleNamespace
from typing import Any

_LOCK = Lock()
"""Held while imports wait: nothing is really imported meanwhile, so nobody waits for long."""


class _Later:
    """Stands for a module, or for a name in one, and imports it whenever it is used."""

    def __init__(self, module: str, name: str = "") -> None:
        self._module, self._name = module, name
        self._imported: Any = None

    def _resolve(self) -> Any:
        # `import_module` asks for the lock of all imports each time, so it is called once.
        module = self._imported = self._imported or import_module(self._module)
        if self._name and not hasattr(module, self._name):
            return import_module(f"{self._module}.{self._name}")
        return getattr(module, self._name) if self._name else module

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self._resolve()(*args, **options)

    def __instancecheck__(self, value: object) -> bool:
        return isinstance(value, self._resolve())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._resolve(), name)


@contextmanager
def later() -> Iterator[None]:
    """Lets the imports within wait until they are used.  Those of other threads go on as usual."""
    with _LOCK:
        real, thread = builtins.__import__, get_ident()

        def wait(name: str, *scope: Any, **named: Any) -> Any:
            """What `import` does within."""
            if get_ident() != thread:
                return real(name, *scope, **named)
            names = scope[2]  # an import statement gives all four: globals, locals, the names, the level
            if names:
                return SimpleNamespace(**{part: _Later(name, part) for part in names})
            return _Later(name.partition(".")[0])

        builtins.__import__ = wait
        try:
            yield
        finally:
            builtins.__import__ = real
