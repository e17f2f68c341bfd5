"""AIEVec's operations on whole registers: parts, shuffles, comparisons, matrix products, functions of a lane's value."""

from __future__ import annotations

from allo_air.dialects._enums import SHUFFLE_MODE
from allo_air.dialects._fields import ANY, I32, INDEX, MEMREF, attr, operand, result
from allo_air.dialects._kinds import BOOL, I8, STRING
from allo_air.dialects._kinds import I32 as I32_ATTR
from allo_air.dialects._op import Op

_ONE = "$source attr-dict `:` type($source) `,` type($result)"
_FUNCTION = "$source attr-dict `:` type($source, $result)"
_TWO = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `,` type($result)"
_INTO = "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs) `,` type($rhs) `into` type($acc, $result)"


class ConcatOp(Op, name="aievec.concat"):
    """Adjacent vectors of one type."""

    sources = operand(ANY, "variadic")
    result = result(ANY)
    traits = ("pure",)
    assembly = "$sources attr-dict `:` alike($sources) `,` type($result)"


class ExtOp(Op, name="aievec.ext"):
    """Part `index` of a vector, of as many as there are."""

    source = operand(ANY)
    index = attr(I8)
    result = result(ANY)
    traits = ("pure",)
    assembly = _ONE


class ExtElemOp(Op, name="aievec.ext_elem"):
    """Lane `index` of a vector."""

    source = operand(ANY)
    index = operand(I32)
    result = result(ANY)
    traits = ("pure",)
    assembly = "$source `,` $index attr-dict `:` type($source) `,` type($index) `,` type($result)"


class ShuffleOp(Op, name="aievec.shuffle"):
    """Lanes of one or two vectors in the order that `mode` names."""

    lhs = operand(ANY)
    rhs = operand(ANY, "optional")
    mode = attr(SHUFFLE_MODE)
    result = result(ANY)
    traits = ("pure",)
    assembly = "$lhs (`,` $rhs^)? `[` $mode `]` attr-dict `:` type($lhs, $rhs, $result)"


class LegacyShuffleOp(Op, name="aievec.legacyshuffle"):
    """Lanes of a vector in the order of a numbered mode."""

    source = operand(ANY)
    mode = attr(I32_ATTR)
    result = result(ANY)
    traits = ("pure",)
    assembly = _ONE


class ShiftOp(Op, name="aievec.shift"):
    """One register of the concatenation of both vectors, from byte `shift` on."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    shift = operand(I32)
    isAcc = attr(BOOL, optional=True)
    result = result(ANY)
    traits = ("pure",)
    assembly = "$lhs `,` $rhs `,` $shift attr-dict `:` type($lhs) `,` type($rhs) `,` type($shift) `,` type($result)"


class CmpOp(Op, name="aievec.cmp"):
    """A bit for each pair of lanes: whether `pred` is true."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    pred = attr(STRING)
    result = result(ANY)
    traits = ("pure",)
    assembly = _TWO


class SelOp(Op, name="aievec.sel"):
    """Each lane of `lhs`, or of `rhs` if the bit of `sel` is set."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    sel = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = "$lhs `,` $rhs `,` $sel attr-dict `:` type($lhs) `,` type($rhs) `,` type($sel) `,` type($result)"


class PackOp(Op, name="aievec.pack"):
    """Lanes truncated to half the width."""

    source = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _ONE


class UnpackOp(Op, name="aievec.unpack"):
    """Lanes extended to twice the width."""

    source = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _ONE


class MatMulOp(Op, name="aievec.matmul"):
    """`acc` plus the product of two matrices that are vectors."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    acc = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _INTO


class MatMulAIE2POp(Op, name="aievec.matmul_aie2p"):
    """`acc` plus the product of two matrices, of the sizes that AIE2p multiplies."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    acc = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _INTO


class MulConvOp(Op, name="aievec.mul_conv"):
    """M results of N taps each: a convolution in one dimension."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    M = attr(I32_ATTR)
    N = attr(I32_ATTR)
    result = result(ANY)
    traits = ("pure",)
    assembly = _TWO


class FMAConvOp(Op, name="aievec.fma_conv"):
    """`acc` plus M results of N taps each."""

    lhs = operand(ANY)
    rhs = operand(ANY)
    acc = operand(ANY)
    M = attr(I32_ATTR)
    N = attr(I32_ATTR)
    fmsub = attr(BOOL, optional=True)
    result = result(ANY)
    traits = ("pure",)
    assembly = "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs) `,` type($rhs) `,` type($acc, $result)"


class ExpOp(Op, name="aievec.exp"):
    """e to the power of each lane."""

    source = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _FUNCTION


class TanhOp(Op, name="aievec.tanh"):
    """The hyperbolic tangent of each lane."""

    source = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _FUNCTION


class InvOp(Op, name="aievec.inv"):
    """One divided by a number."""

    source = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _FUNCTION


class RsqrtOp(Op, name="aievec.rsqrt"):
    """One divided by the square root."""

    source = operand(ANY)
    result = result(ANY)
    traits = ("pure",)
    assembly = _FUNCTION


class UPDOp(Op, name="aievec.upd"):
    """A vector register whose part `index` is loaded from memory; `vector` has the other parts."""

    source = operand(MEMREF)
    indices = operand(INDEX, "variadic")
    vector = operand(ANY, "optional")
    offset = attr(I32_ATTR, optional=True)
    index = attr(I8, optional=True)
    result = result(ANY)
    assembly = "$source `[` $indices `]` (`,` $vector^)? attr-dict `:` type($source) `,` type($result, $vector)"
