"""approximate-math."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import names_in
from allo_air.mlir import AnyOp
from allo_air.passes.kernel._flat_vectors import flatten_vectors

_REPLACED = ("arith.divf", "arith.mulf")
"""Operations besides those of the math dialect."""


@dataclass(frozen=True)
class ApproximateMath(Pass):
    """Replaces functions of the math dialect, on scalars and vectors, by arithmetic that mlir-aie's tool chain supports.

    The tool chain has no library of such functions for AIE. Each function becomes f32 arithmetic: range reduction, followed by
    a polynomial or Newton steps; a bf16 is extended before and rounded after. The error bounds are in
    `allo_air.approximations`. All operations have a vector form on AIE2 and AIE2p, or get one in `legalize-arithmetic`.
    Denormal numbers may be flushed to zero, as AIE does.

    Vector divisions are replaced, too. Those of f32 round to nearest unless they divide an approximate value. Scalar divisions
    stay, since the tool chain has a function for them. 1 + tanh x and 1 + erf x are single functions. A value that leaves the
    core only after rounding to bf16 is computed to about 11 bits; products, quotients, extremes, roots, buffers of the core,
    and sums of non-negative numbers may be in between.

    Before:

        %r = math.roundeven %x : vector<16xf32>

    After:

        %a = arith.addf %size, %c8388608 : vector<16xf32>
        %n = arith.subf %a, %c8388608 : vector<16xf32>
        ...
    """

    name = "approximate-math"

    def run(self, op: AnyOp, /) -> None:
        if any(name.startswith("math.") or name in _REPLACED for name in names_in(op)):
            from allo_air.passes.kernel._approximate import approximate  # matrix products do not need it

            flatten_vectors(op)
            approximate(op)
