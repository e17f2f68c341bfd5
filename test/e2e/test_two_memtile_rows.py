"""A device with two rows of memtiles, which no NPU has so far: rows come from the device alone, in compiler and simulator."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import allo_air
from allo_air import device

NAME = "npu2_2col"
TALL = replace(device.DEVICES[NAME], rows=7, mem_rows=(1, 2))


LIT = Path(__file__).parents[1] / "lit/passes/to_aie/air-to-aie/two-memtile-rows.mlir"


@pytest.fixture(autouse=True)
def _tall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(device._BY_NAME, NAME, TALL)


@pytest.mark.parametrize(("m", "n", "k"), [(64, 64, 64), (40, 24, 100)])
def test_a_gemm_compiles_and_runs(m: int, n: int, k: int) -> None:
    program = allo_air.compile(shape=(m, n, k), dtype="i8", device=NAME, cache=False)
    rng = np.random.default_rng(1)
    a, b = rng.integers(-128, 128, (m, k), np.int8), rng.integers(-128, 128, (k, n), np.int8)
    np.testing.assert_array_equal(program(a, b), a.astype(np.int32) @ b.astype(np.int32))
    assert "aie.core(%tile_0_3)" in program.text()
    assert "aie.core(%tile_0_2)" not in program.text()


def test_both_rows_hold_buffers() -> None:
    text = LIT.read_text().replace("x_loc = 2", "x_loc = 1")
    program = allo_air.compile(text, "air-npu", NAME, cache=False)
    a, b = np.random.default_rng(2).integers(-128, 128, 409600, np.int8), np.zeros(409600, np.int8)
    program(a, b)
    np.testing.assert_array_equal(a, b)
    assert "aie.memtile_dma(%mem_tile_1_1)" in program.text()
    assert "aie.memtile_dma(%mem_tile_1_2)" in program.text()
