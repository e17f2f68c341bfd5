"""join-results: combines the results of a kernel in one operation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.mlir import AnyOp, ir
from allo_air.mlir import linalg_views as linalg
from allo_air.passes._ir.tensors import all_parallel, empty
from allo_air.passes.map._dimensions import Dimensions
from allo_air.passes.map._kernel import Kernel, kernels


@dataclass(frozen=True)
class JoinResults(Pass):
    """Combines the results of a kernel in one last operation, so that one tiling covers all of them.

    The dimensions of each result must be among those of the largest one; other kernels stay unchanged.
    `linalg-fuse-elementwise-ops` then fuses elementwise producers into the new operation.

    Before:

        return %rows, %sums : tensor<64x48xf32>, tensor<64xf32>

    After:

        %r:2 = linalg.generic {indexing_maps = [(i, j) -> (i, j), (i, j) -> (i), (i, j) -> (i, j), (i, j) -> (i)], ...}
            ins(%rows, %sums) outs(...) { linalg.yield %in, %in_0 }
        return %r#0, %r#1 : tensor<64x48xf32>, tensor<64xf32>
    """

    name = "join-results"

    def run(self, op: AnyOp, /) -> None:
        for kernel in kernels(op):
            returned = kernel.returned
            if kernel.root is None and not kernel.movements and len(set(returned)) == len(returned) > 1:
                _join(kernel, returned)


def _join(kernel: Kernel, returned: list[ir.Value]) -> None:
    """Makes the kernel return copies of `returned`, all made by one operation over the dimensions of the largest."""
    dimensions = Dimensions(kernel)
    of_results = [dimensions.of(v) for v in returned]
    loops = max(of_results, key=len)
    if any(len(set(dims)) < len(dims) or not set(dims) <= set(loops) for dims in of_results):
        return
    maps = [ir.AffineMap.get(len(loops), 0, [ir.AffineDimExpr.get(loops.index(d)) for d in dims]) for dims in of_results]
    last = kernel.block.operations[-1].operation
    with ir.InsertionPoint(last), last.location:
        joined = _identity(returned, maps, len(loops))
    for number, result in enumerate(joined.results):
        last.operands[number] = result


def _identity(values: list[ir.Value], maps: list[ir.AffineMap], loops: int) -> Any:
    """A linalg.generic over `loops` loops that copies each of `values`, which has a map in `maps`."""
    kinds = [v.type for v in values]
    both = [ir.AffineMapAttr.get(m) for m in (*maps, *maps)]
    op = linalg.GenericOp(kinds, values, [empty(k) for k in kinds], ir.ArrayAttr.get(both), all_parallel(loops))
    elements = [k.element_type for k in kinds]
    block = op.regions[0].blocks.append(*elements, *elements)
    with ir.InsertionPoint(block):
        linalg.YieldOp(list(block.arguments)[: len(values)])
    return op.operation
