"""Somebody's own tiles with linalg.matmul in them, against numpy, and how fast they are."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import numpy as np
import pytest

import allo_air
from e2e.tiled_matmuls import Tiled

TYPES = [
    ("bf16", "f32"),
    ("bf16", "bf16"),
    ("i8", "i32"),
    ("i8", "i8"),
    ("i16", "i32"),
    ("i8", "i16"),
    ("f32", "f32"),
    ("i32", "i32"),
]
FORMS = {
    "plain": {},
    "turned": {"turned": (True, True)},
    "epilogue": {"bias": True, "relu": True, "turned": (False, True)},
    "narrow": {"sizes": (32, 128, 48), "tile": (16, 64, 16)},
    "added": {"adds": True, "sizes": (96, 64, 64)},
    "added, with an epilogue": {"adds": True, "bias": True, "relu": True, "sizes": (128, 96, 128)},
    "one tile": {"sizes": (16, 16, 16), "tile": (16, 16, 16)},
}


CASES = [
    pytest.param(*types, form, marks=[] if "epilogue" in form or types == TYPES[0] else pytest.mark.slow)
    for types in TYPES
    for form in FORMS
]


def compute(tiled: Tiled, device: str) -> None:
    """Compiles and runs a program of integers, and compares what it computes."""
    program = allo_air.compile(tiled.text(), device=device, cache=False)
    arguments = tiled.arguments()
    wanted = tiled.expected(*arguments)
    program(*arguments)
    np.testing.assert_array_equal(arguments[-1], wanted)


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.parametrize(("element", "total", "form"), CASES)
def test_tiles_are_multiplied_by_instructions(element: str, total: str, form: str, device: str) -> None:
    tiled = replace(Tiled(element, total), **FORMS[form])  # type: ignore[arg-type]
    program = allo_air.compile(tiled.text(), device=device, cache=False)
    assert any(instruction in program.text("npu") for instruction in ("vector.contract", "mac.conf"))
    arguments = tiled.arguments()
    wanted = tiled.expected(*arguments)
    program(*arguments)
    assert program.report().macs == prod(tiled.sizes)
    exact = 0.0 if not tiled.is_float else (2**-7 if total == "bf16" else 2**-16) * np.abs(wanted).max()
    np.testing.assert_allclose(arguments[-1].astype(wanted.dtype), wanted, rtol=0, atol=exact)


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.parametrize("types", [("i8", "i32"), ("i16", "i32"), ("i8", "i16")])
def test_what_has_no_signs_stays_right(types: tuple[str, str], device: str) -> None:
    """Instructions of i8 on npu2 take signed numbers alone."""
    tiled = Tiled(*types, sizes=(32, 32, 32), tile=(16, 16, 16), adds=True, unsigned=True)
    compute(tiled, device)


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_sizes_that_no_micro_tile_divides_stay_right(device: str) -> None:
    tiled = Tiled("bf16", "f32", sizes=(60, 60, 64), tile=(30, 30, 32))
    program = allo_air.compile(tiled.text(), device=device, cache=False)
    arguments = tiled.arguments()
    wanted = tiled.expected(*arguments)
    program(*arguments)
    np.testing.assert_allclose(arguments[-1], wanted, rtol=0, atol=1e-4 * np.abs(wanted).max())


@pytest.mark.parametrize(("rows", "columns", "device"), [(5, 5, "npu1"), (7, 1, "npu1"), (11, 1, "npu2"), (13, 1, "npu1_2col")])
def test_counts_of_tiles_that_no_herd_divides(rows: int, columns: int, device: str) -> None:
    tiled = Tiled("bf16", "f32", sizes=(16 * rows, 16 * columns, 32), tile=(16, 16, 32), adds=rows == 7)
    program = allo_air.compile(tiled.text(), device=device, cache=False)
    arguments = tiled.arguments()
    wanted = tiled.expected(*arguments)
    program(*arguments)
    np.testing.assert_allclose(arguments[-1], wanted, rtol=0, atol=2**-16 * np.abs(wanted).max())


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_buffers_that_fit_once_only_are_not_doubled(device: str) -> None:
    tiled = Tiled("i8", "i32", sizes=(128, 128, 512), tile=(64, 64, 256))  # 48 KiB, and 32 more with two of A and B
    compute(tiled, device)


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.parametrize("adds", [False, True])
def test_two_loops_have_locks(adds: bool, device: str) -> None:
    """Pieces of four kinds take turns on a core's two channels: twice as many buffers for all had 18 or 19 locks, of 16."""
    tiled = Tiled("i8", "i32", sizes=(64, 64, 48), tile=(32, 32, 16), adds=adds, twice=True)
    compute(tiled, device)


def test_a_core_is_no_longer_what_stops_it() -> None:
    """Of 64 x 64 x 256 in i8, by rows of single elements, the cores alone would take 350 thousand cycles."""
    program = allo_air.compile(Tiled("i8", "i32", sizes=(64, 64, 256)).text(), device="npu1", cache=False)
    assert program.estimate().cycles < 40_000
