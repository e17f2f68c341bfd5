# ruff: noqa: E501 - designs
"""What August's BDs do beside moving words: padding values of channels, and addresses that walk over executions."""

import numpy as np
import pytest

from allo_air import AlloAirError, simulate

PADS = """
aie.device({device}) {{
  %shim = aie.tile(0, 0)
  %mem = aie.tile(0, 1)
  %b = aie.buffer(%mem) {{sym_name = "b"}} : memref<32xi32>
  %empty = aie.lock(%mem, 0) {{init = 1 : i32}}
  %full = aie.lock(%mem, 1) {{init = 0 : i32}}
  aie.flow(%shim, DMA : 0, %mem, DMA : 0)
  aie.flow(%mem, DMA : 0, %shim, DMA : 0)
  aie.shim_dma_allocation @in(%shim, MM2S, 0)
  aie.shim_dma_allocation @out(%shim, S2MM, 0)
  %dma = aie.memtile_dma(%mem) {{
    %0 = aie.dma_start(S2MM, 0, ^in, ^second)
  ^in:
    aie.use_lock(%empty, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<32xi32>, 0, 32)
    aie.use_lock(%full, Release, 1)
    aie.next_bd ^in
  ^second:
    %1 = aie.dma_start(MM2S, 0, ^out, ^end) {channel}
  ^out:
    aie.use_lock(%full, AcquireGreaterEqual, 1)
    {bd}
    aie.use_lock(%empty, Release, 1)
    aie.next_bd ^out
  ^end:
    aie.end
  }}
  aie.runtime_sequence(%a: memref<32xi32>, %c: memref<60xi32>) {{
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {{id = 0 : i64, metadata = @in}} : memref<32xi32>
    aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 0][1, 1, 1, 60][0, 0, 0, 1]) {{id = 1 : i64, metadata = @out, issue_token = true}} : memref<60xi32>
    aiex.npu.dma_wait {{symbol = @out}}
  }}
}}
"""
AUGUST = "aie.dma_bd(%b : memref<32xi32> len = 60 sizes = [4, 8] strides = [8, 1]{pad})"
PAD = " pad [<const_pad_before = 1, const_pad_after = 0>, <const_pad_before = 2, const_pad_after = 2>]"
MARCH = (
    "aie.dma_bd(%b : memref<32xi32>, 0, 60, [<size = 4, stride = 8>, <size = 8, stride = 1>],"
    " [<const_pad_before = 1, const_pad_after = 0>, <const_pad_before = 2, const_pad_after = 2>], pad_value = 7)"
)


def padded(value: int, a: np.ndarray) -> np.ndarray:
    return np.pad(a.reshape(4, 8), ((1, 0), (2, 2)), constant_values=value).reshape(-1)


@pytest.mark.parametrize(
    ("channel", "bd", "value"),
    [("", AUGUST.format(pad=PAD), 0), ("{pad_value = 7 : i32}", AUGUST.format(pad=PAD), 7), ("", MARCH, 7)],
    ids=["zeros", "channel", "bd"],
)
def test_padding_values(channel: str, bd: str, value: int) -> None:
    a = np.arange(1, 33, dtype=np.int32)
    c = np.zeros(60, dtype=np.int32)
    simulate(PADS.format(device="npu2", channel=channel, bd=bd), a, c)
    np.testing.assert_array_equal(c, padded(value, a))


def test_a_padding_value_needs_the_register() -> None:
    design = PADS.format(device="npu1", channel="{pad_value = 7 : i32}", bd=AUGUST.format(pad=PAD))
    with pytest.raises(AlloAirError, match="`pad_value` is 7; DMAs of npu1 pad with 0 only"):
        simulate(design, np.zeros(32, np.int32), np.zeros(60, np.int32))


def test_a_channel_has_one_padding_value() -> None:
    design = PADS.format(device="npu2", channel="{pad_value = 3 : i32}", bd=MARCH)
    with pytest.raises(AlloAirError, match="pads with 3 and 7; a channel has one padding value"):
        simulate(design, np.zeros(32, np.int32), np.zeros(60, np.int32))


ITERATES = """
aie.device(npu2) {{
  %shim = aie.tile(0, 0)
  %mem = aie.tile(0, 1)
  %b = aie.buffer(%mem) {{sym_name = "b"}} : memref<64xi32>
  %empty = aie.lock(%mem, 0) {{init = 1 : i32}}
  %full = aie.lock(%mem, 1) {{init = 0 : i32}}
  aie.flow(%shim, DMA : 0, %mem, DMA : 0)
  aie.flow(%mem, DMA : 0, %shim, DMA : 0)
  aie.shim_dma_allocation @in(%shim, MM2S, 0)
  aie.shim_dma_allocation @out(%shim, S2MM, 0)
  %dma = aie.memtile_dma(%mem) {{
    %0 = aie.dma_start(S2MM, 0, ^in, ^second)
  ^in:
    aie.use_lock(%empty, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<64xi32>, 0, 64)
    aie.use_lock(%full, Release, 8)
    aie.next_bd ^in
  ^second:
    %1 = aie.dma_start(MM2S, 0, ^out, ^end)
  ^out:
    aie.use_lock(%full, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<64xi32> offset = 0 len = 16) {{iteration = #aie.bd_iteration<size = {size}, stride = {stride}, current = {current}>}}
    aie.next_bd ^out
  ^end:
    aie.end
  }}
  aie.runtime_sequence(%a: memref<64xi32>, %c: memref<128xi32>) {{
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {{id = 0 : i64, metadata = @in}} : memref<64xi32>
    aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {{id = 1 : i64, metadata = @out, issue_token = true}} : memref<128xi32>
    aiex.npu.dma_wait {{symbol = @out}}
  }}
}}
"""


@pytest.mark.parametrize(("size", "stride", "current"), [(4, 16, 0), (3, 16, 1), (2, 48, 0), (1, 16, 0)])
def test_addresses_walk_over_executions(size: int, stride: int, current: int) -> None:
    """Execution k begins ((current + k) mod size) * stride elements further on."""
    a, c = np.arange(64, dtype=np.int32), np.zeros(128, dtype=np.int32)
    simulate(ITERATES.format(size=size, stride=stride, current=current), a, c)
    starts = [((current + k) % size) * stride for k in range(8)]
    np.testing.assert_array_equal(c, np.concatenate([a[s : s + 16] for s in starts]))
