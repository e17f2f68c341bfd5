"""The work of one operation of a body in a core's code, on a vector of 16 numbers or on a single number."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.arch import Core
from allo_air.core.constants import constant_of
from allo_air.core.walking import is_result_of
from allo_air.mlir import ir


@dataclass(frozen=True)
class Work:
    """The instructions of an operation's code, the cycles for which it occupies the busiest unit, and the cycles until its
    result is there. Code that overlaps with equal code takes the busy cycles only.
    """

    instructions: int
    busy: int
    latency: int


FREE = Work(0, 0, 0)
ONE = Work(1, 1, 1)

FUNCTIONS: dict[str, tuple[Work, Work]] = {
    "arith.divf": (Work(157, 31, 214), Work(59, 5, 93)),
    "math.absf": (Work(5, 2, 9), Work(7, 2, 13)),
    "math.acos": (Work(477, 893, 893), Work(294, 55, 447)),
    "math.acosh": (Work(546, 706, 706), Work(237, 53, 326)),
    "math.asin": (Work(476, 887, 887), Work(293, 56, 441)),
    "math.asinh": (Work(686, 902, 902), Work(372, 480, 480)),
    "math.atan": (Work(246, 27, 554), Work(102, 18, 194)),
    "math.atan2": (Work(412, 772, 772), Work(210, 56, 339)),
    "math.atanh": (Work(357, 622, 622), Work(194, 35, 299)),
    "math.cbrt": (Work(347, 680, 680), Work(177, 43, 282)),
    "math.ceil": (Work(25, 5, 42), Work(27, 6, 46)),
    "math.cos": (Work(151, 31, 304), Work(82, 17, 164)),
    "math.cosh": (Work(208, 31, 389), Work(121, 28, 188)),
    "math.erf": (Work(298, 123, 481), Work(115, 21, 163)),
    "math.erfc": (Work(299, 123, 487), Work(96, 7, 201)),
    "math.exp": (Work(103, 12, 208), Work(35, 5, 57)),
    "math.exp2": (Work(105, 18, 213), Work(38, 5, 67)),
    "math.expm1": (Work(133, 18, 291), Work(53, 13, 107)),
    "math.floor": (Work(25, 5, 42), Work(27, 6, 46)),
    "math.log": (Work(181, 17, 390), Work(75, 17, 137)),
    "math.log10": (Work(193, 18, 420), Work(81, 17, 155)),
    "math.log1p": (Work(190, 27, 399), Work(85, 17, 149)),
    "math.log2": (Work(191, 14, 415), Work(80, 16, 150)),
    "math.powf": (Work(443, 685, 685), Work(400, 686, 686)),
    "math.round": (Work(24, 5, 41), Work(26, 5, 45)),
    "math.roundeven": (Work(17, 5, 31), Work(19, 5, 35)),
    "math.rsqrt": (Work(110, 19, 232), Work(67, 12, 146)),
    "math.sin": (Work(141, 54, 292), Work(75, 17, 152)),
    "math.sinh": (Work(407, 517, 517), Work(219, 55, 273)),
    "math.sqrt": (Work(124, 17, 265), Work(74, 12, 165)),
    "math.tan": (Work(392, 504, 504), Work(210, 116, 265)),
    "math.tanh": (Work(240, 41, 482), Work(63, 5, 110)),
    "math.trunc": (Work(24, 5, 41), Work(26, 5, 45)),
}
"""Functions that `approximate-math` and `legalize-arithmetic` turn into arithmetic, in f32 and for results in bf16; the larger
of AIE2 and AIE2p. test_loop_time.py holds the figures against the lowered code.
"""

_EXTREMES = ("maximumf", "minimumf", "maxnumf", "minnumf")
VECTORS: dict[tuple[str, str], Work] = {
    **dict.fromkeys([(f"arith.{name}", "f32") for name in ("addf", "subf", "negf")], Work(1, 1, 6)),
    **dict.fromkeys([(f"arith.{name}", "f32") for name in _EXTREMES], Work(16, 11, 13)),
    ("arith.cmpf", "f32"): Work(21, 14, 14),
    **dict.fromkeys([(f"arith.{name}", "bf16") for name in ("addf", "subf", "negf")], Work(1, 3, 10)),
    ("arith.mulf", "bf16"): Work(1, 1, 8),
    ("arith.extf", "bf16"): Work(1, 1, 2),
    ("arith.truncf", "f32"): Work(1, 1, 2),
    ("arith.shrsi", "i32"): Work(35, 27, 31),
    ("arith.sitofp", "i32"): Work(12, 4, 19),
    ("arith.sitofp", "i16"): Work(4, 2, 10),
    ("arith.sitofp", "i8"): Work(10, 2, 20),
    ("arith.uitofp", "i8"): Work(10, 2, 20),
    ("arith.fptosi", "f32"): Work(38, 5, 55),
    ("arith.fptosi", "bf16"): Work(38, 5, 55),
    ("arith.extsi", "i8"): Work(6, 3, 7),
    ("arith.extsi", "i16"): Work(1, 1, 2),
    ("arith.trunci", "i32"): Work(4, 1, 4),
}
"""Other operations on vectors that are not one instruction, by the type of their (last) operand, on both generations."""

DIVISION = "arith.divf"
_RECIPROCALS = {"AIE2": Work(53, 20, 100), "AIE2p": Work(70, 20, 140)}
_QUOTIENTS = {"AIE2": Work(60, 9, 55), "AIE2p": Work(50, 12, 80)}
"""A division of f32 by a number that a loop does not change: the reciprocal before the loop, and the rest."""
_BF16_QUOTIENT = Work(47, 5, 80), Work(12, 9, 20)
"""The same for results in bf16."""

PRODUCTS = {"AIE2": Work(1, 9, 14), "AIE2p": Work(52, 6, 39)}
"""Products of f32. The code for AIE2p splits both factors itself."""

_CALLS = ("arith.addf", "arith.subf", "arith.mulf", "arith.divf")
_DIVISIONS = ("arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.floordivsi", "arith.ceildivsi")
_CONVERSIONS = ("arith.sitofp", "arith.uitofp", "arith.fptosi", "arith.fptoui")


OTHER_FORMS = ("math.copysign", "math.fma", "math.fpowi")
"""Functions with vector forms that take as long as operations of arithmetic."""


def has_form(op: ir.Operation) -> bool:
    """Whether a function of the math dialect has a vector form."""
    return op.name in FUNCTIONS or op.name in OTHER_FORMS


def vector_work(op: ir.Operation, is_bf16: bool, core: Core) -> Work:
    """The work of `op` on a vector. `is_bf16`: all results of the body are rounded to bf16, so functions are computed with the
    accuracy of bf16.
    """
    if _is_free(op):
        return FREE
    element = str(op.operands[-1].type)
    if op.name in FUNCTIONS:
        return FUNCTIONS[op.name][is_bf16 or element == "bf16"]
    if op.name in ("arith.mulf", "math.fma") and element == "f32":
        factors = list(op.operands)[:2]
        return VECTORS["arith.mulf", "bf16"] if all(map(_is_extended_bf16, factors)) else PRODUCTS[core.arch]
    return VECTORS.get((op.name, element), ONE)


def scalar_work(op: ir.Operation, is_bf16: bool, core: Core) -> Work:
    """The work of `op` on single numbers. Floats are computed in one lane of a vector."""
    if _is_free(op):
        return FREE
    if op.name in _CALLS or op.name.startswith("math."):
        is_product = op.name == DIVISION and is_result_of(op.operands[1], "arith.constant") and not is_bf16
        lanes = PRODUCTS[core.arch] if is_product else vector_work(op, is_bf16, core)
        moves = len(op.operands) + 1
        return Work(lanes.instructions + moves, max(lanes.busy, moves), lanes.latency + 2 * core.shuffle)
    if op.name in _DIVISIONS:
        divisor = constant_of(op.operands[1])
        power = divisor is not None and divisor > 0 and divisor & (divisor - 1) == 0
        cycles = core.alu if power else core.multiply_high if divisor else core.divide
        return Work(1, cycles, cycles)
    if op.name in _CONVERSIONS:
        return Work(1, core.soft_conversion, core.soft_conversion)
    return Work(1, 1, core.scalar_multiply) if op.name == "arith.muli" else ONE


def quotient_work(is_bf16: bool, core: Core) -> tuple[Work, Work]:
    """The work of a division by a number that a loop does not change: before the loop, and in it."""
    return _BF16_QUOTIENT if is_bf16 else (_RECIPROCALS[core.arch], _QUOTIENTS[core.arch])


def _is_free(op: ir.Operation) -> bool:
    return not len(op.operands) or isinstance(op.results[0].type, ir.IndexType)


def _is_extended_bf16(value: ir.Value) -> bool:
    return is_result_of(value, "arith.extf") and str(value.owner.operands[0].type) == "bf16"
