"""Passes bf16 values between blocks as integers, since hosts without bf16 registers call functions that some libraries lack."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import walk_named, walk_pre_order
from allo_air.mlir import arith, ir


def carry_as_bits(module: ir.Operation) -> None:
    """Converts bf16 numbers and vectors that are loop-carried, or used in other blocks, to 16-bit integers."""
    for loop in walk_named(module, "scf.for"):
        block = loop.regions[0].blocks[0]
        last = list(block.operations)[-1].operation
        for n, result in enumerate(loop.results):
            if not _is_bf16(result.type):
                continue
            bits = _bits(result.type)
            for op, number in ((loop, n + 3), (last, n)):
                with op.location, ir.InsertionPoint(op):
                    op.operands[number] = arith.bitcast(bits, op.operands[number])
            for value in (block.arguments[n + 1], result):
                kind, uses = value.type, list(value.uses)
                value.set_type(bits)
                _restore_type(value, kind, uses)
    for op in walk_pre_order(module):
        for result in op.results:
            elsewhere = [use for use in result.uses if use.owner.operation.block != op.block] if _is_bf16(result.type) else []
            if elsewhere and op.name != "arith.constant":
                with op.location, ir.InsertionPoint.after(op):
                    carried = arith.bitcast(_bits(result.type), result)
                _restore_type(carried, result.type, elsewhere)


def _is_bf16(kind: ir.Type) -> bool:
    return isinstance(kind.element_type if isinstance(kind, ir.VectorType) else kind, ir.BF16Type)


def _bits(kind: ir.Type) -> Any:
    """The integer type that replaces `kind`."""
    i16 = ir.IntegerType.get_signless(16)
    return ir.VectorType.get(kind.shape, i16) if isinstance(kind, ir.VectorType) else i16


def _restore_type(bits: ir.Value, kind: ir.Type, uses: list[ir.OpOperand]) -> None:
    """Bitcasts the integers back at each of `uses`."""
    for use in uses:
        user = use.owner.operation
        with user.location, ir.InsertionPoint(user):
            user.operands[use.operand_number] = arith.bitcast(kind, bits)
