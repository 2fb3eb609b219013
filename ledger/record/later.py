"""What waits until it is used: imports, so that each command starts fast, and parts of an object.

    with later():
        from ledger.audit.auditor import audit

A function, a class or a module can wait; import a constant by its module.  Each use costs a lookup, so this is for what
few runs need, not for what a loop calls.
"""

from __future__ import annotations

import builtins
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import Lock, get_ident
from types import SimpleNamespace
from typing import Any, Generic, Self, TypeVar, overload

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


@contextmanager
def uncollected() -> Iterator[None]:
    """Stops garbage collection inside the block."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@contextmanager
def without_gc() -> Iterator[None]:
    """Lets Python look for no garbage in what is imported within, neither now nor later: there is hardly any."""
    with uncollected():
        try:
            yield
        finally:
            gc.freeze()


Value = TypeVar("Value")


class lazy(Generic[Value]):  # noqa: N801  a decorator, like `property`
    """An attribute that its method computes once, and that then stays in the object.

    `functools.cached_property` of Python 3.11 has one lock for this attribute of all objects: while one thread replays
    a long game, the others would wait for it.  Here nobody waits; two that ask at once each compute the value, and
    the last one stays.
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute, self._name, self.__doc__ = compute, compute.__name__, compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...
    def __get__(self, instance: object | None, owner: type) -> Self | Value:
        """The value; this is asked only until the object has it."""
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
