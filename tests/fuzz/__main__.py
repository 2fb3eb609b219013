"""`python -m tests.fuzz TARGET [RUNS]`: one target under atheris, starting from the fixtures, with a fixed seed.

Without a target (`make fuzz`) it runs them all, with 10 million texts in total, or `DOMINO_FUZZ` for each.  A text that
makes a reader fail is kept in the folder `.fuzz`; `python -m tests.fuzz TARGET FILE` gives it to the reader again.
"""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from random import Random

import atheris

with atheris.instrument_imports(include=["ledger"]):
    from .targets import TARGETS

    for each in TARGETS.values():
        # Imports what is imported only on use, while atheris watches.
        each.read(each.seeds()[0])

from .mutation import mutated

SEED = 7
LONGEST = 4096
"""The greatest length of a text in bytes: longer ones take time and find nothing more."""
RUNS = {
    "record": 2_000_000, "event": 2_500_000, "sheet": 500_000, "line": 500_000, "archive": 500_000,
    "head": 4_000_000,
}  # fmt: skip
"""10 million in total, most of them for the fastest readers."""
ROOM = Path(".fuzz")


def fuzz(name: str, runs: int) -> None:
    """Gives `runs` texts to a target.  Ends the program."""
    target = TARGETS[name]
    seeds = [seed for seed in target.seeds() if len(seed) <= LONGEST]
    corpus = ROOM / name
    shutil.rmtree(corpus, ignore_errors=True)
    corpus.mkdir(parents=True)
    for seed in seeds:
        (corpus / sha256(seed).hexdigest()[:16]).write_bytes(seed)
    words = {word for seed in seeds for word in seed.replace(b'"', b" ").split() if 2 < len(word) < 20}
    dictionary = ROOM / f"{name}.dict"
    dictionary.write_text("".join(f'"{_escaped(word)}"\n' for word in sorted(words)), "ascii")

    def mutator(data: bytes, most: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() < 0.5:
            return bytes(atheris.Mutate(data, most))
        return mutated(data, random, seeds)[:most]

    arguments = [
        sys.argv[0], str(corpus), f"-runs={runs}", f"-seed={SEED}", f"-max_len={LONGEST}", f"-dict={dictionary}",
        f"-artifact_prefix={ROOM}/{name}-", "-timeout=60", "-rss_limit_mb=4096", "-verbosity=1",
    ]  # fmt: skip
    atheris.Setup(arguments, target.read, custom_mutator=mutator)
    atheris.Fuzz()


def _escaped(word: bytes) -> str:
    return "".join(chr(each) if 32 < each < 127 and each not in b'"\\' else f"\\x{each:02x}" for each in word)


def fuzz_all() -> bool:
    """Runs every target in its own process, as many at a time as there are processors; returns whether all passed."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return all(list(pool.map(_apart, TARGETS)))


def _apart(name: str) -> bool:
    ROOM.mkdir(exist_ok=True)
    log = ROOM / f"{name}.log"
    with log.open("w") as out:
        done = subprocess.run([sys.executable, "-m", "tests.fuzz", name], stdout=out, stderr=out, check=False)
    lines = log.read_text("utf-8", "replace").splitlines()
    print(f"{name}: {lines[-1]}" if not done.returncode else "\n".join([f"{name} failed:", *lines[-40:]]), flush=True)  # noqa: T201  its result
    return not done.returncode


if __name__ == "__main__":
    which, *asked = sys.argv[1:] or [""]
    if not which:
        sys.exit(not fuzz_all())
    if asked and Path(asked[0]).is_file():
        TARGETS[which].read(Path(asked[0]).read_bytes())
    else:
        fuzz(which, int(asked[0] if asked else os.environ.get("DOMINO_FUZZ", RUNS[which])))
