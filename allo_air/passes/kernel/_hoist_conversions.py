"""Hoists conversions to block floating point of loop-invariant factors out of the innermost loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.arch import Core
from allo_air.core.loops import Loop
from allo_air.core.walking import body_of, is_defined_in, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import are_distinct, root_of
from allo_air.passes._analysis.blocking import KEPT
from allo_air.passes._analysis.effects import accesses
from allo_air.passes.kernel._contracts import makes_blocks

_PREPARES = ("vector.transpose", "vector.shuffle", "vector.shape_cast", "arith.extf")
_COMPUTES = ("affine.apply", "arith.addi", "arith.muli", "arith.constant")


def hoist_conversions(op: AnyOp, core: Core) -> None:
    """Hoists the conversions of factors that a loop does not change, if the blocks of all such factors stay in registers.

    AIE2p converts bf16 to blocks with shared exponents before it multiplies: conversions to f32 and, for the second factor,
    shuffles. All of these use one issue slot and take three times as long as the multiplications if each micro-tile serves two.
    mlir-aie converts at the contraction; its conversions move with the reads because LLVM hoists intrinsics that access no
    memory out of loops that do not change their operands.
    """
    if not any(c.blocks for c in core.contractions):
        return
    for loop in walk_named(op, "scf.for"):
        body = body_of(loop)
        if not Loop(loop).trips() or any(len(o.regions) for o in body):
            continue
        chains = [chain for read in body if (chain := _fixed(read, loop, core)) is not None]
        if 0 < len(chains) <= KEPT and not _writes_any(body, [chain[0].operands[0] for chain in chains]):
            for chain in chains:
                _hoist_chain(chain, loop)


def _fixed(read: ir.Operation, loop: ir.Operation, core: Core) -> list[ir.Operation] | None:
    """`read` and the operations that convert it to a factor, if only contractions in block floating point use the factor and
    its position is loop-invariant.
    """
    if read.name != "vector.transfer_read" or not all(_is_known(v, loop) for v in read.operands):
        return None
    result, pending = [read], [read]
    while pending:
        for use in pending.pop().results[0].uses:
            user = use.owner.operation
            if user in result:
                continue
            if user.name in _PREPARES and user.block == read.block and all(v in _results(result) for v in user.operands):
                result.append(user)
                pending.append(user)
            elif user.name != "vector.contract" or use.operand_number > 1 or not makes_blocks(user, core):
                return None
    return result if result[-1].name == "arith.extf" else None


def _results(ops: list[ir.Operation]) -> list[Any]:
    return [op.results[0] for op in ops]


def _is_known(value: ir.Value, loop: ir.Operation) -> bool:
    """Whether `value` is defined before `loop`, or computed in it from such values."""
    if not is_defined_in(value, loop):
        return True
    if isinstance(value, ir.BlockArgument):
        return False
    return value.owner.name in _COMPUTES and all(_is_known(v, loop) for v in value.owner.operands)


def _writes_any(body: Sequence[AnyOp], buffers: list[ir.Value]) -> bool:
    roots = [root_of(buffer) for buffer in buffers]
    written = [a.root for op in body for a in accesses(op) if a.kind != "read"]
    return not all(are_distinct(write, root) for write in written for root in roots)


def _hoist_chain(chain: list[ir.Operation], loop: ir.Operation) -> None:
    for op in chain:
        for value in op.operands:
            if is_defined_in(value, loop):
                _hoist_chain([value.owner.operation], loop)
        op.move_before(loop)
