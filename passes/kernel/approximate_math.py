"""approximate-math."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_pre_order
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes.kernel._approximations import approximation
from allo_air.passes.kernel._form import element_of
from allo_air.passes.kernel._lane_values import shaped
from allo_air.passes.kernel._real import COARSE, FINE, Real


@dataclass(frozen=True)
class ApproximateMath(Pass):
    """Writes functions of the math dialect, of scalars and of vectors, as arithmetic that mlir-aie's tool chain takes.

    AIE has no library of such functions that comes with the tool chain. Each becomes f32 arithmetic: the argument is reduced,
    and a polynomial or Newton's steps give the function. How far from right each may be is in `allo_air.approximations`. All
    that they are made of has a form for vectors on AIE2 and AIE2p, or gets one by `legalize-vectors`. Denormal numbers may
    count as zero, as they do on AIE. A bf16 is extended before and rounded after. Divisions of vectors go the same way; those
    of scalars stay, which the tool chain has a function for.

    Before:

        %r = math.roundeven %x : vector<16xf32>

    After:

        %a = arith.addf %size, %c8388608 : vector<16xf32>
        %n = arith.subf %a, %c8388608 : vector<16xf32>
        ...
    """

    name = "approximate-math"

    def run(self, op: AnyOp, /) -> None:
        for found in walk_pre_order(op):
            function = approximation(found)
            if function is None:
                continue
            precision = COARSE if _is_rounded(found.results[0]) else FINE
            with ir.InsertionPoint(found), found.location:
                result = function(*(Real(_widened(v), precision) for v in found.operands)).value
                if found.results[0].type != result.type:
                    result = arith.truncf(found.results[0].type, result)
                found.results[0].replace_all_uses_with(result)
            found.erase()


def _is_rounded(result: ir.Value) -> bool:
    """Whether the result is of bf16, or goes nowhere but into one."""
    uses = [use.owner.operation for use in result.uses]
    rounded = [o.name == "arith.truncf" and element_of(o.results[0].type) == "bf16" for o in uses]
    return element_of(result.type) == "bf16" or all(rounded)


def _widened(value: ir.Value) -> Any:
    element = element_of(value.type)
    if element == "f32":
        return value
    if element in ("bf16", "f16"):
        return arith.extf(shaped(value, ir.F32Type.get()), value)
    return arith.sitofp(shaped(value, ir.F32Type.get()), value)
