"""`herd`: a logical grid of tiles on the cores of a physical shape."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

from allo_air.air.api.body import check_arity, trace_body
from allo_air.air.api.errors import RuntimeError, TypeError, ValueError, user_place
from allo_air.air.api.grid import grid_of
from allo_air.air.api.index import Index, Leaf
from allo_air.air.api.naming import given_name
from allo_air.air.api.scope import Scope
from allo_air.air.api.symbol import plain
from allo_air.air.api.target import default_shape, target_of
from allo_air.air.api.trace import Frame, Trace, tracing
from allo_air.air.api.values import constant
from allo_air.dialects import air as _air
from allo_air.errors import counted
from allo_air.mlir import ir, scf

__all__ = ["HerdContext", "herd"]


class HerdContext:
    """A herd whose body is not registered yet. `grid` counts tiles, `physical` counts cores, `repeats` the tiles of each
    core."""

    def __init__(self, grid: object, name: str, shape: object, target: Any):
        self._trace = tracing("herd")
        if self._trace.frame.kind == "herd":
            raise RuntimeError("herd is in the body of another herd; put herds side by side in a segment or launch")
        space = grid_of(grid, "herd")
        self.grid, self.tile_sizes, self.dims = space.counts, space.steps, len(space.counts)
        self.name, self.target = name, self._trace.target if target is None else target_of(target, "herd")
        self.physical = default_shape(self.grid, self.target) if shape is None else _shape(shape, self.grid)
        self.repeats = tuple(n // p for n, p in zip(self.grid, self.physical, strict=True))
        self.place, self.l1_bytes = user_place(), 0  # what is live at most in the body, segment's shared buffers included
        self._has_body = False

    def __enter__(self) -> HerdContext:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None and not self._has_body:
            raise RuntimeError(f"herd '{self.name}' has no body; register one with @herd.body")

    def private(self) -> Scope:
        """L1 of each core, for the time of the body."""
        return Scope("herd", self)

    def shared(self) -> Scope:
        """Raises an error: L1 that outlives a herd's body belongs to the segment."""
        raise RuntimeError("herd.shared() is not supported; for L1 buffers that several herds use, use segment.shared()")

    def body(self, function: Callable[..., object]) -> Callable[..., Any]:
        """Traces `function`, the program of each tile; it takes a coordinate for each axis of the grid."""
        if self._has_body:
            raise RuntimeError(f"herd '{self.name}' has a body already; open another herd for another body")
        check_arity(function, self.dims, "herd")
        self._has_body = True
        trace, outer = self._trace, self._trace.frame
        trace.herds.append(self)
        captured = _captured(trace, outer)
        with trace.emit():
            sizes = [constant(n) for n in (*self.physical, 1)[:2]]
            op = _air.HerdOp.build(sizes, [outer.value(key, "a value") for key in captured], sym_name=self.name)
        frame = Frame("herd", self, op, op.block, outer)
        frame.values.update(zip(captured, op.body_args, strict=True))
        trace_body(trace, frame, lambda: self._traced(trace, frame, function), ())
        if frame.link_with:
            with op.operation.context if frame.op is op else frame.op.operation.context:
                frame.op.operation.attributes["link_with"] = ir.StringAttr.get(frame.link_with)
        return function

    def _traced(self, trace: Trace, frame: Frame, function: Callable[..., object]) -> None:
        coordinates = [self._coordinate(trace, frame, axis) for axis in range(self.dims)]
        function(*coordinates)

    def _coordinate(self, trace: Trace, frame: Frame, axis: int) -> Index:
        """The logical index along `axis`. If a core has several tiles, opens a loop over them."""
        name = f"{self.name}[{axis}]"
        core = Leaf(name, self.physical[axis])
        frame.values[core] = frame.op.ids[axis]
        if self.repeats[axis] == 1:
            return Index({core: 1})
        with trace.emit():
            loop = scf.ForOp(constant(0), constant(self.repeats[axis]), constant(1))
            with ir.InsertionPoint(loop.body):
                scf.YieldOp([])
        frame.blocks.append(loop.body)
        turn = Leaf(f"{name} in the core", self.repeats[axis])
        frame.values[turn] = loop.induction_variable
        return Index({core: self.repeats[axis], turn: 1})


def herd(iterable: object, name: str | None = None, shape: object = None, target: str | None = None) -> HerdContext:
    """A herd over a grid of tiles; `shape` is the grid of cores, whose extents must divide those of the tiles."""
    return HerdContext(iterable, given_name(name, "herd", "herd_0") or "", shape, target)


def _captured(trace: Trace, outer: Frame) -> list[Any]:
    """The operands of each herd: coordinates of the segment's grid, tensors, and the segment's current buffers."""
    tensors = list(trace.frames[0].context.tensors)
    if outer.kind != "segment":
        return tensors
    return [*outer.context.leaves, *tensors, *(b for b, _ in outer.buffers if b.freed is None)]


def _shape(shape: object, grid: tuple[int, ...]) -> tuple[int, ...]:
    value = shape if isinstance(shape, list | tuple) else (shape,)
    cores = tuple(plain(n) for n in value)
    if not all(isinstance(n, int) and not isinstance(n, bool) for n in cores):
        raise TypeError(f"herd: shape is {shape!r}, expected integers")
    if len(cores) != len(grid):
        raise ValueError(f"herd: shape {list(cores)} is of rank {len(cores)}, and the grid {list(grid)} of rank {len(grid)}")
    for axis, (count, n) in enumerate(zip(grid, cores, strict=True)):
        if n < 1 or count % n:
            raise ValueError(
                f"herd: shape {list(cores)} does not divide the grid {list(grid)}: axis {axis} has "
                f"{counted(count, 'tile')} for {counted(n, 'core')}"
            )
    return cores
