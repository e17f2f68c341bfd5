"""The XLLVM dialect, as far as cores' code is written in it: the processor's own instructions, in the generic form only."""

from __future__ import annotations

from allo_air.dialects._fields import I32, TypeRule, operand, result
from allo_air.dialects._irdl import Dialect
from allo_air.dialects._op import Op

_BYTES = TypeRule("irdl.is vector<64xi8>", "vector<64xi8>")
_WORDS = TypeRule("irdl.is vector<16xi32>", "vector<16xi32>")
_ACCUMULATOR = TypeRule("irdl.is vector<16xi64>", "vector<16xi64>")


class MacConfAcc32Op(Op, name="xllvm.intr.aie2.I512.I512.ACC1024.acc32.mac.conf"):
    """AIE2's matrix multiply-accumulate of integers into 32-bit sums; `conf` says what of (`allo_air.dialects.mac`)."""

    lhs = operand(_BYTES)
    rhs = operand(_WORDS)
    acc = operand(_ACCUMULATOR)
    conf = operand(I32)
    out = result(_ACCUMULATOR)
    traits = ("pure",)


XLLVM = Dialect("xllvm", types={}, attributes={})
