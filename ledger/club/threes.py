"""Plans for tables of three, by the number of people: the groups of each round, as indices into the list of names.

Everybody plays in every round and meets everybody else.  Nine people meet exactly once in four rounds, fifteen in seven
(a solution of Kirkman's schoolgirl problem).  Six meet one to three times in five rounds, twelve once or twice in
seven: no tables with as many rounds are more even.
"""

from __future__ import annotations

Group = tuple[int, int, int]

THREES: dict[int, tuple[tuple[Group, ...], ...]] = {
    6: (
        ((0, 1, 2), (3, 4, 5)),
        ((0, 1, 3), (2, 4, 5)),
        ((0, 1, 4), (2, 3, 5)),
        ((0, 2, 3), (1, 4, 5)),
        ((0, 2, 5), (1, 3, 4)),
    ),
    9: (
        ((0, 1, 2), (3, 4, 5), (6, 7, 8)),
        ((0, 3, 6), (1, 4, 7), (2, 5, 8)),
        ((0, 4, 8), (1, 5, 6), (2, 3, 7)),
        ((0, 5, 7), (1, 3, 8), (2, 4, 6)),
    ),
    12: (
        ((0, 2, 5), (1, 3, 6), (4, 7, 8), (9, 10, 11)),
        ((0, 3, 7), (1, 5, 10), (2, 6, 11), (4, 8, 9)),
        ((0, 4, 10), (1, 3, 8), (2, 6, 7), (5, 9, 11)),
        ((0, 3, 9), (1, 2, 4), (5, 7, 11), (6, 8, 10)),
        ((0, 5, 8), (1, 6, 9), (2, 7, 10), (3, 4, 11)),
        ((0, 1, 11), (2, 3, 9), (4, 5, 6), (7, 8, 10)),
        ((0, 4, 6), (1, 7, 9), (2, 8, 11), (3, 5, 10)),
    ),
    15: (
        ((0, 1, 2), (3, 7, 11), (4, 9, 14), (5, 10, 12), (6, 8, 13)),
        ((0, 3, 4), (1, 7, 9), (2, 12, 13), (5, 8, 14), (6, 10, 11)),
        ((0, 5, 6), (1, 8, 10), (2, 11, 14), (3, 9, 13), (4, 7, 12)),
        ((0, 7, 8), (1, 11, 13), (2, 4, 5), (3, 10, 14), (6, 9, 12)),
        ((0, 9, 10), (1, 12, 14), (2, 3, 6), (4, 8, 11), (5, 7, 13)),
        ((0, 11, 12), (1, 3, 5), (2, 8, 9), (4, 10, 13), (6, 7, 14)),
        ((0, 13, 14), (1, 4, 6), (2, 7, 10), (3, 8, 12), (5, 9, 11)),
    ),
}
