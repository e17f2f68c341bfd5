"""Recomputes integer arithmetic on ids in `index`, so that addresses are affine in the ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.core.constants import index_constant
from allo_air.core.walking import is_unused
from allo_air.mlir import arith, ir

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_ARITHMETIC = ("arith.addi", "arith.muli")
_CASTS = ("arith.index_cast", "arith.index_castui")


def in_index(old: ir.Value, iv: ir.Value) -> None:
    """Replaces integer `old` by induction variable `iv`; sums and products of it and constants are computed on `index`.

    Before: `%0 = arith.muli %old, %c64_i32 : i32`; after: `%id = arith.index_cast %iv : index to i32`,
    `%i = arith.index_cast %id : i32 to index`, `%1 = arith.muli %i, %c64 : index`, `%0 = arith.index_cast %1 : index to i32`.
    """
    if old.type == iv.type:
        old.replace_all_uses_with(iv)
        return
    if is_unused(old):
        return
    cast = arith.IndexCastOp(old.type, iv, ip=ir.InsertionPoint.at_block_begin(iv.owner), loc=iv.owner.owner.location).result
    old.replace_all_uses_with(cast)
    todo = [cast]
    while todo:
        value = todo.pop()
        for user in {use.owner.operation: None for use in value.uses}:
            if user.name in _ARITHMETIC and all(map(_is_index_or_constant, user.operands)):
                with ir.InsertionPoint(user), user.location:
                    result = _BUILD[user.name](*[_index(o, user) for o in user.operands])
                    back = arith.index_cast(user.results[0].type, result)
                user.results[0].replace_all_uses_with(back)
                user.erase()
                todo.append(back)


_BUILD = {"arith.addi": arith.addi, "arith.muli": arith.muli}


def _is_index_or_constant(value: ir.Value) -> bool:
    """Whether `value` is a constant or the cast of an index."""
    return isinstance(value, ir.OpResult) and (value.owner.name == "arith.constant" or _is_cast(value))


def _is_cast(value: ir.Value) -> bool:
    return value.owner.name in _CASTS and isinstance(value.owner.operands[0].type, ir.IndexType)


def _index(value: ir.Value, user: AnyOp) -> Any:
    """`value` as an index, at the current insertion point, which is before `user`."""
    if isinstance(value.type, ir.IndexType):
        return value
    if value.owner.name == "arith.constant":
        return index_constant(value.owner.attributes["value"].value, user.location)
    return arith.index_cast(ir.IndexType.get(), value)
