"""cut-loops."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp
from allo_air.passes._ir.generic import drop_unused
from allo_air.passes.partition._loop_cuts import Cuts, rewrite, seeds, splittable_ops


@dataclass(frozen=True)
class CutLoops(Pass):
    """Splits loops of operations if a reduction and its users see a tensor in different shapes.

    Group and instance norms have this form: statistics are over the groups of a batch, scales are per channel. All operations
    around such a tensor get loops for the dimensions of all its shapes, so that they can share rows; the reshapes move
    outward. The pass does not change the loops of contractions, of convolutions, of their elementwise epilogues, and of
    operations whose bodies use indices.

    Before:

        %s = linalg.generic {(g, c) -> (g, c), (g)} ins(%x : tensor<8x12xf32>) outs(%zero : tensor<8xf32>) { addf }
        %d = linalg.generic {(g, c) -> (g, c), (g), (g, c)} ins(%x, %s) outs(%e : tensor<8x12xf32>) { subf }
        %v = tensor.expand_shape %d [[0, 1], [2]] : tensor<8x12xf32> into tensor<2x4x12xf32>
        %y = linalg.generic {(b, f, c) -> (b, f, c), (f), (b, f, c)} ins(%v, %w : tensor<4xf32>) { mulf }

    After:

        %u = tensor.expand_shape %x [[0, 1], [2]] : tensor<8x12xf32> into tensor<2x4x12xf32>
        %s = linalg.generic {(b, f, c) -> (b, f, c), (b, f)} ins(%u) outs(%zero : tensor<2x4xf32>) { addf }
        %d = linalg.generic {(b, f, c) -> (b, f, c), (b, f), (b, f, c)} ins(%u, %s) { subf }
        %y = linalg.generic {(b, f, c) -> (b, f, c), (f), (b, f, c)} ins(%d, %w : tensor<4xf32>) { mulf }
    """

    name = "cut-loops"

    def run(self, op: AnyOp, /) -> None:
        for function in walk_named(op, "func.func"):
            if len(function.regions[0].blocks) == 1:
                _cut(function)


def _cut(function: AnyOp) -> None:
    works = splittable_ops(function)
    cuts = next((result for root in seeds(works) if (result := Cuts.around(works, root)) is not None), None)
    if cuts is not None:
        rewrite(works, cuts)
        drop_unused(function)
        _cut(function)
