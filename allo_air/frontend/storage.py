"""Stores integers of odd widths in whole bytes, as the cores' memory does.

Before:

    %x = memref.load %a[%i] : memref<8xi4>

After:

    %0 = memref.load %a[%i] : memref<8xi8>
    %x = arith.trunci %0 : i8 to i4
"""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import root_of, walk_post_order
from allo_air.mlir import AnyOp, PassManager, arith, ir

_LOADS, _STORES = ("memref.load", "affine.load"), ("memref.store", "affine.store")


def widen_buffers(function: AnyOp) -> None:
    """Widens buffers of integers of 1 to 31 bits, other than 8 and 16, to the next of these widths or to 32."""

    ops = walk_post_order(function)
    if not any(wider(r.type) is not None for op in ops for r in op.results):
        return
    PassManager.parse("builtin.module(func.func(linalg-generalize-named-ops))").run(root_of(function))
    for op in walk_post_order(function):
        if op.name in _STORES:
            _store(op)
        if op.name == "linalg.generic":
            _generic(op)
    for op in walk_post_order(function):
        for result in op.results:
            if (kind := wider(result.type)) is not None:
                _retype(op, result, kind)


def wider(kind: ir.Type) -> Any:
    """The byte-sized type of a buffer of type `kind`; None if it is byte-sized already."""
    if not isinstance(kind, ir.MemRefType):
        return None
    element = _wider_element(kind.element_type)
    return None if element is None else ir.MemRefType.get(kind.shape, element, kind.layout, kind.memory_space)


def _wider_element(element: ir.Type) -> Any:
    if not isinstance(element, ir.IntegerType) or element.width in (8, 16, 32) or element.width > 32:
        return None
    return ir.IntegerType.get_signless(next(bits for bits in (8, 16, 32) if element.width < bits))


def _retype(op: AnyOp, result: ir.Value, kind: ir.ShapedType) -> None:
    """Sets the type of a buffer; loaded values are truncated to their width."""
    narrow = result.type.element_type
    result.set_type(kind)
    for use in list(result.uses):
        if use.owner.name in _LOADS:
            value = use.owner.results[0]
            if value.type != narrow:
                continue
            value.set_type(kind.element_type)
            with ir.InsertionPoint.after(use.owner), use.owner.location:
                truncated = arith.TruncIOp(narrow, value)
            value.replace_all_uses_except(truncated.result, truncated.operation)


def _store(op: AnyOp) -> None:
    value, buffer = op.operands[0], op.operands[1]
    if wider(buffer.type) is not None:
        with ir.InsertionPoint(op), op.location:
            op.operands[0] = arith.extsi(wider(buffer.type).element_type, value)


def _generic(op: AnyOp) -> None:
    """Truncates elements in the body to their width, and extends the result to the width of its buffer."""
    block = op.regions[0].blocks[0]
    for operand, argument in zip(op.operands, block.arguments, strict=True):
        if wider(operand.type) is None:
            continue
        narrow = argument.type
        argument.set_type(wider(operand.type).element_type)
        with ir.InsertionPoint.at_block_begin(block), op.location:
            truncated = arith.TruncIOp(narrow, argument)
        argument.replace_all_uses_except(truncated.result, truncated.operation)
    terminator = list(block.operations)[-1]
    result = op.operands[len(op.operands) - 1]
    if wider(result.type) is not None:
        with ir.InsertionPoint(terminator), op.location:
            terminator.operation.operands[0] = arith.extsi(wider(result.type).element_type, terminator.operation.operands[0])
