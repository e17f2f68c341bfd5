"""Rewrites contractions so that their loops carry a second accumulator, which is combined with the first after the loop."""

from __future__ import annotations

from collections.abc import Callable

from allo_air.core.loops import for_around
from allo_air.mlir import arith, ir, scf
from allo_air.passes.kernel._factors import splat

Sums = Callable[[ir.Value, ir.Value], tuple[ir.Value, ir.Value]]
"""A function from the old accumulators to the new ones."""


def with_dual_accumulator(contract: ir.Operation, sums: Sums, combined: Callable[[ir.Value, ir.Value], ir.Value]) -> None:
    """Replaces `contract` by the result of `sums` on its accumulator and on a second one that starts at zero, and combines
    both by `combined`.

    They are combined after the loop if the contraction's sum is the only value that the loop carries.
    """
    loop = _reduction(contract)
    kind = contract.results[0].type
    if loop is not None:
        _carry(loop, contract, sums, combined)
        return
    with ir.InsertionPoint(contract), contract.location:
        total, off = sums(contract.operands[2], _zero(kind))
        contract.results[0].replace_all_uses_with(combined(total, off))
    contract.erase()


def _reduction(contract: ir.Operation) -> ir.Operation | None:
    """The scf.for whose only loop-carried value is the accumulator of `contract`."""
    loop = contract.parent.operation
    if loop.name != "scf.for" or len(loop.results) != 1:
        return None
    [block] = loop.regions[0].blocks
    uses = [use.owner.operation for use in contract.results[0].uses]
    yielded = [op.name for op in uses] == ["scf.yield"] and contract.operands[2] == block.arguments[1]
    return loop if yielded and len(list(block.arguments[1].uses)) == 1 else None


def _carry(loop: ir.Operation, contract: ir.Operation, sums: Sums, combined: Callable[[ir.Value, ir.Value], ir.Value]) -> None:
    """Rebuilds `loop` with the second accumulator."""
    [block] = loop.regions[0].blocks
    end = block.operations[-1].operation
    kind = contract.results[0].type
    with ir.InsertionPoint(contract), contract.location:
        result = sums(contract.operands[2], block.add_argument(kind, contract.location))
    with ir.InsertionPoint(loop), loop.location:
        *bounds, init = loop.operands
        new = for_around(block, bounds, [init, _zero(kind)], dict(loop.attributes.items()))
        loop.results[0].replace_all_uses_with(combined(*new.results))
    with ir.InsertionPoint(end), end.location:
        scf.YieldOp(list(result))
    end.erase()
    contract.erase()
    loop.erase()


def _zero(kind: ir.VectorType) -> ir.OpResult:
    return arith.constant(kind, splat(kind, 0))
