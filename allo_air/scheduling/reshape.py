"""The primitive reshape: gives a tensor another shape, and rewrites the subscripts of all accesses."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.core.names import callee_of, function_type_of, sym_name_of
from allo_air.core.walking import walk_named
from allo_air.errors import AlloAirError, counted
from allo_air.mlir import affine, ir
from allo_air.scheduling.buffers import find
from allo_air.scheduling.subscripts import access

if TYPE_CHECKING:
    from allo_air.mlir import func

_ACCESSES = ("affine.load", "affine.store")
_FOLLOW = ("memref.dealloc", "func.return", "linalg.fill")
"""Operations that accept a tensor of any shape."""


def reshape(function: func.FuncOp, name: str, shape: Sequence[int]) -> None:
    """Reshapes tensor `name` to a shape with as many elements, in the same order.

    Before (B as 2x5): `affine.store %x, %B[%i] : memref<10xi32>`
    After: `affine.store %x, %B[%i floordiv 5, %i mod 5] : memref<2x5xi32>`
    """
    tensor = find(function, name)
    old = ir.MemRefType(tensor.type)
    if prod(old.shape) != prod(shape) or any(n < 1 for n in shape):
        raise AlloAirError(f"tensor '{name}' has {counted(prod(old.shape), 'element')}; shape {list(shape)} has {prod(shape)}")
    uses = [u.owner.operation for u in tensor.uses]
    names = [op.name for op in uses if op.name not in (*_ACCESSES, *_FOLLOW)]
    if names:
        raise AlloAirError(f"tensor '{name}' is used by {names[0]}; only what affine subscripts access can be reshaped")
    accesses = [access(op) for op in uses if op.name in _ACCESSES]
    new = ir.MemRefType.get(list(shape), old.element_type)
    tensor.set_type(new)
    for each in accesses:
        op = each.op
        operands = list(op.operands)[1 if each.is_load else 2 :]
        map_ = ir.AffineMap.get(len(operands), 0, _delinearized(op.attributes["map"].value.results, old.shape, shape))
        with ir.InsertionPoint(op), op.location:
            if each.is_load:
                result = affine.AffineLoadOp(old.element_type, tensor, operands, map_)
                op.results[0].replace_all_uses_with(result.result)
            else:
                affine.AffineStoreOp(op.operands[0], tensor, operands, map_)
        op.erase()
    _retype(function)


def _delinearized(subscripts: Sequence[Any], old: Sequence[int], new: Sequence[int]) -> list[Any]:
    total = ir.AffineConstantExpr.get(0)
    for subscript, size in zip(subscripts, old, strict=True):
        total = total * size + subscript
    results = []
    below = prod(new)
    for number, size in enumerate(new):
        below //= size
        part = ir.AffineExpr.get_floor_div(total, below)
        results.append(part if number == 0 else ir.AffineExpr.get_mod(part, size))
    return results


def _retype(function: func.FuncOp) -> None:
    """Updates the function's type to its arguments and returned values."""
    [block] = function.regions[0].blocks
    results = [v.type for v in list(block.operations)[-1].operands]
    kind = ir.FunctionType.get([a.type for a in block.arguments], results)
    name = sym_name_of(function)
    if str(function_type_of(function)) != str(kind):
        if any(callee_of(op) == name for op in walk_named(function.parent, "func.call")):
            raise AlloAirError(f"a tensor at the border of '{name}', which other functions call, keeps its shape")
        function.attributes["function_type"] = ir.TypeAttr.get(kind)
