"""Parts of an object that wait until they are used."""

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

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
