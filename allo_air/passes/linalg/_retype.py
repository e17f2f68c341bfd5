"""Changes the element type of a result's tiles in external memory and L2. The tiles in L1 keep their type."""

from __future__ import annotations

from typing import Any

from allo_air.mlir import AnyOp, ir

_LOOPS = ("scf.forall", "scf.for")


def retype(unpack: ir.Operation, element: ir.BF16Type) -> None:
    """Sets the element type of all tensors that are connected to the destination of `unpack`, which writes a core's tile from
    L1.

    Slices, unpacks and loop-carried values connect tensors. For example, `linalg.unpack %tile into %slice` with `%slice =
    tensor.extract_slice %result[...]` connects `%slice` and `%result`.
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
    """The values that must have the same element type as `value`, because of its producer or its users."""
    connected: list[ir.Value] = []
    if isinstance(value, ir.BlockArgument):
        loop = value.owner.owner.operation
        if loop.name in _LOOPS:
            connected += _loop_carried_values(
                loop, value.arg_number - (len(loop.regions[0].blocks[0].arguments) - len(loop.results))
            )
    else:
        connected += _tied_values(value.owner, value)
    for use in value.uses:
        connected += _tied_values(use.owner.operation, value)
    return connected


def _tied_values(op: AnyOp, value: ir.Value) -> list[ir.Value]:
    """The operands and results of `op` that must have the same element type as `value`, which is one of them."""
    match op.name:
        case "tensor.extract_slice":
            return [op.operands[0], op.results[0]]
        case "tensor.insert_slice" | "tensor.parallel_insert_slice":
            return [op.operands[0], op.operands[1], *op.results]
        case "linalg.unpack":
            return [op.operands[1], op.results[0]]
        case "scf.forall" | "scf.for":
            inits = list(op.operands)[len(op.operands) - len(op.results) :]
            return [v for i in range(len(inits)) if value in (inits[i], op.results[i]) for v in _loop_carried_values(op, i)]
        case "scf.yield":
            loop = op.parent.operation
            return [v for i, operand in enumerate(op.operands) if value == operand for v in _loop_carried_values(loop, i)]
    return []


def _loop_carried_values(loop: AnyOp, number: int) -> list[ir.Value]:
    """The values of one loop-carried variable: its initial value, block argument, result, and the yielded value."""
    block = loop.regions[0].blocks[0]
    inits = list(loop.operands)[len(loop.operands) - len(loop.results) :]
    values = [inits[number], list(block.arguments)[-len(loop.results) :][number], loop.results[number]]
    if loop.name == "scf.for":
        values.append(block.operations[-1].operands[number])
    return values
