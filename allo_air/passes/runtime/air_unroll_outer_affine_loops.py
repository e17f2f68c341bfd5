"""air-unroll-outer-affine-loops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.cloning import unroll
from allo_air.core.constants import index_constant
from allo_air.core.diagnostics import error_at
from allo_air.core.folding import number_of
from allo_air.core.loops import dim_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named
from allo_air.mlir import ir
from allo_air.passes.runtime._cleanup import erase_unused


@dataclass(frozen=True)
class AirUnrollOuterAffineLoops(Pass):
    """Unrolls the `depth` outermost loops of each nest of `affine.for` loops, which need constant bounds.

    Before (`air-unroll-outer-affine-loops{depth=1}`):

        affine.for %i = 0 to 2 {
          affine.for %j = 0 to 4 {
            "use"(%i, %j) : (index, index) -> ()
          }
        }

    After:

        affine.for %j = 0 to 4 {
          "use"(%c0, %j) : (index, index) -> ()
        }
        affine.for %j = 0 to 4 {
          "use"(%c1, %j) : (index, index) -> ()
        }
    """

    name = "air-unroll-outer-affine-loops"
    anchor = "func.func"
    depth: int = 1
    """Number of loops of each nest to unroll, from the outermost."""

    def run(self, op: ir.Operation, /) -> None:
        loops = walk_named(op, "affine.for")
        for loop in [loop for loop in loops if all(p.name != "affine.for" for p in parents(loop))]:
            _unroll(loop, self.depth)
        erase_unused(op)


def _unroll(loop: Any, depth: int) -> None:
    if depth <= 0:
        return
    result = dim_of(loop, number_of)
    if result is None:
        raise error_at(loop, "cannot be unrolled: its bounds are not constant; give constant bounds or a smaller depth")
    with ir.InsertionPoint(loop), loop.location:
        copies = unroll(result, index_constant)
    for copy in [c for c in copies if c.name == "affine.for"]:
        _unroll(copy, depth - 1)
