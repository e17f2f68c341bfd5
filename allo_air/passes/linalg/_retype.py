"""Gives the result of tiles another element type in all memories except L1."""

from __future__ import annotations

from typing import Any

from allo_air.mlir import AnyOp, ir

_LOOPS = ("scf.forall", "scf.for")


def retype(unpack: ir.Operation, element: ir.BF16Type) -> None:
    """Changes the element type of all values that are connected to the destination of `unpack`, the result of a core's tile.

    Values are connected by slices, unpacks, and loops that carry them.
    """
    todo, seen = [unpack.results[0], unpack.operands[1]], []
    while todo:
        value = todo.pop()
        if value in seen:
            continue
        seen.append(value)
        todo += _connected(value)
    for value in seen:
        value.set_type(ir.RankedTensorType.get(value.type.shape, element))


def _connected(value: Any) -> list[ir.Value]:
    """The values that must have the element type of `value`, by its producer and its users."""
    connected: list[ir.Value] = []
    if isinstance(value, ir.BlockArgument):
        loop = value.owner.owner.operation
        if loop.name in _LOOPS:
            connected += _carried(loop, value.arg_number - (len(loop.regions[0].blocks[0].arguments) - len(loop.results)))
    else:
        connected += _through(value.owner, value)
    for use in value.uses:
        connected += _through(use.owner.operation, value)
    return connected


def _through(op: AnyOp, value: ir.Value) -> list[ir.Value]:
    """The operands and results of `op` that must have the element type of `value`, one of them."""
    match op.name:
        case "tensor.extract_slice":
            return [op.operands[0], op.results[0]]
        case "tensor.insert_slice" | "tensor.parallel_insert_slice":
            return [op.operands[0], op.operands[1], *op.results]
        case "linalg.unpack":
            return [op.operands[1], op.results[0]]
        case "scf.forall" | "scf.for":
            inits = list(op.operands)[len(op.operands) - len(op.results) :]
            return [v for i in range(len(inits)) if value in (inits[i], op.results[i]) for v in _carried(op, i)]
        case "scf.yield":
            loop = op.parent.operation
            return [v for i, operand in enumerate(op.operands) if value == operand for v in _carried(loop, i)]
    return []


def _carried(loop: AnyOp, number: int) -> list[ir.Value]:
    """Loop-carried value number `number` of a loop: its init, its block argument, its result, and what the body yields."""
    block = loop.regions[0].blocks[0]
    inits = list(loop.operands)[len(loop.operands) - len(loop.results) :]
    values = [inits[number], list(block.arguments)[-len(loop.results) :][number], loop.results[number]]
    if loop.name == "scf.for":
        values.append(block.operations[len(block.operations) - 1].operands[number])
    return values


def set_function_type(function: ir.Operation) -> None:
    """Sets the function's type to the types of its block's arguments and of the values that it returns."""
    [block] = function.regions[0].blocks
    returned = block.operations[len(block.operations) - 1].operation
    kind = ir.FunctionType.get([a.type for a in block.arguments], [v.type for v in returned.operands])
    function.attributes["function_type"] = ir.TypeAttr.get(kind)
