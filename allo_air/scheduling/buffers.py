"""Finds the tensors of a function by name, and creates buffers for parts of them."""

from __future__ import annotations

from typing import Any

from allo_air.errors import AlloAirError, UnknownNameError
from allo_air.mlir import AnyOp, ir, memref
from allo_air.scheduling.boxes import Side, box
from allo_air.scheduling.loops import Loop
from allo_air.scheduling.subscripts import Sum, accesses, load, loop_nest, store

_NAMED = ("memref.alloc", "func.call")


def named(function: AnyOp) -> dict[str, Any]:
    """The tensors of a function by name: its parameters, and named allocations."""
    results: dict[str, Any] = {}
    op = function.operation
    [block] = op.regions[0].blocks
    if "arg_names" in op.attributes:
        for name, value in zip(op.attributes["arg_names"], block.arguments, strict=True):
            results[str(name.value)] = value

    def visit(inner: AnyOp) -> Any:
        if inner.name in _NAMED and "name" in inner.attributes and isinstance(inner.results[0].type, ir.MemRefType):
            results.setdefault(str(inner.attributes["name"].value), inner.results[0])
        return ir.WalkResult.ADVANCE

    op.walk(visit, ir.WalkOrder.PRE_ORDER)
    return results


def names(function: AnyOp) -> list[str]:
    """The names of a function's tensors."""
    return list(named(function))


def find(function: AnyOp, name: str) -> Any:
    """The tensor `name` of a function."""
    result = named(function)
    if name not in result:
        raise UnknownNameError("tensor", name, result)
    return result[name]


def attach_text(value: ir.Value, attribute: str, text: str) -> None:
    """Attaches a text to a tensor, as an attribute of its allocation, or of the function if it is a parameter."""
    if isinstance(value, ir.BlockArgument):
        function = value.owner.owner
        function.operation.attributes[f"{attribute}.{value.arg_number}"] = ir.StringAttr.get(text)
    else:
        value.owner.attributes[attribute] = ir.StringAttr.get(text)


def attached_text(value: ir.Value, attribute: str) -> str:
    """The text that `attach_text` attached to a tensor, or ""."""
    if isinstance(value, ir.BlockArgument):
        function = value.owner.owner.operation
        name = f"{attribute}.{value.arg_number}"
        return str(function.attributes[name].value) if name in function.attributes else ""
    op = value.owner.operation
    return str(op.attributes[attribute].value) if attribute in op.attributes else ""


def buffer_at(function: AnyOp, name: str, loop: Loop, item: str) -> None:
    """Makes the body of `loop` work on a buffer `item` for the part of tensor `name` that an iteration uses.

    The part is loaded before the body. If the body writes to it, it is stored after the body.

    Before (C at i):

        affine.for %i { affine.for %k { affine.for %j { C[i, j] += ... } } }

    After:

        affine.for %i {
          %buffer = memref.alloc() : memref<N>
          affine.for %j { buffer[j] = C[i, j] }
          affine.for %k { affine.for %j { buffer[j] += ... } }
          affine.for %j { C[i, j] = buffer[j] }
    """
    tensor = find(function, name)
    result = accesses(tensor, name, loop.op)
    if not result:
        raise AlloAirError(f"the body of loop '{loop.name}' does not use tensor '{name}'")
    sides = box(tensor, name, result, loop)
    kept_dims = [d for d, side in enumerate(sides) if side.extent > 1 or side.has_whole_dimension]
    kind = ir.MemRefType(tensor.type)
    with loop.op.location:
        with ir.InsertionPoint.at_block_begin(loop.body):
            op = memref.AllocOp(ir.MemRefType.get([sides[d].extent for d in kept_dims], kind.element_type), [], [])
            op.operation.attributes["name"] = ir.StringAttr.get(item)
            _transfer(tensor, op.result, sides, kept_dims, f"{loop.name}_init", fill=True)
        with ir.InsertionPoint(list(loop.body.operations)[-1]):
            if not all(a.is_load for a in result):
                _transfer(tensor, op.result, sides, kept_dims, f"{loop.name}_back", fill=False)
            memref.DeallocOp(op.result)
    for each in result:
        indices = [sides[d].inside(each.subscripts[d]) for d in kept_dims]
        with ir.InsertionPoint(each.op), each.op.location:
            if each.is_load:
                each.op.results[0].replace_all_uses_with(load(op.result, indices))
            else:
                store(each.op.operands[0], op.result, indices)
        each.op.erase()


def _transfer(tensor: ir.Value, buffer: ir.Value, sides: list[Side], dims: list[int], name: str, *, fill: bool) -> None:
    """Emits loops that fill the buffer from the tensor, or copy it back."""

    def move(indices: list[Sum]) -> None:
        running = dict(zip(dims, indices, strict=True))
        place = []
        for d, side in enumerate(sides):
            moves = isinstance(side.base, Sum) and d in running
            place.append(side.base.plus(running[d].terms) if moves else side.base)
        if fill:
            store(load(tensor, place), buffer, indices)
        else:
            store(load(buffer, indices), tensor, place)

    loop_nest([sides[d].extent for d in dims], name, move)
