"""What people slip with when they write a game down: the table of all kinds, and the search's candidates by price.

A new kind is one function that yields lists of corrections, beside its sentence, in this table.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from ledger.audit.slip import slips_of_many as many
from ledger.audit.slip.forgotten_acts import forgotten, forgotten_in_words
from ledger.audit.slip.single_acts import single_act_in_words, single_acts
from ledger.audit.slip.slip_case import Case, Kind, Slip
from ledger.audit.slip.wrong_claims import claims, claims_in_words

CLAIMS = Kind(claims, claims_in_words)
KINDS = (
    CLAIMS,
    Kind(single_acts, single_act_in_words),
    Kind(forgotten, forgotten_in_words),
    Kind(many.hands_exchanged, many.exchange_in_words),
    Kind(many.hand_misread, single_act_in_words),
    Kind(many.parts_exchanged, many.exchange_in_words),
    Kind(many.heading, many.heading_in_words),
    Kind(many.from_here, many.from_here_in_words),
    Kind(many.moved, many.moved_in_words),
)


def slips(case: Case) -> Iterator[Slip]:
    """Every slip that is worth a try, by its price."""
    families = [(*priced, kind) for kind in KINDS for priced in kind.candidates(case)]
    for price, family, kind in sorted(families, key=itemgetter(0)):
        for corrections in family:
            yield Slip(price, corrections, kind)
