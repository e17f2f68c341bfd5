"""The buffers that an operation without a token accesses. Later operations that access them wait for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.core.walking import walk_post_order
from allo_air.interp._walk import Walk
from allo_air.interp.memory import View, whole_view
from allo_air.interp.program import Step
from allo_air.interp.scheduler import Future
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.interp.program import Translator

Effects = Callable[[list[Any]], list[tuple[View, bool]]]
"""Views, and whether they are written, from operands."""

READS, WRITES = 1, 2
_SIDES = {"air.channel.put": ("src",), "air.channel.get": ("dst",), "air.dma_memcpy_nd": ("src", "dst")}
VIEWS = (
    *("memref.subview", "memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.transpose"),
    *("memref.reinterpret_cast", "memref.memory_space_cast"),
)
_USES = {  # accesses by operand number
    "memref.load": {0: READS},
    "memref.store": {1: WRITES},
    "affine.vector_load": {0: READS},
    "affine.vector_store": {1: WRITES},
    "affine.load": {0: READS},
    "affine.store": {1: WRITES},
    "memref.copy": {0: READS, 1: WRITES},
    "vector.transfer_read": {0: READS},
    "vector.transfer_write": {1: WRITES},
    "vector.load": {0: READS},
    "vector.store": {1: WRITES},
}


def touching(value: ir.Value, mode: int, inside: set[ir.Operation]) -> ir.Operation | None:
    """An operation among `inside` that reads (1) or writes (2) a memref or a view of it; None if there is none."""
    for use in value.uses:
        op = use.owner.operation
        if op not in inside:
            continue
        if op.name in VIEWS:
            result = touching(op.results[0], mode, inside)
        elif op.name.startswith("linalg."):
            segments = list(op.attributes["operandSegmentSizes"]) if "operandSegmentSizes" in op.attributes else [1]
            result = op if (use.operand_number >= segments[0]) == (mode == WRITES) else None
        else:
            result = op if _USES.get(op.name, {}).get(use.operand_number, 0) & mode else None
        if result is not None:
            return result
    return None


def effects_of(step: Step) -> Effects:
    """The effects of a copy, a put, a get, or a hierarchy."""
    if names := _SIDES.get(step.name):
        sides = [(Walk.of(step, name), name == "dst") for name in names]

        def accessed(operands: Sequence[object]) -> list[tuple[View, bool]]:
            if any(o.__class__ is Future and not o.done for o in operands):
                return []  # not allocated yet, so nothing else accesses it
            values = [o.value if o.__class__ is Future else o for o in operands]
            return [(side.view(values), written) for side, written in sides]

        return accessed
    modes = [(n, mode) for n, mode in _arguments(step) if mode]

    def touched(operands: list[Any]) -> list[tuple[View, bool]]:
        results = []
        for n, mode in modes:
            value = operands[n].value if operands[n].__class__ is Future else operands[n]
            if isinstance(value, View):
                results.append((whole_view(value.buffer, (value.buffer.data.size,)), bool(mode & WRITES)))
        return results

    return touched


def execute_effects(translator: Translator, step: Step) -> Callable[[dict[int, Any]], list[tuple[View, bool]]]:
    """The effects of an `air.execute`, from the frame that it has captured."""
    inside = set(walk_post_order(step.op))
    outside = {v for op in inside for v in op.operands if isinstance(v.type, ir.MemRefType)}
    outside -= {r for op in inside for r in op.results}
    modes = [(translator.slot(v), mode) for v in outside if (mode := _use(v, inside))]

    def touched(frame: Mapping[int, object]) -> list[tuple[View, bool]]:
        results = []
        for slot, mode in modes:
            value = frame.get(slot)
            value = value.value if value.__class__ is Future else value
            if isinstance(value, View):
                results.append((whole_view(value.buffer, (value.buffer.data.size,)), bool(mode & WRITES)))
        return results

    return touched


def _arguments(step: Step) -> list[tuple[int, int]]:
    """Operand numbers of a hierarchy's arguments, and the accesses of its body."""
    view = step.op.opview
    first = len(step.op.operands) - len(view.args)
    return [(first + n, _use(a)) for n, a in enumerate(view.body_args) if isinstance(a.type, ir.MemRefType)]


def _use(value: ir.Value, inside: set[ir.Operation] | None = None) -> int:
    """The accesses (READS, WRITES) to a memref and to views of it, by operations `inside` if given."""
    mode = 0
    for use in value.uses:
        op, number = use.owner.operation, use.operand_number
        if inside is not None and op not in inside:
            continue
        if op.name in VIEWS:
            mode |= _use(op.results[0], inside)
        elif op.name in ("air.herd", "air.segment", "air.launch", "air.rank"):
            view = op.opview
            mode |= _use(view.body_args[number - (len(op.operands) - len(view.args))])
        elif op.name == "air.dma_memcpy_nd":
            mode |= WRITES if number == len(op.opview.deps) else READS
        elif op.name == "air.channel.put":
            mode |= READS
        elif op.name == "air.channel.get":
            mode |= WRITES
        else:
            mode |= _USES.get(op.name, {}).get(number, READS | WRITES)
    return mode
