"""Functions in forms that mlir-opt accepts and importers do not write, with the pipeline that the file selects."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import allo_air

BROADCAST = """
func.func @f(%a: tensor<16xf32>, %b: tensor<16x8xf32>) -> tensor<12x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x8xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<12x8xf32>) -> tensor<12x8xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (k, n)>,
      affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<16xf32>, tensor<16x8xf32>) outs(%i : tensor<12x8xf32>)
      -> tensor<12x8xf32>
  return %r : tensor<12x8xf32>
}
"""
"""One operand of a matmul has no rows."""

INDICES = """
#m = affine_map<(i, j) -> (i, j)>
func.func @f() -> (tensor<7x3xi64>, tensor<7x3xi1>) {
  %e = tensor.empty() : tensor<7x3xi64>
  %b = tensor.empty() : tensor<7x3xi1>
  %r:2 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      outs(%e, %b : tensor<7x3xi64>, tensor<7x3xi1>) {
  ^bb0(%o: i64, %p: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.index_cast %i : index to i64
    %ten = arith.constant 10 : i64
    %s = arith.muli %x, %ten : i64
    %c = arith.cmpi ule, %j, %i : index
    linalg.yield %s, %c : i64, i1
  } -> (tensor<7x3xi64>, tensor<7x3xi1>)
  return %r#0, %r#1 : tensor<7x3xi64>, tensor<7x3xi1>
}
"""
"""Results of types that the host converts are computed from indices alone."""

LOOP = """
func.func @f(%a: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> tensor<6x6xf32> {
    %e = tensor.empty() : tensor<6x6xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<6x6xf32>) -> tensor<6x6xf32>
    %m = linalg.matmul ins(%x, %a : tensor<6x6xf32>, tensor<6x6xf32>) outs(%f : tensor<6x6xf32>) -> tensor<6x6xf32>
    scf.yield %m : tensor<6x6xf32>
  }
  return %r : tensor<6x6xf32>
}
"""
"""The only matmul of the function is in a loop."""

SIZES = """
func.func private @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @f(%a: tensor<7x9xf32>, %b: tensor<9x11xf32>) -> tensor<7x11xf32> {
  %x = tensor.cast %a : tensor<7x9xf32> to tensor<?x?xf32>
  %y = tensor.cast %b : tensor<9x11xf32> to tensor<?x?xf32>
  %r = call @product(%x, %y) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = tensor.cast %r : tensor<?x?xf32> to tensor<7x11xf32>
  return %s : tensor<7x11xf32>
}
"""
"""The sizes of a called function are those of its caller."""

GLOBAL = """
ml_program.global private @w(dense<[1.0, 2.0, 3.0]> : tensor<3xf32>) : tensor<3xf32>
func.func @f(%a: tensor<3xf32>, %s: tensor<f32>) -> tensor<3xf32> {
  %w = ml_program.global_load_const @w : tensor<3xf32>
  %n = tensor.extract %s[] : tensor<f32>
  %t = tensor.splat %n : tensor<3xf32>
  %e = tensor.empty() : tensor<3xf32>
  %m = linalg.mul ins(%a, %w : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %r = linalg.add ins(%m, %t : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
"""
"""A weight is a global, and a number of numpy is an argument of rank 0."""

NUMBERS = """
func.func @f(%a: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<2x4xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %e) -> (tensor<2x4xf32>) {
    %q = scf.for %j = %c0 to %c4 step %c1 iter_args(%t = %s) -> (tensor<2x4xf32>) {
      %x = tensor.extract %a[%i, %j] : tensor<2x4xf32>
      %y = arith.mulf %x, %x : f32
      %u = tensor.insert %y into %t[%i, %j] : tensor<2x4xf32>
      scf.yield %u : tensor<2x4xf32>
    }
    scf.yield %q : tensor<2x4xf32>
  }
  %g = tensor.empty() : tensor<4xf32>
  %l = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %g) -> (tensor<4xf32>) {
    %x = tensor.extract %a[%c1, %i] : tensor<2x4xf32>
    %y = arith.addf %x, %half : f32
    %u = tensor.insert %y into %s[%i] : tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  }
  return %r, %l : tensor<2x4xf32>, tensor<4xf32>
}
"""
"""Loops insert one number after another into a tensor that nothing else defines."""

SWITCH = """
func.func @f(%a: tensor<5xf32>, %n: tensor<i32>) -> tensor<5xf32> {
  %v = tensor.extract %n[] : tensor<i32>
  %i = arith.index_cast %v : i32 to index
  %e = tensor.empty() : tensor<5xf32>
  %r = scf.index_switch %i -> tensor<5xf32>
  case 1 {
    %0 = linalg.exp ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
    scf.yield %0 : tensor<5xf32>
  }
  case 4 {
    %0 = linalg.negf ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
    scf.yield %0 : tensor<5xf32>
  }
  default {
    scf.yield %a : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
"""

CALLED = """
func.func private @product(%a: tensor<6x6xf32>, %b: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<6x6xf32>) -> tensor<6x6xf32>
  %m = linalg.matmul ins(%a, %b : tensor<6x6xf32>, tensor<6x6xf32>) outs(%f : tensor<6x6xf32>) -> tensor<6x6xf32>
  return %m : tensor<6x6xf32>
}
func.func @f(%a: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %0 = call @product(%a, %a) : (tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<6x6xf32>
  %1 = call @product(%0, %a) : (tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<6x6xf32>
  return %1 : tensor<6x6xf32>
}
"""
"""The only matmul is in a function that is called twice."""


def drawn(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).standard_normal(shape, dtype=np.float32)


CASES: dict[str, tuple[str, list[Any], Callable[..., Any]]] = {
    "broadcast": (BROADCAST, [drawn(16), drawn(16, 8)], lambda a, b: np.broadcast_to(a @ b, (12, 8))),
    "loop": (LOOP, [drawn(6, 6) / 3], lambda a: np.linalg.matrix_power(a, 4)),
    "sizes": (SIZES, [drawn(7, 9), drawn(9, 11)], lambda a, b: a @ b),
    "global": (GLOBAL, [drawn(3), np.float32(0.5)], lambda a, s: a * np.array([1, 2, 3]) + s),
    "called": (CALLED, [drawn(6, 6)], lambda a: a @ a @ a),
}


@pytest.mark.parametrize("name", CASES)
def test_programs_compute_what_numpy_does(name: str) -> None:
    text, inputs, expected = CASES[name]
    np.testing.assert_allclose(allo_air.compile(text, cache=False)(*inputs), expected(*inputs), rtol=1e-4, atol=1e-4)


def test_results_of_indices() -> None:
    tens, below = allo_air.compile(INDICES, cache=False)()
    i, j = np.indices((7, 3))
    np.testing.assert_array_equal(tens, (10 * i).astype(np.int64))
    np.testing.assert_array_equal(below, j <= i)


def test_switches() -> None:
    program, a = allo_air.compile(SWITCH, cache=False), drawn(5)
    for number, expected in ((1, np.exp(a)), (4, -a), (0, a)):
        np.testing.assert_allclose(program(a, np.int32(number)), expected, rtol=1e-5)


def test_numbers_that_loops_insert() -> None:
    a = drawn(2, 4)
    squares, halves = allo_air.compile(NUMBERS, cache=False)(a)
    np.testing.assert_allclose(squares, a * a, rtol=1e-6)
    np.testing.assert_allclose(halves, a[1] + 0.5, rtol=1e-6)


def test_integers_with_a_sign_in_the_type_are_refused() -> None:
    text = "func.func @f(%a: tensor<5xui8>) -> tensor<5xui8> { return %a : tensor<5xui8> }"
    with pytest.raises(allo_air.AlloAirError, match="integers without a sign in the type; give it i8"):
        allo_air.compile(text, cache=False)


def test_gemm_pipelines_refuse_calls_of_functions_that_are_no_kernels() -> None:
    with pytest.raises(allo_air.AlloAirError, match="calls @product, which is no kernel"):
        allo_air.compile(CALLED, "gemm-f32", cache=False)


def test_globals_that_change_are_refused() -> None:
    text = GLOBAL.replace("private @w", "private mutable @w").replace("load_const", "load")
    with pytest.raises(allo_air.AlloAirError, match="loads @w, whose value is not known at compile time"):
        allo_air.compile(text, cache=False)
