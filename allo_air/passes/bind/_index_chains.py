"""Recomputes integer arithmetic on ids in `index`, so that addresses are affine in the ids."""

from typing import Any

from allo_air.core.constants import index_constant
from allo_air.core.walking import is_unused
from allo_air.mlir import arith, ir

_ARITHMETIC = ("arith.addi", "arith.muli")
_CASTS = ("arith.index_cast", "arith.index_castui")


def in_index(old: Any, iv: ir.Value) -> None:
    """Replaces integer `old` by induction variable `iv`; sums and products of it and constants are computed on `index`.

    Before: `%0 = arith.muli %old, %c64_i32 : i32`, `%1 = arith.index_cast %0 : i32 to index`; after:
    `%1 = arith.muli %iv, %c64 : index`. Other uses get an `arith.index_cast` of the new value.
    """
    todo, redone = [(old, iv)], []
    while todo:
        value, index = todo.pop()
        redone.append(value)
        if value.type == index.type:
            value.replace_all_uses_with(index)
            continue
        kept = []
        for use in list(value.uses):
            user = use.owner.operation
            if user.name in _CASTS and user.results[0].type == index.type:
                user.results[0].replace_all_uses_with(index)
                user.erase()
            elif user.name in _ARITHMETIC and (others := _operands(user, value, index)) is not None:
                if user.operands[0] == user.operands[1] and use.operand_number:
                    continue
                with ir.InsertionPoint(user), user.location:
                    todo.append((user.results[0], _BUILD[user.name](*[_index(o, user) for o in others])))
            else:
                kept.append((user, use.operand_number))
        if kept:
            block = index.owner if isinstance(index, ir.BlockArgument) else None
            ip = ir.InsertionPoint.at_block_begin(block) if block is not None else ir.InsertionPoint.after(index.owner)
            cast = arith.IndexCastOp(value.type, index, ip=ip, loc=kept[0][0].location).result
            for user, at in kept:
                user.operands[at] = cast
    for value in reversed(redone):
        if isinstance(value, ir.OpResult) and is_unused(value):
            value.owner.erase()


_BUILD = {"arith.addi": arith.addi, "arith.muli": arith.muli}


def _operands(user: ir.Operation, value: ir.Value, index: Any) -> list[Any] | None:
    """The operands of `user` with `value` replaced by `index`, if all others are constants or casts of index values."""
    found = []
    for operand in user.operands:
        if operand == value:
            found.append(index)
        elif isinstance(operand, ir.OpResult) and (operand.owner.name == "arith.constant" or _is_cast(operand)):
            found.append(operand)
        else:
            return None
    return found


def _is_cast(value: ir.Value) -> bool:
    return value.owner.name in _CASTS and isinstance(value.owner.operands[0].type, ir.IndexType)


def _index(value: ir.Value, at: Any) -> Any:
    """`value` as an index, at the current insertion point in front of `at`."""
    if isinstance(value.type, ir.IndexType):
        return value
    if value.owner.name == "arith.constant":
        return index_constant(value.owner.attributes["value"].value, at.location)
    return value.owner.operands[0]
