"""fit-herds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from math import ceil, prod
from typing import Any

from allo_air.core.constants import index_constant
from allo_air.core.diagnostics import remark_at
from allo_air.core.loops import PARALLEL, Dim, Loop
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named, walk_pre_order
from allo_air.device import Device
from allo_air.dialects.memrefs import element_bits, memory_space
from allo_air.errors import DiagnosticError
from allo_air.mlir import AnyOp, ir, scf
from allo_air.passes._analysis.effects import Access, accesses, is_pure
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.bind._affine_scope import lower_affine_scope
from allo_air.passes.bind._cut import can_be_cut, cut
from allo_air.passes.bind._narrow_writes import narrow_writes
from allo_air.passes.bind._outline import apply, parallel
from allo_air.passes.bind._promote import overwrites

EXTERNAL = 0
_LAUNCH = 1.0
"""Overhead of an additional loop, in iterations of a core: loops are split only if that saves more."""
_ODD = 3  # largest odd trip count of a core's loop: such a loop does not end on its second buffer, so each transfer is unrolled
_ONE_CORE = "runs on one core, since the elements that its iterations write are not a box for each core"
_MOST_BYTES = 48 * 1024
"""Largest size of the buffers of a loop that runs on one core, whose L1 has 64 KiB."""
_MOST_PEELED = 15  # largest number of iterations of a dimension that may become a separate loop: fewer than any array has cores


@dataclass(frozen=True)
class FitHerds(Pass):
    """Limits the innermost parallel loops, which become herds, to the size of the array: each core runs several iterations.

    A loop fits if its iterations are at most the array's columns and rows, or fit in one column, and its streams from and to
    external memory are at most the shims' channels. A view needs one stream for each part of it that cores access. Views that
    are divided differently use different channels of a core, which has two in each direction.

    A loop that does not fit becomes a two-dimensional parallel loop around `scf.for` loops. The parallel loop is a herd that
    fits and divides the loop: if possible one that leaves each core's innermost loop an even trip count, and of these the
    largest. Each core has a contiguous piece of the iterations. If no herd divides the loop well, the last iterations become a
    separate loop, unless there is a parallel loop around. Loops that reduce, contain AIR operations other than DMA copies, or
    share buffers closer than external memory stay unchanged.

    A loop whose iterations write elements between those of each other, or at indices that depend on data, runs on one core if
    its buffers fit there; a remark says so. A step need not divide the range.

    Before (`fit-herds{device=npu1}`):

        scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
          memref.store %v, %a[%i] : memref<64xi32>
        }

    After:

        scf.parallel (%x, %y) = (%c0, %c0) to (%c4, %c2) step (%c1, %c1) {
          scf.for %t = %c0 to %c8 step %c1 {
            %i = affine.apply affine_map<(d0, d1, d2) -> (d0 * 16 + d1 * 8 + d2)>(%x, %y, %t)
            memref.store %v, %a[%i] : memref<64xi32>
          }
        }
    """

    name = "fit-herds"
    anchor = "builtin.module"
    works_on = ("scf.parallel", "scf.forall", "affine.parallel")
    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    cols: int = 0
    """Columns of the array that may be used, 0 for all."""

    def run(self, op: AnyOp, /) -> None:
        device = device_option(self.name, self.device)
        room = _Room.of(device, self.cols or device.columns)
        for loop in walk_named(op, *PARALLEL):
            if len(walk_named(loop, *PARALLEL)) == 1 and _may_change(loop):
                if _needs_one_core(loop, room):
                    remark_at(loop, _ONE_CORE)
                    _distribute(loop, Loop(loop).dims() or (), _Shape((0, 0), (1, 1)))
                else:
                    room.fit(loop)


@dataclass(frozen=True)
class _Shape:
    """Columns and rows of a herd, and the loop dimension that each of them divides."""

    dims: tuple[int, int]
    extents: tuple[int, int]

    @property
    def cores(self) -> int:
        return prod(self.extents)

    def across(self, seen: frozenset[int]) -> int:
        """The number of different cores along the dimensions `seen`."""
        return prod(n for d, n in zip(self.dims, self.extents, strict=True) if d in seen)


@dataclass(frozen=True)
class _Streams:
    """For each view of external memory that cores read, and that they write: the loop dimensions on which it depends."""

    reads: tuple[frozenset[int], ...]
    writes: tuple[frozenset[int], ...]

    @classmethod
    def of(cls, loop: AnyOp) -> _Streams:
        ivs = Loop(loop).ivs
        visited: dict[Any, frozenset[int]] = {}
        for n, iv in enumerate(ivs):
            for value in _computed(iv):
                visited[value] = visited.get(value, frozenset()) | {n}
        by_view: dict[Any, list[Access]] = {}
        for access in accesses(loop):
            if memory_space(access.memref.type) == EXTERNAL and access.kind != "free":
                by_view.setdefault(access.memref, []).append(access)
        reads, writes = [], []
        for view, item in by_view.items():
            indices = [v for access in item for v in access.op.operands if isinstance(v.type, ir.IndexType)]
            readers = frozenset[int]().union(*(visited.get(v, ()) for v in (view, *indices)))
            if not overwrites(item, view, item[0].op.operation.block):
                reads.append(readers)
            if any(access.kind != "read" for access in item):
                writes.append(readers)
        return cls(tuple(reads), tuple(writes))


def _computed(value: ir.Value) -> list[Any]:
    """`value`, and all numbers and views that are computed from it."""
    result, todo = [], [value]
    while todo:
        value = todo.pop()
        result.append(value)
        for use in value.uses:
            if is_pure(use.owner):
                todo += [r for r in use.owner.results if r not in result]
    return result


@dataclass(frozen=True)
class _Room:
    """The resources of the array: columns, rows, and channels of shims and of a core in each direction."""

    columns: int
    rows: int
    channels: int
    core_channels: int

    @classmethod
    def of(cls, device: Device, columns: int) -> _Room:
        shim, core = (device.tiles[kind].channels[0] for kind in ("shim_noc", "core"))
        return cls(columns, len(device.core_rows), columns * shim, core)

    def fit(self, loop: AnyOp) -> None:
        """Rewrites `loop` so that it fits."""
        dims = Loop(loop).dims()
        if dims is None or any(dim.trips == 0 for dim in dims):
            return
        streams = _Streams.of(loop)
        trips = tuple(dim.trips for dim in dims)
        if any((dim.upper - dim.lower) % dim.step for dim in dims):
            _distribute(loop, dims, self._shape(trips, streams))
            return
        first, last = max(0, len(dims) - 2), len(dims) - 1
        whole = _Shape((first, last), (trips[first], trips[last] if last > first else 1))
        if self._places(*whole.extents) and self._feeds(whole, streams):
            return
        can_be_cut_here = can_be_cut(loop) and not any(p.name in PARALLEL for p in parents(loop))
        _, peeled = self._cost(trips, streams) if can_be_cut_here else (0.0, None)
        if peeled is None:
            _distribute(loop, dims, self._shape(trips, streams))
            return
        for piece in cut(loop, dims, *peeled):
            self.fit(piece)

    def _places(self, columns: int, rows: int) -> bool:
        """Whether a herd of this size can be placed: directly, or as one column."""
        return (columns <= self.columns and rows <= self.rows) or columns * rows <= self.rows

    def _feeds(self, shape: _Shape, streams: _Streams) -> bool:
        """Whether the shims and each core have enough channels for a herd."""
        walked = {d for d, n in zip(shape.dims, shape.extents, strict=True) if n > 1}
        return all(
            sum(map(shape.across, views)) <= self.channels and len({seen & walked for seen in views}) <= self.core_channels
            for views in (streams.reads, streams.writes)
        )

    def _shape(self, trips: tuple[int, ...], streams: _Streams) -> _Shape:
        """The largest herd that divides a loop. Of equally large ones, the one with the fewest streams, then the widest."""
        results = [_Shape((0, 0), (1, 1))]
        for first, second in combinations_with_replacement(range(len(trips)), 2):
            for columns, rows in product(range(1, self.columns + 1), range(1, self.rows + 1)):
                if first == second:
                    divides = trips[first] % (columns * rows) == 0
                else:
                    divides = trips[first] % columns == trips[second] % rows == 0 and columns * rows > 1
                shape = _Shape((first, second), (columns, rows))
                if divides and self._feeds(shape, streams):
                    results.append(shape)
        views = (*streams.reads, *streams.writes)
        return max(results, key=lambda s: (_alternates(trips, s), s.cores, -sum(map(s.across, views)), s.extents[0]))

    def _cost(self, trips: tuple[int, ...], streams: _Streams) -> tuple[float, tuple[int, int] | None]:
        """Iterations of a core for a loop, and where to split the loop (dimension, its number of iterations); None if it is not
        split.
        """
        best: tuple[float, tuple[int, int] | None] = (_LAUNCH + ceil(prod(trips) / self._shape(trips, streams).cores), None)
        for d, n in enumerate(trips):
            for peeled in range(1, min(_MOST_PEELED, n - 1) + 1):
                main = (*trips[:d], n - peeled, *trips[d + 1 :])
                rest = (*trips[:d], peeled, *trips[d + 1 :])
                whole = sum(_LAUNCH + ceil(prod(t) / self._shape(t, streams).cores) for t in (main, rest))
                if whole < best[0]:
                    best = (whole, (d, n - peeled))
        return best


def _alternates(trips: tuple[int, ...], shape: _Shape) -> bool:
    """Whether the innermost loop of a core has an even number of iterations, for two buffers, or only a few iterations."""
    trips_left = [t // shape.across(frozenset({d})) for d, t in enumerate(trips)]
    inner = next((n for n in reversed(trips_left) if n > 1), 1)
    return inner % 2 == 0 or inner <= _ODD


def _may_change(loop: AnyOp) -> bool:
    """Whether iterations may be serialized: they share no channel, and no memory closer than external memory."""
    if len(loop.results) or any(op.name.startswith("air.") and op.name != "air.dma_memcpy_nd" for op in walk_pre_order(loop)):
        return False
    inside = {r for op in walk_pre_order(loop) for r in op.results}
    shared = [v for op in walk_pre_order(loop) for v in op.operands if v not in inside and isinstance(v.type, ir.MemRefType)]
    return all(memory_space(v.type) == EXTERNAL for v in shared)


def _needs_one_core(loop: ir.Operation, room: _Room) -> bool:
    """Whether no core of several can copy back the elements that it writes, and all buffers fit in one core."""
    if any(p.name in PARALLEL for p in parents(loop)) or Loop(loop).dims() is None:
        return False
    buffers = {a.memref for a in accesses(loop) if a.memref not in {r for op in walk_pre_order(loop) for r in op.results}}
    kinds = [b.type for b in buffers]
    if not all(isinstance(k, ir.MemRefType) and k.has_static_shape for k in kinds):
        return False
    if sum(prod(k.shape) * -(-(element_bits(k, index=32) or 64) // 8) for k in kinds) > _MOST_BYTES:
        return False
    before = [o.operation for o in loop.block.operations]
    copy = loop.clone(ip=ir.InsertionPoint(loop)).operation
    try:
        room.fit(copy)
        new = [o.operation for o in loop.block.operations if o.operation not in before]
        for herd in (h for op in new for h in walk_named(op, *PARALLEL)):
            lower_affine_scope(herd, branches=True)
            narrow_writes(herd)
    except DiagnosticError:
        return True
    finally:
        for op in reversed([o.operation for o in loop.block.operations if o.operation not in before]):
            op.erase()
    return False


def _distribute(loop: AnyOp, dims: tuple[Dim, ...], shape: _Shape) -> None:
    """Replaces `loop` by a loop over a herd of `shape` around loops over the iterations of each core."""
    location = loop.location
    with ir.InsertionPoint(loop), location:
        herd = parallel([Dim(None, 0, n, 1) for n in shape.extents], location)
    axes = list(herd.regions[0].blocks[0].arguments)
    [end] = [o.operation for o in herd.regions[0].blocks[0].operations]
    values = []
    for d, dim in enumerate(dims):
        core_axes = [(iv, n) for iv, walked, n in zip(axes, shape.dims, shape.extents, strict=True) if walked == d and n > 1]
        trips_left = dim.trips // prod(n for _, n in core_axes)
        counters = [iv for iv, _ in core_axes]
        strides = [trips_left * prod(n for _, n in core_axes[k + 1 :]) for k in range(len(core_axes))]
        if trips_left > 1:
            end, counter = _for(end, trips_left, location)
            counters, strides = [*counters, counter], [*strides, 1]
        values.append((dim, counters, strides))
    for dim, counters, strides in values:
        with ir.InsertionPoint(end), location:
            index = dim.lower + sum(
                (ir.AffineDimExpr.get(k) * (s * dim.step) for k, s in enumerate(strides)), start=ir.AffineConstantExpr.get(0)
            )
            value = apply(index, counters, location) if counters else index_constant(dim.lower, location)
        dim.iv.replace_all_uses_with(value)
    for op in Loop(loop).body:
        op.move_before(end)
    loop.erase()
    lower_affine_scope(herd, branches=True)


def _for(end: AnyOp, trips: int, location: ir.Location) -> tuple[Any, Any]:
    """Creates a loop before `end`; returns its terminator and its induction variable."""
    with ir.InsertionPoint(end), location:
        bounds = [index_constant(n, location) for n in (0, trips, 1)]
        loop = scf.ForOp(*bounds)
        yielded = scf.YieldOp([], ip=ir.InsertionPoint(loop.body))
    return yielded, loop.induction_variable
