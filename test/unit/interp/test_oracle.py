"""The interpreter against the oracle: the same results where everything is ordered, and an error where something is not."""

from random import Random
from typing import Any

import numpy as np
import pytest

from air_programs import program
from allo_air import asm, interp
from allo_air.core.walking import walk_named
from allo_air.dialects.air import WaitAllOp
from allo_air.dialects.air_values import ASYNC, dep_count
from allo_air.interp.errors import Race, UseAfterFree
from allo_air.mlir import ir
from allo_air.passes.schedule.air_dependency import AirDependency
from helpers import apply, drawn

from .oracle import Oracle


def forget_one(module: Any, random: Random) -> None:
    """Lets one operation start without one of the tokens that it waits for."""
    waits = [(op, n) for op in walk_named(module, *ASYNC) for n in range(dep_count(op))]
    if waits:
        op, number = random.choice(waits)
        op.operands[number] = WaitAllOp(deps=[], token=True, loc=op.location, ip=ir.InsertionPoint(op)).token


def agree(seed: int, forgotten: int) -> bool:
    """Compares the two on one program, of which some tokens are forgotten; whether something is unordered."""
    print(f"program {seed}, {forgotten} tokens forgotten")
    module = apply(asm.read(program(seed, channels=False)), AirDependency())
    random = Random(seed)
    for _ in range(forgotten):
        forget_one(module, random)
    inputs = drawn(module)
    oracle = Oracle(interp.entry(module), inputs)
    if oracle.conflicts:
        with pytest.raises((Race, UseAfterFree)):
            interp.run(module, inputs, seed=seed % 5)
    else:
        for found, wanted in zip(interp.run(module, inputs, seed=seed % 5), oracle.arrays, strict=True):
            np.testing.assert_array_equal(found, wanted)
    return bool(oracle.conflicts)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("first", range(0, 60, 20))
def test_the_interpreter_finds_what_the_oracle_finds(first: int) -> None:
    unordered = [agree(seed, seed % 3) for seed in range(first, first + 20)]
    assert 3 < sum(unordered) < 17
