"""One view of loops: scf.for, scf.parallel, scf.forall, affine.for and affine.parallel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.core.affine import results_of
from allo_air.core.constants import constant_of
from allo_air.mlir import ir

PARALLEL = ("scf.parallel", "scf.forall", "affine.parallel")
FOR = ("scf.for", "affine.for")
LOOPS = (*FOR, *PARALLEL)

Numbers = Callable[[Any], int | None]
"""Maps a value to its number, or None if it is unknown."""
Bounds = tuple[int | None, int | None, int | None]
"""Lower bound, upper bound and step; None for unknown ones."""


def trip_count(lower: int, upper: int, step: int) -> int:
    """The trip count of a loop from `lower` to below `upper` by `step`, which is above 0."""
    return max(0, -((lower - upper) // step))


@dataclass(frozen=True)
class Dim:
    """One dimension of a loop: `iv` takes lower, lower + step, ... below upper; a padding dimension has no `iv`."""

    iv: Any
    lower: int
    upper: int
    step: int

    @property
    def trips(self) -> int:
        return trip_count(self.lower, self.upper, self.step)

    @property
    def last(self) -> int:
        """The value of `iv` in the last iteration, of which there must be one."""
        return self.lower + (self.trips - 1) * self.step

    @property
    def values(self) -> range:
        """The values of the loop variable, in order."""
        return range(self.lower, self.upper, self.step)

    @property
    def op(self) -> Any:
        """The loop."""
        return self.iv.owner.owner.operation

    @property
    def loop(self) -> Loop:
        return Loop(self.op)


@dataclass(frozen=True)
class Loop:
    """The loop `op`."""

    op: Any

    @property
    def block(self) -> Any:
        return self.op.regions[0].blocks[0]

    @property
    def ivs(self) -> list[ir.BlockArgument]:
        arguments = list(self.block.arguments)
        if self.op.name in FOR:
            return arguments[:1]
        return arguments[: len(arguments) - len(self.op.results)] if self.op.name == "scf.forall" else arguments

    @property
    def iter_args(self) -> list[ir.BlockArgument]:
        """The block arguments that carry values from one iteration to the next."""
        return list(self.block.arguments)[len(self.ivs) :]

    @property
    def inits(self) -> list[ir.Value]:
        """The initial values of loop-carried values, or of an scf.parallel's reductions; one for each result."""
        return list(self.op.operands)[len(self.op.operands) - len(self.op.results) :]

    @property
    def body(self) -> list[Any]:
        """The operations of the block without its terminator."""
        return [o.operation for o in self.block.operations][:-1]

    @property
    def terminator(self) -> Any:
        return self.block.operations[-1].operation

    @property
    def yielded(self) -> list[Any]:
        """The values that the terminator yields, or passes to the reductions."""
        return list(self.terminator.operands)

    def bounds(self, number: Numbers = constant_of) -> list[Bounds]:
        """Bounds and step of each dimension, None for operands that `number` does not know."""
        return list(zip(*_BOUNDS[self.op.name](self.op, number), strict=True))

    def dims(self, number: Numbers = constant_of) -> tuple[Dim, ...] | None:
        """The dimensions; None if a bound or step is unknown, or a step is not positive."""
        dims = []
        for iv, (lower, upper, step) in zip(self.ivs, self.bounds(number), strict=True):
            if lower is None or upper is None or step is None or step <= 0:
                return None
            dims.append(Dim(iv, lower, upper, step))
        return tuple(dims)

    def trips(self, number: Numbers = constant_of) -> int | None:
        """The trip count, or None if it is unknown."""
        dims = self.dims(number)
        return None if dims is None else prod(dim.trips for dim in dims)


def for_around(
    block: ir.Block, bounds: Sequence[ir.Value], inits: Sequence[ir.Value], attributes: Mapping[str, ir.Attribute] | None = None
) -> ir.Operation:
    """An `scf.for` at the insertion point whose body is `block`, which is moved; `bounds` are lower bound, upper bound, step.

    The caller adds the arguments and yielded values that `block` lacks for `inits`.
    """
    loop = ir.Operation.create("scf.for", [v.type for v in inits], [*bounds, *inits], dict(attributes or {}), regions=1)
    block.append_to(loop.regions[0])
    return loop


def parallel_loop(lower: Sequence[ir.Value], upper: Sequence[ir.Value], step: Sequence[ir.Value]) -> ir.Operation:
    """An `scf.parallel` without results at the insertion point; its body has only the terminator."""
    segments = {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(lower), len(upper), len(step), 0])}
    loop = ir.Operation.create("scf.parallel", [], [*lower, *upper, *step], segments, regions=1)
    block = loop.regions[0].blocks.append(*[ir.IndexType.get()] * len(lower))
    ir.Operation.create("scf.reduce", ip=ir.InsertionPoint(block))
    return loop


def dim_of(op: ir.Operation, number: Numbers = constant_of) -> Dim | None:
    """The dimension of the `scf.for` or `affine.for` `op`; None where its bounds are not known or its step not positive."""
    dims = Loop(op).dims(number)
    return dims[0] if dims else None


Columns = tuple[list[int | None], list[int | None], list[int | None]]
"""Lower bounds, upper bounds and steps of all dimensions."""


def _values(op: ir.Operation, number: Numbers) -> Columns:
    operands = op.operands
    rank = len(op.regions[0].blocks[0].arguments) if op.name == "scf.parallel" else 1
    lower, upper, step = ([number(operands[k * rank + n]) for n in range(rank)] for k in range(3))
    return lower, upper, step


def _forall(op: ir.Operation, number: Numbers) -> Columns:
    dynamic = iter(op.operands)

    def bounds(name: str) -> list[int | None]:
        return [number(next(dynamic)) if v == ir.ShapedType.get_dynamic_size() else v for v in op.attributes[name]]

    return bounds("staticLowerBound"), bounds("staticUpperBound"), bounds("staticStep")


def _affine_for(op: ir.Operation, number: Numbers) -> Columns:
    (lower,), (upper,) = _affine_bounds(op, ("lowerBoundMap", "upperBoundMap"), ((None,), (None,)), number)
    return [lower], [upper], [op.attributes["step"].value]


def _affine_parallel(op: ir.Operation, number: Numbers) -> Columns:
    groups = [[int(n) for n in op.attributes[f"{name}BoundsGroups"]] for name in ("lower", "upper")]
    lower, upper = _affine_bounds(op, ("lowerBoundsMap", "upperBoundsMap"), groups, number)
    return lower, upper, [s.value for s in op.attributes["steps"]]


def _affine_bounds(
    op: ir.Operation, names: Sequence[str], groups: Sequence[Sequence[int | None]], number: Numbers
) -> list[list[int | None]]:
    """The lower and the upper bounds of each dimension: the maximum, or minimum, of a group of results of the map in attribute
    `names`. `groups` are the sizes of the groups; None for all results.
    """
    columns, operands = [], list(op.operands)
    for name, sizes, choose in zip(names, groups, (max, min), strict=True):
        map_ = op.attributes[name].value
        value, operands = operands[: map_.n_inputs], operands[map_.n_inputs :]
        results = iter(results_of(map_, [number(v) for v in value]))
        matches = [list(results) if size is None else [next(results) for _ in range(size)] for size in sizes]
        columns.append([None if None in group else choose(group) for group in matches])  # type: ignore[type-var]
    return columns


_BOUNDS = {
    "scf.for": _values, "scf.parallel": _values, "scf.forall": _forall,
    "affine.for": _affine_for, "affine.parallel": _affine_parallel,
}  # fmt: skip
