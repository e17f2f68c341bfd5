"""Moves a tensor.pad after a tensor.expand_shape of other dimensions, so that the pad is next to its user."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import defining_op, walk_named
from allo_air.mlir import ir, tensor


def pad_after_reshapes(function: ir.Operation) -> None:
    """Swaps a tensor.pad and the tensor.expand_shape of its result, so that the reshape comes first.

    Before:

        %p = tensor.pad %x low[0, 1] high[0, 1] : tensor<8x10xf32> to tensor<8x12xf32>
        %e = tensor.expand_shape %p [[0, 1], [2]] : tensor<8x12xf32> into tensor<4x2x12xf32>

    After:

        %s = tensor.expand_shape %x [[0, 1], [2]] : tensor<8x10xf32> into tensor<4x2x10xf32>
        %e = tensor.pad %s low[0, 0, 1] high[0, 0, 1] : tensor<4x2x10xf32> to tensor<4x2x12xf32>
    """
    for expand in walk_named(function, "tensor.expand_shape"):
        pad = defining_op(expand.operands[0], "tensor.pad")
        if pad is None or len(pad.operands) != 1 or len(list(expand.operands[0].uses)) > 1:
            continue
        low, high = (list(pad.attributes[name]) for name in ("static_low", "static_high"))
        groups = [list(g) for g in expand.attributes["reassociation"]]
        if any(len(g) > 1 and (low[d] or high[d]) for d, g in enumerate(groups)):
            continue
        _swap(expand, pad, [[int(a) for a in g] for g in groups], low, high)


def _swap(expand: ir.Operation, pad: Any, groups: list[list[int]], low: list[int], high: list[int]) -> None:
    """Replaces `expand` by an expansion of the pad's source and a pad of `low` and `high` elements.

    `groups` are the result dimensions of each dimension of the operand.
    """
    kind = expand.results[0].type
    shape = list(kind.shape)
    lows, highs, unpadded = [0] * len(shape), [0] * len(shape), [*shape]
    for d, group in enumerate(groups):
        if len(group) == 1:
            [axis] = group
            lows[axis], highs[axis] = low[d], high[d]
            unpadded[axis] -= low[d] + high[d]
    with ir.InsertionPoint(expand), expand.location:
        narrow = ir.RankedTensorType.get(unpadded, kind.element_type)
        source = tensor.expand_shape(narrow, pad.operands[0], groups, [], unpadded)
        op = tensor.PadOp(kind, source, [], [], lows, highs)
        index = ir.IndexType.get()
        block = op.region.blocks.append(*[index] * len(shape))
        [old] = pad.regions[0].blocks
        *body, end = [o.operation for o in old.operations]
        with ir.InsertionPoint(block):
            mapping = {r: c for o in body for r, c in zip(o.results, o.clone().operation.results, strict=True)}
            tensor.YieldOp(mapping.get(end.operands[0], end.operands[0]))
    expand.results[0].replace_all_uses_with(op.result)
    expand.erase()
