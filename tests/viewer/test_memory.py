"""The memory of a server: one arena for all threads, and a thread more for each stream."""

from __future__ import annotations

import platform
import re
import subprocess
import sys

import pytest
from waitress.task import ThreadedTaskDispatcher

from viewer.app import create_app
from viewer.server.listening import ANSWERING, grow_with_streams

GLIBC = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the allocator is not glibc")
THREADS = """
import ctypes, threading
from viewer.server.memory import return_memory
{first}
together = threading.Barrier(12)
def work():
    together.wait()
    strings = ["x" * 1000 for _ in range(100)]
    together.wait()
threads = [threading.Thread(target=work) for _ in range(12)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
ctypes.CDLL(None).malloc_stats()
"""


def arenas(first: str) -> int:
    """The number of arenas after work in twelve threads."""
    program = THREADS.format(first=first)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return len(re.findall("^Arena ", done.stderr, re.MULTILINE))


@GLIBC
def test_all_threads_share_an_arena() -> None:
    assert arenas("") > 1, "what the setting is against"
    assert arenas("assert return_memory()") == 1


@GLIBC
def test_large_strings_go_back_to_the_system() -> None:
    program = """
import re
from pathlib import Path
from viewer.server.memory import return_memory
return_memory()
def resident():
    return int(re.findall(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[0])
before = resident()
for _ in range(3):
    strings = ["x" * 300_000 for _ in range(200)]
    small = [list(range(100)) for _ in range(200)]  # one of them after each string would hold the arena
    full = resident()
    del strings
print(full - before, resident() - before)
"""
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    full, left = map(int, output.split())
    assert full > 55_000
    assert left < 5_000


@GLIBC
def test_the_pages_of_holes_go_back_to_the_system() -> None:
    program = """
import re
from pathlib import Path
from viewer.server.memory import Holes, return_memory
return_memory()
def resident():
    return int(re.findall(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[0])
strings = ["x" * 20_000 for _ in range(3000)]  # each too small for pages of its own
held = strings[::10]
full = resident()
del strings
holes, left = Holes(), resident()
print(full - left, holes.give_back(), full - resident(), holes.give_back(), len(held))
"""
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    by_itself, gave, in_all, again, _ = output
    assert (gave, again) == ("True", "False"), "the second time was too early"
    assert int(by_itself) < 5_000, "what this is against"
    assert int(in_all) > 40_000


def test_each_stream_brings_a_thread_and_none_leaves() -> None:
    notifier = create_app(lambda: None, watchers=8).extensions["notifier"]  # type: ignore[arg-type,return-value]
    dispatcher = ThreadedTaskDispatcher()
    dispatcher.set_thread_count(ANSWERING)
    notifier.prepare = grow_with_streams(dispatcher)
    counts = []
    for deed in ("take", "take", "leave", "take", "take", "leave", "leave", "leave", "take"):
        if deed == "take":
            assert notifier.take_seat("one")
        else:
            notifier.leave_seat("one")
        counts.append(len(dispatcher.threads) - ANSWERING)
    dispatcher.shutdown()
    assert counts == [1, 2, 2, 2, 3, 3, 3, 3, 3]
