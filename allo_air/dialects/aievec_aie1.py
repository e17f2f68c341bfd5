"""The AIEVec dialect of AIE1, only for reading and printing: arithmetic with lanes selected by offsets, parts, selections."""

from __future__ import annotations

from allo_air.dialects._fields import ANY, attr, operand, result
from allo_air.dialects._irdl import Dialect
from allo_air.dialects._kinds import BOOL, I8, STRING
from allo_air.dialects._op import Op

_TWO = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `,` type($result)"
_ONE = "$source attr-dict `:` type($source) `,` type($result)"


class _LanesOp(Op):
    """Attributes that select the lanes of `x`, the first operand, and `z`, the second."""

    xoffsets = attr(STRING, optional=True)
    xoffsets_hi = attr(STRING, optional=True)
    xsquare = attr(STRING, optional=True)
    xstart = attr(STRING, optional=True)
    xstep = attr(STRING, optional=True)
    yoffsets = attr(STRING, optional=True)
    yoffsets_hi = attr(STRING, optional=True)
    ysquare = attr(STRING, optional=True)
    ystart = attr(STRING, optional=True)
    zoffsets = attr(STRING, optional=True)
    zoffsets_hi = attr(STRING, optional=True)
    zstart = attr(STRING, optional=True)
    zstep = attr(STRING, optional=True)


class AddOp(_LanesOp, name="aievec_aie1.add"):
    """Sums of lanes that the attributes select."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _TWO


class SubOp(_LanesOp, name="aievec_aie1.sub"):
    """Differences of lanes that the attributes select."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _TWO


class MulOp(_LanesOp, name="aievec_aie1.mul"):
    """Sums of products of lanes that the attributes select."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _TWO


class FMAOp(_LanesOp, name="aievec_aie1.mac"):
    """`acc` plus sums of products of lanes; minus, with `fmsub`."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    acc = operand(ANY)
    fmsub = attr(BOOL, optional=True)
    result = result(ANY)
    traits = ("pure",)
    assembly = "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs) `,` type($rhs) `,` type($acc, $result)"


class ExtOp(Op, name="aievec_aie1.ext"):
    """Part `index` of a vector, of as many as there are."""

    source = operand(ANY)
    index = attr(I8)
    result = result(ANY)
    traits = ("pure",)
    assembly = _ONE


class SelectOp(_LanesOp, name="aievec_aie1.select"):
    """Lanes of two choices, by the bits of `select`."""

    source = operand(ANY)
    select = attr(STRING)
    result = result(ANY)
    traits = ("pure",)
    assembly = _ONE


AIEVEC_AIE1 = Dialect("aievec_aie1", types={}, attributes={})
