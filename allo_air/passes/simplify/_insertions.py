"""Rewrites a chain of insertions that fills a whole tensor as a concatenation."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import replace
from allo_air.core.walking import defining_op, walk_named
from allo_air.mlir import AnyOp, ir, tensor
from allo_air.passes.simplify._gathers import reshaped


def join_insertions(function: AnyOp) -> None:
    """Rewrites slices that together fill a tensor, adjacent along one dimension, as a concatenation.

    Before:

        %a = tensor.insert_slice %x into %e[0, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<2x8xf32>
        %b = tensor.insert_slice %y into %a[1, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<2x8xf32>

    After:

        %b = tensor.concat dim(0) %x1, %y1 : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<2x8xf32>
    """
    for op in reversed(walk_named(function, "tensor.insert_slice")):
        chain = _chain(op)
        along = _filled_dim(chain)
        if along is not None:
            with ir.InsertionPoint(op), op.location:
                chain.sort(key=lambda o: o.opview.static_offsets[along])
                parts = [reshaped(o.operands[0], list(o.opview.static_sizes)) for o in chain]
                result = tensor.ConcatOp(op.results[0].type, along, parts).result
            replace(op, [result])


def _chain(op: AnyOp) -> list[Any]:
    """The chain of insertions that ends with `op`; empty if another insertion follows, or an offset is dynamic."""
    following = [use for use in op.results[0].uses if use.owner.name == "tensor.insert_slice" and use.operand_number == 1]
    results = []
    while op is not None and op.name == "tensor.insert_slice" and len(op.operands) == 2:
        if any(s != 1 for s in op.opview.static_strides):
            break
        results.append(op)
        op = defining_op(op.operands[1])
        if op is not None and len(list(op.results[0].uses)) != 1:
            break
    return [] if following else results


def _filled_dim(chain: list[AnyOp]) -> int | None:
    """The dimension along which the slices of `chain` are adjacent and fill the tensor."""
    if len(chain) < 2:
        return None
    shape = list(chain[0].results[0].type.shape)
    boxes = [(list(o.opview.static_offsets), list(o.opview.static_sizes)) for o in chain]
    cut = [d for d, n in enumerate(shape) if any(sizes[d] != n for _, sizes in boxes)]
    if len(cut) != 1:
        return None
    [along] = cut
    end = 0
    for offsets, sizes in sorted(boxes, key=lambda box: box[0][along]):
        if offsets[along] != end:
            return None
        end += sizes[along]
    return along if end == shape[along] else None
