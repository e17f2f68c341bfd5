"""Changes the memory space of a buffer, and of all its aliases."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import parents
from allo_air.dialects.air_values import HIERARCHIES, forwarded_value, regroup_operands
from allo_air.mlir import ir
from allo_air.passes._analysis.alias import VIEWS

_FREE = ("memref.copy", "memref.dealloc", "memref.load", "memref.store", "memref.dim")
_FREE_DIALECTS = ("air", "affine", "linalg", "vector", "bufferization")


def retype(value: ir.Value, space: ir.IntegerAttr) -> None:
    """Moves `value`, a memref, and its aliases through views, loops and hierarchies to memory space `space`.

    Before: `%a = memref.alloc() : memref<8xf32>`, after: `%a = memref.alloc() : memref<8xf32, 1 : i32>`.
    """
    todo, done = [value], set()
    while todo:
        value = todo.pop()
        if value in done:
            continue
        done.add(value)
        value.set_type(_in_space(value.type, space))
        for use in list(value.uses):
            todo += _aliases(use)
    for user in {use.owner.operation for value in done for use in value.uses if use.owner.name in HIERARCHIES}:
        regroup_operands(user)


def _in_space(kind: Any, space: Any) -> Any:
    if isinstance(kind, ir.UnrankedMemRefType):
        return ir.UnrankedMemRefType.get(kind.element_type, space)
    return ir.MemRefType.get(kind.shape, kind.element_type, kind.layout, space)


def _aliases(use: ir.OpOperand) -> list[ir.Value]:
    """The values that alias an operand through its user."""
    user, number = use.owner.operation, use.operand_number
    if user.name in VIEWS and user.name != "memref.memory_space_cast":
        return list(user.results) if number == 0 else []
    if (forwarded := forwarded_value(use)) is not None:
        return [forwarded]
    if user.name == "scf.for":
        return [user.regions[0].blocks[0].arguments[number - 2], user.results[number - 3]]
    if user.name == "scf.yield":
        return _yielded(user, number)
    if user.name in _FREE or user.name.split(".")[0] in _FREE_DIALECTS:
        return []
    allocs = [user.operands[number]]
    raise error_at(
        user,
        f"takes {allocs[0].type}, a buffer whose memory space is to change, and its own type cannot change with it;"
        " copy the buffer to one that keeps its space, or inline the function that is called",
    )


def _yielded(user: ir.Operation, number: int) -> list[ir.Value]:
    """Results of the loop or branch that `user` ends; for a loop, its initial value and argument too."""
    outer = next(parents(user))
    if outer.name == "scf.for":
        return [outer.operands[number + 3], outer.regions[0].blocks[0].arguments[number + 1], outer.results[number]]
    if outer.name == "scf.if":
        ends = [list(r.blocks[0].operations)[-1].operands[number] for r in outer.regions if len(r.blocks)]
        return [outer.results[number], *ends]
    return []
