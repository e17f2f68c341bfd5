"""Checks the legality of a core's operations: whether the tool chain lowers them to code with the same meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from allo_air.arch import ARCHITECTURES
from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.walking import defining_op, root_of, structure_of, walk_named, walk_post_order
from allo_air.dialects.declarations import device_of, functions_for
from allo_air.mlir import ir
from allo_air.passes._analysis.element_types import element_of
from allo_air.passes.kernel import _chains as chains
from allo_air.passes.kernel import _contracts as contracts
from allo_air.passes.kernel import _elementwise as elementwise
from allo_air.passes.kernel import _functions as functions
from allo_air.passes.kernel import _memory as memory
from allo_air.passes.kernel import _vectors as vectors
from allo_air.passes.kernel._op_signature import Legality, OpSignature, signature_of


class EquivalenceKey:
    """A key that is equal for code that differs only in the tiles, buffers and locks that it uses.

    It ignores which values from outside are used; code that may use constants from outside is equal to no other code.
    """

    def __init__(self) -> None:
        self._constants: dict[ir.Block, bool] = {}

    def __call__(self, code: ir.Operation) -> object:
        if code.name == "aie.core" and self._has_constants(code.block):
            return code.block, next(n for n, op in enumerate(code.block.operations) if op.operation == code)
        return structure_of(code)

    def _has_constants(self, block: ir.Block) -> bool:
        if block not in self._constants:
            ops = (op.operation for op in block.operations)
            self._constants[block] = any(not op.name.startswith("aie.") and len(op.results) for op in ops)
        return self._constants[block]


Checked = dict[tuple[str, object], list[tuple[int, Legality]]]
"""The numbers of the operations with a verdict, in code of an architecture and a likeness."""


def checked_operations(
    device: ir.Operation, likeness: Callable[[ir.Operation], object] | None = None, results: Checked | None = None
) -> Iterator[tuple[ir.Operation, Legality]]:
    """The operations of the cores of an `aie.device`, and of the functions that they call, with their legality.

    Code of the same `likeness` is checked once, also if it is in several devices that are checked with the same `results`.
    """
    likeness, results = likeness or EquivalenceKey(), {} if results is None else results
    arch = device_of(device).arch
    if ARCHITECTURES[arch].core is None:  # AIE1 has another lowering
        return
    signatures = OpSignatures(arch)
    for code in _codes(device):
        code_key = arch, likeness(code)
        if code_key in results and not results[code_key]:  # an array's cores mostly do the same
            continue
        ops = walk_post_order(code)[:-1]
        if code_key not in results:
            results[code_key] = [(n, verdict) for n, op in enumerate(ops) for verdict in legality_of(op, signatures)]
        for n, verdict in results[code_key]:
            if not _reads_parameter(ops[n]):
                yield ops[n], verdict


def _reads_parameter(op: ir.Operation) -> bool:
    """Whether `op` shifts a scratchpad parameter from its buffer, whose two lowest bits are zeros: nothing is rounded."""
    load = defining_op(op.operands[0], "memref.load") if op.name == "arith.shrsi" else None
    buffer = load and defining_op(load.operands[0], "aie.buffer")
    if not buffer or "sym_name" not in buffer.attributes:
        return False
    parameters = walk_named(root_of(op), "aiex.scratchpad_parameter")
    return any(sym_name_of(buffer).startswith(f"{sym_name_of(parameter)}_") for parameter in parameters)


def _codes(device: ir.Operation) -> list[ir.Operation]:
    """The cores, and the functions with a body that they call."""
    codes = walk_named(device, "aie.core")
    functions = {name: f for name, f in functions_for(device).items() if f.regions[0].blocks}
    for code in codes if functions else ():
        for call in walk_named(code, "func.call"):
            callee = functions.get(callee_of(call))
            if callee is not None and callee not in codes:
                codes.append(callee)
    return codes


class OpSignatures:
    """The signatures of operations, and the legality of each signature, computed once.

    `divisors` are numbers that divide the indices.
    """

    def __init__(self, arch: str):
        self.arch = arch
        self.divisors: dict[Any, int] = {}
        self._known: dict[Any, tuple[OpSignature, Legality | None]] = {}

    def of(self, op: ir.Operation) -> tuple[OpSignature, Legality | None]:
        """The signature of an operation of arith or math, and its legality."""
        operands, name = op.operands, op.name
        kinds = [v.type for v in operands[:2]], op.results[0].type
        key = name, *kinds[0], kinds[1], str(op.attributes["predicate"]) if name.startswith("arith.cmp") else ""
        if key not in self._known:
            form = signature_of(op)
            self._known[key] = form, (functions if name.startswith("math.") else elementwise).verdict(form, self.arch)
        return self._known[key]


def legality_of(op: ir.Operation, signatures: OpSignatures) -> Iterator[Legality]:
    """Yields each defect of the tool chain's lowering of `op`."""
    name = op.name
    if name.startswith("arith.") and len(op.results):
        form, result = signatures.of(op)
        if result is not None:
            yield from _arith(op, form, result)
        yield from chains.fused(op, form.lanes)
    elif name.startswith("math."):
        form, result = signatures.of(op)
        yield from [result] if result else ()
        yield from chains.fused(op, form.lanes)
    elif name in memory.ACCESSES:
        yield from memory.legality_of(op, signatures.divisors)
    elif name == "vector.contract":
        yield from contracts.legality_of(op, signatures.arch)
    elif name.startswith("vector."):
        yield from vectors.legality_of(op, signatures.arch)


def _arith(op: ir.Operation, form: OpSignature, legality: Legality) -> Iterator[Legality]:
    """`legality`, the legality of an arith operation on its own, if it applies in this context."""
    if op.name == "arith.shrsi" and form.lanes and chains.is_requantised(op):
        return
    if op.name == "arith.trunci" and legality.kind == "depends" and chains.is_clamped(op):
        return
    if op.name == "arith.shrsi" and chains.constant_splat(op.operands[1]) == 0:
        return
    if op.name == "arith.cmpi" and all(getattr(v.owner, "name", "") == "arith.extui" for v in op.operands):
        return
    if op.name == "arith.mulf" and all(_is_extended(v) for v in op.operands) and form.lanes == 16:
        return
    if op.name in ("arith.extsi", "arith.extui", "arith.extf") and _feeds_contractions(op):
        return
    yield legality


def _is_extended(value: ir.Value) -> bool:
    """Whether `value` is an f32 extended from bf16: two of these are multiplied as bf16."""
    return getattr(value.owner, "name", "") == "arith.extf" and element_of(value.owner.operands[0].type) == "bf16"


def _feeds_contractions(extension: ir.Operation) -> bool:
    """Whether an extension is part of the contractions that use it."""
    uses = list(extension.results[0].uses)
    return bool(uses) and all(use.owner.operation.name == "vector.contract" for use in uses)
