"""Makes the static sizes of concatenated tensors visible, if a cast hides them."""

from __future__ import annotations

from allo_air.core.walking import defining_op, walk_named
from allo_air.mlir import AnyOp, ir


def show_sizes(function: AnyOp) -> None:
    """Makes `tensor.concat` take the source of a cast to dynamic sizes, which importers leave around slices.

    Before:

        %c = tensor.cast %a : tensor<5x3xf32> to tensor<5x?xf32>
        %r = tensor.concat dim(1) %c, %b : (tensor<5x?xf32>, tensor<5x13xf32>) -> tensor<5x16xf32>

    After:

        %r = tensor.concat dim(1) %a, %b : (tensor<5x3xf32>, tensor<5x13xf32>) -> tensor<5x16xf32>
    """
    for op in walk_named(function, "tensor.concat"):
        for n, value in enumerate(op.operands):
            result = defining_op(value, "tensor.cast")
            if result is not None and _is_static(result.operands[0]):
                op.operands[n] = result.operands[0]


def _is_static(value: ir.Value) -> bool:
    return isinstance(value.type, ir.RankedTensorType) and value.type.has_static_shape
