"""The passes that mlir-air's driver runs by default, in its order, as one pipeline text; the program it makes is simulated."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air
from helpers import REFERENCE

C = "canonicalize,cse"
ISOLATE = f"air-isolate-async-dma-loop-nests{{scope=launch}},{C}"
BIND = "air-par-to-herd{depth=1},air-par-to-launch{depth=0 has-air-segment=true},air-copy-to-dma"
BEFORE = (
    "air-annotate-refeed,air-annotate-append-barrier,air-annotate-packet-ids{assign=true emit-headers=false},"
    "air-rank-to-launch,air-insert-launch-around-herd{insert-segment=true},func.func(air-lower-herd-parallel),"
    "scf-forall-to-parallel,air-dependency,air-annotate-packet-ids{assign=true},air-hoist-dma-in-accum-pattern,air-broadcast-detection,"
    f"air-specialize-dma-broadcast,air-dma-to-channel,{C},air-dependency-canonicalize,{C},{ISOLATE},air-fuse-channels,{C},"
    f"func.func(air-split-l2-memref{{max-launch-channels-mm2s=8 max-launch-channels-s2mm=8}}),{C},{ISOLATE},"
    "func.func(air-fuse-alloc-dealloc),func.func(air-shrink-memref-sizes-by-access),"
    f"air-label-scf-for-to-ping-pong,air-ping-pong-transform,{C},func.func(convert-linalg-to-loops),"
    f"func.func(air-opt-memtile-dma-bds{{device=npu1}}),{C},"
    f"air-place-herds{{num-rows=6 num-cols=4 row-anchor=2 col-anchor=0}},{C},air-enforce-channel-fifo-order,"
    "func.func(air-renumber-dma),air-split-launch-for-padding{pad-location=memtile},air-verify-hierarchy-locality{strict=true}"
)
AFTER = (
    "air-to-aie{emit-while-loop=true row-offset=2 col-offset=0 device=npu1 use-lock-race-condition-fix=false"
    " use-lock-race-condition-fix-v2=false},air-merge-unrolled-devices,"
    "aie.device(aie-place-tiles{merge-logical-tiles=false}),"
    "func.func(air-opt-shim-dma-bds{device=npu1 shim-dma-tile-sizes=%s}),"
    f"{C},air-to-std,symbol-dce,affine-expand-index-ops,{C},"
    f"airrt-to-npu{{trace-size=0 trace-offset=0 output-elf=false coalesce-shim-dma=false}},{C}"
)


def simulated(opt: Callable[..., Any], tmp_path: Path, source: Path, tiles: str, *arrays: Any) -> None:
    made = tmp_path / "made.mlir"
    text = f"builtin.module({BIND},{C},{BEFORE},{AFTER % tiles})"
    result = opt(source, f"--pass-pipeline={text}", "-o", made)
    assert result.status == 0, result.err
    allo_air.simulate(made, *arrays).raise_for_findings()


@pytest.mark.parametrize("tiles", ["0", "1", "2,2"])
def test_matmul(opt: Callable[..., Any], tmp_path: Path, tiles: str) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.integers(-9, 9, (64, 256), dtype=np.int32), rng.integers(-9, 9, (256, 64), dtype=np.int32)
    c = np.zeros((64, 64), np.int32)
    simulated(opt, tmp_path, REFERENCE / "walkthrough_i32/00-input.mlir", tiles, a, b, c)
    np.testing.assert_array_equal(c, a @ b)


def test_matmul_straight_from_external_memory(opt: Callable[..., Any], tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    source = REFERENCE / "matmul_no_l2_i32/00-input.mlir"
    a, b = rng.integers(-9, 9, (64, 64), dtype=np.int32), rng.integers(-9, 9, (64, 64), dtype=np.int32)
    c = np.zeros((64, 64), np.int32)
    simulated(opt, tmp_path, source, "0", a, b, c)
    np.testing.assert_array_equal(c, a @ b)
