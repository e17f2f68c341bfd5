"""Determines, for each element of a buffer, whether a function may read it before writing it, and whether it certainly writes
it.

Every access gets a time: the operations of a block and the iterations of a loop divide the time of the surrounding operation
evenly. An element is certainly written from the first write on that no run-time condition can skip. A read at or before that
time needs the old value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from allo_air.core.walking import root_of
from allo_air.frontend.points import Points, Unknown, View, bounds, condition, mapped
from allo_air.mlir import ir

VIEWS = (
    "memref.subview",
    "memref.reshape",
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.reinterpret_cast",
)
LIMIT = 1 << 22
"""Largest number of accesses that are examined one by one. With more, every element counts as read."""
_TIME = 1 << 62
_NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Coverage:
    """For each element: whether its old value may be read, and whether it is certainly written. Also whether anything may be
    written.
    """

    needed: Any
    written: Any
    writes: bool


def coverage(buffer: ir.Value) -> Coverage:
    """The coverage of `buffer`, an argument of a function."""
    walk = _Walk(buffer)
    size = walk.size
    reads = any(reads for value in walk.accesses.values() for _, reads, _ in value)
    if not walk.writes:
        return Coverage(np.full(size, reads), np.zeros(size, bool), False)
    log, zero = _Log(), np.zeros(1, np.int64)
    try:
        walk.block(buffer.owner, Points({}, zero, zero), _TIME, log)
    except Unknown:
        return Coverage(np.ones(size, bool), np.zeros(size, bool), True)
    first = log.first(size)
    needed = np.zeros(size, bool)
    for keys, times in log.reads:
        needed[keys[first[keys] >= times]] = True
    return Coverage(needed, first < _NEVER, True)


@dataclass
class _Log:
    """Accesses: the element (slot by slot), and the time."""

    reads: list[tuple[Any, Any]] = field(default_factory=list)
    writes: list[tuple[Any, Any]] = field(default_factory=list)

    def first(self, count: int) -> Any:
        """When each element is first written."""
        array = np.full(count, _NEVER)
        for keys, times in self.writes:
            np.minimum.at(array, keys, times)
        return array


class _Walk:
    """Walks the operations of a function that access a buffer."""

    def __init__(self, buffer: ir.Value):
        self.buffer = buffer
        self.size = View.whole(buffer.type).size
        self.accesses: dict[Any, list[tuple[int, bool, bool]]] = {}
        """For each operation on the buffer or its views: operand number, whether it reads, whether it writes."""
        self.inside: set[Any] = set()
        """These operations, and all operations around them."""
        self.steps: set[Any] = set()
        """The operations that make views."""
        self.left = LIMIT
        self._find(buffer)
        self.writes = any(writes for value in self.accesses.values() for _, _, writes in value)

    def _find(self, value: Any) -> None:
        for use in value.uses:
            op = use.owner.operation
            if op.name in VIEWS:
                self.steps.add(op)
                self._find(op.results[0])
            elif op.name != "memref.dealloc":
                self.accesses.setdefault(op, []).append((use.operand_number, *_effects_on(op, use.operand_number)))
                while op is not None and op.name != "func.func" and op not in self.inside:
                    self.inside.add(op)
                    op = op.parent.operation if op.parent is not None else None

    def block(self, block: Any, points: Points, length: int, log: _Log) -> None:
        """Walks the operations of a block, which divide `length` evenly."""
        ops = [op.operation for op in block.operations if op.operation in self.inside]
        step = length // (len(ops) + 1)
        if not step:
            raise Unknown
        for number, op in enumerate(ops):
            if points.count:
                self._operation(op, points.at(number * step), step, log)

    def _operation(self, op: ir.Operation, points: Points, length: int, log: _Log) -> None:
        if op in self.accesses:
            for operand, reads, writes in self.accesses[op]:
                self._access(op, operand, reads, writes, points, length, log)
            return
        bodies = [region.blocks[0] for region in op.regions if len(region.blocks)]
        if op.name in ("affine.for", "scf.for"):
            try:
                points, length = self._iterations(op, points, length)
            except _Dynamic:
                self._alternatives(bodies, points, length, log, sure=False)
            else:
                self.block(bodies[0], points, length, log)
        elif op.name in ("affine.if", "scf.if"):
            try:
                holds = np.broadcast_to(condition(op, points), points.count)
            except Unknown:
                self._alternatives(bodies, points, length, log, sure=len(bodies) == 2)
                return
            for body, mask in zip(bodies, (holds, ~holds), strict=False):
                self.block(body, points.take(mask), length, log)
        elif op.name == "scf.while":
            self.block(bodies[0], points, length // 2, log)
            self._alternatives(bodies[1:], points.at(length // 2), length // 2, log, sure=False)
        else:
            raise Unknown

    def _alternatives(self, bodies: Sequence[object], points: Points, length: int, log: _Log, *, sure: bool) -> None:
        """Walks regions of which at most one runs. If it is `sure` that one runs, an element that all of them write counts as
        written.
        """
        slots = points.count * self.size
        self._count_accesses(slots)
        written = np.full(slots, sure)
        inner = Points(points.values, points.time, np.arange(points.count))
        for body in bodies:
            branch_log = _Log()
            self.block(body, inner, length, branch_log)
            first = branch_log.first(slots)
            written &= first < _NEVER
            for keys, times in branch_log.reads:
                open_ = first[keys] >= times
                log.reads.append((self._outer(points, keys[open_]), times[open_]))
        [keys] = np.nonzero(written)
        log.writes.append((self._outer(points, keys), points.time[keys // self.size] + length - 1))

    def _outer(self, points: Points, keys: Any) -> Any:
        return points.slot[keys // self.size] * self.size + keys % self.size

    def _iterations(self, op: ir.Operation, points: Points, length: int) -> tuple[Points, int]:
        """The points of a loop's body: all iterations, or the first if iterations do not differ."""
        variable = op.regions[0].blocks[0].arguments[0]
        try:
            low, high, by = bounds(op, points)
        except Unknown:
            raise _Dynamic from None
        low, high = (np.broadcast_to(n, points.count) for n in (low, high))
        trip_counts = np.maximum(0, -((low - high) // by))
        most = int(trip_counts.max(initial=0))
        if not self._matters(op, variable):
            trip_counts = np.minimum(trip_counts, 1)
        total = int(trip_counts.sum())
        self._count_accesses(total)
        source = np.repeat(np.arange(points.count), trip_counts)
        iteration = np.arange(total) - np.repeat(np.cumsum(trip_counts) - trip_counts, trip_counts)
        inner, length = points.take(source), length // max(1, most)
        if not length:
            raise Unknown
        values = {**inner.values, variable: low[source] + iteration * by}
        return Points(values, inner.time + iteration * length, inner.slot), length

    def _matters(self, loop: ir.Operation, variable: ir.Value) -> bool:
        """Whether a loop's variable affects which elements are accessed, or when."""
        tainted = {variable}
        for op in _nested(loop):
            if not any(o in tainted for o in op.operands):
                continue
            stored = op.name in ("affine.store", "memref.store") and all(o not in tainted for o in list(op.operands)[1:])
            if (op in self.inside or op in self.steps) and not stored:
                return True
            if op.name.startswith(("arith.", "affine.apply", "affine.min", "affine.max")):
                tainted.update(op.results)
        return False

    def _access(
        self, op: ir.Operation, operand: int, reads: bool, writes: bool, points: Points, length: int, log: _Log
    ) -> None:
        try:
            elements = self._elements(op, operand, points)
            sure = True
        except Unknown:
            elements, sure = View.whole(self.buffer.type).elements(points.count), False
        self._count_accesses(elements.size)
        callee_coverage = None
        if op.name == "func.call" and sure and (callee := _callee(op)) is not None:
            callee_coverage = coverage(callee.entry_block.arguments[operand])
            reads = bool(callee_coverage.needed.any())
        keys = points.slot[:, None] * self.size + elements
        times = np.broadcast_to(points.time[:, None], keys.shape)
        if reads:
            chosen = slice(None) if callee_coverage is None else callee_coverage.needed
            log.reads.append((keys[:, chosen].ravel(), times[:, chosen].ravel()))
        if writes and sure:
            chosen = slice(None) if callee_coverage is None else callee_coverage.written
            write_times = times[:, chosen].ravel() + (length - 1 if callee_coverage is not None else 0)
            log.writes.append((keys[:, chosen].ravel(), write_times))

    def _elements(self, op: ir.Operation, operand: int, points: Points) -> Any:
        value = op.operands[operand]
        view = self._view(value, points)
        if op.name in ("affine.load", "affine.store"):
            indices = mapped(op.attributes["map"].value, [points.number(o) for o in list(op.operands)[operand + 1 :]])
        elif op.name in ("memref.load", "memref.store"):
            indices = [points.number(o) for o in list(op.operands)[operand + 1 :]]
        else:
            self._count_accesses(points.count * view.size)
            return view.elements(points.count)
        return view.element(indices, points.count)

    def _view(self, value: ir.Value, points: Points) -> View:
        if value == self.buffer:
            return View.whole(value.type)
        op = value.owner.operation
        return self._view(op.operands[0], points).through(op, points)

    def _count_accesses(self, accesses: int) -> None:
        self.left -= accesses
        if self.left < 0:
            raise Unknown


class _Dynamic(Exception):
    """Marks a loop with run-time bounds."""


def _nested(op: ir.Operation) -> Iterator[ir.Operation]:
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation
                yield from _nested(inner.operation)


def _effects_on(op: ir.Operation, number: int) -> tuple[bool, bool]:
    """Whether an operation reads, and may write, its operand `number`."""
    name = op.name
    if name in ("memref.load", "affine.load", "air.channel.put"):
        return True, False
    if name in ("memref.store", "affine.store", "air.channel.get"):
        return False, True
    if name == "memref.copy":
        return number == 0, number == 1
    if name.startswith("linalg."):
        is_out = number >= len(op.operands) - int(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"])[1])
        return _uses(op, number), is_out
    if name == "func.call":
        return _call(op, number)
    return True, True


def _uses(op: ir.Operation, number: int) -> bool:
    """Whether a linalg operation computes with its operand `number`."""
    if not op.regions or not op.regions[0].blocks:
        return True
    return any(True for _ in op.regions[0].blocks[0].arguments[number].uses)


def _function(op: ir.Operation) -> Any:
    """The function that a call calls."""
    name = str(ir.FlatSymbolRefAttr(op.attributes["callee"]).value)
    return next(f for f in root_of(op).opview.body.operations if f.operation.name == "func.func" and f.name.value == name)


def _callee(op: ir.Operation) -> Any:
    """Like `_function`; None for kernels in C++."""
    function = _function(op)
    return None if "allo.writes" in function.attributes else function


def _call(op: ir.Operation, number: int) -> tuple[bool, bool]:
    function = _function(op)
    if "allo.writes" not in function.attributes:
        return True, coverage(function.entry_block.arguments[number]).writes
    reads, writes = (number in list(ir.DenseI64ArrayAttr(function.attributes[f"allo.{does}"])) for does in ("reads", "writes"))
    return reads, writes
