"""The vector operations of the AIEVec dialect, which mlir-aie's vector passes emit in cores."""

from __future__ import annotations

from allo_air.dialects._aievec_registers import *  # noqa: F403
from allo_air.dialects._fields import ANY, I32, attr, operand, result
from allo_air.dialects._irdl import Dialect
from allo_air.dialects._kinds import BOOL, I8
from allo_air.dialects._kinds import I32 as I32_ATTR
from allo_air.dialects._op import Op

_BITS = "$lhs `,` $rhs attr-dict `:` same_types($lhs, $rhs, $result)"
_SAME = "$lhs `,` $rhs attr-dict `:` type($lhs, $rhs, $result)"
_UNARY = "$source attr-dict `:` type($source, $result)"
_CONVERTS = "$source attr-dict `:` type($source) `,` type($result)"
_THREE = "`:` type($lhs) `,` type($rhs) `,` type($result)"


class AddElemOp(Op, name="aievec.add_elem"):
    """The sum of the lanes."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _SAME


class SubElemOp(Op, name="aievec.sub_elem"):
    """The difference of the lanes."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _SAME


class MinOp(Op, name="aievec.min"):
    """The lanewise minimum; integers are signed."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _SAME


class MaxOp(Op, name="aievec.max"):
    """The lanewise maximum; integers are signed."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _SAME


class BandOp(Op, name="aievec.band"):
    """Bitwise and."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _BITS


class BorOp(Op, name="aievec.bor"):
    """Bitwise or."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _BITS


class BxorOp(Op, name="aievec.bxor"):
    """Bitwise exclusive or."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _BITS


class NegOp(Op, name="aievec.neg"):
    """The negation of each lane."""

    source = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _UNARY


class BnegOp(Op, name="aievec.bneg"):
    """Bitwise not."""

    source = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _UNARY


class MulElemOp(Op, name="aievec.mul_elem"):
    """The product of the lanes, as wide as the result."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = f"$lhs `,` $rhs attr-dict {_THREE}"


class FMAElemOp(Op, name="aievec.mac_elem"):
    """`acc` plus the product of the lanes; minus, with `fmsub`."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    acc = operand(ANY)
    fmsub = attr(BOOL, default=False)
    result = result(ANY)
    traits = ("pure",)
    assembly = "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs) `,` type($rhs) `,` type($acc, $result)"


class BroadcastOp(Op, name="aievec.broadcast"):
    """Broadcasts lane `idx` to all lanes."""

    source = operand(ANY)
    idx = attr(I8, optional=True)
    result = result(ANY)
    traits = ("pure",)
    assembly = _CONVERTS


class BroadcastScalarOp(Op, name="aievec.broadcast_scalar"):
    """Broadcasts a number to all lanes."""

    source = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _CONVERTS


class CastOp(Op, name="aievec.cast"):
    """Moves a vector to an accumulator, or back to a vector register."""

    source = operand(ANY)
    isResAcc = attr(BOOL, optional=True)
    result = result(ANY)
    traits = ("pure",)
    assembly = _CONVERTS


class UPSOp(Op, name="aievec.ups"):
    """Converts lanes to the wider lanes of an accumulator, shifted to the left."""

    source = operand(ANY)
    shift = attr(I8, optional=True)
    result = result(ANY)
    traits = ("pure",)
    assembly = _CONVERTS


class SRSOp(Op, name="aievec.srs"):
    """Lanes of an accumulator, shifted to the right by `amount`, as narrower ones."""

    source = operand(ANY)
    amount = operand(I32)
    sign = attr(I32_ATTR, optional=True)
    result = result(ANY)
    traits = ("pure",)
    assembly = "$source `,` $amount attr-dict `:` type($source) `,` type($amount) `,` type($result)"


AIEVEC = Dialect("aievec", types={}, attributes={})
LANE_WISE = (
    "aievec.add_elem", "aievec.sub_elem", "aievec.min", "aievec.max", "aievec.band", "aievec.bor", "aievec.bxor", "aievec.neg",
    "aievec.bneg", "aievec.mul_elem", "aievec.mac_elem", "aievec.broadcast", "aievec.broadcast_scalar", "aievec.cast",
    "aievec.ups", "aievec.srs",
)  # fmt: skip
"""Operations that compute each lane of the result from the same lanes of the operands."""
