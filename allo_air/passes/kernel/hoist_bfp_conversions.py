"""hoist-bfp-conversions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.arch import Core, core_of
from allo_air.core.loops import Loop
from allo_air.core.pass_ import Pass
from allo_air.core.walking import body_of, is_defined_in, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import are_distinct, root_of
from allo_air.passes._analysis.blocking import KEPT
from allo_air.passes._analysis.effects import accesses
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.kernel._contracts import makes_blocks

_PREPARES = ("vector.transpose", "vector.shuffle", "vector.shape_cast", "arith.extf")
_COMPUTES = ("affine.apply", "arith.addi", "arith.muli", "arith.constant")


@dataclass(frozen=True)
class HoistBfpConversions(Pass):
    """Hoists conversions to block floating point of loop-invariant factors out of the innermost loop.

    AIE2p converts bf16 to blocks with shared exponents before it multiplies: conversions to f32 and, for the second factor,
    shuffles. All of these use one issue slot and take three times as long as the multiplications if each micro-tile serves two.
    A factor that the loop does not change is converted once for all iterations, if the blocks of all such factors stay in
    registers (`blocking.KEPT` micro-tiles). mlir-aie converts at the contraction; its conversions move with the reads because
    LLVM hoists intrinsics that access no memory out of loops that do not change their operands.

    Before:

        scf.for %j = %c0 to %c8 step %c1 {
          %a = vector.transfer_read %A[%c0, %i, %c0, %c0] : memref<4x8x8x8xbf16, 2>, vector<8x8xbf16>
          %ae = arith.extf %a : vector<8x8xbf16> to vector<8x8xf32>
          ... vector.contract %ae, %be, %c
        }

    After:

        %a = vector.transfer_read %A[%c0, %i, %c0, %c0] : memref<4x8x8x8xbf16, 2>, vector<8x8xbf16>
        %ae = arith.extf %a : vector<8x8xbf16> to vector<8x8xf32>
        scf.for %j = %c0 to %c8 step %c1 {
          ... vector.contract %ae, %be, %c
        }
    """

    name = "hoist-bfp-conversions"
    works_on = ("vector.contract",)

    device: str = "npu2"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""

    def run(self, op: AnyOp, /) -> None:
        core = core_of(device_option(self.name, self.device).arch)
        if not any(c.blocks for c in core.contractions):
            return
        for loop in walk_named(op, "scf.for"):
            body = body_of(loop)
            if not Loop(loop).trips() or any(len(o.regions) for o in body):
                continue
            chains = [chain for read in body if (chain := _fixed(read, loop, core)) is not None]
            if 0 < len(chains) <= KEPT and not _writes_any(body, [chain[0].operands[0] for chain in chains]):
                for chain in chains:
                    _move(chain, loop)


def _fixed(read: ir.Operation, loop: ir.Operation, core: Core) -> list[ir.Operation] | None:
    """`read` and the operations that make a factor of it, if only contractions in blocks use that and no iteration changes its
    position.
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
    if isinstance(value.owner, ir.Block):
        return False
    return value.owner.name in _COMPUTES and all(_is_known(v, loop) for v in value.owner.operands)


def _writes_any(body: Sequence[AnyOp], buffers: list[ir.Value]) -> bool:
    roots = [root_of(buffer) for buffer in buffers]
    written = [a.root for op in body for a in accesses(op) if a.kind != "read"]
    return not all(are_distinct(one, other) for one in written for other in roots)


def _move(chain: list[ir.Operation], loop: ir.Operation) -> None:
    for op in chain:
        for value in op.operands:
            if is_defined_in(value, loop):
                _move([value.owner.operation], loop)
        op.move_before(loop)
