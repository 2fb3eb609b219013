"""Lazy parts are computed once for an object, and no object waits for another."""

import threading

from ledger.record.lazy import lazy


class Slow:
    """An object whose part is there when it may be."""

    def __init__(self) -> None:
        self.begun, self.may, self.computed = threading.Event(), threading.Event(), 0

    @lazy
    def part(self) -> int:
        """A part."""
        self.begun.set()
        self.may.wait()
        self.computed += 1
        return self.computed


def test_a_part_is_computed_once_and_then_belongs_to_the_object() -> None:
    slow = Slow()
    slow.may.set()
    assert (slow.part, slow.part, vars(slow)["part"]) == (1, 1, 1)
    assert isinstance(Slow.part, lazy)
    assert Slow.part.__doc__ == "A part."


def test_no_object_waits_for_another() -> None:
    slow, quick = Slow(), Slow()
    quick.may.set()
    waiting = threading.Thread(target=lambda: slow.part)
    waiting.start()
    slow.begun.wait()
    assert quick.part == 1  # with a lock for all objects it would never come
    slow.may.set()
    waiting.join()
    assert slow.part == 1
