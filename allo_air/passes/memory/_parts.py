"""L2 buffers that are filled at once and read part by part, and their replacement by these parts, in the order of reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from allo_air.access.box import Walk
from allo_air.access.dims import volume
from allo_air.access.linear import Linear
from allo_air.core.constants import constant_of, index_constant
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.operands import lists_of, memref_of, with_lists
from allo_air.mlir import AnyOp, arith, ir, scf
from allo_air.passes._analysis.box import is_row_major, walk_of
from allo_air.passes._analysis.buffers import CHANNEL_OPS, Buffer
from allo_air.passes._analysis.channel_ends import GET, MULTIPLEXED, PUT
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._ir.operands import with_operands
from allo_air.passes._ir.tokens import add_deps, deps_of, joined, token_of, with_deps
from allo_air.passes.memory._shrink import reallocated
from allo_air.passes.memory._slabs import in_slab, narrowed, places_of
from allo_air.passes.memory._split import replace_frees
from allo_air.passes.memory._transfers import explicit_lists_of, with_walk


@dataclass(frozen=True)
class Reading:
    """A put that reads `walk`, `times` times. `again` are equal puts that follow it; they count as well."""

    put_op: Any
    times: int
    walk: Walk
    again: tuple[Any, ...] = ()

    @property
    def axis(self) -> int:
        """The dimension of the buffer that it traverses outermost."""
        return next((s.dim for s in self.walk.steps if s.size > 1), 0)

    def parts(self, axis: int, count: int) -> list[tuple[int, Walk]]:
        """The numbers of those of `count` equal parts along dimension `axis` that it visits, one after another, and its walk on
        each; empty if it does not visit one after another.
        """
        walk, shape = self.walk, narrowed(self.walk.shape, axis, self.walk.shape[axis] // count)
        width, low = shape[axis], walk.low[axis].constant
        first, last = low // width, (low + walk.size[axis] - 1) // width
        walks = [walk]
        if first < last:
            n = next(n for n, s in enumerate(walk.steps) if s.size > 1)
            step = walk.steps[n]
            group, inside = width // step.step, walk.size[axis] - 1 - (step.size - 1) * step.step
            if step.dim != axis or width % step.step or step.size % group or low % width or inside >= step.step:
                return []
            starts = range(0, step.size, group)
            parts = [replace(step, size=group, offset=step.offset + Linear(start)) for start in starts]
            walks = [replace(walk, steps=(*walk.steps[:n], part, *walk.steps[n + 1 :])) for part in parts]
        moved = [(number, in_slab(each, shape, axis, number)) for number, each in enumerate(walks, first)]
        return [(number, each) for number, each in moved if each is not None] if all(w for _, w in moved) else []


@dataclass(frozen=True)
class Filled:
    """A buffer with two dimensions larger than 1, numbered `dims`, that `get` fills from the box that `far` puts."""

    buffer: Buffer
    dims: tuple[int, int]
    get: Any
    far: Any

    def divided(self, axis: int, count: int, readings: Sequence[tuple[Reading, list[tuple[int, Walk]]]]) -> Divided:
        """The buffer in parts."""
        return Divided(self.buffer, self.dims, self.get, self.far, axis, count, tuple(readings))


@dataclass(frozen=True)
class Divided(Filled):
    """Such a buffer in `count` parts along dimension `axis`; for each of its readings, the walks over the parts."""

    axis: int
    count: int
    readings: tuple[tuple[Reading, list[tuple[int, Walk]]], ...]

    def apply(self) -> None:
        """Replaces the buffer by its parts, which are filled and read one after another where the whole was."""
        buffer, kind = self.buffer, self.buffer.value.type
        shape = narrowed(kind.shape, self.axis, kind.shape[self.axis] // self.count)
        part = ir.MemRefType.get(shape, kind.element_type, memory_space=kind.memory_space)
        values = [reallocated(buffer, part) for _ in range(self.count)]
        if buffer.token is not None:
            tokens = [value.owner.operation.results[0] for value in values]
            buffer.token.replace_all_uses_with(joined(tokens, buffer.home))
        last = None
        for value in values:
            last = _copy(self.get, last, {"dst": [value]})
        _finish(self.get, last)
        for reading, walks in self.readings:
            _read(reading, [(values[number], walk) for number, walk in walks])
        replace_frees(buffer, values)
        buffer.home.erase()


def filled(buffer: Buffer, module: ir.Operation, transfers: int = 0) -> Filled | None:
    """`buffer`, if one get fills it, over a channel with `transfers` transfers (0: any number); None otherwise."""
    kind, gets = buffer.value.type, [t for t in buffer.transfers if t.name == GET]
    dims = [n for n, extent in enumerate(kind.shape) if extent != 1] if is_row_major(kind) else []
    if len(dims) != 2 or len(gets) != 1 or any(lists_of(gets[0])):
        return None
    far = _far_put(gets[0], module, [kind.shape[n] for n in dims], transfers)
    return None if far is None else Filled(buffer, (dims[0], dims[1]), gets[0], far)


def panel_in_parts(buffer: Buffer, module: ir.Operation, count: int) -> Divided | None:
    """`buffer` in `count` parts, if it is filled once and read several times, each time along one dimension; None otherwise."""
    whole = filled(buffer, module, 2)
    divided = _divided(whole, count) if whole is not None and whole.get.block == buffer.block else None
    repeated = divided and all(r.times > 1 or _is_deeper(r.put_op, buffer) for r, _ in divided.readings)
    return divided if repeated else None


def piece_in_parts(buffer: Buffer, module: ir.Operation, count: int) -> Divided | None:
    """`buffer` in `count` parts, if each put reads it once per fill, in the block in which it is filled; None otherwise.

    Each put reads all of it along one dimension, or all use one channel and read a part each, or an equal share of a part.
    """
    whole = filled(buffer, module)
    divided = None if whole is None else _divided(whole, count) or _in_steps(whole, count)
    if divided is None or any(r.times > 1 or r.put_op.block != divided.get.block for r, _ in divided.readings):
        return None
    return divided


def feed(whole: Filled, axis: int, count: int) -> None:
    """Replaces the put at the other end by a put for each of `count` parts along dimension `axis` of the buffer."""
    far, dim, last = whole.far, whole.dims.index(axis), None
    part = whole.buffer.value.type.shape[axis] // count
    for number in range(count):
        offsets, sizes, strides = explicit_lists_of(far)
        with ir.InsertionPoint(far), far.location:
            sizes[dim] = index_constant(part)
            if number:
                offsets[dim] = arith.addi(offsets[dim], index_constant(number * part))
        last = _copy(far, last, with_lists("src", (offsets, sizes, strides)))
    _finish(far, last)


def fill_rows(get: ir.Operation, count: int) -> list[Any]:
    """Replaces `get`, which fills a whole buffer, by a get for each of the equal parts of its rows; returns the new gets."""
    kind = memref_of(get).type
    row = next(n for n, extent in enumerate(kind.shape) if extent != 1)
    sizes = narrowed(kind.shape, row, kind.shape[row] // count)
    strides, _ = kind.get_strides_and_offset()
    results = []
    for number in range(count):
        offsets = [number * sizes[row] if n == row else 0 for n in range(len(sizes))]
        with ir.InsertionPoint(get), get.location:
            lists = tuple([index_constant(v, get.location) for v in several] for several in (offsets, sizes, strides))
        results.append(with_operands(get.clone(ip=ir.InsertionPoint(get)), with_lists("dst", lists)))
    _finish(get, joined([t for t in map(token_of, results) if t is not None], get))
    return results


def _divided(whole: Filled, count: int) -> Divided | None:
    """The buffer in parts, if each put reads all of it along the same dimension; equal puts on the same channel are joined."""
    readings: list[Reading] = []
    for put_op in (t for t in whole.buffer.transfers if t.name == PUT):
        reading = _reading(put_op)
        if reading is None:
            return None
        same = next((n for n, first in enumerate(readings) if _is_again(first, reading)), None)
        if same is None:
            readings.append(reading)
        else:
            first = readings[same]
            readings[same] = replace(first, times=first.times + reading.times, again=(*first.again, put_op))
    axes = {reading.axis for reading in readings}
    if len(axes) != 1:
        return None
    axis = axes.pop()
    walks = [(reading, reading.parts(axis, count)) for reading in readings]
    is_whole = all(len(parts) == count for _, parts in walks)
    return whole.divided(axis, count, walks) if is_whole else None


def _in_steps(whole: Filled, count: int) -> Divided | None:
    """The buffer in parts, if all puts use one channel and read equal shares of the parts, one part after another."""
    puts = [t for t in whole.buffer.transfers if t.name == PUT]
    readings = [r for r in map(_reading, puts) if r is not None]
    if len(readings) < len(puts) or len({(str(p.opview.chan_name), str(places_of(p))) for p in puts}) != 1:
        return None
    for axis in whole.dims:
        walks = [(reading, reading.parts(axis, count)) for reading in readings]
        order = [[number for number, _ in parts] for _, parts in walks]
        if order == [[n * count // len(puts)] for n in range(len(puts))] and len(puts) % count == 0:
            return whole.divided(axis, count, walks)
    return None


def _reading(put_op: AnyOp) -> Reading | None:
    """The box that a put reads, and how often; None for any other access."""
    offsets, sizes, strides = lists_of(put_op)
    dims = [(constant_of(n), constant_of(s)) for n, s in zip(sizes, strides, strict=True)]
    repeats = next((n for n, (size, stride) in enumerate(dims) if size != 1 and stride != 0), len(dims))
    walk = walk_of(memref_of(put_op), offsets[repeats:], sizes[repeats:], strides[repeats:], IndexValues())
    if walk is None or "pad_before" in put_op.attributes or not all(low.is_constant for low in walk.low):
        return None
    if any(size is None for size, _ in dims) or (dims and repeats == len(dims)):
        return None
    return Reading(put_op, volume([(n or 0, 0) for n, _ in dims[:repeats]]), walk)


def _is_again(first: Reading, second: Reading) -> bool:
    """Whether two puts of one block read the same from the same channel."""
    a, b = first.put_op, second.put_op
    same = first.walk == second.walk and a.block == b.block and None not in places_of(a)
    return bool(same and (a.opview.chan_name, places_of(a)) == (b.opview.chan_name, places_of(b)))


def _is_deeper(put_op: ir.Operation, buffer: Buffer) -> bool:
    """Whether a loop that does not contain the buffer's allocation repeats `put_op`."""
    outer = list(parents(buffer.home))
    return any(p.name in ("scf.for", "scf.parallel") and p not in outer for p in parents(put_op))


def _far_put(get: ir.Operation, module: ir.Operation, shape: list[int], transfers: int) -> ir.Operation | None:
    """The only put on the channel of `get`, if it moves a box of the buffer's `shape`, and the channel has as many `transfers`
    (0: any number); else None.

    Multiplexed transfers (`allo.multiplexed`) of the channel count separately.
    """
    name, place = get.attributes["chan_name"], places_of(get)
    ends = [op for op in walk_named(module, *CHANNEL_OPS) if op.attributes["chan_name"] == name]
    if any(None in places_of(end) for end in (get, *ends)):
        return None
    same = [end for end in ends if places_of(end) == place and _multiplexing(end) == _multiplexing(get)]
    puts = [end for end in same if end.name == PUT]
    if len(puts) != 1 or (transfers and len(same) != transfers) or "pad_before" in puts[0].attributes:
        return None
    offsets, sizes, strides = lists_of(puts[0])
    if not offsets:
        kind = memref_of(puts[0]).type
        return puts[0] if list(kind.shape) == shape and is_row_major(kind) else None
    fits = len(offsets) == 2 and [constant_of(v) for v in sizes] == shape and constant_of(strides[1]) == 1
    return puts[0] if fits else None


def _multiplexing(end: ir.Operation) -> int:
    """The number of channels that a multiplexed transfer is to be divided among; 0 if it is not multiplexed."""
    return int(end.attributes[MULTIPLEXED].value) if MULTIPLEXED in end.attributes else 0


def _read(reading: Reading, parts: list[tuple[Any, Walk]]) -> None:
    """The put as one put for each part, in a loop if it was repeated."""
    put_op = reading.put_op

    def put_parts(last: Any, point: AnyOp) -> Any:
        for value, walk in parts:
            steps = tuple(s for s in walk.steps if s.size > 1 or not s.offset.is_(0)) or walk.steps[-1:]
            copy = put_op.clone(ip=ir.InsertionPoint(point))
            waits = [last] if point != put_op else [*deps_of(copy), last]
            copy = with_walk(copy if last is None else with_deps(copy, waits), value, replace(walk, steps=steps))
            last = token_of(copy)
        return last

    if reading.times == 1:
        _finish(put_op, put_parts(None, put_op))
        return
    token = token_of(put_op)
    with ir.InsertionPoint(put_op), put_op.location:
        bounds = [index_constant(v, put_op.location) for v in (0, reading.times, 1)]
        inits = [] if token is None else [joined(put_op.opview.deps, put_op)]
        loop = scf.ForOp(*bounds, inits)
        end = scf.YieldOp(list(loop.inner_iter_args), ip=ir.InsertionPoint(loop.body)).operation
        last = put_parts(loop.inner_iter_args[0] if inits else None, end)
        if inits:
            end.operands[0] = last
            for each in (put_op, *reading.again):
                token_of(each).replace_all_uses_with(loop.results[0])
    for each in (*reading.again, put_op):
        each.erase()


def _copy(transfer: ir.Operation, last: Any, changed: dict[str, Any]) -> Any:
    """A copy of `transfer` with the operands `changed`, after token `last`; returns its token, None for a synchronous one."""
    copy = with_operands(transfer.clone(ip=ir.InsertionPoint(transfer)), changed)
    return token_of(copy if last is None else add_deps(copy, [last]))


def _finish(transfer: ir.Operation, last: ir.Value | None) -> None:
    token = token_of(transfer)
    if token is not None:
        token.replace_all_uses_with(last)
    transfer.erase()
