"""Cores that store single elements of one buffer: each copies back only its own, or the program is refused."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import allo_air

TEXT = """func.func @f(%a: memref<{source}xi32>, %c: memref<{target}xi32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = arith.constant {rows} : index
  %n = arith.constant {columns} : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {{
    {body}
    scf.reduce
  }}
  return
}}"""
SQUARE = """%x = memref.load %a[%i, %j] : memref<{0}x{1}xi32>
    %y = arith.muli %x, %x : i32
    memref.store %y, %c[%i, %j] : memref<{0}x{1}xi32>"""
TURNED = """%x = memref.load %a[%i, %j] : memref<8x6xi32>
    memref.store %x, %c[%j, %i] : memref<6x8xi32>"""
PARTS = """scf.for %k = %c0 to %c3 step %c1 {{
      %p = affine.apply affine_map<(d0, d1) -> (d0 * {step} + d1 * {inner})>(%i, %k)
      %x = memref.load %a[%p] : memref<12xi32>
      %y = arith.addi %x, %x : i32
      memref.store %y, %c[%p] : memref<12xi32>
    }}"""
BY_DATA = """%x = memref.load %a[%i] : memref<12xi32>
    %p = arith.index_cast %x : i32 to index
    memref.store %x, %c[%p] : memref<12xi32>"""
SHAPES = {"square": ("2x2", "2x2", 2, 2), "many": ("9x12", "9x12", 9, 12), "turned": ("8x6", "6x8", 8, 6),
          "lower": ("8x8", "8x8", 8, 1), "vectors": ("4x16", "4x16", 4, 1)}  # fmt: skip


def text(body: str, source: str, target: str, rows: int, columns: int) -> str:
    return TEXT.format(source=source, target=target, rows=rows, columns=columns, body=body)


LOWER = """%l = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    scf.for %k = %c0 to %l step %c1 {
      %x = memref.load %a[%i, %k] : memref<8x8xi32>
      memref.store %x, %c[%i, %k] : memref<8x8xi32>
    }"""
"""How many elements a core stores depends on the core."""
VECTORS = """%z = arith.constant 0 : i32
    %v = vector.transfer_read %a[%i, %c0], %z {in_bounds = [true]} : memref<4x16xi32>, vector<16xi32>
    %w = arith.addi %v, %v : vector<16xi32>
    vector.store %w, %c[%i, %c0] : memref<4x16xi32>, vector<16xi32>"""


CASES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "square": (text(SQUARE.format(2, 2), *SHAPES["square"]), lambda a: a * a),
    "many": (text(SQUARE.format(9, 12), *SHAPES["many"]), lambda a: a * a),
    "turned": (text(TURNED, *SHAPES["turned"]), lambda a: a.T),
    "vectors": (text(VECTORS, *SHAPES["vectors"]), lambda a: a + a),
    "lower": (text(LOWER, *SHAPES["lower"]), np.tril),
    "parts": (text(PARTS.format(step=3, inner=1), "12", "12", 4, 1), lambda a: a + a),
}


@pytest.mark.parametrize("name", CASES)
def test_stores_of_other_cores_stay(name: str) -> None:
    source, expected = CASES[name]
    program = allo_air.compile(source, cache=False)
    shape = tuple(map(int, SHAPES.get(name, ("12",))[0].split("x")))
    a = np.random.default_rng(0).integers(-99, 99, shape, np.int32)
    np.testing.assert_array_equal(program(a, np.zeros_like(expected(a))), expected(a))


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (PARTS.format(step=1, inner=4), "that lie between those of other cores"),
        (BY_DATA, "or are not known from loop variables; .*: give each core a memref.subview"),
    ],
    ids=["interleaved", "by data"],
)
def test_elements_that_no_box_holds_are_refused(body: str, says: str) -> None:
    """Those of buffers that do not fit in one core; the same of short buffers run on one."""
    long = text(body, "20000", "20000", 4, 1).replace("memref<12xi32>", "memref<20000xi32>")
    with pytest.raises(allo_air.AlloAirError, match=says):
        allo_air.compile(long, cache=False)
    a, c = np.arange(12, dtype=np.int32)[::-1].copy(), np.zeros(12, np.int32)
    allo_air.compile(text(body, "12", "12", 4, 1), cache=False)(a, c)
    np.testing.assert_array_equal(c, 2 * a if "addi" in body else [0] * 8 + [8, 9, 10, 11])


SCATTERED = """
func.func @f(%a: memref<64xi32>, %c: memref<8x8xi32>) {
  affine.parallel (%i) = (0) to (64) {
    %x = affine.load %a[%i] : memref<64xi32>
    affine.store %x, %c[%i floordiv 8, %i mod 8] : memref<8x8xi32>
  }
  return
}"""
RAGGED = """
func.func @f(%a: memref<30xi32>, %c: memref<30xi32>) {
  affine.parallel (%i) = (0) to (30) step (8) {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0) -> (d0 + 8, 30)>(%i) {
      %x = affine.load %a[%j] : memref<30xi32>
      affine.store %x, %c[%j] : memref<30xi32>
    }
  }
  return
}"""
STEPS = """
func.func @f(%a: memref<30xi32>, %c: memref<30xi32>) {
  affine.parallel (%i) = (0) to (30) step (4) {
    %x = affine.load %a[%i] : memref<30xi32>
    affine.store %x, %c[%i] : memref<30xi32>
  }
  return
}"""


@pytest.mark.parametrize(
    ("source", "shapes", "expected"),
    [
        (SCATTERED, [(64,), (8, 8)], lambda a: a.reshape(8, 8)),
        (RAGGED, [(30,), (30,)], lambda a: a),
        (STEPS, [(30,), (30,)], lambda a: np.where(np.arange(30) % 4, 0, a)),
    ],
    ids=["scattered", "ragged", "steps"],
)
def test_loops_over_elements_without_a_box_for_each_core(source: str, shapes: Any, expected: Any) -> None:
    a, c = (np.arange(1, np.prod(s) + 1, dtype=np.int32).reshape(s) * n for n, s in zip((1, 0), shapes, strict=True))
    allo_air.compile(source, cache=False)(a, c)
    np.testing.assert_array_equal(c, expected(a))


@pytest.mark.parametrize("loop", ["affine.for %i = 0 to 4", "affine.parallel (%i) = (0) to (4)", "affine.for %i = 0 to 2"])
def test_conditions_on_variables_of_inner_loops(loop: str) -> None:
    source = f"""func.func @f(%a: memref<4x8xi32>, %c: memref<4x8xi32>) {{
      {loop} {{
        affine.for %j = 0 to 8 {{
          %x = affine.load %a[%i, 7 - %j] : memref<4x8xi32>
          %y = affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%i, %j) -> i32 {{
            %z = arith.addi %x, %x : i32
            affine.yield %z : i32
          }} else {{
            affine.yield %x : i32
          }}
          affine.store %y, %c[%i, %j] : memref<4x8xi32>
        }}
      }}
      return
    }}"""
    a, c = np.arange(32, dtype=np.int32).reshape(4, 8), np.zeros((4, 8), np.int32)
    i, j = np.indices(a.shape)
    expected = np.where(i >= j, 2, 1) * a[:, ::-1]
    expected[2:] *= "to 2" not in loop
    np.testing.assert_array_equal(allo_air.compile(source, cache=False)(a, c), expected)


BOUNDS = """affine.parallel (%i) = (0) to (4) {
  affine.for %k = affine_map<(d0) -> (d0 * 4)>(%i) to affine_map<(d0) -> (d0 * 4 + 4)>(%i) {
    %x = affine.load %a[%k] : memref<16xi32>
    affine.store %x, %c[%k] : memref<16xi32>
  }
}"""
CONDITION = """scf.forall (%i) in (2) {
  %x = memref.load %a[%i] : memref<16xi32>
  %first = arith.cmpi eq, %i, %c0 : index
  scf.if %first {
    memref.store %x, %c[%c0] : memref<16xi32>
  } else {
    memref.store %x, %c[%c1] : memref<16xi32>
  }
}"""
BEYOND_ROWS = """affine.parallel (%i, %j) = (0, 0) to (2, 3) {
  affine.for %k = 0 to 4 {
    affine.if affine_set<(d0, d1) : (9 - d0 * 4 - d1 >= 0)>(%j, %k) {
      %x = affine.load %a[%i, %j * 4 + %k] : memref<3x10xi32>
      affine.store %x, %c[%i, %j * 4 + %k] : memref<3x10xi32>
    }
  }
}"""
CARRIED = """scf.forall (%i) in (4) {
  %r = scf.for %k = %c0 to %c1 step %c1 iter_args(%p = %i) -> (index) {
    %x = memref.load %a[%p] : memref<16xi32>
    memref.store %x, %c[%p] : memref<16xi32>
    scf.yield %p : index
  }
}"""


def function(body: str) -> str:
    kind = "memref<3x10xi32>" if "3x10" in body else "memref<16xi32>"
    constants = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index"
    return f"func.func @f(%a: {kind}, %c: {kind}) {{\n{constants}\n{body}\nreturn\n}}"


@pytest.mark.parametrize(
    ("body", "written"),
    [(BOUNDS, np.s_[:]), (CONDITION, np.s_[:2]), (BEYOND_ROWS, np.s_[:2])],
    ids=["bounds", "condition", "beyond rows"],
)
def test_stores_whose_place_depends_on_the_core_otherwise(body: str, written: slice) -> None:
    """Bounds of an inner loop, a condition, and a box that extends beyond the rows: they run on one core, since other cores'
    stores would be lost.
    """
    shape = (3, 10) if body == BEYOND_ROWS else (16,)
    a, c = np.arange(np.prod(shape), dtype=np.int32).reshape(shape), np.full(shape, 7, np.int32)
    expected = c.copy()
    expected[written] = a[written]
    allo_air.compile(function(body), cache=False)(a, c)
    np.testing.assert_array_equal(c, expected)


def test_indices_that_a_loop_carries() -> None:
    a, c = np.arange(16, dtype=np.int32), np.full(16, 7, np.int32)
    allo_air.compile(function(CARRIED), cache=False)(a, c)
    np.testing.assert_array_equal(c, np.r_[a[:4], [7] * 12])
