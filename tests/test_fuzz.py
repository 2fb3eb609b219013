"""The fuzz targets with thousands of almost valid texts, without atheris; `make fuzz` gives them millions.

`DOMINO_MUTATIONS` is the number of texts for each reader.
"""

import os
from random import Random

import pytest

from fuzz.mutation import mutated
from fuzz.targets import TARGETS

MUTATIONS = int(os.environ.get("DOMINO_MUTATIONS", "100"))


@pytest.mark.parametrize("name", TARGETS)
def test_a_reader_reads_or_refuses_whatever_it_is_given(name: str) -> None:
    target, random = TARGETS[name], Random(name)
    seeds = [seed for seed in target.seeds() if len(seed) < 5000]
    # A line of a sheet may need the lines above it: its players, its options.
    sample = random.sample(seeds, min(20, len(seeds)))
    assert sum(map(target.read, sample)) > len(sample) / 2
    read = 0
    for _ in range(MUTATIONS):
        text = mutated(random.choice(seeds), random, seeds)
        try:
            read += target.read(text)
        except Exception as error:
            error.add_note(f"the text was {text!r}")
            raise
    # Some of both; otherwise the changes are too wild or too tame.
    assert MUTATIONS / 100 < read < MUTATIONS
