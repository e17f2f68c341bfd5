"""Designs in the manner of mlir-aie's examples, guide and hardware tests, of 2023 to 2026, give numpy's numbers."""

from collections.abc import Callable
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError

EXAMPLES = Path(__file__).parent / "examples"
RNG = np.random.default_rng(2026)
BF16 = ml_dtypes.bfloat16
Case = tuple[list[np.ndarray], dict[int, np.ndarray]]
"""Host arrays in the order of the arguments, and what is wanted of those that are results."""


def ints(*shape: int, dtype: type = np.int32, low: int = -100, high: int = 100) -> np.ndarray:
    return RNG.integers(low, high, shape).astype(dtype)


def three(change: Callable[[np.ndarray], np.ndarray]) -> Callable[[], Case]:
    """A sequence of input, unused buffer and output, of 64 words."""

    def case() -> Case:
        a = ints(64)
        return [a, np.zeros(32, np.int32), np.zeros(64, np.int32)], {2: change(a)}

    return case


def two(count: int, change: Callable[[np.ndarray], np.ndarray], dtype: type = np.int32) -> Callable[[], Case]:
    """A sequence of input and output of the same size."""

    def case() -> Case:
        a = ints(count, dtype=dtype)
        return [a, np.zeros_like(a)], {1: change(a)}

    return case


def row_wise_bias_add() -> Case:
    a, b = ints(32, 16).astype(np.float32), ints(1, 16).astype(np.float32)
    return [a, b, np.zeros_like(a)], {2: a + b}


def logical_tiles() -> Case:
    a = ints(4, 2, 16, dtype=np.int16)
    return [a.reshape(-1), np.zeros(64, np.int16), np.zeros(64, np.int16)], {1: a[:, 0], 2: -a[:, 1]}


def dynamic_window() -> Case:
    a = ints(10, 10)
    return [a, np.zeros_like(a)], {1: a + np.concatenate([a[:1], a[:-1]])}


def repeat_distribute_join() -> Case:
    a = ints(36)
    wanted = np.tile((a.reshape(2, 18) + np.array([[1], [2]])).reshape(-1), 4)
    return [a, np.zeros(1, np.int32), np.zeros(144, np.int32)], {2: wanted}


def nd_memcpy() -> Case:
    a = ints(4, 2, 8, dtype=np.int16)
    first = np.tile(a[0, :, :4].reshape(8), (4, 1))
    second = a.reshape(8, 8)[4:]
    return [a, np.zeros((2, 2), np.int32), np.zeros((4, 2, 2, 4), np.int16)], {2: np.concatenate([first, second], axis=1)}


def memtile_chain_repeat() -> Case:
    a = ints(16)
    return [a, np.zeros(48, np.int32)], {1: np.tile(np.concatenate([a[:8], a[8:].reshape(2, 4).T.reshape(-1)]), 3)}


def i8_padding() -> Case:
    a = ints(56, 56, dtype=np.int8)
    return [a, np.zeros_like(a), np.zeros((64, 64), np.int8)], {2: np.pad(a, 4) + np.int8(12)}


def trace(last: int) -> Callable[[], Case]:
    def case() -> Case:
        a = ints(64)
        return [a, np.zeros_like(a), np.zeros(last, np.int32)], {1: a.reshape(4, 16) + np.arange(16)}

    return case


def saturate_i8() -> Case:
    a, b = ints(512, dtype=np.int8, low=-128, high=128), ints(512, dtype=np.int8, low=-128, high=128)
    return [a, b, np.zeros_like(a)], {2: np.clip((a.astype(np.int32) * b) >> 4, -128, 127)}


def core_dma_tasks() -> Case:
    a = ints(32, dtype=np.int16, low=-1000, high=1000)
    return [a, np.zeros_like(a)], {1: np.roll(np.minimum(2 * a, 1000), 16)}


def shared_memory_pipeline() -> Case:
    a = ints(6, 4, 4).astype(np.float32)
    wanted = np.roll(np.abs(a.transpose(0, 2, 1) / 2), 2, axis=1)
    return [a.reshape(-1), np.zeros(96, np.float32)], {1: wanted}


def matmul_packed() -> Case:
    a, b = ints(32, 32, low=-8, high=8), ints(32, 32, low=-8, high=8)
    return [a.astype(BF16), b.astype(BF16), np.zeros((32, 32), np.float32)], {2: a @ b}


def vision_threshold() -> Case:
    a = ints(8, 4, 64, dtype=np.uint8, low=0, high=256)
    grey = a.astype(np.int32).sum(axis=1) // 4
    wanted = np.where(grey > 100, 255, 0).astype(np.uint8)
    return [a.reshape(-1), np.zeros(1, np.int32), np.zeros(512, np.uint8)], {2: wanted}


def whole_array_i16() -> Case:
    a, b = ints(16, 32, dtype=np.int16), ints(32, 32, dtype=np.int16)
    wanted = (a.astype(np.int32) @ b).reshape(2, 8, 4, 8).transpose(0, 3, 2, 1)
    return [a.reshape(-1), b.reshape(-1), np.zeros(512, np.int32)], {2: wanted}


def control_flow_rtp() -> Case:
    a = ints(3, 16)
    return [a.reshape(-1), np.zeros(48, np.int32)], {1: a * a + np.array([[3], [0], [1]])}


def vectors_f32() -> Case:
    x, weights, y = ints(16).astype(np.float32) / 4, np.arange(1, 17, dtype=np.float32), np.zeros((8, 16), np.float32)
    y[0], y[1], y[2] = x * weights + weights, x.max() - x.sum(), np.concatenate([x[:7:-1], weights[:8]])
    y[3], y[4], y[5] = np.sqrt(np.abs(x)), np.maximum(x, weights), x.reshape(4, 4).T.reshape(-1)
    y[6] = (2 * y[0].astype(BF16).astype(np.float32)).astype(BF16)
    y[7, 7], y[7, 12:] = x[3], x[8:12]
    return [x, np.zeros(128, np.float32)], {1: y}


def leaves_i32() -> Case:
    x, y = ints(8, 8), np.zeros((5, 8, 8), np.int32)
    y[0], y[1], y[2] = x @ x, np.concatenate([2 * x[2:6], x[2:6]]), (x << 3).T
    y[3, ::2], y[3, 1::2] = x.sum(axis=1), np.maximum(x.max(axis=0), 0)
    quotient = np.trunc(x / 7).astype(np.int32)
    for i, row in enumerate(quotient * (x - 7 * quotient) + x // 7):
        y[4, i] = np.roll(row, i)
    return [x.reshape(-1), np.zeros(320, np.int32)], {1: y}


def core_registers() -> Case:
    return [np.zeros(4, np.int32)], {0: np.array([10, 22, 32, 43])}


def kernels_bf16() -> Case:
    a, b = ints(256, low=-8, high=8), ints(256, low=-8, high=8)
    largest = np.array([max(0, (a + b).max()), 0])
    return [a.astype(BF16), b.astype(BF16), np.zeros(256, BF16), np.zeros(2, BF16)], {2: a * b, 3: largest}


def matvec_repeat() -> Case:
    w, v = ints(6, 16), ints(16)
    halves = [w[:, :8] @ v[:8], w[:, 8:] @ v[8:]]
    return [w, v, np.zeros(12, np.int32)], {2: np.concatenate(halves)}


def unequal_parts() -> Case:
    a = ints(2, 24)
    return [a.reshape(-1), np.zeros(48, np.int32)], {1: np.concatenate([2 * a[:, 16:], a[:, 15::-1]], axis=1)}


def kernel_ui8() -> Case:
    a = ints(256, dtype=np.uint8, low=0, high=256)
    return [a, np.zeros_like(a), np.zeros_like(a)], {1: a}


def producer_core() -> Case:
    i, n = np.arange(8), np.arange(8)[:, None]
    return [np.zeros(64, np.int32)], {0: 100 * (n + 2) + 7 - i - (100 * n + i)}


def conv_depthwise() -> Case:
    a, weights = ints(8, 32, dtype=np.int8), np.outer([1, 2, 1], [1, 2, 1])
    padded = np.pad(a.astype(np.int32), 1, mode="edge")
    wanted = sum(weights[i, j] * padded[i : i + 8, j : j + 32] for i, j in np.ndindex(3, 3)) >> 4
    return [a, np.zeros_like(a)], {1: wanted}


def views_and_sync() -> Case:
    a = ints(2, 32)
    wanted = np.stack([a[0], a[1].reshape(2, 4, 4).transpose(0, 2, 1).reshape(-1)])
    return [a, a], {0: wanted}


def task_chain() -> Case:
    a = ints(8, 2, 4, 4, dtype=np.int8)
    wanted = a.transpose(0, 2, 1, 3).reshape(4, 2, 32).max(axis=1)
    return [a.reshape(1, 4, 64), np.zeros(128, np.int8)], {1: wanted}


def large_transfers() -> Case:
    a = ints(4, 4096)
    return [a, np.zeros((4, 2048), np.int32)], {1: a[:, 1024:3072]}


CASES: dict[str, Callable[[], Case]] = {
    "objectfifo_2023": three(lambda a: a + 1),
    "dma_2023": three(lambda a: a + 41),
    "sequence_function": three(lambda a: a * 3),
    "row_wise_bias_add": row_wise_bias_add,
    "logical_tiles": logical_tiles,
    "dynamic_window": dynamic_window,
    "repeat_distribute_join": repeat_distribute_join,
    "nd_memcpy": nd_memcpy,
    "large_transfers": large_transfers,
    "memtile_chain_repeat": memtile_chain_repeat,
    "i8_padding": i8_padding,
    "cascade_matvec": two(64, lambda a: a.reshape(4, 16) * (8 + np.arange(16))),
    "trace_registers": trace(2048),
    "trace_declared": trace(2048),
    "saturate_i8": saturate_i8,
    "memtile_writebd": two(64, lambda a: a.reshape(2, 4, 8).transpose(0, 2, 1)),
    "core_dma_tasks": core_dma_tasks,
    "packet_two_sources": two(16, lambda a: np.roll(a, 8)),
    "shared_memory_pipeline": shared_memory_pipeline,
    "matmul_packed": matmul_packed,
    "vision_threshold": vision_threshold,
    "whole_array_i16": whole_array_i16,
    "control_flow_rtp": control_flow_rtp,
    "dims_from_stream": two(256, lambda a: a, np.int8),
    "vectors_f32": vectors_f32,
    "leaves_i32": leaves_i32,
    "fifo_to_itself": two(64, lambda a: a * a - a),
    "core_registers": core_registers,
    "kernels_bf16": kernels_bf16,
    "matvec_repeat": matvec_repeat,
    "unequal_parts": unequal_parts,
    "kernel_ui8": kernel_ui8,
    "producer_core": producer_core,
    "conv_depthwise": conv_depthwise,
    "task_chain": task_chain,
    "free_running": two(32, lambda a: a.reshape(4, 8) * np.array([3, 1, 4, 1, 5, 9, 2, 6]) + 1000),
    "views_and_sync": views_and_sync,
    "generic_form": two(32, lambda a: a.reshape(2, 4, 4).transpose(0, 2, 1)),
}


def test_every_design_is_run() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.mlir")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_design(name: str) -> None:
    arrays, wanted = CASES[name]()
    report = allo_air.simulate(EXAMPLES / f"{name}.mlir", *arrays)
    assert report.ok and report.cycles > 0
    for index, expected in wanted.items():
        np.testing.assert_array_equal(arrays[index].reshape(-1), expected.astype(arrays[index].dtype).reshape(-1))


def test_a_free_running_sender_needs_a_receiver() -> None:
    """What it sent ahead is not a finding; data that nobody ever takes is."""
    text = (EXAMPLES / "free_running.mlir").read_text()
    for line in ("aie.use_lock(%tc, AcquireGreaterEqual, 1)\n", "aie.use_lock(%tp, Release, 1)\n"):
        text = text.replace(line, "\n", 1)
    text = text.replace("vector.load %t0[", "vector.load %1[")
    never = text[: text.index("    aie.mem(")] + text[text.index("    aie.runtime_sequence") :]
    for broken in (text, never):
        with pytest.raises(AlloAirError, match=r"unconsumed-stream-data: .*MM2S 3 of memtile"):
            allo_air.simulate(broken, *two(32, lambda a: a)()[0])
