"""The cost of one operation of a core's program: issue slots, latency, multiply-accumulates."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, log2, prod
from typing import Any

from allo_air.core_model.access import element_bytes
from allo_air.core_model.arithmetic import EXTEND, arithmetic, fma
from allo_air.core_model.figures import FREE, Issue
from allo_air.core_model.machine import Machine
from allo_air.core_model.shapes import contraction_shape, is_block_float, source_type
from allo_air.dialects.mac import PARTIAL
from allo_air.mlir import AnyOp, ir


def is_vector_access(op: ir.Operation) -> bool:
    """Whether a load or store moves a vector."""
    return any(isinstance(v.type, ir.VectorType) for v in (*op.results, *op.operands))


def issue_of(op: ir.Operation, machine: Machine) -> Issue:
    """The issue figures of `op`, an operation without regions."""
    rule = _RULES.get(op.name)
    if rule is not None:
        return rule(op, machine)
    if op.name.startswith(("arith.", "math.")):
        return arithmetic(op, machine)
    return FREE if op.name.startswith(_VIEWS) else Issue(scalar=1, latency=machine.alu)


def is_either_way(name: str) -> bool:
    """Whether operations called `name` occupy the same units in code that is scheduled by hand and in compiled code."""
    return name in _RULES or not name.startswith(("arith.", "math."))


_VIEWS = (
    "memref.",
    "scf.yield",
    "ub.",
    "func.return",
    "vector.shape_cast",
    "builtin.",
    "vector.constant_mask",
    "vector.bitcast",
)


def _contract(op: ir.Operation, machine: Machine) -> Issue:
    m, k, n = contraction_shape(op)
    a, b = (source_type(v) for v in list(op.operands)[:2])
    if is_block_float(op, machine.arch):
        a = b = "bfp16"
    if a == b == "f32":
        mm, kk, nn = machine.mac_shapes["bf16", "bf16"]
        count = ceil(m / mm) * ceil(k / kk) * ceil(n / nn) * machine.f32_products
    else:
        pair = (a, b) if (a, b) in machine.mac_shapes else (b, a)
        if pair in machine.mac_shapes:
            shapes = [machine.mac_shapes[pair]]
            shapes += [c.shape for c in machine.contractions if a == b == c.element and c.instructions == 1 and not c.blocks]
            count = min(ceil(m / mm) * ceil(k / kk) * ceil(n / nn) for mm, kk, nn in shapes)
        else:
            count = ceil(m * k * n / machine.lanes.get(a, 16))
    macs = 0 if PARTIAL in op.attributes else m * k * n
    return Issue(vector=count, latency=machine.mac + count - 1, forward=machine.accumulate * count, macs=macs)


def _load(op: ir.Operation, machine: Machine) -> Issue:
    kind = op.results[0].type
    if isinstance(kind, ir.VectorType):
        count = ceil(element_bytes(kind) / machine.load_bytes)
        into = _is_accumulator(op.results[0])
        return Issue(load=count, latency=machine.vector_load + (count - 1) // (1 if into else machine.loads), unit_a=into)
    return Issue(load=1, latency=machine.scalar_load, unit_a=True)


def _is_accumulator(value: ir.Value) -> bool:
    """Whether all uses of `value`, widened or not, add to it: then it is loaded into an accumulator."""
    uses = list(value.uses)
    return bool(uses) and all(_adds_to(use) for use in uses)


def _adds_to(use: ir.OpOperand) -> bool:
    user = use.owner.operation
    if user.name in EXTEND:
        return _is_accumulator(user.results[0])
    if user.name == "scf.for":
        if use.operand_number < 3:
            return False
        return _is_accumulator(list(user.regions[0].blocks[0].arguments)[use.operand_number - 2])
    return user.name in _ACCUMULATES and use.operand_number == 2


def _store(op: ir.Operation, machine: Machine) -> Issue:
    kind = op.operands[0].type
    count = ceil(element_bytes(kind) / machine.store_bytes) if isinstance(kind, ir.VectorType) else 1
    return Issue(store=count, latency=machine.store + count - 1)


def _shuffle(op: ir.Operation, machine: Machine) -> Issue:
    kind = op.results[0].type if op.results else op.operands[0].type
    count = ceil(element_bytes(kind) * 8 / machine.vector_bits)
    return Issue(move=count, latency=machine.shuffle + count - 1)


def _from_elements(op: ir.Operation, machine: Machine) -> Issue:
    """A vector from elements, which are pushed into the register one after another."""
    count = len({*op.operands})
    return Issue(move=count, latency=count * machine.shuffle)


def _broadcast(op: ir.Operation, machine: Machine) -> Issue:
    """A broadcast. A number that a core's program receives at its start is a constant of the core; so is its broadcast."""
    return (
        FREE if isinstance(op.operands[0], ir.BlockArgument) and _in_function(op.operands[0].owner) else _shuffle(op, machine)
    )


def _in_function(block: ir.Block) -> bool:
    """Whether `block` is directly in a function, mostly its only block."""
    return bool(block.owner.operation.name == "func.func")


def _transpose(op: ir.Operation, machine: Machine) -> Issue:
    """A transpose. A shuffle computes one register from two, so n registers are permuted in log2(n) stages of n shuffles."""
    registers = ceil(element_bytes(op.operands[0].type) * 8 / machine.vector_bits)
    stages = max(1, ceil(log2(registers)))
    return Issue(move=registers * stages, latency=machine.shuffle * stages + registers - 1)


def _reduction(op: ir.Operation, machine: Machine) -> Issue:
    """A reduction: a shift and an instruction for each halving, then the extraction of a lane.

    Floats are added in f32: bf16 is widened before and rounded after (docs/sources.md#vector-kernels).
    """
    kind = op.operands[0].type
    steps = max(1, ceil(log2(max(prod(kind.shape), 1))))
    adds = "add" in str(op.attributes["kind"]) and isinstance(kind.element_type, ir.FloatType)
    moves = steps + 1 + (2 if adds and str(kind.element_type) == "bf16" else 0)
    each = machine.mac if adds else machine.alu
    return Issue(vector=steps, move=moves, latency=steps * each + moves * machine.shuffle)


def _free(op: AnyOp, machine: Machine) -> Issue:
    return FREE


def _port(op: ir.Operation, machine: Machine) -> Issue:
    """A move between a register and a stream or cascade port (llvm-aie: in the move slot)."""
    return Issue(move=1, latency=machine.alu)


def _jump(op: ir.Operation, machine: Machine) -> Issue:
    return Issue(scalar=machine.jump, latency=machine.jump)


def _call(op: ir.Operation, machine: Machine) -> Issue:
    return Issue(scalar=2 * machine.jump, latency=2 * machine.jump)


_ACCUMULATES = {"vector.contract", "vector.fma", "vector.outerproduct", "math.fma"}

_RULES: dict[str, Callable[[Any, Machine], Issue]] = {
    "vector.contract": _contract,
    "vector.outerproduct": fma,
    "vector.fma": fma,
    "vector.transfer_read": _load,
    "vector.load": _load,
    "vector.maskedload": _load,
    "memref.load": _load,
    "vector.transfer_write": _store,
    "vector.store": _store,
    "memref.store": _store,
    "vector.shuffle": _shuffle,
    "vector.broadcast": _broadcast,
    "vector.transpose": _transpose,
    "vector.extract": _shuffle,
    "vector.insert": _shuffle,
    "vector.from_elements": _from_elements,
    "vector.extract_strided_slice": _shuffle,
    "vector.insert_strided_slice": _shuffle,
    "vector.interleave": _shuffle,
    "vector.deinterleave": _shuffle,
    "vector.reduction": _reduction,
    "vector.multi_reduction": _reduction,
    "cf.br": _jump,
    "cf.cond_br": _jump,
    "cf.switch": _jump,
    "func.call": _call,
    **dict.fromkeys(("aie.get_stream", "aie.put_stream", "aie.get_cascade", "aie.put_cascade"), _port),
    "scf.yield": _free,
    "scf.condition": _jump,
}
