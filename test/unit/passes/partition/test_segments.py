"""Groups of devices along a program: they fit, hold what runs, and no other groups have fewer loads."""

import random
from functools import cache

from allo_air.passes.partition._segments import loads, segments

WIDTHS = {"a": 1, "b": 2, "c": 2, "d": 3, "e": 4}
ROOM = 4


def fits(group: list[str]) -> bool:
    return sum(WIDTHS[device] for device in group) <= ROOM


def fewest(runs: str) -> int:
    """The fewest segments of `runs` whose devices fit, by trying all."""

    @cache
    def from_(start: int) -> int:
        ends = [end for end in range(start + 1, len(runs) + 1) if fits(sorted(set(runs[start:end])))]
        return 0 if start == len(runs) else 1 + min(map(from_, ends))

    return from_(0)


def test_no_division_has_fewer_loads() -> None:
    draw = random.Random(7)
    for _ in range(300):
        runs = "".join(draw.choices("abcde", k=draw.randint(1, 12)))
        found = segments(runs, fits)
        assert all(run in group and fits(list(group)) for run, group in zip(runs, found, strict=True))
        assert loads(range(len(runs)), lambda n, found=found: found[n]) <= fewest(runs), runs


def test_a_group_within_another_is_that_one() -> None:
    assert segments("bcebec", fits)[3] == ("b", "c")
    assert segments("", fits) == []


def test_loads_counts_changes_and_the_first() -> None:
    assert loads("aabba", lambda device: device) == 3
    assert loads("", lambda device: device) == 0
