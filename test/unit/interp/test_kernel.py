"""Kernels of the interpreter: code made in a hurry, which is optimized once it has run for long."""

from typing import Any

import numpy as np
import pytest

from allo_air.interp import kernel
from allo_air.mlir import ir

TEXT = """func.func @kernel(%a: memref<{size}xf32>) attributes {{llvm.emit_c_interface}} {{
  affine.for %i = 0 to {size} {{
    %x = affine.load %a[%i] : memref<{size}xf32>
    %y = math.exp %x : f32
    affine.store %y, %a[%i] : memref<{size}xf32>
  }}
  return
}}
"""


def run(made: kernel.Kernel, size: int) -> Any:
    array = np.linspace(-4, 4, size, dtype=np.float32)
    kernel.invoke(made, [kernel.describe_array(array)])
    return array


def test_short_code_is_optimized_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    made = kernel.compiled(TEXT.format(size=100))
    first = run(made, 100)
    assert made.optimized is not None
    monkeypatch.setattr(kernel, "_PATIENCE", 0.0)
    second = run(made, 100)
    assert made.optimized is None
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(run(made, 100), first)


def test_long_code_is_optimized_at_once() -> None:
    made = kernel.compiled(TEXT.format(size=1 << 18))
    assert made.optimized is None
    np.testing.assert_allclose(run(made, 1 << 18)[::1024], np.exp(np.linspace(-4, 4, 1 << 18))[::1024], rtol=1e-5)


def test_kernels_keep_no_context() -> None:
    before = ir.Context._get_live_count()
    made = [kernel.compiled(TEXT.format(size=size)) for size in range(50, 60)]
    assert ir.Context._get_live_count() - before < len(made)


DIVISIONS = """func.func @kernel(%a: memref<4xi32>) attributes {llvm.emit_c_interface} {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xi32>
    %one = arith.constant 1 : i32
    %d = arith.subi %x, %one : i32
    %q = arith.divsi %x, %d : i32
    affine.store %q, %a[%i] : memref<4xi32>
  }
  %v = vector.load %a[%zero] : memref<4xi32>, vector<4xi32>
  %r = arith.remsi %v, %v : vector<4xi32>
  vector.store %r, %a[%zero] : memref<4xi32>, vector<4xi32>
  return
}
""".replace("{\n  affine", "{\n  %zero = arith.constant 0 : index\n  affine", 1)


def test_division_by_zero_does_not_end_the_process() -> None:
    array = np.array([1, 2, 0, 5], np.int32)
    made = kernel.compiled(DIVISIONS)
    assert not made.error
    kernel.invoke(made, [kernel.describe_array(array)])
    np.testing.assert_array_equal(array, [0, 0, 0, 0])
