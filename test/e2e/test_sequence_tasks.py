"""Tasks of sequences on the simulator: BDs that exceed their fields, decomposed; chains in loops of the run."""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air
from helpers import LOOPBACK


@pytest.mark.parametrize(
    ("sizes", "strides", "repeat"),
    [
        ([2048], [2], 0),  # a free dimension takes a factor
        ([1504, 2], [4, 1], 0),  # two pieces
        ([2, 1504, 2], [5, 4, 1], 1),  # four, twice
        ([2, 1, 1504, 2], [8192, 0, 4, 1], 1),  # the outermost steps with each repetition
    ],
)
def test_order(opt: Callable[..., Any], tmp_path: Path, sizes: list[int], strides: list[int], repeat: int) -> None:
    inner = int(np.prod(sizes if len(sizes) < 4 else sizes[1:]))
    total = inner * (repeat + 1)
    body = f"""
      aie.runtime_sequence @seq(%a : memref<16384xi32>, %z : memref<16384xi32>) {{
        %t = aiex.dma_configure_task_for @in {{
          aie.dma_bd(%a : memref<16384xi32> offset = 8 len = {inner} sizes = {sizes} strides = {strides})
          aie.end
        }} {{repeat_count = {repeat} : i32}}
        aiex.dma_start_task(%t)
        %u = aiex.dma_configure_task_for @out {{
          aie.dma_bd(%z : memref<16384xi32> offset = 0 len = {total})
          aie.end
        }} {{issue_token = true}}
        aiex.dma_start_task(%u)
        aiex.dma_await_task(%u)
        aiex.dma_free_task(%t)
      }}
    }}"""
    (tmp_path / "in.mlir").write_text(LOOPBACK.rstrip().removesuffix("}") + body)
    made = tmp_path / "made.mlir"
    done = opt(tmp_path / "in.mlir", "--aie-decompose-large-dma-bd", "-o", made)
    assert done.status == 0, done.err
    a, z = np.arange(16384, dtype=np.int32), np.zeros(16384, np.int32)
    allo_air.simulate(made, a, z).raise_for_findings()
    walk = [8 + int(np.dot(i, strides)) for i in product(*map(range, sizes))]
    wanted = walk if len(sizes) == 4 else walk * (repeat + 1)
    np.testing.assert_array_equal(z[:total], a[wanted])


PASSES = (
    "aie-unroll-runtime-sequence-loops", "aie-lower-dynamic-bd-pool", "aie-assign-runtime-sequence-bd-ids",
    "aie-dma-tasks-to-npu", "aie-dma-to-npu",
)  # fmt: skip


@pytest.mark.parametrize("count", [0, 1, 5])
@pytest.mark.parametrize("lowered", [False, True])
def test_a_chain_in_a_loop_of_the_run(opt: Callable[..., Any], tmp_path: Path, count: int, lowered: bool) -> None:
    body = """
      aie.runtime_sequence @seq(%a : memref<1024xi32>, %n : index, %z : memref<1024xi32>) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c64 = arith.constant 64 : i32
        scf.for %i = %c0 to %n step %c1 {
          %k = arith.index_cast %i : index to i32
          %o = arith.muli %k, %c64 : i32
          %t = aiex.dma_configure_task_for @in {
            aie.dma_bd(%a : memref<1024xi32> offset = 512 len = 32)
            aie.next_bd ^more
          ^more:
            aie.dma_bd(%a : memref<1024xi32> offset = %k len = 32)
            aie.end
          } {issue_token = true}
          aiex.dma_start_task(%t)
          %u = aiex.dma_configure_task_for @out {
            aie.dma_bd(%z : memref<1024xi32> offset = %o len = 64)
            aie.end
          } {issue_token = true}
          aiex.dma_start_task(%u)
          aiex.dma_await_task(%u)
          aiex.dma_await_task(%t)
        }
      }
    }"""
    made = tmp_path / "made.mlir"
    (tmp_path / "in.mlir").write_text(LOOPBACK.rstrip().removesuffix("}") + body)
    done = opt(tmp_path / "in.mlir", *(f"--{p}" for p in PASSES if lowered), "-o", made)
    assert done.status == 0, done.err
    a, z = np.arange(1024, dtype=np.int32), np.zeros(1024, np.int32)
    allo_air.simulate(made, a, count, z).raise_for_findings()
    wanted = [np.concatenate([a[512:544], a[k : k + 32]]) for k in range(count)]
    np.testing.assert_array_equal(z[: 64 * count], np.concatenate([*wanted, np.zeros(0, np.int32)]))
    assert not z[64 * count :].any()
