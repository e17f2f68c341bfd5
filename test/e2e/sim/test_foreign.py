"""Designs as users of mlir-aie write them, with objectFifos or not, in spellings old and new, give numpy's numbers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import allo_air
from allo_air import asm
from allo_air.core import driver, pipeline
from allo_air.core.registry import Registry
from allo_air.mlir import new_context

FOREIGN = Path(__file__).parent / "foreign"
RNG = np.random.default_rng(421)
BF16 = ml_dtypes.bfloat16
Case = tuple[list[np.ndarray], dict[int, np.ndarray]]
"""Host arrays in the order of the arguments, and what is wanted of those that are results."""


def ints(*shape: int, dtype: type = np.int32, low: int = -100, high: int = 100) -> np.ndarray:
    return RNG.integers(low, high, shape).astype(dtype)


def objfifo_add_one() -> Case:
    a = ints(64)
    return [a, np.zeros(32, np.int32), np.zeros(64, np.int32)], {2: a + 1}


def old_spellings() -> Case:
    a = ints(128)
    return [a, np.zeros_like(a)], {1: a}


def raw_writes() -> Case:
    a, wanted = ints(64), np.zeros(192, np.int32)
    for turn, row in np.ndindex(2, 4):
        at = 32 + 64 * turn + 16 * row
        wanted[at : at + 8] = a[32 * turn + 8 * row :][:8]
    return [a, np.zeros(192, np.int32)], {1: wanted}


def matmul_vector_bf16() -> Case:
    a, b = ints(32, 32, low=-8, high=8), ints(32, 16, low=-8, high=8)
    return [a.astype(BF16), b.astype(BF16), np.zeros((32, 16), np.float32)], {2: (a @ b).astype(np.float32)}


def softmax_rows() -> Case:
    a = RNG.standard_normal((8, 64)).astype(BF16)
    wide = a.astype(np.float32)
    e = np.exp(wide - wide.max(axis=1, keepdims=True))
    wanted = e.astype(BF16).astype(np.float32) / e.sum(axis=1, keepdims=True)
    return [a, np.zeros_like(a)], {1: wanted}


def conv_window() -> Case:
    a = ints(8, 16)
    rows = np.pad(a, ((1, 1), (0, 0)), mode="edge")
    return [a, np.zeros_like(a)], {1: rows[:-2] + 2 * rows[1:-1] + rows[2:]}


def kernels_library() -> Case:
    a, b = ints(32, 32, dtype=np.int16), ints(32, 32, dtype=np.int16)
    wanted = a.astype(np.int32) @ b.astype(np.int32)
    return [a.reshape(-1), b.reshape(-1), np.zeros(1024, np.int32)], {2: wanted.reshape(-1)}


def two_memtiles() -> Case:
    a = ints(3, 8, 8)
    return [a, np.zeros_like(a)], {1: a.transpose(0, 2, 1)}


def four_directions() -> Case:
    return [np.zeros(16, np.int32)], {0: np.arange(16, dtype=np.int32) * (3 + 50 - 700)}


def cascade_bf16() -> Case:
    a = ints(192, low=-8, high=8)
    return [a.astype(BF16), np.zeros(192, BF16)], {1: (2 * a * a).astype(BF16)}


def control_flow() -> Case:
    a = ints(12, 8, low=0, high=60)
    a[:, 1:] -= 30
    steps = (a[:, :1] + 2) // 3 + np.zeros_like(a)
    return [a, np.zeros_like(a)], {1: np.where(a[:, :1] % 2 == 1, np.abs(a), steps)}


def whole_array() -> Case:
    a, b = ints(64, 48), ints(48, 32)
    return [a, b, np.zeros((64, 32), np.int32)], {2: a @ b}


def init_values() -> Case:
    lut = np.array([10, 11, 13, 17, 19, 23, 29, 31])
    turns = [[0, 1, 2, 3]] * 4 + [[7, 6, 5, 4]] * 4
    return [np.zeros(32, np.int32)], {0: (lut[turns] + np.arange(8)[:, None]).reshape(-1)}


def packet_flows() -> Case:
    a = ints(32, dtype=np.int8)

    def header(row: int, kind: int, number: int) -> np.ndarray:
        word = row << 16 | kind << 12 | number
        return np.array([word | (1 - word.bit_count() % 2) << 31], np.uint32).view(np.int8)

    wanted = np.concatenate([header(3, 0, 2), a[:16], header(2, 5, 1), a[16:]])
    return [a, np.zeros(40, np.int8)], {1: wanted}


def control_packets() -> Case:
    a = ints(4)
    write, lock = 3 << 20 | 4096, 0x1F000
    return [np.array([write, *a, lock, 1], np.int32), np.zeros(4, np.int32)], {1: a + 1}


def streams() -> Case:
    a = ints(20)
    return [a, np.zeros_like(a)], {1: np.cumsum(a)}


def many_in_flight() -> Case:
    a = ints(8, 2, 4, 8)
    return [a, np.zeros_like(a)], {1: a.transpose(0, 2, 1, 3).reshape(8, 2, 4, 8)}


def semaphores() -> Case:
    a = ints(32, dtype=np.int16)
    picked = 2 * a.reshape(2, 8, 2).transpose(1, 0, 2).reshape(-1)
    return [a, np.zeros((2, 32), np.int16)], {1: np.stack([picked, picked])}


def rtp_objfifo() -> Case:
    a = ints(12, 64)
    bias = np.tile([10, -20, 30, 4], 3)[:, None]
    return [a.astype(BF16), np.zeros((12, 64), BF16)], {1: a + bias}


def bd_chain() -> Case:
    a, b = ints(16), ints(16)
    return [a, b, np.zeros(48, np.int32)], {2: np.concatenate([b, a[8:], a, b[8:]])}


def distribute_join_offsets() -> Case:
    a = ints(96, dtype=np.int16)
    parts = a.reshape(3, 32)
    wanted = 2 * np.concatenate([parts[:, 8:24], parts[:, :8], parts[:, 24:]], axis=1)
    return [a, np.zeros_like(a)], {1: wanted.reshape(-1)}


def fifo_taken_in_branches() -> Case:
    a = ints(12, 4)
    a[:, 0] = [0, 2, 9, 3, 9, 3, 9, 2, 9, 0, 0, -1]
    rows = np.stack([0 * a[0], a[2], a[5], a[7], a[8], 0 * a[0], 0 * a[0]])
    return [a.reshape(-1), np.zeros(28, np.int32)], {1: rows.reshape(-1)}


def fifo_affine_loop() -> Case:
    a = ints(8, 4)
    return [a.reshape(-1), np.zeros(28, np.int32)], {1: (a + np.arange(8)[:, None])[1:].reshape(-1)}


def memtile_spill() -> Case:
    a = ints(6, 25600)
    wanted = a.copy()
    wanted[:2] = a[:2].reshape(2, 256, 100).transpose(0, 2, 1).reshape(2, -1)
    return [a, np.zeros_like(a)], {1: wanted}


def cascade_matmul() -> Case:
    a, b = ints(16, 32, dtype=np.int16), ints(32, 8, dtype=np.int16)
    return [a, b, np.zeros((16, 8), np.int32)], {2: a.astype(np.int32) @ b.astype(np.int32)}


def fifo_feedback() -> Case:
    a = ints(5, 8)
    return [a.reshape(-1), np.zeros(40, np.int32)], {1: 100 + np.cumsum(a, axis=0).reshape(-1)}


def fifo_loop_forms() -> Case:
    a = ints(7, 4)
    rows = a + 16 * np.arange(7)[:, None]
    return [a.reshape(-1), np.zeros(32, np.int32)], {1: np.append(rows.reshape(-1), [98] * 4)}


def fifo_window_unknown() -> Case:
    a = ints(8, 4)
    return [a.reshape(-1), np.zeros(24, np.int32)], {1: (a[2:] - a[:-2]).reshape(-1)}


def fifo_batch() -> Case:
    a = ints(5, 3, 4)
    return [a.reshape(-1), np.zeros(60, np.int32)], {1: a[:, ::-1].reshape(-1)}


def fifo_to_itself() -> Case:
    a = ints(40)
    return [a, np.zeros_like(a)], {1: a}


def fifo_table() -> Case:
    a = ints(4, 8)
    return [a.reshape(-1), np.zeros(32, np.int32)], {1: (a * np.arange(1, 9)).reshape(-1)}


CASES: dict[str, Callable[[], Case]] = {
    "objfifo_add_one": objfifo_add_one,
    "add_one_using_dma": objfifo_add_one,
    "old_spellings": old_spellings,
    "raw_writes": raw_writes,
    "matmul_vector_bf16": matmul_vector_bf16,
    "softmax_rows": softmax_rows,
    "conv_window": conv_window,
    "kernels_library": kernels_library,
    "two_memtiles": two_memtiles,
    "four_directions": four_directions,
    "cascade_bf16": cascade_bf16,
    "control_flow": control_flow,
    "whole_array": whole_array,
    "init_values": init_values,
    "packet_flows": packet_flows,
    "control_packets": control_packets,
    "streams": streams,
    "many_in_flight": many_in_flight,
    "semaphores": semaphores,
    "rtp_objfifo": rtp_objfifo,
    "bd_chain": bd_chain,
    "distribute_join_offsets": distribute_join_offsets,
    "fifo_taken_in_branches": fifo_taken_in_branches,
    "fifo_affine_loop": fifo_affine_loop,
    "memtile_spill": memtile_spill,
    "cascade_matmul": cascade_matmul,
    "fifo_feedback": fifo_feedback,
    "fifo_loop_forms": fifo_loop_forms,
    "fifo_window_unknown": fifo_window_unknown,
    "fifo_batch": fifo_batch,
    "fifo_to_itself": fifo_to_itself,
    "fifo_table": fifo_table,
}
OPTIONS: dict[str, dict[str, Any]] = {"many_in_flight": {"sequence": "seq"}}


def test_every_design_is_run() -> None:
    assert {path.stem for path in FOREIGN.glob("*.mlir")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_design(name: str) -> None:
    for seed in range(2):
        arrays, wanted = CASES[name]()
        report = allo_air.simulate(FOREIGN / f"{name}.mlir", *arrays, seed=seed, **OPTIONS.get(name, {}))
        assert report.ok and report.cycles > 0
        for index, expected in wanted.items():
            np.testing.assert_array_equal(arrays[index], expected.astype(arrays[index].dtype))


BLOCKS = (
    "builtin.module(aie.device(aie-objectFifo-stateful-transform,aie-objectFifo-unroll{default-dynamic=DYNAMIC},"
    "aie-assign-lock-ids,aie-assign-buffer-addresses),aie-scf-to-control-flow)"
)


@pytest.mark.parametrize(("name", "dynamic"), [("fifo_loop_forms", True), ("kernels_library", False)])
def test_loops_of_blocks_are_followed(name: str, dynamic: bool) -> None:
    """Cores whose loops are branches, as aiecc leaves them, hang in no order and take the time that is estimated."""
    passes = BLOCKS.replace("DYNAMIC", str(dynamic).lower())
    with new_context():
        module = asm.read((FOREIGN / f"{name}.mlir").read_text(), name)
        driver.run(pipeline.parse(passes, Registry()), module, driver.Settings(verify=asm.verify, write=asm.write))
        text = asm.write(module)
    assert "scf.for" not in text.split("aie.runtime_sequence")[0]
    arrays, wanted = CASES[name]()
    report = allo_air.simulate(text, *arrays)
    assert not report.findings
    assert allo_air.compile(text).estimate().cycles == report.cycles
    for index, expected in wanted.items():
        np.testing.assert_array_equal(arrays[index], expected.astype(arrays[index].dtype))
    if not dynamic:  # the code of the core is the same
        assert report.cycles == allo_air.simulate(FOREIGN / f"{name}.mlir", *CASES[name]()[0]).cycles


def test_kernels_that_nobody_gave_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    arrays, _ = CASES["kernels_library"]()
    report = allo_air.simulate(FOREIGN / "kernels_library.mlir", *arrays)
    assert report.built_in_kernels == ("zero_i32", "matmul_scalar_i16_i32")
    remarks = capsys.readouterr().err
    assert (
        "kernels_library.mlir:34:13: remark" in remarks and "'matmul_scalar_i16_i32', for which no kernel is given" in remarks
    )
    arrays, _ = CASES["kernels_library"]()
    report = allo_air.simulate(FOREIGN / "kernels_library.mlir", *arrays, kernels={"zero_i32": lambda c: c.fill(0)})
    assert report.built_in_kernels == ("matmul_scalar_i16_i32",)
