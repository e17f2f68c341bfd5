"""A device with two rows of memtiles, which no NPU has so far: rows come from the device alone, in compiler and simulator."""

from dataclasses import replace

import numpy as np
import pytest

import allo_air
from allo_air import device

NAME = "npu2_2col"
TALL = replace(device.DEVICES[NAME], rows=7, mem_rows=(1, 2))


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
