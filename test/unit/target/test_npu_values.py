"""Words and runs as functions of the sequence's scalars."""

# ruff: noqa: E501 - transfers are lines

import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError
from allo_air.testing import simulate_design
from helpers import LOOPBACK

LOOP = """
  aie.runtime_sequence @seq(%a : memref<4096xi32>, %n : i64, %stride : i64, %z : memref<4096xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : i32
    %ni = arith.index_cast %n : i64 to index
    scf.for %i = %c0 to %ni step %c1 {
      %k = arith.index_cast %i : index to i32
      %o = arith.muli %k, %c64 : i32
      %out = aiex.dma_configure_task_for @out {
        aie.dma_bd(%z : memref<4096xi32> offset = %o len = 64)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%out)
      %in = aiex.dma_configure_task_for @in {
        aie.dma_bd(%a : memref<4096xi32> offset = %o len = 64 sizes = [8, 8] strides = [%stride, 1])
        aie.end
      }
      aiex.dma_start_task(%in)
      aiex.dma_await_task(%out)
      aiex.dma_free_task(%in)
    }
  }
"""
SIZES = """
  aie.runtime_sequence @seq(%a : memref<4096xi32>, %z : memref<4096xi32>, %n : i64, %w : i64, %both : i1) {
    %c32 = arith.constant 32 : i64
    %row = arith.divui %c32, %w : i64
    aiex.npu.dma_memcpy_nd(%z[0, 0, 0, %n][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<4096xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 2, %w, %row][0, 512, 32, 1]) {id = 0 : i64, metadata = @in} : memref<4096xi32>
    aiex.npu.dma_wait {symbol = @out}
    scf.if %both {
      aiex.npu.dma_memcpy_nd(%z[0, 0, 0, 128][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<4096xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 64][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<4096xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
"""


def design(sequence: str) -> str:
    return LOOPBACK.replace(" @seg", "").replace("32xi32", "64xi32").rstrip().removesuffix("}") + sequence + "}"


@pytest.mark.parametrize(("n", "stride"), [(0, 8), (1, 8), (5, 8), (7, 16)])
def test_loops_carry_offsets_and_strides(n: int, stride: int) -> None:
    a, z = np.arange(4096, dtype=np.int32), np.zeros(4096, np.int32)
    allo_air.simulate(design(LOOP), a, n, stride, z)
    expected = np.zeros(4096, np.int32)
    for i in range(n):
        rows = [a[64 * i + stride * r : 64 * i + stride * r + 8] for r in range(8)]
        expected[64 * i : 64 * i + 64] = np.concatenate(rows)
    assert np.array_equal(z, expected)


@pytest.mark.parametrize(("n", "size", "both"), [(0, 4, 0), (256, 8, 1), (64, 2, True)])
def test_sizes_and_branches(n: int, size: int, both: int) -> None:
    a, z = np.arange(4096, dtype=np.int32), np.zeros(4096, np.int32)
    allo_air.simulate(design(SIZES), a, z, values={"n": n, "w": size, "both": both})
    expected = np.zeros(4096, np.int32)
    blocks = [a[512 * i + 32 * r : 512 * i + 32 * r + 32 // size] for i in range(2) for r in range(size)]
    expected[n : n + 64] = np.concatenate(blocks)
    if both:
        expected[128:192] = a[64:128]
    assert np.array_equal(z, expected)


def test_scalars_of_simulate_design() -> None:
    a = np.arange(4096, dtype=np.int32)
    expected = np.zeros(4096, np.int32)
    expected[:128] = a[:128]
    simulate_design(design(LOOP), [a, 2, 8], [expected])
    simulate_design(design(LOOP), [a], [expected], values={"n": 2, "stride": 8})


def test_a_sequence_runs_another_with_numbers() -> None:
    main = "aie.runtime_sequence @main(%x : memref<4096xi32>, %y : memref<4096xi32>, %k : i64) {\n"
    main += "%e = arith.constant 8 : i64\naiex.configure @main {\n"
    main += "aiex.run @seq(%x, %k, %e, %y) : (memref<4096xi32>, i64, i64, memref<4096xi32>)\n}\n}"
    a, z = np.arange(4096, dtype=np.int32), np.zeros(4096, np.int32)
    text = design(LOOP + main).replace("aie.device(npu2) {", "aie.device(npu2) @main {")
    allo_air.simulate(text, a, z, 3, sequence="main")
    assert np.array_equal(z[:192], a[:192])
    assert not z[192:].any()


def test_what_is_missing_is_named() -> None:
    a, z = np.zeros(4096, np.int32), np.zeros(4096, np.int32)
    with pytest.raises(AlloAirError, match="takes stride : i64, which is not given"):
        allo_air.simulate(design(LOOP), a, z, values={"n": 1})
    with pytest.raises(AlloAirError, match="unknown scalar argument 'm'"):
        allo_air.simulate(design(LOOP), a, z, values={"n": 1, "m": 2})
    with pytest.raises(AlloAirError, match=r"both is 2, which does not fit i1"):
        allo_air.simulate(design(SIZES), a, z, values={"n": 1, "w": 2, "both": 2})


def test_channels_and_cores_run_anew() -> None:
    """A task that nobody will end is dropped by a reset; locks are set again, and the next round is right."""
    sequence = """
  aie.runtime_sequence @seq(%a : memref<4096xi32>, %z : memref<4096xi32>) {
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 2 : i64, metadata = @in, issue_token = true} : memref<4096xi32>
    aiex.npu.dma_wait {symbol = @in}
    aiex.dma_channel_reset(%m, S2MM, 0)
    aiex.dma_channel_reset(%m, MM2S, 0)
    aiex.set_lock(%p, 1)
    aiex.set_lock(%c, 0)
    aiex.npu.push_queue(0, 1, S2MM : 0) {issue_token = false, repeat_count = 0 : i32, bd_id = 0 : i32}
    aiex.npu.push_queue(0, 1, MM2S : 0) {issue_token = false, repeat_count = 0 : i32, bd_id = 1 : i32}
    aiex.npu.dma_memcpy_nd(%z[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<4096xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 64][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<4096xi32>
    aiex.npu.dma_wait {symbol = @out}
  }
"""
    a, z = np.arange(4096, dtype=np.int32), np.zeros(4096, np.int32)
    allo_air.simulate(design(sequence), a, z)
    assert np.array_equal(z[:64], a[64:128])


PASSES = "aie-substitute-shim-dma-allocations,aie-unroll-runtime-sequence-loops,aie-lower-dynamic-bd-pool"
PASSES += ",aie-assign-runtime-sequence-bd-ids,aie-dma-tasks-to-npu,aie-dma-to-npu,aie-lower-set-lock"


def lowered(text: str) -> str:
    from allo_air import asm
    from allo_air.mlir import ir, new_context
    from allo_air.program.run.control_packets import run_passes

    with new_context(), ir.Location.unknown():
        module = asm.read(text)
        run_passes(f"builtin.module(aie.device({PASSES}))", module)
        return asm.write(module)


@pytest.mark.parametrize(("n", "stride"), [(1, 8), (5, 8), (7, 16)])
def test_words_that_passes_compute_do_the_same(n: int, stride: int) -> None:
    """Loops stay, descriptors come from a pool, and their registers are computed."""
    a, z, wanted = np.arange(4096, dtype=np.int32), np.zeros(4096, np.int32), np.zeros(4096, np.int32)
    text = lowered(design(LOOP))
    assert "scf.for" in text
    assert "dma_bd_pool_pop" in text
    assert "dma_configure_task" not in text
    allo_air.simulate(text, a, n, stride, z)
    allo_air.simulate(design(LOOP), a, n, stride, wanted)
    assert np.array_equal(z, wanted)
    assert z[:64].any()


@pytest.mark.parametrize(("n", "size", "both"), [(0, 4, 0), (256, 8, 1), (64, 2, 1)])
def test_transfers_that_passes_compute_do_the_same(n: int, size: int, both: int) -> None:
    a, z, wanted = np.arange(4096, dtype=np.int32), np.zeros(4096, np.int32), np.zeros(4096, np.int32)
    text = lowered(design(SIZES))
    assert "dma_memcpy_nd" not in text
    allo_air.simulate(text, a, z, n, size, both)
    allo_air.simulate(design(SIZES), a, wanted, n, size, both)
    assert np.array_equal(z, wanted)
