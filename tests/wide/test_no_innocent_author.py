"""Nobody whose acts were right is accused, over many records with slips of every kind.

`DOMINO_INNOCENT` says how many games of each rule set get a slip of each kind; by default 2, which are some 200
records; 20 are some 2,000.
"""

import os

from ledger.games import catalog
from slip_trials import ALL, trials

GAMES = int(os.environ.get("DOMINO_INNOCENT", "2"))


def test_nobody_whose_acts_were_right_is_accused_where_another_explanation_is_likelier() -> None:
    found = list(trials(catalog.built_in(), ALL, range(GAMES)))
    assert len(found) > 30 * GAMES
    accused = [(trial.kind, trial.game, trial.seed) for trial in found if trial.innocent]
    assert len(accused) <= 0.01 * len(found), accused
