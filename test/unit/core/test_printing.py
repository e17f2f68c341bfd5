"""What C++ prints is what the bindings print."""

from itertools import combinations
from unittest.mock import patch

import pytest

from allo_air.core import walking
from allo_air.core.printing import printed
from allo_air.mlir import ir, new_context

TEXT = """
module attributes {
  test.a = dense<[1, 2, 3, 4, 5]> : tensor<5xi32>,
  test.r = dense_resource<big> : tensor<2xi32>,
  test.s = "\\C3\\A9\\00"
} {
  func.func @f(%x: i32) -> i32 {
    %c = arith.constant 7 : i32 loc("here")
    %r = arith.addi %x, %c : i32 loc("a.mlir":3:4)
    return %r : i32
  }
}
{-# dialect_resources: {builtin: {big: "0x040000000100000002000000"}} #-}
"""
FLAGS = "generic", "debug_info", "pretty_debug_info", "local_scope", "skip_regions"


@pytest.mark.skipif(walking._native is None, reason="built without C++")
def test_as_the_bindings_print() -> None:
    with new_context():
        module = ir.Module.parse(TEXT).operation
        for given in (given for size in range(4) for given in combinations(FLAGS, size)):
            for limits in ({}, {"elide_elements": 3, "elide_resources": 4}):
                options = {**dict.fromkeys(given, True), **limits}
                text = printed(module, **options)  # type: ignore[arg-type]
                with patch.object(walking, "_native", None):
                    assert text == printed(module, **options)  # type: ignore[arg-type]
