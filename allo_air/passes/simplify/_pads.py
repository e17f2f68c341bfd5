"""Rewrites tensor.pad with negative sizes, with which importers express cropping."""

from __future__ import annotations

from allo_air.core.cloning import clone
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir, tensor

_LOW, _HIGH = "static_low", "static_high"


def cut_pads(function: AnyOp) -> None:
    """Rewrites negative sizes of a `tensor.pad` as a slice, followed by the pad.

    Before:

        %r = tensor.pad %a low[0, -1] high[-1, 2] { ... } : tensor<3x4xf32> to tensor<2x5xf32>

    After:

        %s = tensor.extract_slice %a[0, 1] [2, 3] [1, 1] : tensor<3x4xf32> to tensor<2x3xf32>
        %r = tensor.pad %s low[0, 0] high[0, 2] { ... } : tensor<2x3xf32> to tensor<2x5xf32>
    """
    for op in walk_named(function, "tensor.pad"):
        low, high = (list(op.attributes[name]) for name in (_LOW, _HIGH))
        kind = op.operands[0].type
        dynamic = ir.ShapedType.get_dynamic_size()
        if min([*low, *high, 0]) >= 0 or dynamic in (*low, *high) or not kind.has_static_shape:
            continue
        first = [max(-n, 0) for n in low]
        sizes = [n - a - max(-b, 0) for n, a, b in zip(kind.shape, first, high, strict=True)]
        if min(sizes) <= 0:
            continue
        with ir.InsertionPoint(op), op.location:
            part = ir.RankedTensorType.get(sizes, kind.element_type)
            slice_ = tensor.ExtractSliceOp(part, op.operands[0], [], [], [], first, sizes, [1] * len(sizes))
            result = clone(op, {op.operands[0]: slice_.result})
        for name, old in ((_LOW, low), (_HIGH, high)):
            result.attributes[name] = ir.DenseI64ArrayAttr.get([max(n, 0) for n in old])
        op.results[0].replace_all_uses_with(result.results[0])
        op.erase()
