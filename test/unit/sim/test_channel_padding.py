"""What a memtile's channel pads with, and BDs whose address walks over their executions."""

from __future__ import annotations

import numpy as np
import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.errors import DiagnosticError
from allo_air.sim.simulate import simulate

DESIGN = """
aie.device({device}) {{
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  aie.flow(%s, DMA : 0, %m, DMA : 0)
  aie.flow(%m, DMA : 0, %s, DMA : 0)
  %b = aie.buffer(%m) {{sym_name = "b"}} : memref<4x8xi32>
  %e = aie.lock(%m, 0) {{init = {room} : i32}}
  %f = aie.lock(%m, 1) {{init = 0 : i32}}
  aie.memtile_dma(%m) {{
    aie.dma_start(S2MM, 0, ^i, ^n)
  ^i:
    aie.use_lock(%e, AcquireGreaterEqual, {room})
    aie.dma_bd(%b : memref<4x8xi32>, 0, 32)
    aie.use_lock(%f, Release, {room})
    aie.next_bd ^i
  ^n:
    aie.dma_start(MM2S, 0, ^o, ^z) {channel}
  ^o:
    aie.use_lock(%f, AcquireGreaterEqual, 1)
    {bd}
    aie.use_lock(%e, Release, 1)
    aie.next_bd ^o
  ^z:
    aie.end
  }}
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence(%p: memref<32xi32>, %q: memref<{words}xi32>) {{
    aiex.npu.dma_memcpy_nd(%q[0, 0, 0, 0][1, 1, 1, {words}][0, 0, 0, 1])
      {{metadata = @out, id = 1 : i64, issue_token = true}} : memref<{words}xi32>
    aiex.npu.dma_memcpy_nd(%p[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {{metadata = @in, id = 0 : i64}} : memref<32xi32>
    aiex.npu.dma_wait {{symbol = @out}}
  }}
}}
"""
ROWS = "[<size = 4, stride = 8>, <size = 8, stride = 1>]"
FRAME = "[<const_pad_before = 1, const_pad_after = 1>, <const_pad_before = 1, const_pad_after = 1>]"


def run(words: int, bd: str, channel: str = "", device: str = "npu2_1col", room: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """The input, and what the memtile's channel sends of it."""
    given, got = np.arange(1, 33, dtype=np.int32), np.zeros(words, np.int32)
    with reused_context():
        text = DESIGN.format(words=words, bd=bd, channel=channel, device=device, room=room)
        assert simulate(asm.read(text, "design.mlir"), given, got).ok
    return given, got


@pytest.mark.parametrize(
    ("bd", "channel"), [(", pad_value = 7", ""), ("", "{pad_value = 7 : i32}"), ("", "{pad_value = -1 : i32}")]
)
def test_padding_value(bd: str, channel: str) -> None:
    given, got = run(60, f"aie.dma_bd(%b : memref<4x8xi32>, 0, 60, {ROWS}, {FRAME}{bd})", channel)
    wanted = np.pad(given.reshape(4, 8), 1, constant_values=-1 if "-1" in channel else 7)
    np.testing.assert_array_equal(got.reshape(6, 10), wanted)


@pytest.mark.parametrize(
    ("bd", "channel", "device", "message"),
    [
        (", pad_value = 7", "{pad_value = 8 : i32}", "npu2_1col", "a channel has one padding value for all its BDs"),
        ("", "{pad_value = 7 : i32}", "npu1_1col", "`pad_value` is 7; DMAs of npu1_1col pad with 0 only"),
    ],
)
def test_padding_value_refused(bd: str, channel: str, device: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=message):
        run(60, f"aie.dma_bd(%b : memref<4x8xi32>, 0, 60, {ROWS}, {FRAME}{bd})", channel, device)


def test_iteration_walks_over_executions() -> None:
    iteration = "{iteration = #aie.bd_iteration<size = 4, stride = 8, current = 1>}"
    given, got = run(32, f"aie.dma_bd(%b : memref<4x8xi32>, 0, 8) {iteration}", room=4)
    np.testing.assert_array_equal(got.reshape(4, 8), np.roll(given.reshape(4, 8), -1, axis=0))
