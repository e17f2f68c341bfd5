"""Somebody's own tiles through tiled-npu, and schedules, against numpy."""

from pathlib import Path

import ml_dtypes
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


RAGGED = """module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
    %op = transform.structured.match ops{{["{name}"]}} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes {tiles}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }}
}}
"""


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.parametrize(("shape", "tiles"), [((100, 70), "[32, 32]"), ((61, 48), "[1, 48]"), ((512, 16), "[8, 16]")])
def test_one_level_of_tiles_of_any_size(shape: tuple[int, int], tiles: str, device: str) -> None:
    """Tiles that do not divide, more tiles than cores, a prime number of them, more streams than channels."""
    m, n = shape
    t = f"tensor<{m}x{n}xf32>"
    source = f"""
    func.func @f(%a: {t}, %b: {t}) -> {t} {{
      %e = tensor.empty() : {t}
      %r = linalg.sub ins(%a, %b : {t}, {t}) outs(%e : {t}) -> {t}
      return %r : {t}
    }}"""
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(shape, dtype=np.float32) for _ in range(2))
    schedule = RAGGED.format(name="linalg.sub", tiles=tiles)
    program = allo_air.compile(source, pipeline="tiled-npu", schedule=schedule, device=device, cache=False)
    np.testing.assert_array_equal(program(a, b), a - b)


RAGGED_MATMUL = """
func.func @mm(%a: tensor<100x90xbf16>, %b: tensor<90x70xbf16>) -> tensor<100x70xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<100x70xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<100x70xf32>) -> tensor<100x70xf32>
  %r = linalg.matmul ins(%a, %b : tensor<100x90xbf16>, tensor<90x70xbf16>) outs(%f : tensor<100x70xf32>) -> tensor<100x70xf32>
  return %r : tensor<100x70xf32>
}
"""
TWO_LEVELS = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %launch = transform.structured.tile_using_forall %mm tile_sizes [64, 32]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %in_launch, %launch1 = transform.structured.fuse_into_containing_op %fill into %launch
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %leaf, %herd = transform.structured.tile_using_forall %tiled tile_sizes [16, 16]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %in_core, %herd1 = transform.structured.fuse_into_containing_op %in_launch into %herd
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %inner, %k = transform.structured.tile_using_for %leaf tile_sizes [0, 0, 32]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
"""


def test_two_levels_that_divide_no_dimension() -> None:
    """Rows, columns and steps of a matmul are left over at both levels; what is left shares the channels of the whole tiles."""
    rng = np.random.default_rng(0)
    a = rng.integers(-4, 5, (100, 90)).astype(ml_dtypes.bfloat16)
    b = rng.integers(-4, 5, (90, 70)).astype(ml_dtypes.bfloat16)
    program = allo_air.compile(RAGGED_MATMUL, pipeline="tiled-npu", schedule=TWO_LEVELS, cache=False)
    np.testing.assert_array_equal(program(a, b), a.astype(np.float32) @ b.astype(np.float32))


ONTO = """
func.func @f(%a: tensor<{m}x8xf32>, %b: tensor<8x24xf32>, %c: tensor<{m}x24xf32>) -> tensor<{m}x24xf32> {{
  %r = linalg.matmul ins(%a, %b : tensor<{m}x8xf32>, tensor<8x24xf32>) outs(%c : tensor<{m}x24xf32>) -> tensor<{m}x24xf32>
  return %r : tensor<{m}x24xf32>
}}
"""
ROWS = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %product = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %product tile_sizes [8, 0]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
"""


@pytest.mark.parametrize("rows", [16, 19])
def test_a_sum_begins_with_an_argument_that_stays_as_it_is(rows: int) -> None:
    rng = np.random.default_rng(0)
    a, b, c = (rng.integers(-9, 9, shape).astype(np.float32) for shape in ((rows, 8), (8, 24), (rows, 24)))
    before = c.copy()
    program = allo_air.compile(ONTO.format(m=rows), "tiled-npu", schedule=ROWS, cache=False)
    np.testing.assert_array_equal(program(a, b, c), a @ b + before)
    np.testing.assert_array_equal(c, before)
