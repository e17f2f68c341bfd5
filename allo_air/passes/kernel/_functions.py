"""Legality of math operations. Each rule was found by running mlir-aie's lowering (docs/sources.md#vector-kernels)."""

from __future__ import annotations

from allo_air.arch import core_of
from allo_air.passes.kernel._op_signature import Legality, OpSignature, lowered_to_scalars, not_lowered

_LANES = (16, 32)
_CALL = "stays a generic intrinsic: a library call for each lane at best"
_EMITC = "becomes a call that only the C++ backend has"


def verdict(form: OpSignature, arch: str) -> Legality | None:
    """The defect of the tool chain's lowering of a math operation; None if it is right."""
    element, lanes, forms = form.source, form.lanes, core_of(arch).forms
    bf16 = element == "bf16" and lanes in _LANES
    match form.name.removeprefix("math."):
        case "erf" | "cbrt":
            return not_lowered("write a polynomial of arith operations, or call a kernel", "has no AIE form")
        case "exp":
            return None if bf16 else lowered_to_scalars(_CALL, "use 16 or 32 lanes of bf16")
        case "tanh":
            if bf16 and forms.functions:
                return None
            return not_lowered("write it by exp", _EMITC) if bf16 and lanes == 16 else lowered_to_scalars(_CALL, "use math.exp")
        case "rsqrt":
            if bf16:
                if not forms.rsqrt_of_bf16:
                    return not_lowered("extend to f32 first")
                return None if lanes == 16 else not_lowered("use 16 lanes")
            return lowered_to_scalars(_CALL) if forms.rsqrt_of_bf16 else None
        case "sqrt" | "ceil" | "floor":
            return not_lowered("extend to f32 first, or call a kernel", _EMITC) if bf16 else lowered_to_scalars(_CALL)
        case "absf":
            special = form.bits in (256, 512) and lanes
            return not_lowered("write arith.maximumf of x and 0 - x, in bf16", _EMITC) if special else None
        case "absi":
            return not_lowered("write arith.maxsi of x and its negation", _EMITC) if lanes and form.bits == 512 else None
        case "ctlz" | "cttz" | "ctpop" | "ipowi" | "copysign":
            return lowered_to_scalars(_CALL) if lanes else None
    return lowered_to_scalars(_CALL)
