"""Designs in mlir-aie's style run on the simulator against numpy: exact, without a finding, and the same for every seed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from allo_air.errors import AlloAirError
from allo_air.sim.simulate import simulate

DESIGNS = Path(__file__).parent / "designs"
RNG = np.random.default_rng(20261121)
Case = tuple[list[np.ndarray], dict[int, np.ndarray]]
"""Host arrays in the order of the arguments, and what is wanted of those that are results."""


def ints(*shape: int, dtype: type = np.int32, low: int = -1000, high: int = 1000) -> np.ndarray:
    return RNG.integers(low, high, shape).astype(dtype)


def passthrough_dmas() -> Case:
    a = ints(1024)
    return [a, np.zeros_like(a)], {1: a}


def passthrough_kernel() -> Case:
    a = ints(1024, dtype=np.int8, low=-128, high=128)
    return [a, np.zeros_like(a)], {1: a}


def add_one() -> Case:
    a = ints(64)
    return [a, np.zeros(32, np.int32), np.zeros_like(a)], {2: a + 1}


def dynamic_fifo() -> Case:
    a = ints(8, 8)
    return [a.reshape(-1), np.zeros(56, np.int32)], {1: (a[:-1] + a[1:]).reshape(-1)}


def multiply(dtype: type) -> Callable[[], Case]:
    def case() -> Case:
        a, f = ints(2048, dtype=dtype, low=-30000, high=30000), np.array([37], np.int32)
        return [a, f, np.zeros_like(a)], {2: a * dtype(37)}

    return case


def matmul_i32() -> Case:
    a, b = ints(64, 32), ints(32, 32)
    return [a, b, np.zeros((64, 32), np.int32)], {2: a @ b}


def transpose() -> Case:
    a = ints(16, 24)
    return [a, np.zeros((24, 16), np.int32), np.zeros((24, 16), np.int32)], {1: a.T, 2: a.T}


def broadcast() -> Case:
    a = ints(32)
    wanted = np.concatenate([chunk * row for chunk in a.reshape(2, 16) for row in (2, 3, 4, 5)])
    return [a, np.zeros(128, np.int32)], {1: wanted}


def split_join() -> Case:
    a = ints(256)
    return [a, np.zeros(256, np.int32)], {1: (a.reshape(4, 4, 16) * np.array([2, 3, 4, 5])[:, None]).reshape(-1)}


def cascade() -> Case:
    a, b = ints(64), ints(64)
    return [a, b, np.zeros(64, np.int32)], {2: a * a + b}


def packet_merge() -> Case:
    a = ints(64)
    return [a, np.zeros(64, np.int32)], {1: -a}


def rtp() -> Case:
    a = ints(16)
    return [a, np.zeros(16, np.int32)], {1: a * 50 + 7}


def tasks() -> Case:
    a = ints(512)
    return [a, np.zeros(512, np.int32)], {1: np.roll(a, 256)}


def padding() -> Case:
    a = ints(2, 10, 8)
    wanted = np.zeros((2, 9, 14), np.int32)
    wanted[:, 1:7, 2:10] = a[:, 2:8, :]
    return [a, np.zeros((2, 9, 14), np.int32)], {1: wanted}


def neighbour() -> Case:
    a = ints(96)
    return [a, np.zeros(96, np.int32)], {1: a * 3 + 1000}


def routed() -> Case:
    a = ints(8, 8)
    return [a, np.zeros((8, 8), np.int32)], {1: a.T}


def external_kernel() -> Case:
    a = ints(4, 64, dtype=np.int16)
    return [a, np.zeros_like(a)], {1: a * np.int16(7)}


def two_devices() -> Case:
    a = ints(32)
    return [a, np.zeros_like(a), np.zeros_like(a)], {1: a * 5, 2: a * 5 + 9}


def scale(source: np.ndarray, result: np.ndarray, factor: int) -> int:
    result[:] = source * np.int16(factor)
    return 40


OPTIONS: dict[str, dict[str, Any]] = {"external_kernel": {"kernels": {"scale": scale}}, "two_devices": {"sequence": "both"}}

CASES: dict[str, Callable[[], Case]] = {
    "passthrough_dmas": passthrough_dmas,
    "passthrough_kernel": passthrough_kernel,
    "add_one": add_one,
    "dynamic_fifo": dynamic_fifo,
    "vector_scalar_mul_i16": multiply(np.int16),
    "vector_scalar_mul_i32": multiply(np.int32),
    "matmul_i32": matmul_i32,
    "transpose": transpose,
    "broadcast": broadcast,
    "split_join": split_join,
    "split_join_npu2": split_join,
    "cascade": cascade,
    "packet_merge": packet_merge,
    "rtp": rtp,
    "tasks": tasks,
    "padding": padding,
    "neighbour": neighbour,
    "routed": routed,
    "external_kernel": external_kernel,
    "two_devices": two_devices,
}


def test_every_design_is_run() -> None:
    assert {path.stem for path in DESIGNS.glob("*.mlir")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_design(name: str) -> None:
    for seed in range(2):
        arrays, wanted = CASES[name]()
        report = simulate(DESIGNS / f"{name}.mlir", *arrays, seed=seed, **OPTIONS.get(name, {}))
        assert report.ok and report.cycles > 0
        for index, expected in wanted.items():
            np.testing.assert_array_equal(arrays[index], expected)


@pytest.mark.parametrize("name", ["split_join", "cascade", "matmul_i32", "padding"])
def test_other_generation(name: str) -> None:
    """The same text for the other device gives the same numbers."""
    text = (DESIGNS / f"{name}.mlir").read_text()
    other = text.replace("npu1", "npu9").replace("npu2", "npu1").replace("npu9", "npu2")
    arrays, wanted = CASES[name]()
    assert simulate(other, *arrays).ok
    for index, expected in wanted.items():
        np.testing.assert_array_equal(arrays[index], expected)


def test_same_seed_same_run() -> None:
    runs = []
    for _ in range(2):
        a = np.arange(1024, dtype=np.int32)
        runs.append(simulate(DESIGNS / "passthrough_dmas.mlir", a, np.zeros_like(a), seed=7))
    assert runs[0].cycles == runs[1].cycles
    assert runs[0].channels == runs[1].channels


def test_missing_kernel_is_named_at_its_call() -> None:
    arrays, _ = external_kernel()
    path = DESIGNS / "external_kernel.mlir"
    with pytest.raises(AlloAirError, match=r"kernels=\{'scale'") as error:
        simulate(path, *arrays)
    assert "func.call @scale" in path.read_text().split("\n")[error.value.diagnostics[0].line - 1]
