"""Computes products of an f32 model in bf16: operands of contractions are rounded, everything else stays in f32."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.core.elements import array_of, elements_attr
from allo_air.core.walking import defining_op, point_after
from allo_air.errors import OptionError
from allo_air.importers.imported import Imported
from allo_air.mlir import arith, ir
from allo_air.passes._ir.generic import generic
from allo_air.passes._ir.tensors import empty

if TYPE_CHECKING:
    from torch import Tensor
    from torch.fx import Node as FxNode

DTYPES = ("bf16",)


def check_dtype(dtype: str | None) -> None:
    """Raises OptionError if models cannot be narrowed to `dtype`."""
    if dtype not in (None, *DTYPES):
        raise OptionError(f"dtype is {dtype!r}, expected {', '.join(map(repr, DTYPES))}, or None for the model's own types")


def narrow(model: Imported) -> None:
    """Rounds the f32 operands of the contractions in `model` to bf16, weights when it is compiled.

    Before: linalg.matmul ins(%x, %w : tensor<8x64xf32>, tensor<64x16xf32>) outs(%zero : tensor<8x16xf32>)
    After:  linalg.matmul ins(%x_0, %w_0 : tensor<8x64xbf16>, tensor<64x16xbf16>) outs(%zero : tensor<8x16xf32>)
    """
    results: dict[Any, Any] = {}
    with model.context, ir.Location.unknown():
        for op in [o.operation for o in model.function.regions[0].blocks[0].operations]:
            if _is_contraction(op):
                _narrow(op, results)


def _is_contraction(op: ir.Operation) -> bool:
    """Whether `op` is a sum of products of two different f32 tensors."""
    if not op.name.startswith("linalg.") or len(op.regions) != 1 or len(op.operands) != 3:
        return False
    block = op.regions[0].blocks[0]
    names = [o.operation.name for o in block.operations]
    if names != ["arith.mulf", "arith.addf", "linalg.yield"] or op.operands[0] == op.operands[1]:
        return False
    product = block.operations[0].operation
    return set(product.operands) == set(list(block.arguments)[:2]) and all(
        isinstance(v.type.element_type, ir.F32Type) for v in op.operands
    )


def _narrow(op: ir.Operation, fx_nodes: dict[FxNode, FxNode]) -> None:
    block, small, full = op.regions[0].blocks[0], ir.BF16Type.get(), ir.F32Type.get()
    for number in (0, 1):
        value, argument = op.operands[number], block.arguments[number]
        if value not in fx_nodes:
            fx_nodes[value] = _rounded(value, op)
        op.operands[number] = fx_nodes[value]
        argument.set_type(small)
        with ir.InsertionPoint.at_block_begin(block):
            wide = arith.extf(full, argument)
        argument.replace_all_uses_except(wide, wide.owner.operation)


def _rounded(value: Tensor, before: ir.Operation) -> Any:
    """`value` in bf16: a constant for a constant; otherwise a cast directly after the operation that computes it."""
    kind = ir.RankedTensorType.get(value.type.shape, ir.BF16Type.get())
    constant = defining_op(value, "arith.constant")
    if constant is not None:
        with ir.InsertionPoint(constant):
            return arith.constant(kind, elements_attr(array_of(constant.attributes["value"]), kind, "weights"))
    with point_after(value), before.location:
        rank = len(kind.shape)
        identity, element = ir.AffineMap.get_identity(rank), kind.element_type

        def rounded(tensors: list[Tensor]) -> list[Any]:
            return [arith.truncf(element, tensors[0])]

        return generic([value], [empty(kind)], [identity] * 2, ["parallel"] * rank, rounded).results[0]
