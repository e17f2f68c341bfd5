"""The two copies in the body of a loop become one, if they do the same with other buffers, half a step later."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.interp.run import run
from allo_air.mlir import new_context
from allo_air.passes.kernel import _copies

COPY = """
scf.for %j = %c0 to %c16 step %c1 {{
  %v = memref.load %{source}[%j] : memref<16xi32>
  memref.store %v, %part[%j] : memref<16xi32>
}}
{more}
scf.for %j = %c0 to %c16 step %c1 {{
  %v = memref.load %part[%j] : memref<16xi32>
  %o = memref.load %out[%j] : memref<16xi32>
  %n = arith.index_cast {place} : index to i32
  %p = arith.muli %v, %n : i32
  %s = arith.addi %o, %p : i32
  memref.store %s, %out[%j] : memref<16xi32>
}}"""
"""Copies a source, and adds its elements times a number to the result."""
LOOP = """
func.func @f(%even: memref<16xi32>, %odd: memref<16xi32>, %part: memref<16xi32>, %out: memref<16xi32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %never = arith.constant false
  scf.for %i = %c0 to %c32 step %c8 {{
    %later = arith.addi %i, %c4 : index
    {first}
    {second}
  }}
  return
}}"""
START = """
%sum{n} = memref.load %part[%c0] : memref<16xi32>
%big{n} = arith.cmpi sgt, %sum{n}, %sum{n} : i32
{condition}
scf.if %any{n} {{
  memref.store %sum{n}, %out[%c1] : memref<16xi32>
}}"""
"""Stores an element in the first iteration; its second copy does not compare the counter, as canonicalization leaves it."""
AT_FIRST = "%zero = arith.cmpi eq, %i, %c0 : index\n%any1 = arith.ori %big1, %zero : i1"


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_copies, "_LEAST", 4)


def joined(first: str, second: str) -> int:
    """Joins the copies `first` and `second`; the result is checked by running both. Returns the number of products."""
    source, random = LOOP.format(first=first, second=second), np.random.default_rng(0)
    arrays = [random.integers(-100, 100, 16).astype(np.int32) for _ in range(4)]
    with new_context():
        module: Any = asm.read(source)
        expected = run(module, arrays)
        is_changed = _copies.join_copies(module)
        module.verify()
        for result, array in zip(run(module, arrays), expected, strict=True):
            np.testing.assert_array_equal(result, array)
        return len(walk_named(module, "arith.muli")) - is_changed  # the new loop's counter has a product, too


@pytest.mark.parametrize("place", ["%i", "%c4"])
def test_code_of_two_buffers_becomes_a_branch(place: str) -> None:
    later = "%later" if place == "%i" else place
    assert joined(COPY.format(source="even", more="", place=place), COPY.format(source="odd", more="", place=later)) == 1


def test_numbers_of_affine_maps_are_compared_in_all_iterations() -> None:
    first = "%p1 = affine.apply affine_map<(d0) -> (d0 mod 8)>(%i)"
    second = "%p2 = affine.apply affine_map<(d0) -> (d0 mod 8 + {add})>(%i)"
    for add in (4, 5, 0):
        copies = [
            first + COPY.format(source="even", more="", place="%p1"),
            second.format(add=add) + COPY.format(source="odd", more="", place="%p2"),
        ]
        assert joined(*copies) == (1 if add == 4 else 2)


def test_what_only_the_first_iteration_does_is_not_in_the_second_copy() -> None:
    first = COPY.format(source="even", more=START.format(n=1, condition=AT_FIRST), place="%i")
    second = COPY.format(source="odd", more=START.format(n=2, condition="%any2 = arith.ori %big2, %never : i1"), place="%later")
    assert joined(first, second) == 1
    folded = COPY.format(source="odd", more=START.format(n=2, condition="").replace("%any2", "%big2"), place="%later")
    assert joined(first, folded) == 1


def test_results_of_a_branch_are_used() -> None:
    sums = """
    %r{n} = scf.for %j = %c0 to %c16 step %c1 iter_args(%a = %c0) -> (index) {{
      %v = memref.load %{source}[%j] : memref<16xi32>
      %w = arith.index_cast %v : i32 to index
      %b = arith.addi %a, %w : index
      scf.yield %b : index
    }}"""
    copies = [
        COPY.format(source=source, more=sums.format(n=n, source=source), place=f"%r{n}")
        for n, source in ((1, "even"), (2, "odd"))
    ]
    assert joined(*copies) == 1


def test_numbers_before_the_first_copy_are_those_of_the_whole_loop() -> None:
    first = COPY.format(source="even", more="", place="%i")
    second = COPY.format(source="odd", more="", place="%later").replace("%v, %part[%j]", "%w, %part[%j]", 1)
    for number in ("%later", "%half"):
        cast = f"%x = arith.index_cast {number} : index to i32\n  %w = arith.addi %v, %x : i32\n  memref.store %w"
        half = "%half = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%i)\n"
        assert joined(half + first, second.replace("memref.store %w", cast, 1)) == 1


def test_equal_counters_are_not_half_a_step_apart() -> None:
    assert joined(COPY.format(source="even", more="", place="%i"), COPY.format(source="odd", more="", place="%i")) == 2


def test_values_of_the_first_copy_in_the_second_one_keep_both() -> None:
    first = COPY.format(source="even", more="%start = memref.load %even[%c0] : memref<16xi32>", place="%i")
    second = COPY.format(source="odd", more="memref.store %start, %out[%c0] : memref<16xi32>", place="%later")
    assert joined(first, second) == 2
    loads = COPY.format(source="odd", more="%again = memref.load %odd[%c0] : memref<16xi32>", place="%later")
    assert joined(first, loads) == 1


def test_branches_of_other_results_keep_both() -> None:
    first = COPY.format(source="even", more="%start = memref.load %even[%c0] : memref<16xi32>", place="%i")
    second = COPY.format(
        source="odd", more="%one = arith.constant 1 : i32\nmemref.store %one, %out[%c0] : memref<16xi32>", place="%later"
    )
    assert joined(first, second) == 2
