"""Replaces an L2 buffer by parts along the dimension in which it is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from allo_air.core.cloning import clone
from allo_air.core.constants import index_constant
from allo_air.core.walking import walk_post_order
from allo_air.dialects.operands import lists_of, memref_of, with_lists
from allo_air.mlir import AnyOp, arith, ir, scf
from allo_air.passes._ir.operands import with_operands
from allo_air.passes._ir.tokens import deps_of, joined, token_of
from allo_air.passes.memory._panels import Panel, Reading, Steps

if TYPE_CHECKING:
    from allo_air.passes._analysis.buffers import Buffer


def split(panel: Panel, count: int) -> None:
    """Splits a panel, and the transfer that fills it, into `count` parts."""
    split_buffer(panel, count)
    feed(panel, count)


def split_buffer(panel: Panel, count: int) -> None:
    """Splits a buffer into `count` parts, which are filled and read one after another where the whole was."""
    buffer, axis = panel.buffer, panel.axis
    values = _parts_of(panel, count)
    for reading in panel.readings:
        _read(reading, values, axis, panel.shape[1], count)
    for free in buffer.frees:
        _free(free, buffer.value, values)
    buffer.home.erase()


def split_steps(steps: Steps, count: int) -> None:
    """Splits a buffer that is read step by step into `count` parts of whole steps."""
    values = _parts_of(steps, count)
    axis, row = steps.axis, steps.shape[1]
    for number, reading in enumerate(steps.readings):
        part = number * count // len(steps.readings)
        walk = [(n, s // count if axis and s >= row else s) for n, s in reading.walk]
        start = part * steps.shape[axis] // count * (1 if axis else row)
        with ir.InsertionPoint(reading.put_op), reading.put_op.location:
            lists = [[index_constant(v, reading.put_op.location) for v in vs] for vs in zip(*walk, strict=True)]
            offsets = [index_constant(v, reading.put_op.location) for v in [*[0] * (len(walk) - 1), reading.offset - start]]
        _finish(reading.put_op, _copy(reading.put_op, None, {"src": [values[part]], **with_lists("src", [offsets, *lists])}))
    for free in steps.buffer.frees:
        _free(free, steps.buffer.value, values)
    steps.buffer.home.erase()


def _parts_of(panel: Panel | Steps, count: int) -> list[Any]:
    """`count` parts of a buffer, filled one after another where the whole was filled."""
    buffer, axis = panel.buffer, panel.axis
    kind = buffer.value.type
    shape = list(kind.shape)
    shape[[n for n, extent in enumerate(shape) if extent != 1][axis]] //= count
    part = ir.MemRefType.get(shape, kind.element_type, memory_space=kind.memory_space)
    copies = [_allocate(buffer, part) for _ in range(count)]
    tokens = [t for t in map(token_of, copies) if t is not None]
    values = [copy.results[len(copy.results) - 1] for copy in copies]
    if buffer.token is not None:
        buffer.token.replace_all_uses_with(joined(tokens, buffer.home))
    _fill(panel, values)
    return values


def _allocate(buffer: Buffer, kind: ir.ShapedType) -> Any:
    """A copy of the allocation for a part."""
    copy = clone(buffer.home, {}, ir.InsertionPoint(buffer.home))
    for op in walk_post_order(copy):
        for result in op.results:
            if isinstance(result.type, ir.MemRefType):
                result.set_type(kind)
    return copy


def _fill(panel: Panel | Steps, values: Sequence[ir.Value]) -> None:
    """A get for each part, one after another."""
    get, last = panel.get, None
    for value in values:
        last = _copy(get, last, {"dst": [value]})
    _finish(get, last)


def fill_rows(get: ir.Operation, count: int) -> list[Any]:
    """Replaces `get`, which fills a whole buffer, by a get for each of the equal parts of its rows; returns the new gets."""
    kind = memref_of(get).type
    row = next(n for n, extent in enumerate(kind.shape) if extent != 1)
    sizes = [extent // count if n == row else extent for n, extent in enumerate(kind.shape)]
    strides, _ = kind.get_strides_and_offset()
    results = []
    for number in range(count):
        offsets = [number * sizes[row] if n == row else 0 for n in range(len(sizes))]
        with ir.InsertionPoint(get), get.location:
            lists = tuple([index_constant(v, get.location) for v in several] for several in (offsets, sizes, strides))
        copy = get.clone(ip=ir.InsertionPoint(get))
        results.append(with_operands(copy, with_lists("dst", lists)))
    _finish(get, joined([t for t in map(token_of, results) if t is not None], get))
    return results


def _read(reading: Reading, values: Sequence[Any], axis: int, row: int, count: int) -> None:
    """The put as one put for each part, in a loop if it was repeated."""
    put_op = reading.put_op
    first, *rest = reading.walk
    (steps, stride), offset = first, reading.offset
    if axis:
        rest = [(n, s // count if s >= row else s) for n, s in rest]
        offset //= count
    walk = [(steps // count, stride), *rest]
    with ir.InsertionPoint(put_op), put_op.location:
        lists = [[index_constant(v, put_op.location) for v in vs] for vs in zip(*walk, strict=True)]
        offsets = [index_constant(v, put_op.location) for v in [*[0] * (len(walk) - 1), offset]]

    def turn(last: ir.Value | int | None, point: ir.Operation) -> Any:
        for value in values:
            last = _copy(put_op, last, {"src": [value], **with_lists("src", [offsets, *lists])}, point)
        return last

    if reading.times == 1:
        _finish(put_op, turn(None, put_op))
        return
    token = token_of(put_op)
    with ir.InsertionPoint(put_op), put_op.location:
        bounds = [index_constant(v, put_op.location) for v in (0, reading.times, 1)]
        inits = [] if token is None else [joined(put_op.opview.deps, put_op)]
        loop = scf.ForOp(*bounds, inits)
        carried = list(loop.inner_iter_args)
        end = scf.YieldOp(carried, ip=ir.InsertionPoint(loop.body)).operation
        last = turn(carried[0] if inits else None, end)
        if inits:
            end.operands[0] = last
            for each in (put_op, *reading.again):
                token_of(each).replace_all_uses_with(loop.results[0])
    for each in (*reading.again, put_op):
        each.erase()


def _free(free: AnyOp, whole: ir.Value, values: Sequence[ir.Value]) -> None:
    copies = [clone(free, {whole: value}, ir.InsertionPoint(free)) for value in values]
    token = token_of(free)
    if token is not None:
        token.replace_all_uses_with(joined([token_of(copy) for copy in copies], free))
    free.erase()


def feed(panel: Panel | Steps, count: int) -> None:
    """Replaces the put at the other end by a put for each of `count` parts."""
    far, axis, last = panel.far, panel.axis, None
    size = panel.shape[axis] // count
    for number in range(count):
        with ir.InsertionPoint(far), far.location:
            offsets, sizes, strides = lists_of(far)
            if not offsets:
                whole = ([0, 0], panel.shape, (panel.shape[1], 1))
                offsets, sizes, strides = ([index_constant(n, far.location) for n in several] for several in whole)
            sizes[axis] = index_constant(size, far.location)
            if number:
                offsets[axis] = arith.addi(offsets[axis], index_constant(number * size, far.location))
        last = _copy(far, last, with_lists("src", (offsets, sizes, strides)))
    _finish(far, last)


def _copy(transfer: ir.Operation, last: ir.Value | int | None, changed: dict[str, Any], ip: ir.Operation | None = None) -> Any:
    """A copy of `transfer` with the operands `changed`, after token `last`, at `ip`; returns its token, or None for a
    synchronous one.
    """
    copy = transfer.clone(ip=ir.InsertionPoint(transfer if ip is None else ip))
    if last is not None:
        inside = ip is not None and ip != transfer
        changed = {**changed, "deps": [last] if inside else [*deps_of(copy), last]}
    return token_of(with_operands(copy, changed))


def _finish(transfer: ir.Operation, last: ir.Value | None) -> None:
    token = token_of(transfer)
    if token is not None:
        token.replace_all_uses_with(last)
    transfer.erase()
