"""Runtime sequences and declarations as designs of others have them give numpy's numbers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError

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


def loops() -> Case:
    a = ints(8, 64)
    return [a, zeros(8, 64)], {1: a}


def loose_ends() -> Case:
    a, b, c = ints(50), zeros(80), zeros(48)
    moved = a[16:48]
    return [a, b, c], {1: np.r_[zeros(32), moved, zeros(16)], 2: np.r_[zeros(16), moved]}


CASES: dict[str, Callable[[], Case]] = {
    "declared_inside": declared_inside,
    "declared_in_loop": declared_in_loop,
    "loops": loops,
    "loose_ends": loose_ends,
}
OPTIONS: dict[str, dict[str, Any]] = {}
LOOSE = DESIGNS / "loose_ends.mlir"


def test_every_design_is_run() -> None:
    assert {path.stem for path in DESIGNS.glob("*.mlir")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_design(name: str) -> None:
    arrays, wanted = CASES[name]()
    report = allo_air.simulate(DESIGNS / f"{name}.mlir", *arrays, **OPTIONS.get(name, {}))
    assert report.ok and report.cycles > 0
    for index, expected in wanted.items():
        np.testing.assert_array_equal(arrays[index], expected.astype(arrays[index].dtype))


def test_a_task_that_goes_nowhere_is_a_warning(capfd: pytest.CaptureFixture[str]) -> None:
    arrays, _ = loose_ends()
    assert allo_air.simulate(LOOSE, *arrays).ok
    told = capfd.readouterr().err
    assert "loose_ends.mlir:48:7: warning: a task is queued on MM2S 1 of shim (0, 0), and no flow leads out of it" in told


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("issue_token = true, metadata = @unused", "issue_token = true, metadata = @unused", ""),
        ("{symbol = @out}", "{symbol = @unused}", "no flow leads out of it"),
        ("arg_idx = 2", "arg_idx = 4", "moves host argument 4, and no array was given for it"),
        ("arg_plus = 64", "arg_plus = 68", "byte 196 of a host buffer of 192 bytes (argument 2)"),
    ],
)
def test_loose_ends_that_matter(old: str, new: str, wanted: str) -> None:
    text = LOOSE.read_text().replace("metadata = @unused}", "issue_token = true, metadata = @unused}")
    assert old in text
    arrays, _ = loose_ends()
    try:
        allo_air.simulate(text.replace(old, new), *arrays)
    except AlloAirError as error:
        assert wanted and wanted in str(error)
    else:
        assert not wanted


def test_arrays_that_nothing_names_are_refused() -> None:
    arrays, _ = loose_ends()
    with pytest.raises(AlloAirError, match=r"7 arrays given; @seq takes 2 .*, and patches addresses of 6"):
        allo_air.simulate(LOOSE, *arrays, *arrays, zeros(1))
