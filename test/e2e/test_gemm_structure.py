"""The structure that the walkthrough and the case study show, from linalg on tensors."""

import re
from collections import Counter

import pytest

from allo_air import Matmul
from helpers import allo_opt


def block(text: str, start: str) -> str:
    """The text of the operation that begins with `start`, to its end."""
    at = text.index(start)
    return text[at : text.index("\n    }\n", at)]


SMALL = "{device=npu1_1col herd-m=4 herd-n=4 k-step=4 cores-m=2 cores-n=2}"
LARGE = "{device=npu1_1col herd-m=16 herd-n=16 k-step=16 cores-m=2 cores-n=2}"


def test_tiles_and_memories_of_the_small_size() -> None:
    """W3: 8x8x16 in three memories, a 2x2 loop over 4x4 tiles, steps of 4."""
    text = allo_opt(Matmul(8, 8, 16, "i32", "i32").text, f"--pipeline=gemm-i32{SMALL}", "--stop-after=bufferize")
    for shape in ("8x16xi32, 1", "16x8xi32, 1", "8x8xi32, 1", "1x1x4x4xi32, 2"):
        assert f"memref.alloc() : memref<{shape}>" in text.replace(" {alignment = 64 : i64}", "")
    assert re.search(r"scf.parallel .* to \(%c2\w*, %c2\w*\)", text)
    assert re.search(r"scf.for %\w+ = %c0 to %c4 step %c1", text)  # micro-tiles of 4 along k = 16


def test_hierarchy_of_the_small_size() -> None:
    """W4-W7: launch, segment, a herd collapsed to one column, tokens, guarded channels of broadcast groups, ping-pong."""
    text = allo_opt(Matmul(8, 8, 16, "i32", "i32").text, f"--pipeline=gemm-i32{SMALL}", "--stop-after=placement")
    assert re.search(r"air.segment @gemm_0 async .*x_loc = 0 : i64, x_size = 1 : i64, y_loc = 2 : i64, y_size = 4", text)
    assert re.search(r"air.herd @herd_0 async .* in \(%\w+=%c1, %\w+=%c4\) attributes {.*x_loc = 0 : i64, y_loc = 2", text)
    assert "air.launch async" in text
    assert len(re.findall(r"affine.if", text)) == 4  # A and B, ping and pong
    assert re.search(r"scf.for .* step %c2 iter_args", text)  # two steps of one micro-tile
    assert re.search(r"air.channel @channel_\d+ \[2, 2\]", text)  # C from 2 x 2 cores
    assert not re.search(r"air\.channel\.(put|get) @", text)  # all of them async


def test_device_of_the_large_size() -> None:
    """W8-W10: one column; buffers, locks with their values, BDs and flows."""
    text = allo_opt(Matmul(64, 64, 256, "i32", "i32").text, f"--pipeline=gemm-i32{LARGE}")
    assert re.findall(r"aie.tile\((\d, \d)\)", text) == [f"0, {row}" for row in range(6)]
    buffers = Counter(re.findall(r"aie.buffer\(%(\w+)\)", text))
    # Two of A and of B, the result, and the halves of A and of B, which the cores split.
    assert buffers == {"mem_tile_0_1": 3} | {f"tile_0_{row}": 5 + 4 for row in (2, 3, 4, 5)}
    locks = {tile: re.findall(rf"aie.lock\(%{tile}, \d+\) {{init = (\d)", text) for tile in buffers}
    # A: a pair for each half. B: room, two readers in a row. C: room, four writers in a row, all are done.
    assert sorted(locks["mem_tile_0_1"]) == ["0"] * 8 + ["1", "1", "2", "2"]
    for row in (2, 3, 4, 5):
        assert sorted(locks[f"tile_0_{row}"]) == ["0", "0", "0", "1", "2", "2"]
    assert text.count("aie.flow(") == 15
    core = block(text, "aie.mem(%tile_0_2)")
    assert core.count("aie.dma_bd") == 5 and core.count("aie.dma_start") == 3
    memtile = block(text, "aie.memtile_dma")
    bds = re.findall(r"memref<(\w+), 1> offset = (\d+) len = (\d+)", memtile)
    assert Counter(bds) == {
        ("32x256xi32", "0", "4096"): 2, ("32x256xi32", "4096", "4096"): 2,  # filled and read half by half
        ("256x32xi32", "0", "8192"): 1, ("256x32xi32", "0", "32"): 1, ("256x32xi32", "64", "4064"): 1,
        ("256x32xi32", "16", "4096"): 1,
        ("32x32xi32", "0", "1024"): 1, ("32x32xi32", "0", "16"): 1, ("32x32xi32", "32", "240"): 1,
        ("32x32xi32", "16", "16"): 1, ("32x32xi32", "48", "240"): 1, ("32x32xi32", "512", "16"): 1,
        ("32x32xi32", "544", "240"): 1,
        ("32x32xi32", "528", "256"): 1,
    }  # fmt: skip
    taken = re.findall(r"AcquireGreaterEqual, %c(\d)_i32", memtile)
    assert Counter(taken) == {"1": 14, "2": 1, "4": 1}


def test_runtime_sequence_of_the_large_size() -> None:
    """W11: three shim allocations; A twice for each row of launches, B and C as the walkthrough's wraps and steps."""
    text = allo_opt(Matmul(64, 64, 256, "i32", "i32").text, f"--pipeline=gemm-i32{LARGE}")
    assert text.count("aie.shim_dma_allocation") == 3
    sequence = text[text.index("aie.runtime_sequence") :]
    assert len(re.findall(r"%arg0 : memref<64x256xi32> offset = (0|8192) len = 8192\)", sequence)) == 2
    assert "sizes = [2, 256, 32] strides = [32, 64, 1]" in sequence
    assert "sizes = [2, 2, 32, 32] strides = [2048, 32, 64, 1]" in sequence


CASE_STUDY = "{herd-m=64 herd-n=64 k-step=64}"


@pytest.fixture(scope="module")
def case_study() -> str:
    return allo_opt(Matmul(512, 512, 1024, "bf16", "f32").text, f"--pipeline=gemm-bf16{CASE_STUDY}")


def test_case_study_hierarchy() -> None:
    """512x512x1024: launches of 256x256, a 4x4 herd of 64x64 tiles, packed to 4x8 and 8x4, broadcast along rows and columns."""
    text = allo_opt(Matmul(512, 512, 1024, "bf16", "f32").text, f"--pipeline=gemm-bf16{CASE_STUDY}", "--stop-after=placement")
    assert re.search(r"air.launch async \(%\w+, %\w+\) in \(%\w+=%c2, %\w+=%c2\)", text)
    assert re.search(
        r"air.herd @herd_0 async .* in \(%\w+=%c4\w*, %\w+=%c4\w*\) attributes {.*x_loc = 0 : i64, y_loc = 2", text
    )
    assert len(re.findall(r"air.channel @channel_\d+ \[1, 1\] {broadcast_shape = \[1, 4\]}", text)) == 4
    assert len(re.findall(r"air.channel @channel_\d+ \[1, 1\] {broadcast_shape = \[4, 1\]}", text)) == 4


def test_case_study_device(case_study: str) -> None:
    """Sixteen cores with ping-pong buffers for A and B, locks 2/0 for each and 1/0 for C; L2 split over the four memtiles."""
    assert case_study.count("aie.core(") == 16
    for column in range(4):
        for row in range(2, 6):
            shapes = Counter(re.findall(rf"aie.buffer\(%tile_{column}_{row}\) .* : memref<(\w+), 2>", case_study))
            assert shapes == {"8x16x4x8xbf16": 2, "8x16x8x4xbf16": 2, "16x16x4x4xf32": 1}
            locks = re.findall(rf"aie.lock\(%tile_{column}_{row}, \d\) {{init = (\d)", case_study)
            assert sorted(locks) == ["0", "0", "0", "1", "2", "2"]
        l2 = Counter(re.findall(rf"aie.buffer\(%mem_tile_{column}_1\) .* : memref<(\w+), 1>", case_study))
        assert l2 == {"64x256xbf16": 2, "256x64xbf16": 2, "64x256xf32": 1}
    assert "sizes = [32, 64, 8] strides = [8, 256, 1]" in case_study
    assert "vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>" in case_study


def test_the_recipe_itself_calls_external_kernels() -> None:
    text = allo_opt(
        Matmul(512, 512, 1024, "bf16", "f32").text, f"--pipeline=gemm-bf16-recipe{CASE_STUDY[:-1]} link-with=mm.o}}"
    )
    assert text.count("aie.core(") == 16 and text.count('link_with = "mm.o"') >= 16
    assert "func.call @linalg_generic" in text and "vector.contract" not in text


def test_block_floating_point_by_option() -> None:
    text = allo_opt(Matmul(64, 64, 64, "bf16", "f32").text, "--pipeline=gemm-bf16{device=npu2 bfp16}")
    assert "vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>" in text
    native = allo_opt(Matmul(64, 64, 64, "bf16", "f32").text, "--pipeline=gemm-bf16{device=npu2}")
    assert "vector<8x8xf32>, vector<8x4xf32> into vector<8x4xf32>" in native
