"""Verdicts on drawn designs against a search of all their orders that knows no shortcut."""

import random

import numpy as np
import pytest

import allo_air
from allo_air.sim.report_types import SimulationError

from .drawn import Drawn, draw, plant, sizes, text
from .reference import TooMany, hangs

ROOMS = (16, 180)
"""Words that a stream holds, at least and at most: only designs that do the same with both are compared."""


def designs(first: int, count: int) -> dict[int, tuple[Drawn, str]]:
    """Designs by seed, with what the reference says of them."""
    found: dict[int, tuple[Drawn, str]] = {}
    seed = first
    while len(found) < count:
        rng = random.Random(seed)
        drawn = draw(rng)
        for _ in range(rng.choice((0, 1, 1, 2))):
            drawn = plant(drawn, rng)
        try:
            said = {hangs(drawn, room, 20_000) for room in ROOMS}
            if len(said) == 1:
                found[seed] = drawn, said.pop()
        except TooMany:
            pass
        seed += 1
    return found


def verdict(drawn: Drawn) -> str:
    """What a run with its search says: `hangs`, `may hang`, `wrong` for another error, or `right`."""
    try:
        report = allo_air.simulate(text(drawn), *[np.zeros(n, np.int32) for n in sizes(drawn)], strict=False)
    except SimulationError as error:
        report = error.report
    if report.status == "deadlock":
        return "hangs"
    if any(f.is_error for f in report.findings):
        return "wrong"
    return "may hang" if any(f.code == "hang.may" for f in report.findings) else "right"


WANTED = {"never": {"right", "wrong"}, "sometimes": {"hangs", "may hang", "wrong"}, "always": {"hangs", "wrong"}}


@pytest.mark.parametrize(
    ("first", "count"), [(0, 15), *(pytest.param(n, 60, marks=pytest.mark.slow) for n in (10_000, 20_000, 30_000))]
)
def test_verdicts_are_those_of_the_reference(first: int, count: int) -> None:
    for seed, (drawn, said) in designs(first, count).items():
        assert verdict(drawn) in WANTED[said], f"seed {seed}: {said}\n{text(drawn)}"
