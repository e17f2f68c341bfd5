"""Functions on memrefs without tile loops, as users of MLIR write them, against numpy: the planner maps them to the array."""

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import allo_air

F, G = "memref<32x24xf32>", "memref<24x32xf32>"
SCALED = f"""
func.func private @scale(%x: {F}) {{
  %c2 = arith.constant 2.0 : f32
  linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}} outs(%x : {F}) {{
  ^bb0(%o: f32):
    %m = arith.mulf %o, %c2 : f32
    linalg.yield %m : f32
  }}
  return
}}
func.func @f(%a: {F}, %c: {F}) {{
  %t = memref.alloc() : {F}
  memref.copy %a, %t : {F} to {F}
  call @scale(%t) : ({F}) -> ()
  linalg.add ins(%t, %c : {F}, {F}) outs(%c : {F})
  call @scale(%c) : ({F}) -> ()
  memref.dealloc %t : {F}
  return
}}"""
IN_PLACE = f"""
func.func @f(%a: {F}, %b: {F}) {{
  linalg.add ins(%a, %b : {F}, {F}) outs(%a : {F})
  linalg.mul ins(%a, %a : {F}, {F}) outs(%b : {F})
  linalg.sub ins(%b, %a : {F}, {F}) outs(%a : {F})
  return
}}"""
SWAPPED = f"""
func.func @f(%a: {F}, %b: {F}) {{
  %t = memref.alloc() : {F}
  memref.copy %a, %t : {F} to {F}
  memref.copy %b, %a : {F} to {F}
  memref.copy %t, %b : {F} to {F}
  return
}}"""
PART = "memref<16x24xf32, strided<[24, 1], offset: {}>>"
PARTS = f"""
func.func @f(%c: {F}, %a: {F}) {{
  %l = memref.subview %a[0, 0] [16, 24] [1, 1] : {F} to {PART.format(0)}
  %r = memref.subview %c[16, 0] [16, 24] [1, 1] : {F} to {PART.format(384)}
  linalg.negf ins(%l : {PART.format(0)}) outs(%r : {PART.format(384)})
  return
}}"""
WIDE = """
func.func @f(%a: memref<50xi64>, %b: memref<50xi64>) {
  linalg.add ins(%a, %b : memref<50xi64>, memref<50xi64>) outs(%b : memref<50xi64>)
  return
}"""
SUMS = """
memref.global "private" constant @w : memref<24xf32> = dense<3.0>
func.func @f(%a: memref<32x24xbf16>, %c: memref<32xf32>) {
  %z = arith.constant 0.0 : f32
  %w = memref.get_global @w : memref<24xf32>
  linalg.fill ins(%z : f32) outs(%c : memref<32xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%a, %w : memref<32x24xbf16>, memref<24xf32>) outs(%c : memref<32xf32>) {
  ^bb0(%x: bf16, %y: f32, %o: f32):
    %e = arith.extf %x : bf16 to f32
    %p = arith.mulf %e, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}"""
NEST = f"""
func.func @f(%a: {F}, %b: {G}, %c: memref<32x32xf32>) {{
  affine.for %i = 0 to 32 {{
    affine.for %j = 0 to 32 {{
      affine.for %k = 0 to 24 {{
        %x = affine.load %a[%i, %k] : {F}
        %y = affine.load %b[%k, %j] : {G}
        %z = affine.load %c[%i, %j] : memref<32x32xf32>
        %m = arith.mulf %x, %y : f32
        %s = arith.addf %z, %m : f32
        affine.store %s, %c[%i, %j] : memref<32x32xf32>
      }}
    }}
  }}
  return
}}"""
STRIDED = """
func.func @f(%a: memref<16x32xf32, strided<[64, 1], offset: ?>>, %c: memref<16x32xf32>) {
  linalg.negf ins(%a : memref<16x32xf32, strided<[64, 1], offset: ?>>) outs(%c : memref<16x32xf32>)
  return
}"""


def _parts(c: Any, a: Any) -> Any:
    return np.concatenate([c[:16], -a[:16]]), a


PROGRAMS = {
    "calls": (SCALED, [np.float32] * 2, [(32, 24)] * 2, lambda a, c: (a, 2 * (2 * a + c))),
    "in_place": (IN_PLACE, [np.float32] * 2, [(32, 24)] * 2, lambda a, b: ((a + b) ** 2 - (a + b), (a + b) ** 2)),
    "swapped": (SWAPPED, [np.float32] * 2, [(32, 24)] * 2, lambda a, b: (b, a)),
    "parts": (PARTS, [np.float32] * 2, [(32, 24)] * 2, _parts),
    "wide": (WIDE, [np.int64] * 2, [(50,)] * 2, lambda a, b: (a, a + b)),
    "sums": (SUMS, [ml_dtypes.bfloat16, np.float32], [(32, 24), (32,)], lambda a, c: (a, 3 * a.astype(np.float32).sum(1))),
    "nest": (NEST, [np.float32] * 3, [(32, 24), (24, 32), (32, 32)], lambda a, b, c: (a, b, c + a @ b)),
    "strided": (STRIDED, [np.float32] * 2, [(16, 32)] * 2, lambda a, c: (a, -a)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_functions_on_memrefs(name: str) -> None:
    text, dtypes, shapes, reference = PROGRAMS[name]
    rng = np.random.default_rng(3)
    arrays = [rng.integers(-4, 5, s).astype(d) for s, d in zip(shapes, dtypes, strict=True)]
    expected = reference(*[a.copy() for a in arrays])
    program = allo_air.compile(text, device="npu1", cache=False)
    assert program.pipeline == "npu"
    program(*arrays)
    for array, result in zip(arrays, expected, strict=True):
        np.testing.assert_allclose(array.astype(float), np.asarray(result, float), rtol=1e-5)


CONDITION = """
func.func @f(%a: memref<16x32xi32>, %c: memref<16x32xi32>) {
  affine.parallel (%i) = (0) to (16) step (4) {
    affine.if affine_set<(d0) : (d0 - 8 >= 0)>(%i) {
      %s = memref.subview %a[%i, 0] [4, 32] [1, 1] : memref<16x32xi32> to memref<4x32xi32, strided<[32, 1], offset: ?>>
      %t = memref.subview %c[%i, 0] [4, 32] [1, 1] : memref<16x32xi32> to memref<4x32xi32, strided<[32, 1], offset: ?>>
      linalg.mul ins(%s, %s : memref<4x32xi32, strided<[32, 1], offset: ?>>, memref<4x32xi32, strided<[32, 1], offset: ?>>)
          outs(%t : memref<4x32xi32, strided<[32, 1], offset: ?>>)
    }
  }
  return
}"""


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_conditions_in_parallel_loops(device: str) -> None:
    """Only some of the cores compute; the elements of the others stay."""
    a, c = np.random.default_rng(2).integers(0, 9, (2, 16, 32), dtype=np.int32)
    expected = np.concatenate([c[:8], a[8:] ** 2])
    allo_air.compile(CONDITION, device=device, cache=False)(a, c)
    np.testing.assert_array_equal(c, expected)


TILES = """
memref.global "private" constant @w : memref<16x32xf32> = dense<2.0>
func.func @f(%a: memref<16x32xf32, strided<[64, 1], offset: ?>>, %c: memref<16x32xf32>) {
  %w = memref.get_global @w : memref<16x32xf32>
  affine.parallel (%i) = (0) to (16) step (4) {
    %s = memref.subview %a[%i, 0] [4, 32] [1, 1]
        : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<4x32xf32, strided<[64, 1], offset: ?>>
    %u = memref.subview %w[%i, 0] [4, 32] [1, 1] : memref<16x32xf32> to memref<4x32xf32, strided<[32, 1], offset: ?>>
    %t = memref.subview %c[%i, 0] [4, 32] [1, 1] : memref<16x32xf32> to memref<4x32xf32, strided<[32, 1], offset: ?>>
    linalg.add ins(%s, %u : memref<4x32xf32, strided<[64, 1], offset: ?>>, memref<4x32xf32, strided<[32, 1], offset: ?>>)
        outs(%t : memref<4x32xf32, strided<[32, 1], offset: ?>>)
  }
  return
}"""


@pytest.mark.parametrize("constant", [True, False], ids=["global", "argument"])
def test_strided_arguments_and_globals_in_tiles(constant: bool) -> None:
    text = (
        TILES
        if constant
        else TILES.replace("  %w = memref.get_global @w : memref<16x32xf32>\n", "").replace("@f(", "@f(%w: memref<16x32xf32>, ")
    )
    program = allo_air.compile(text, cache=False)
    assert program.pipeline == "tiled-npu"
    w, a, c = (
        np.full((16, 32), 2, np.float32),
        np.random.default_rng(1).random((16, 32), np.float32),
        np.zeros((16, 32), np.float32),
    )
    program(*([] if constant else [w]), a, c)
    np.testing.assert_array_equal(c, a + 2)


VECTORS = """
func.func @f(%a: memref<16x16xTYPE>, %b: memref<16x16xTYPE>, %c: memref<16x16xTYPE>) {
  affine.parallel (%i, %j) = (0, 0) to (16, 16) step (4, 8) {
    %p = ub.poison : TYPE
    %x = vector.transfer_read %a[%i, %j], %p {in_bounds = [true, true]} : memref<16x16xTYPE>, vector<4x8xTYPE>
    %y = vector.transfer_read %b[%i, %j], %p {in_bounds = [true, true]} : memref<16x16xTYPE>, vector<4x8xTYPE>
    %z = arith.OP %x, %y : vector<4x8xTYPE>
    vector.transfer_write %z, %c[%i, %j] {in_bounds = [true, true]} : vector<4x8xTYPE>, memref<16x16xTYPE>
  }
  return
}"""


@pytest.mark.parametrize(
    ("element", "op", "reference"),
    [("i32", "addi", np.add), ("i32", "subi", np.subtract), ("f32", "divf", np.divide), ("bf16", "divf", np.divide)],
)
def test_vectors_of_two_dimensions(element: str, op: str, reference: Any) -> None:
    dtype = {"i32": np.int32, "f32": np.float32, "bf16": ml_dtypes.bfloat16}[element]
    a, b = np.random.default_rng(4).integers(1, 40, (2, 16, 16)).astype(dtype)
    c = np.zeros_like(a)
    allo_air.compile(VECTORS.replace("TYPE", element).replace("OP", op), cache=False)(a, b, c)
    np.testing.assert_allclose(c.astype(float), reference(a, b).astype(float), rtol=4e-3)


def test_a_product_takes_several_cores() -> None:
    """96x96x96 of f32 did not fit into the one core that computed it."""
    kind = "memref<96x96xf32>"
    matmul = f"linalg.matmul ins(%a, %b : {kind}, {kind}) outs(%c : {kind})"
    program = allo_air.compile(f"func.func @f(%a: {kind}, %b: {kind}, %c: {kind}) {{ {matmul} return }}", cache=False)
    assert [a.role for a in program.arguments] == ["in", "in", "inout"]
    a, b, c = np.random.default_rng(1).standard_normal((3, 96, 96), np.float32)
    expected = c + a @ b
    program(a, b, c)
    np.testing.assert_allclose(c, expected, rtol=1e-4, atol=1e-4)
    assert len(program.report().as_dict()["cores"]) >= 8


def test_saved_programs_write_into_their_arguments(tmp_path: Path) -> None:
    allo_air.compile(IN_PLACE, cache=False).save(tmp_path / "p")
    program = allo_air.load(tmp_path / "p")
    a, b = np.ones((2, 32, 24), np.float32)
    program(a, b)
    assert (a == 2).all() and (b == 4).all()


def test_memrefs_are_executed_between_passes() -> None:
    allo_air.compile(WIDE, cache=False, verify_each="execute")
