"""Counts the accesses to buffers in the innermost loops of a core."""

from __future__ import annotations

from collections import Counter
from itertools import takewhile
from math import ceil, prod
from typing import Any

from allo_air.core.loops import Loop
from allo_air.core.walking import body_of, is_result_of, outer_of, outline_of, parents, walk_named
from allo_air.mlir import ir
from allo_air.passes.resources._bank_layout import Body

VIEWS = (
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.reinterpret_cast",
    "memref.subview",
    "memref.view",
)
"""Operations whose result is a view of their first operand."""

MEMORY_OPERAND = {
    "memref.load": 0, "memref.store": 1,
    "vector.load": 0, "vector.store": 1, "vector.transfer_read": 0, "vector.transfer_write": 1,
}  # fmt: skip


class Alike:
    """`bodies` for many cores; cores that differ only in their buffers are analysed once."""

    def __init__(self, load_bytes: int) -> None:
        self._load_bytes = load_bytes
        self._known: dict[Any, tuple[Body, ...]] = {}

    def bodies(self, core: ir.Operation, buffers: list[ir.Value]) -> tuple[Body, ...]:
        """The innermost loops of `core`."""
        outline, outer = outline_of(core), outer_of(core)
        if outline is None or outer is None:  # without the C++ library
            return tuple(bodies(core, buffers, self._load_bytes))
        places = {value: number for number, value in enumerate(outer)}
        key = outline[0], tuple(places.get(buffer) for buffer in buffers)
        if key not in self._known:
            self._known[key] = tuple(bodies(core, buffers, self._load_bytes))
        return self._known[key]


def bodies(core: ir.Operation, buffers: list[ir.Value], load_bytes: int) -> list[Body]:
    """For each innermost loop of `core`: its number of iterations, the cycles of its contractions, and its accesses to
    `buffers`. An unknown count is taken as one; an access takes a cycle for each `load_bytes`.
    """
    results: list[Body] = []
    for loop in walk_named(core, "scf.for"):
        body = body_of(loop)
        if any(op.regions for op in body):
            continue
        counts: Counter[int] = Counter()
        for op in body:
            number = _number(op, buffers)
            if number is not None:
                counts[number] += ceil(_bytes(op) / load_bytes)
        contractions = sum(op.name == "vector.contract" for op in body)
        if len(counts) > 1:
            results.append(Body(_times(loop, core), contractions, tuple(sorted(counts.items()))))
    return results


def _number(op: ir.Operation, buffers: list[ir.Value]) -> int | None:
    """The number of the buffer that `op` accesses."""
    if op.name not in MEMORY_OPERAND:
        return None
    value = op.operands[MEMORY_OPERAND[op.name]]
    while is_result_of(value, *VIEWS):
        value = value.owner.operands[0]
    return next((number for number, buffer in enumerate(buffers) if buffer == value), None)


def _bytes(op: ir.Operation) -> int:
    """Bytes that a load or store moves."""
    kind = op.results[0].type if op.results else op.operands[0].type
    lanes, element = (prod(kind.shape), kind.element_type) if isinstance(kind, ir.VectorType) else (1, kind)
    return -(-lanes * getattr(element, "width", 32) // 8)


def _times(loop: ir.Operation, core: ir.Operation) -> int:
    """The number of times that the body of `loop` runs."""
    ancestors = takewhile(lambda op: op != core, (loop, *parents(loop)))
    return prod(max(1, Loop(op).trips() or 1) for op in ancestors if op.name == "scf.for")
