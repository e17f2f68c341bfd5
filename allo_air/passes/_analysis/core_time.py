"""The time of a kernel's operations on a core: the issue model prices the loops that the cores' code will have.

A search asks for many tiles. Tiles whose loops differ only in trip counts that no pass looks at have the same code, so one
lowering, for loops of representative sizes, serves them all: its trip counts are replaced (`allo_air.core_model.terms`). The
representative of a long loop is a multiple of a prime, by which its trip count is known again in the code.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import prod
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.functions import declare_function
from allo_air.core.registry import standard
from allo_air.core.step import run_step
from allo_air.core.walking import is_result_of, walk_named
from allo_air.core_model.machine import machine_of
from allo_air.core_model.terms import Term, terms_of
from allo_air.device import Device
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import indexing_maps, loops_in, spans

SHORT = 8
"""Loops of up to so many iterations, over vectors or elements, are lowered with their own trip counts."""
_VECTORS = {"i8": 64, "i16": 32}
"""Lanes of vectors of bodies that only have this type; 16 otherwise (`vectorize-generics`)."""
_FACTORS = (*range(2, 9), 16, 64)
"""Divisors of trip counts that passes look for (`unroll-vector-loops`, partial sums, vectors of twice the lanes)."""
_PRIMES = (67, 71, 73, 79, 83, 89, 97, 101, 103, 107)
_UNKNOWN = 4096
"""A loop of more iterations that no prime divides has a trip count that cannot be replaced."""
_BARRIER = "next"
L1 = 2
"""The memory space of cores."""
_LOWERED: dict[tuple[str, str], list[tuple[Term, ...]]] = {}
_MOST = 4096
"""Lowered kernels to keep."""


@cache
def _sample(count: int) -> int:
    """The smallest number above SHORT with the same divisors among _FACTORS as `count`; `count` if that is not above SHORT."""
    samples = (n for n in range(SHORT + 1, count + 1) if all((n % f == 0) == (count % f == 0) for f in _FACTORS))
    return next(samples, count)


@dataclass(frozen=True)
class _Part:
    """A term of an operation: cycles per iteration for representative sizes, and the loops whose sizes it grows with."""

    cycles: float
    loops: tuple[int, ...]


@dataclass
class CoreTime:
    """The time of operations `ops` of a kernel, by number and in their order, on a core of `device`."""

    ops: Mapping[int, ir.Operation]
    returned: Sequence[ir.Value]
    device: Device
    _parts: dict[tuple[int, tuple[int, ...]], tuple[_Part, ...] | None] = field(default_factory=dict)
    _counted: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    """For each operation, the loops of which passes looked at the trip counts."""
    _lines: dict[tuple[int, tuple[bool, ...]], _Lines] = field(default_factory=dict)

    def cycles(self, sizes: Mapping[int, Sequence[int]]) -> dict[int, float]:
        """Cycles of each operation, by number, whose loops run over `sizes`."""
        samples = {n: self._representatives(n, s) for n, s in sizes.items()}
        samples = {n: tuple(sizes[n]) if self._parts.get((n, key), ()) is None else key for n, key in samples.items()}
        missing = {n: key for n, key in samples.items() if (n, key) not in self._parts}
        if missing:
            lowered = samples if any(_depends_on_users(self.ops[n]) for n in missing) else missing
            for number, terms in zip((n for n in self.ops if n in lowered), self._lowered(lowered), strict=True):
                self._parts[number, samples[number]] = _parts(terms, samples[number], sizes[number])
                self._counted[number] |= _counted(terms, samples[number])
            return self.cycles(sizes)
        return {n: _total(self._parts[n, samples[n]] or (), samples[n], s) for n, s in sizes.items()}

    def _representatives(self, number: int, sizes: Sequence[int]) -> tuple[int, ...]:
        """The sizes of loops for which the code is the same as for `sizes`, but for trip counts."""
        key = number, tuple(size == 1 for size in sizes)
        if key not in self._lines:
            self._lines[key] = _lines(self.ops[number], sizes)
        lines = self._lines[key]
        results: list[int] = []
        for loop, size in enumerate(sizes):
            prime, unit = _PRIMES[loop % len(_PRIMES)], lines.vector if loop in lines.some else 1
            if size == 1:
                results.append(1)
            elif loop not in lines.every and loop not in self._counted[number]:
                results.append(_FACTORS[-1] * prime)
            elif size <= SHORT * unit or size % unit:
                results.append(size)
            else:
                results.append(_sample(size // unit) * prime * unit)
        return tuple(results)

    def _lowered(self, sizes: Mapping[int, tuple[int, ...]]) -> list[tuple[Term, ...]]:
        """The terms of each operation for loops of these sizes."""
        context = next(iter(self.ops.values())).context
        with ir.Location.unknown(context):
            module = ir.Module.create()
            self._build(module, sizes)
            key = self.device.arch, str(module)
            if key not in _LOWERED:
                if len(_LOWERED) == _MOST:
                    _LOWERED.clear()
                pipeline = standard().pipeline("core-code").instantiate(standard(), f"device={self.device.name}")
                for step in pipeline.steps:
                    run_step(step, module.operation)
                _LOWERED[key] = _priced(module, self.device.arch)
        return _LOWERED[key]

    def _build(self, module: ir.Module, sizes: Mapping[int, tuple[int, ...]]) -> None:
        """A function with the operations on buffers, and a call after each."""
        with ir.InsertionPoint(module.body):
            declare_function(_BARRIER, ir.FunctionType.get([], []))
            function = ir.Operation.create(
                "func.func",
                attributes={
                    "sym_name": ir.StringAttr.get("core"),
                    "function_type": ir.TypeAttr.get(ir.FunctionType.get([], [])),
                },
                regions=1,
            )
        block = function.regions[0].blocks.append()
        buffers = _Buffers(block)
        with ir.InsertionPoint(block):
            for number, op in self.ops.items():
                if number not in sizes:
                    continue
                buffers.emit(op, sizes[number])
                ir.Operation.create("func.call", attributes={"callee": ir.FlatSymbolRefAttr.get(_BARRIER)})
            results = [buffers.base[v] for v in self.returned if v in buffers.base]
            ir.Operation.create("func.return", operands=results)
        kind = ir.FunctionType.get([], [v.type for v in results])
        function.attributes["function_type"] = ir.TypeAttr.get(kind)


_LONG = 1024
"""Elements of the row for which `cycles_per_element` asks."""


def cycles_per_element(ops: Sequence[ir.Operation], device: Device) -> float:
    """Cycles of a core of `device` for a chain of elementwise operations on one element of a long row."""
    sizes: dict[int, tuple[int, ...]] = {}
    for number, op in enumerate(ops):
        loops = indexing_maps(op)[0].n_dims
        row = max(_lines(op, [_LONG] * loops).every, default=loops - 1)
        sizes[number] = tuple(_LONG if loop == row else 1 for loop in range(loops))
    time = CoreTime(dict(enumerate(ops)), list(ops[-1].results), device)
    return sum(time.cycles(sizes).values()) / _LONG


@dataclass
class _Buffers:
    """Values of a kernel as buffers and scalars of a function: `base` is the row of elements that a tensor's parts begin in.

    Values from outside come from a cast, so that nothing is known of them.
    """

    block: ir.Block
    base: dict[Any, Any] = field(default_factory=dict)
    count: int = 0

    def emit(self, op: ir.Operation, tile: Sequence[int]) -> None:
        """`op` on buffers of the parts that its loops touch."""
        for init in list(op.operands)[len(op.operands) - len(op.results) :]:
            if is_result_of(init, "tensor.empty"):
                self.base.pop(init, None)  # each user writes a buffer of its own
        operands = [self._operand(v, m, tile) for v, m in zip(op.operands, indexing_maps(op), strict=True)]
        for result, init in zip(op.results, list(op.operands)[len(op.operands) - len(op.results) :], strict=True):
            self.base[result] = self.base[init]
        values: dict[Any, Any] = {}
        for inner in walk_named(op, "tensor.extract"):
            self._whole(inner.operands[0], values)
        new = ir.Operation.create(
            op.name,
            operands=operands,
            attributes={name: op.attributes[name] for name in op.attributes},
            regions=len(op.regions),
        )
        for region, target in zip(op.regions, new.regions, strict=True):
            for block in region.blocks:
                arguments = list(block.arguments)
                copy = target.blocks.append(*[a.type for a in arguments], arg_locs=[op.location] * len(arguments))
                values |= dict(zip(arguments, copy.arguments, strict=True))
                with ir.InsertionPoint(copy):
                    for view in block.operations:
                        self._clone(view.operation, values, block, new)

    def _clone(self, op: ir.Operation, values: dict[Any, Any], block: ir.Block, around: ir.Operation) -> None:
        for value in op.operands:
            if value not in values and (isinstance(value.owner, ir.Block) or value.owner.operation.block != block):
                with ir.InsertionPoint(around):
                    values[value] = self._scalar(value)
        if op.name == "tensor.extract":
            load = ir.Operation.create("memref.load", results=[op.results[0].type], operands=[values[v] for v in op.operands])
            values[op.results[0]] = load.results[0]
        else:
            clone(op, values)

    def _whole(self, value: ir.Value, values: dict[Any, Any]) -> None:
        values[value] = self._view(value, list(value.type.shape))

    def _operand(self, value: ir.Value, indexing: ir.AffineMap, tile: Sequence[int]) -> ir.Value:
        if not isinstance(value.type, ir.RankedTensorType):
            return self._scalar(value)
        return self._view(value, spans(indexing, tile))

    def _scalar(self, value: ir.Value) -> Any:
        if is_result_of(value, "arith.constant"):
            return clone(value.owner.operation, {}).results[0]
        return self._unknown(value.type)

    def _unknown(self, kind: ir.Type) -> Any:
        """A value of which nothing is known. Its number keeps `cse` from merging it with others."""
        number = {"number": ir.IntegerAttr.get(ir.IntegerType.get_signless(32), self.count)}
        self.count += 1
        return ir.Operation.create("builtin.unrealized_conversion_cast", results=[kind], attributes=number).results[0]

    def _view(self, value: ir.Value, shape: list[int]) -> ir.Value:
        element, space = value.type.element_type, ir.IntegerAttr.get(ir.IntegerType.get_signless(64), L1)
        if value not in self.base:
            kind = ir.MemRefType.get([1 << 40], element, None, space)
            if is_result_of(value, "tensor.empty"):
                dynamic = {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0])}
                self.base[value] = ir.Operation.create("memref.alloc", results=[kind], attributes=dynamic).results[0]
            else:
                self.base[value] = self._unknown(kind)
        strides = [prod(shape[n + 1 :]) for n in range(len(shape))]
        layout: dict[str, ir.Attribute] = {
            "static_offsets": ir.DenseI64ArrayAttr.get([0]),
            "static_sizes": ir.DenseI64ArrayAttr.get(shape),
            "static_strides": ir.DenseI64ArrayAttr.get(strides),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 0, 0, 0]),
        }
        kind = ir.MemRefType.get(shape, element, None, space)
        return ir.Operation.create(
            "memref.reinterpret_cast", results=[kind], operands=[self.base[value]], attributes=layout
        ).results[0]


def _priced(module: ir.Module, arch: str) -> list[tuple[Term, ...]]:
    """The terms of the code before each call of the barrier."""
    machine = replace(machine_of(arch, compiled=True), loops={}, nodes={})
    [function] = [f for f in walk_named(module.operation, "func.func") if len(f.regions[0].blocks)]
    result: list[tuple[Term, ...]] = []
    ops: list[Any] = []
    for view in function.regions[0].blocks[0].operations:
        if view.operation.name == "func.call":
            result.append(tuple(terms_of(ops, machine)))
            ops = []
        else:
            ops.append(view.operation)
    return result


def _depends_on_users(op: ir.Operation) -> bool:
    """Whether the code of `op` depends on the use of its results (`approximate-math`)."""
    return any(o.name.startswith("math.") or o.name in ("arith.divf", "arith.mulf") for o in op.regions[0].blocks[0].operations)


@dataclass(frozen=True)
class _Lines:
    """The loops along lines of elements: of `some` buffers, and of `every` buffer that they walk; and the lanes of a vector."""

    some: frozenset[int]
    every: frozenset[int]
    vector: int


def _lines(op: ir.Operation, sizes: Sequence[int]) -> _Lines:
    elements = {str(getattr(v.type, "element_type", v.type)) for v in op.operands}
    vector = _VECTORS.get(next(iter(elements)), 16) if len(elements) == 1 else 16
    some, outer = set[int](), set[int]()
    for indexing in indexing_maps(op):
        walked = [loops for e in indexing.results if (loops := {loop for loop in loops_in(e) if sizes[loop] > 1})]
        some.update(*walked[-1:])
        outer.update(*walked[:-1])
    return _Lines(frozenset(some), frozenset(some - outer), vector)


def _primes(samples: Sequence[int]) -> list[tuple[int, int]]:
    """The loops of representative size, each with its prime."""
    primes = [(loop, _PRIMES[loop % len(_PRIMES)]) for loop, own in enumerate(samples) if own > SHORT]
    return [(loop, prime) for loop, prime in primes if samples[loop] % prime == 0]


def _counted(terms: Sequence[Term], samples: Sequence[int]) -> set[int]:
    """The loops of representative size that are innermost, or that a pass has changed."""
    primes = _primes(samples)
    changed = {loop for term in terms for n in term.trips for loop, p in primes if n % p == 0 and n != samples[loop]}
    return changed | {loop for term in terms if term.is_innermost for loop, p in primes if term.trips[-1] % p == 0}


def _parts(terms: Sequence[Term], samples: Sequence[int], sizes: Sequence[int]) -> tuple[_Part, ...] | None:
    """The terms with the loops of representative size that their trip counts come from; None if these are not known."""
    primes = _primes(samples)
    counts = [trips for term in terms for trips in term.trips]
    if tuple(samples) != tuple(sizes) and any(n > _UNKNOWN and all(n % p for _, p in primes) for n in counts):
        return None
    return tuple(
        _Part(term.cycles * prod(term.trips), tuple(loop for trips in term.trips for loop, p in primes if trips % p == 0))
        for term in terms
    )


def _total(parts: Sequence[_Part], samples: Sequence[int], sizes: Sequence[int]) -> float:
    """Cycles for loops of `sizes`, by those of their representatives."""
    ratios = [size / own for size, own in zip(sizes, samples, strict=True)]
    return sum(part.cycles * prod(ratios[loop] for loop in part.loops) for part in parts)
