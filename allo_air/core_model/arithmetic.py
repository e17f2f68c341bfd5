"""The units that arithmetic of a core's program uses, and for how long: vectors, scalars, conversions, divisions, functions."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, frexp, prod

from allo_air.core.constants import constant_of
from allo_air.core.walking import defining_op
from allo_air.core_model.access import element_bytes
from allo_air.core_model.figures import FREE, Issue
from allo_air.core_model.machine import Machine
from allo_air.core_model.shapes import is_block_float, source_type
from allo_air.mlir import AnyOp, ir

_MULTIPLY = {"arith.mulf", "arith.muli", "math.fma"}
_CONVERT = {"arith.sitofp", "arith.uitofp", "arith.fptosi", "arith.fptoui"}
_SHAPED = "vector.shape_cast"
"""An operation that changes no register."""
EXTEND = {"arith.extf", "arith.extsi", "arith.extui", "arith.truncf", "arith.trunci"}
_DIVIDE = {"arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.floordivsi", "arith.ceildivsi"}
_LOADS = {"vector.transfer_read", "vector.load", "memref.load"}
_STORES = {"vector.transfer_write", "vector.store", "memref.store"}
_FEEDS = {"vector.contract", "vector.fma", "arith.mulf", "arith.muli", "math.fma", "vector.outerproduct"}


def arithmetic(op: ir.Operation, machine: Machine) -> Issue:
    """Elementwise and scalar arithmetic. Index arithmetic is done by the address generators and takes no time here."""
    if not op.results or op.name == "arith.constant":
        return FREE
    if op.name in _DIVIDE:
        return _division(op, machine)
    if isinstance(op.results[0].type, ir.IndexType):
        return FREE
    kind = op.results[0].type
    lanes = prod(kind.shape) if isinstance(kind, ir.VectorType) else 0
    element = kind.element_type if lanes else kind
    if op.name == "arith.extf" and (uses := [u for u in op.results[0].uses if _makes_blocks(u.owner.operation, machine)]):
        transposed = any(use.operand_number == 1 for use in uses)  # blocks lie along k, which is not innermost in B
        stages = 3 if transposed else 2
        blocks, moves = machine.blocks_of(lanes, transposed)
        return Issue(vector=blocks, move=moves, latency=stages * machine.shuffle + moves - 1)
    if op.name in EXTEND and (
        (not machine.compiled and _is_fused(op)) or all(use.owner.name in _FEEDS for use in op.results[0].uses)
    ):
        return FREE
    if op.name in EXTEND and lanes:
        count = ceil(max(element_bytes(v.type) for v in (op.operands[0], op.results[0])) * 8 / (2 * machine.vector_bits))
        # mlir-aie takes parts that are widened by themselves out of a vector, each by a shift (docs/sources.md#vector-kernels)
        stages = 2 if machine.compiled and count > 1 and op.name.startswith("arith.ext") else 1
        return Issue(move=stages * count, latency=stages * machine.shuffle + count - 1)
    if op.name == "arith.bitcast" and lanes:
        return _between_registers(op, element, machine)
    if op.name == "math.fma":
        return fma(op, machine)
    if machine.compiled and "f32" in (str(element), str(op.operands[0].type)):
        if not lanes and (cycles := _routine(op, machine)):
            return Issue(scalar=cycles, latency=cycles, macs=int(op.name in _MULTIPLY), calls=1)
        if lanes and op.name == "arith.divf":
            return _quotients(op, machine, lanes)
    if isinstance(element, ir.FloatType):
        return _floating(op, machine, max(lanes, 1), str(element))
    if not lanes:
        latency = machine.scalar_multiply if op.name in _MULTIPLY else machine.alu
        return Issue(scalar=1, latency=latency, macs=int(op.name in _MULTIPLY))
    if op.name in _MULTIPLY:
        if all(source_type(v) == "i32" for v in op.operands):
            times, each = ceil(lanes / 16), machine.i32_products
            latency = machine.mac + 2 * machine.shuffle + times * each - 1
            return Issue(vector=times * each, move=times * (each + 1), latency=latency, macs=lanes)
        count = ceil(lanes / machine.lanes.get(source_type(op.operands[0]), 16))
        return Issue(vector=count, latency=machine.mac + count - 1, macs=lanes)
    count = ceil(lanes * element_bytes(element) * 8 / machine.vector_bits)
    return Issue(vector=count, latency=machine.alu + count - 1)


def fma(op: ir.Operation, machine: Machine) -> Issue:
    """A product that is added to a third operand, lane by lane."""
    lanes = prod(op.results[0].type.shape) if isinstance(op.results[0].type, ir.VectorType) else 1
    source = source_type(op.operands[0])
    count = ceil(lanes / machine.lanes.get(source, 16)) * (machine.f32_products if source == "f32" else 1)
    return Issue(vector=count, latency=machine.mac + count - 1, forward=machine.accumulate * count, macs=lanes)


def _division(op: ir.Operation, machine: Machine) -> Issue:
    """A division or remainder: a shift or mask by a power of two, otherwise a multiplication or a loop over the bits.

    The vector unit cannot divide, so the lanes of a vector are divided one after another.
    """
    divisor = constant_of(op.operands[1])
    power = divisor is not None and divisor > 0 and divisor & (divisor - 1) == 0
    each = machine.alu if power else machine.multiply_high if divisor else machine.divide
    kind = op.results[0].type
    lanes = prod(kind.shape) if isinstance(kind, ir.VectorType) else 1
    return Issue(scalar=each * lanes, latency=each * lanes, calls=0 if divisor else lanes)


def _routine(op: ir.Operation, machine: Machine) -> int:
    """Cycles of an operation on f32 scalars that is a call of the run-time library (docs/sources.md#vector-kernels), else 0."""
    if op.name in _CONVERT:
        return machine.soft_conversion
    if op.name == "arith.divf":
        return _quotient(op, machine)
    return {"arith.addf": machine.soft_sum, "arith.subf": machine.soft_sum, "arith.mulf": machine.soft_product}.get(op.name, 0)


def _quotient(op: ir.Operation, machine: Machine) -> int:
    """Cycles of a quotient of two f32 scalars; LLVM multiplies by a constant's inverse where that is exact.

    AIE2 divides in software. AIE2p calls a function that multiplies by an inverse, an instruction, and needs no call for 1/x
    (docs/sources.md#vector-kernels).
    """
    dividend, divisor = map(_constant, op.operands)
    inverse = _FUNCTIONS.get((machine.arch, op.name, "f32"))
    if inverse is not None and dividend == 1:
        return machine.mac + inverse.move * machine.shuffle
    if divisor is not None and abs(frexp(divisor)[0]) == 0.5:
        return machine.soft_product
    if inverse is None:
        return machine.soft_quotient
    return 2 * machine.jump + machine.mac + inverse.move * machine.shuffle + machine.soft_product


def _constant(value: ir.Value) -> float | None:
    """The float of a constant, or of each of its lanes."""
    constant = defining_op(value, "arith.constant")
    attribute = constant.attributes["value"] if constant else None
    if isinstance(attribute, ir.DenseFPElementsAttr) and attribute.is_splat:
        attribute = attribute.get_splat_value()
    return float(ir.FloatAttr(attribute).value) if isinstance(attribute, ir.FloatAttr) else None


def _quotients(op: ir.Operation, machine: Machine, lanes: int) -> Issue:
    """Quotients of f32 lane by lane: operands are taken out, a function is called, and the quotient is put in."""
    if _constant(op.operands[0]) == 1 and (machine.arch, op.name, "f32") in _FUNCTIONS:
        return _function(op, machine, lanes, "f32")
    cycles = lanes * (_quotient(op, machine) + 3 * machine.shuffle)
    return Issue(scalar=cycles, move=3 * lanes, latency=cycles, calls=lanes)


def _between_registers(op: ir.Operation, element: ir.Type, machine: Machine) -> Issue:
    """A change of type that keeps the bits. f32 moves between accumulators and vector registers (llvm-aie: VMOV)."""
    if not {str(element), str(op.operands[0].type.element_type)} >= {"f32", "i32"}:
        return FREE
    count = ceil(element_bytes(op.results[0].type) * 8 / machine.vector_bits)
    return Issue(move=count, latency=machine.alu + count - 1)


def _is_fused(op: ir.Operation) -> bool:
    """Whether a conversion is part of the preceding load or the following store, for any vector shape in between.

    llvm-aie's instructions: VLDA.UPS, VLDA.CONV and VLDB.UNPACK; VST.SRS, VST.CONV and VST.PACK.
    """
    value = op.operands[0]
    while getattr(value.owner, "name", "") == _SHAPED and len(list(value.uses)) == 1:
        value = value.owner.operands[0]
    if getattr(value.owner, "name", "") in _LOADS and len(list(value.uses)) == 1:
        return True
    users = [use.owner for use in op.results[0].uses]
    while users and all(user.name == _SHAPED for user in users):
        users = [use.owner for user in users for use in user.operation.results[0].uses]
    return op.name.startswith("arith.trunc") and bool(users) and all(user.name in _STORES for user in users)


def _makes_blocks(user: ir.Operation, machine: Machine) -> bool:
    """Whether `user` takes its factors as block floating point, to which they are converted through f32."""
    return user.name == "vector.contract" and is_block_float(user, machine.arch)


def _floating(op: ir.Operation, machine: Machine, lanes: int, element: str) -> Issue:
    """Floating-point arithmetic, which runs on the vector unit; a scalar uses one lane."""
    if op.name.startswith("math.") or op.name == "arith.divf":
        return _function(op, machine, lanes, element)
    source = source_type(op.operands[0]) if op.name in _MULTIPLY else element
    width = machine.lanes.get(source, 16)
    steps: tuple[int, ...] = ()
    if machine.compiled and element == "bf16":
        if _is_factor(op):
            return FREE
        steps = (1, 1) if any(_is_factor(v.owner) for v in op.operands) else _CONVERSIONS.get(op.name, ())
    if steps:  # mlir-aie's lowering does 16 lanes at a time, whatever a register holds
        width = 16
    count = ceil(lanes / width)
    if op.name in _MULTIPLY and source == "f32":
        count *= machine.f32_products
    is_mac = op.name in ("arith.mulf", "arith.addf", "arith.subf")
    latency = (machine.mac if is_mac or count > lanes else machine.alu) + sum(1 for n in steps if n) * machine.shuffle
    last, macs = machine.shuffle if steps else None, lanes if op.name == "arith.mulf" else 0
    latency, forward = latency + count - 1, None
    if steps and (factors := [_is_factor(v.owner) for v in op.operands]) != [False] * len(factors):
        # the addend is widened while the factors are loaded
        latency, forward = (latency, latency - machine.shuffle) if factors[-1] else (latency - machine.shuffle, latency)
    return Issue(vector=count, move=count * sum(steps), latency=latency, forward=forward, macs=macs, last=last)


def _is_factor(op: AnyOp) -> bool:
    """Whether a product of bf16 and the sum that is its only user are one instruction (docs/sources.md#vector-kernels: ups,
    mac, srs).
    """
    if getattr(op, "name", "") != "arith.mulf":
        return False
    uses = list(op.results[0].uses)
    return len(uses) == 1 and uses[0].owner.name == "arith.addf"


_CONVERSIONS = {"arith.addf": (2, 1), "arith.subf": (2, 1), "arith.mulf": (0, 1)}
"""Conversions of 16 lanes of bf16 to f32 before an instruction and back after it, in code compiled from MLIR
(docs/sources.md#vector-kernels: an addition has 2 ups, 1 add, 1 srs; a product 1 mul, 1 srs). In code written by hand they
are part of loads and stores.
"""


@dataclass(frozen=True)
class Function:
    """The cost of a function of `lanes` lanes: instructions of the vector unit and of the move slot, alternately."""

    vector: int
    move: int
    lanes: int = 16


_FUNCTIONS = {
    ("AIE2p", "math.exp", "bf16"): Function(2, 2),
    ("AIE2p", "math.exp2", "bf16"): Function(1, 2),
    ("AIE2p", "math.tanh", "bf16"): Function(1, 1),
    ("AIE2p", "math.rsqrt", "f32"): Function(1, 2, 1),
    ("AIE2p", "arith.divf", "f32"): Function(2, 2, 1),
    ("AIE2", "math.exp", "bf16"): Function(4, 34),
    ("AIE2", "math.rsqrt", "bf16"): Function(6, 6),
}
"""Functions that become instructions, or calls of a table's lookup (docs/sources.md#vector-kernels). AIE2p: e^x is a product
and exp2 between conversions, tanh an instruction after a conversion; roots and quotients of f32 are computed lane by lane.
AIE2: e^x of 16 lanes is two tables of four lookups at a time, each lane extracted and inserted (about 34 moves), products and
sums; a root is a bit trick and a Newton step.
"""


def _function(op: ir.Operation, machine: Machine, lanes: int, element: str) -> Issue:
    """A function of the math library. A function that is not in the table is priced as four products of f32, for a polynomial
    or an iteration.
    """
    costs = _FUNCTIONS.get((machine.arch, op.name, element))
    if costs is None and op.name in _SIMPLE:
        count = ceil(lanes * 16 / machine.vector_bits)
        return Issue(vector=count, latency=machine.alu + count - 1)
    if costs is None:
        count = 4 * machine.f32_products * ceil(lanes / machine.lanes.get(element, 16))  # assumed
        return Issue(vector=count, latency=machine.mac + count - 1)
    times = ceil(lanes / costs.lanes)
    latency = costs.vector * machine.mac + min(costs.move, 4) * machine.shuffle + max(costs.move - 4, 0)
    return Issue(
        vector=costs.vector * times, move=costs.move * times, latency=latency + (times - 1) * max(costs.vector, costs.move)
    )


_SIMPLE = {"math.absf"}
"""One instruction: bits are masked."""
