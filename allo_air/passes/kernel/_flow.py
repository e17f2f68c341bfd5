"""How values flow through the operations of a core, also through buffers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from allo_air.approximations import LEAST_NORMAL
from allo_air.core.walking import is_result_of, walk_pre_order
from allo_air.mlir import AnyOp, ir

_VIEWS = ("memref.collapse_shape", "memref.expand_shape", "memref.subview", "memref.cast", "memref.reinterpret_cast")
_LOADS = ("memref.load", "vector.transfer_read", "vector.load")
_STORES = ("memref.store", "vector.transfer_write", "vector.store")
_MOVES = (
    "vector.broadcast",
    "vector.extract",
    "vector.from_elements",
    "vector.insert",
    "vector.shuffle",
    "vector.shape_cast",
    "arith.extf",
    "arith.truncf",
)
_OF_MAGNITUDE = ("arith.mulf", "arith.divf", "arith.negf", "math.absf", "math.sqrt", "math.rsqrt")
_POSITIVE = ("math.exp", "math.exp2", "math.cosh", "math.erfc")
_CHOICES = ("arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf")


@dataclass
class Flow:
    """The flow of values. `into[v]` are the values computed from v with about the same relative error; `sums[v]` are those for
    which this holds if all operands have the same sign.
    """

    into: dict[Any, list[Any]] = field(default_factory=lambda: defaultdict(list))
    sums: dict[Any, list[Any]] = field(default_factory=lambda: defaultdict(list))
    used: set[Any] = field(default_factory=set)
    """Values that also have other uses."""

    impure: set[Any] = field(default_factory=set)
    """Values that also have other sources."""

    nonnegative: set[Any] = field(default_factory=set)
    """Values that are never negative, whatever their sources are."""

    def add(self, sources: Iterable[ir.Value], target: ir.Value, kind: str = "into") -> None:
        for source in sources:
            getattr(self, kind)[source].append(target)

    @staticmethod
    def of(op: AnyOp) -> Flow:
        """The flow in all of `op`."""
        flow = Flow()
        for item in walk_pre_order(op):
            flow._note(item)
        return flow

    def negative(self) -> set[Any]:
        """Values that may be negative."""
        results = {v for v in self.impure if v not in self.nonnegative}
        return _closed(results, (self.into, self.sums), self.nonnegative)

    def inexact(self, results: Iterable[ir.Value]) -> set[Any]:
        """Values computed from `results`, whose last bits are inexact."""
        return _closed(set(results), (self.into, self.sums), set())

    def needs_all_bits(self, negative: set[ir.Value]) -> set[Any]:
        """Values whose relative error matters beyond a rounding to bf16: those with other uses, or in sums with negative
        numbers.
        """
        back: dict[Any, list[Any]] = defaultdict(list)
        for source, targets in self.into.items():
            for target in targets:
                back[target].append(source)
        results = set(self.used)
        for source, targets in self.sums.items():
            for target in targets:
                back[target].append(source)
                if target in negative:
                    results.add(source)
        return _closed(results, (back,), set())

    def _note(self, op: ir.Operation) -> None:
        name, operands, results = op.name, list(op.operands), list(op.results)
        if name in _VIEWS:
            self.add(operands[:1], results[0])
            self.add(results, operands[0])
        elif name in _LOADS:
            self.add(operands[:1], results[0])
        elif name in _STORES:
            self.add(operands[:1], operands[1])
        elif name in _MOVES:
            if name == "arith.truncf":
                self.impure.add(results[0])
            else:
                self.add(operands, results[0])
        elif name in _CHOICES:
            self.add(operands, results[0])
            if "max" in name and any(is_constant(v, _is_nonnegative) for v in operands):
                self.nonnegative.add(results[0])
        elif name == "arith.select":
            self.add(operands[1:], results[0])
        elif name in _OF_MAGNITUDE:
            self._magnitude(name, operands, results[0])
        elif name == "arith.addf":
            self.add(operands, results[0], "sums")
        elif name == "arith.subf" and is_constant(operands[0], lambda number: number == 0):
            self.add(operands[1:], results[0])
            self.impure.add(results[0])
        elif name == "vector.reduction" and "mul" not in str(op.attributes["kind"]):
            self.add(operands, results[0], "sums" if "add" in str(op.attributes["kind"]) else "into")
        elif name == "scf.for":
            self._loop(op)
        elif name == "scf.yield" and op.parent.operation.name == "scf.for":
            pass
        elif name == "air.execute":
            inside = list(list(op.regions[0].blocks[0].operations)[-1].operands)
            for source, target in zip(inside, results[1:], strict=True):
                self.add([source], target)
                self.add([target], source)
        elif name not in ("memref.alloc", "memref.dealloc", "air.execute_terminator"):
            self._other(op, operands, results)

    def _magnitude(self, name: str, operands: list[ir.Value], result: ir.Value) -> None:
        self.add(operands, result)
        squares = name == "arith.mulf" and operands[0] == operands[1]
        if squares or name in ("math.absf", "math.sqrt", "math.rsqrt"):
            self.nonnegative.add(result)
        if squares:
            self.used.add(operands[0])  # a square has twice the relative error
        if name == "arith.negf":
            self.impure.add(result)

    def _loop(self, op: ir.Operation) -> None:
        block = op.regions[0].blocks[0]
        yielded = list(list(block.operations)[-1].operands)
        for first, argument, last, result in zip(
            list(op.operands)[3:], list(block.arguments)[1:], yielded, op.results, strict=True
        ):
            self.add([first, last], argument)
            self.add([first, last], result)

    def _other(self, op: ir.Operation, operands: list[ir.Value], results: Sequence[ir.Value]) -> None:
        self.used.update(operands)
        self.impure.update(results)
        for region in op.regions:
            for block in region.blocks:
                self.impure.update(block.arguments)
                self.used.update(block.arguments)
        if op.name in _POSITIVE or (results and is_constant(results[0], _is_nonnegative)):
            self.nonnegative.update(results)
        self.impure.update(v for v in operands if isinstance(v.type, ir.MemRefType))  # the operation may write these buffers


def _is_nonnegative(number: float) -> bool:
    return number >= 0


def is_constant(value: ir.Value, holds: Callable[[float], bool]) -> bool:
    """Whether `value` is a constant float, equal in all lanes, for which `holds` is true."""
    if not is_result_of(value, "arith.constant"):
        return False
    attribute = value.owner.attributes["value"]
    if isinstance(attribute, ir.DenseElementsAttr):
        attribute = attribute.get_splat_value() if attribute.is_splat else None
    return isinstance(attribute, ir.FloatAttr) and bool(holds(attribute.value))


def _closed(values: set[ir.Value], flows: tuple[dict[ir.Value, list[ir.Value]], ...], without: set[ir.Value]) -> set[Any]:
    """All values reachable from `values`, which is included, without passing through `without`."""
    pending = list(values)
    while pending:
        value = pending.pop()
        for flow in flows:
            for target in flow.get(value, ()):
                if target not in values and target not in without:
                    values.add(target)
                    pending.append(target)
    return values


def is_positive(value: ir.Value, negative: set[ir.Value]) -> bool:
    """Whether `value` is a sum with a positive constant: NaN, or at least the smallest normal number."""
    if isinstance(value, ir.BlockArgument):
        return False
    owner = value.owner
    if owner.name in ("vector.broadcast", "vector.shape_cast", "arith.extf"):
        return is_positive(owner.operands[0], negative)
    if owner.name == "arith.addf" and not any(v in negative for v in owner.operands):
        return any(is_positive(v, negative) for v in owner.operands)
    return is_constant(value, lambda number: number >= LEAST_NORMAL)
