"""Random nests of the three parallel loops keep their meaning at every depth, in launches, segments and herds."""

import random
from itertools import count
from typing import Any

import numpy as np
import pytest

from allo_air.passes.bind.air_par_to_herd import AirParToHerd
from allo_air.passes.bind.air_par_to_launch import AirParToLaunch
from allo_air.passes.canonical.canonicalize import Canonicalize
from helpers import keeps, one_in

MOST = 3
"""Iterations of a dimension; up to DEEPEST of them are around an addition."""
DEEPEST = 9
KIND = f"memref<{MOST**DEEPEST + 8}xi32, 2>"


class Program:
    """A random function on a buffer with nested loops; its text depends on the seed only."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.numbers = count()
        body = [line for _ in range(2) for line in self.loop({})]
        self.text = "\n".join([f"func.func @f(%a: {KIND}, %v: index) {{", "%k = arith.constant 3 : i32", *body, "return", "}"])

    def name(self) -> str:
        return f"%v{next(self.numbers)}"

    def loop(self, around: dict[str, tuple[int, int]]) -> list[str]:
        """A loop of up to four dimensions of 0 to 3 iterations, with loops and additions in it."""
        pick = self.random
        ivs = [self.name() for _ in range(pick.randint(1, 2 if around else 4))]
        lower, step = [pick.randint(0, 2) for _ in ivs], [pick.randint(1, 3) for _ in ivs]
        upper = [lo + pick.choice([0, 1, 1, 2, 2, 3]) * st for lo, st in zip(lower, step, strict=True)]
        inner = around | dict(zip(ivs, zip(lower, step, strict=True), strict=True))
        body = [line for _ in range(pick.randint(0, 2) if len(around) < 6 else 0) for line in self.loop(inner)]
        body += self.addition(inner)
        kind = pick.choice(["scf.forall", "affine.parallel", "scf.parallel"])
        bounds: list[list[Any]] = [lower, upper, step]
        constants = []
        if kind == "scf.parallel":
            names = [[self.name() for _ in part] for part in bounds]
            pairs = [p for part, new in zip(bounds, names, strict=True) for p in zip(new, part, strict=True)]
            constants = [f"{new} = arith.constant {value} : index" for new, value in pairs]
            bounds = list(names)
        shown = [", ".join(map(str, part)) for part in bounds]
        head = f"{kind} ({', '.join(ivs)}) = ({shown[0]}) to ({shown[1]}) step ({shown[2]}) {{"
        return [*constants, head, *body, "}"]

    def addition(self, ivs: dict[str, tuple[int, int]]) -> list[str]:
        """Adds 3 to an element that no other iteration has: its digits are the numbers of those around it, the outer first."""
        at, old, new = (self.name() for _ in range(3))
        digits = [f"(d{n} - {low}) floordiv {step} * {MOST ** (DEEPEST - 1 - n)}" for n, (low, step) in enumerate(ivs.values())]
        dims = ", ".join(f"d{n}" for n in range(len(ivs)))
        return [
            f"{at} = affine.apply affine_map<({dims})[s0] -> ({' + '.join(digits)} + s0)>({', '.join(ivs)})[%v]",
            f"{old} = memref.load %a[{at}] : {KIND}",
            f"{new} = arith.addi {old}, %k : i32",
            f"memref.store {new}, %a[{at}] : {KIND}",
        ]


@pytest.mark.parametrize("seed", one_in(2, range(40)))
@pytest.mark.usefixtures("context")
def test_random_loops(seed: int) -> None:
    program = Program(seed)
    choose = random.Random(-seed)
    herd = AirParToHerd(depth=choose.randint(-2, 1), first_dim=choose.choice([0, 1]))
    launch = AirParToLaunch(depth=choose.randint(-2, 0), has_air_segment=choose.choice([False, True]))
    steps = (herd, launch) if choose.random() < 0.5 else (launch, herd)
    keeps(program.text, (*steps, Canonicalize()), np.arange(MOST**DEEPEST + 8, dtype=np.int32), 5)
