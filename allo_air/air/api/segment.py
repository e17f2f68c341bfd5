"""`segment`: herds and L2 buffers that exist at the same time; optionally with an iteration space."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

from allo_air.air.api.body import check_arity, trace_body
from allo_air.air.api.errors import RuntimeError
from allo_air.air.api.grid import Grid, grid_of
from allo_air.air.api.index import Index, Leaf
from allo_air.air.api.naming import given_name
from allo_air.air.api.scope import Scope
from allo_air.air.api.trace import Frame, tracing
from allo_air.air.api.values import constant
from allo_air.dialects import air as _air

__all__ = ["SegmentContext", "segment"]


class SegmentContext:
    """A segment whose body is not registered yet."""

    def __init__(self, grid: object, name: str):
        self._trace = tracing("segment")
        if self._trace.frame.kind in ("segment", "herd"):
            raise RuntimeError(f"segment is in the body of a {self._trace.frame.kind}; put segments into a launch body")
        space = Grid((), ()) if grid is None else grid_of(grid, "segment")
        self.grid, self.tile_sizes, self.dims, self.name = space.counts, space.steps, len(space.counts), name
        self.leaves = [Leaf(f"{name}[{axis}]", count) for axis, count in enumerate(self.grid)]
        self._has_body = False

    def __enter__(self) -> SegmentContext:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None and not self._has_body:
            raise RuntimeError(f"segment '{self.name}' has no body; register one with @segment.body")

    def private(self) -> Scope:
        """L2: the memtiles."""
        return Scope("segment", self)

    def shared(self) -> Scope:
        """L1 buffers that live as long as the segment, with one part for each core."""
        return Scope("shared", self)

    def body(self, function: Callable[..., object]) -> Callable[..., Any]:
        """Traces `function`, which takes a coordinate for each axis of the segment's grid."""
        if self._has_body:
            raise RuntimeError(f"segment '{self.name}' has a body already; open another segment for another body")
        check_arity(function, self.dims, "segment")
        self._has_body = True
        trace = self._trace
        launch = trace.frames[0].context
        launch.open_launch(trace)
        outer = trace.frame
        captured = [*launch.leaves, *launch.tensors]
        with trace.emit():
            sizes = [constant(n) for n in (*self.grid, 1)[:2]] if self.grid else []
            op = _air.SegmentOp.build(sizes, [outer.value(key, "a value") for key in captured], sym_name=self.name)
        frame = Frame("segment", self, op, op.block, outer)
        frame.values.update(zip(captured, op.body_args, strict=True))
        frame.values.update(zip(self.leaves, op.ids, strict=False))
        trace_body(trace, frame, function, [Index({leaf: 1}) for leaf in self.leaves])
        return function


def segment(grid: object = None, name: str | None = None) -> SegmentContext:
    """A segment. With `grid` it is unrolled over the columns, and its body takes the coordinates of a copy."""
    return SegmentContext(grid, given_name(name, "segment", "segment_0") or "")
