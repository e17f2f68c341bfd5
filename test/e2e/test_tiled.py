"""Somebody's own tiles through tiled-npu, and schedules, against numpy."""

from pathlib import Path

import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError
from allo_air.program.matmul import Matmul

TILES = """
func.func @f(%a: memref<64x96xi32>, %b: memref<64x96xi32>) {{
  scf.forall (%i, %j) in (2, 3) {{
    %y = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %x = affine.apply affine_map<(d0) -> (d0 * 32)>(%j)
    %v = memref.subview %a[%y, %x] [32, 32] [1, 1] : memref<64x96xi32> to memref<32x32xi32, strided<[96, 1], offset: ?>>
    %w = memref.subview %b[%y, %x] [32, 32] [1, 1] : memref<64x96xi32> to memref<32x32xi32, strided<[96, 1], offset: ?>>
    scf.forall (%k) in (4) {{
      %z = affine.apply affine_map<(d0) -> (d0 * 8)>(%k)
      %s = memref.subview %v[%z, 0] [8, 32] [1, 1]
          : memref<32x32xi32, strided<[96, 1], offset: ?>> to memref<8x32xi32, strided<[96, 1], offset: ?>>
      %t = memref.subview %w[%z, 0] [8, 32] [1, 1]
          : memref<32x32xi32, strided<[96, 1], offset: ?>> to memref<8x32xi32, strided<[96, 1], offset: ?>>
      {leaf}
    }}
  }}
  return
}}
"""
VIEW = "memref<8x32xi32, strided<[96, 1], offset: ?>>"
LINALG = f"linalg.mul ins(%s, %s : {VIEW}, {VIEW}) outs(%t : {VIEW})"
VECTOR = f"""
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %p = arith.constant 0 : i32
      scf.for %r = %c0 to %c8 step %c1 {{
        %l = vector.transfer_read %s[%r, %c0], %p {{in_bounds = [true]}} : {VIEW}, vector<32xi32>
        %m = arith.muli %l, %l : vector<32xi32>
        vector.transfer_write %m, %t[%r, %c0] {{in_bounds = [true]}} : vector<32xi32>, {VIEW}
      }}"""


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.parametrize("leaf", [LINALG, VECTOR], ids=["linalg", "vector"])
def test_tiles_without_memory_spaces(leaf: str, device: str) -> None:
    a = np.random.default_rng(0).integers(-99, 99, (64, 96), dtype=np.int32)
    b = np.zeros_like(a)
    program = allo_air.compile(TILES.format(leaf=leaf), device=device, cache=False)
    assert program.pipeline == "tiled-npu"
    program(a, b)
    np.testing.assert_array_equal(b, a * a)


SCHEDULE = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %launch = transform.structured.tile_using_forall %mm tile_sizes [32, 64]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %near, %around = transform.structured.fuse_into_containing_op %fill into %launch
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %core, %herd = transform.structured.tile_using_forall %tiled tile_sizes [16, 32]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %nearest, %cores = transform.structured.fuse_into_containing_op %near into %herd
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %step, %k = transform.structured.tile_using_for %core tile_sizes [0, 0, 16]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
"""


@pytest.mark.parametrize("pipeline", ["gemm-i32", "tiled-npu"])
def test_a_schedule_takes_over_the_tiling(pipeline: str, tmp_path: Path) -> None:
    (tmp_path / "tile.mlir").write_text(SCHEDULE)
    a, b = (np.random.default_rng(n).integers(-9, 9, shape, dtype=np.int32) for n, shape in enumerate([(64, 32), (32, 64)]))
    program = allo_air.compile(Matmul(64, 64, 32, "i32").text, pipeline, schedule=tmp_path / "tile.mlir", cache=False)
    np.testing.assert_array_equal(program(a, b), a @ b)
    assert "scf.forall (%arg2, %arg3) in (2, 1)" in program.text("linalg")


def test_what_is_cached_goes_by_what_the_schedule_holds(tmp_path: Path) -> None:
    script, settings = tmp_path / "tile.mlir", {"schedule": tmp_path / "tile.mlir", "cache_dir": tmp_path / "cache"}
    script.write_text(SCHEDULE)
    text = Matmul(64, 64, 32, "i32").text
    assert not allo_air.compile(text, "tiled-npu", **settings).cached
    assert allo_air.compile(text, "tiled-npu", **settings).cached
    script.write_text(SCHEDULE.replace("[16, 32]", "[32, 32]"))
    assert not allo_air.compile(text, "tiled-npu", **settings).cached


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (SCHEDULE.replace("[0, 0, 16]", "[0, 0, 0, 4]"), r"<schedule>:13:\d+: error: "),
        (SCHEDULE.replace("transform.yield", "transform.yeild"), r"<schedule>:15:\d+: error: "),
        ("module {\n}", "expected transform.named_sequence @__transform_main to begin with"),
    ],
)
def test_an_error_of_a_schedule_is_at_its_line(script: str, message: str) -> None:
    with pytest.raises(AlloAirError, match=message):
        allo_air.compile(Matmul(64, 64, 32, "i32").text, "tiled-npu", schedule=script, cache=False)


def test_a_schedule_needs_a_pipeline_that_tiles() -> None:
    text = "air.channel @c [1, 1]\nfunc.func @f(%a: memref<4xi32>) {\n  return\n}"
    with pytest.raises(AlloAirError, match="pipeline 'air-npu' has no tiling that a schedule could take over"):
        allo_air.compile(text, "air-npu", schedule=SCHEDULE)
    with pytest.raises(AlloAirError, match="cannot schedule with a float"):
        allo_air.compile(Matmul(4, 4, 4).text, "tiled-npu", schedule=2.5)
