"""air-unroll-outer-affine-loops."""

from dataclasses import dataclass
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.diagnostics import error_at
from allo_air.core.folding import number_of
from allo_air.core.loops import dim_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes._ir.affine_loops import body_of
from allo_air.passes.runtime._cleanup import erase_unused
from allo_air.passes.runtime._expand import constant_index


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

    def run(self, op: Any, /) -> None:
        loops = walk_named(op, "affine.for")
        for loop in [loop for loop in loops if not _is_nested(loop)]:
            _unroll(loop, self.depth)
        erase_unused(op)


def _is_nested(loop: Any) -> bool:
    parent = loop.parent
    while parent is not None:
        if parent.operation.name == "affine.for":
            return True
        parent = parent.operation.parent
    return False


def _unroll(loop: Any, depth: int) -> None:
    if depth <= 0:
        return
    found = dim_of(loop, number_of)
    if found is None:
        raise error_at(loop, "cannot be unrolled: its bounds are not constant; give constant bounds or a smaller depth")
    block = body_of(loop)
    iv, *carried = block.arguments
    values = list(loop.operands)[len(loop.operands) - len(carried) :]
    copies = []
    with ir.InsertionPoint(loop), loop.location:
        for i in found.values:
            map_ = {iv: constant_index(i), **dict(zip(carried, values, strict=True))}
            for op in [o.operation for o in block.operations][:-1]:
                copies.append(clone(op, map_))
            yielded = block.operations[len(block.operations) - 1].operands
            values = [map_.get(v, v) for v in yielded]
    for result, value in zip(loop.results, values, strict=True):
        result.replace_all_uses_with(value)
    loop.erase()
    for copy in [c for c in copies if c.name == "affine.for"]:
        _unroll(copy, depth - 1)
