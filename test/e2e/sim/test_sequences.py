"""Runtime sequences and declarations as designs of others have them give numpy's numbers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air

DESIGNS = Path(__file__).parent / "sequences"
RNG = np.random.default_rng(909)
Case = tuple[list[np.ndarray], dict[int, np.ndarray]]
"""Host arrays in the order of the arguments, and what is wanted of those that are results."""


def ints(*shape: int, low: int = -100, high: int = 100) -> np.ndarray:
    return RNG.integers(low, high, shape).astype(np.int32)


def zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, np.int32)


def declared_inside() -> Case:
    a = ints(64)
    return [a, zeros(64)], {1: a + np.tile(np.arange(1, 17), 4)}


def declared_in_loop() -> Case:
    a = ints(64)
    return [a, zeros(64)], {1: np.cumsum(a.reshape(4, 16), axis=0).reshape(64)}


CASES: dict[str, Callable[[], Case]] = {
    "declared_inside": declared_inside,
    "declared_in_loop": declared_in_loop,
}
OPTIONS: dict[str, dict[str, Any]] = {}


def test_every_design_is_run() -> None:
    assert {path.stem for path in DESIGNS.glob("*.mlir")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_design(name: str) -> None:
    arrays, wanted = CASES[name]()
    report = allo_air.simulate(DESIGNS / f"{name}.mlir", *arrays, **OPTIONS.get(name, {}))
    assert report.ok and report.cycles > 0
    for index, expected in wanted.items():
        np.testing.assert_array_equal(arrays[index], expected.astype(arrays[index].dtype))
