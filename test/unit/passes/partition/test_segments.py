"""Groups of devices along a program: they fit, hold what runs, and no other groups have fewer loads."""

import random
from functools import cache

from allo_air.passes._analysis.segments import filled, loads, segments

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


def test_runs_that_fit_go_first() -> None:
    """A run that needs none of those that do not fit goes before them; one that does stays after."""
    runs, names = [0, 1, 2, 3], "aebb"
    free: dict[int, list[int]] = {0: [], 1: [0], 2: [0], 3: [1, 2]}
    assert filled(runs, free, names.__getitem__, fits) == [0, 2, 1, 3]
    assert filled(runs, {**free, 2: [1]}, names.__getitem__, fits) == runs
    assert filled(runs, free, names.__getitem__, lambda group: False) == runs


def test_the_order_respects_what_runs_need() -> None:
    draw = random.Random(3)
    for _ in range(200):
        names = draw.choices("abcde", k=draw.randint(1, 12))
        after = {n: draw.sample(range(n), draw.randint(0, min(n, 2))) for n in range(len(names))}
        found = filled(range(len(names)), after, names.__getitem__, fits)
        assert sorted(found) == list(range(len(names)))
        assert all(found.index(m) < found.index(n) for n in after for m in after[n])
