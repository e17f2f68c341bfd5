"""split-reductions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import gcd, prod

from allo_air.arch.limits import core_room
from allo_air.core.pass_ import Pass
from allo_air.core.schedule import schedule
from allo_air.core.walking import walk_named
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.row_parts import smallest_part
from allo_air.passes._analysis.structured import indexing_maps, loop_extents, loops_in, reductions, spans
from allo_air.passes._ir.device_option import device_option
from allo_air.passes._ir.generic import Generic
from allo_air.passes.map._long_reductions import (
    fuse_producer,
    is_argument,
    is_plain,
    is_read_again,
    join_loops,
    pad_loop,
    split_in_two,
)
from allo_air.passes.map._long_searches import is_search, split_search
from allo_air.passes.map._neutral_numbers import combiner
from allo_air.passes.map._unit_operands import drop_units, has_loops_only

MARK = "allo.split"
PARTS = 64
"""Smallest number of parts, if there is a choice: a few for each core."""
LEAST = 64
"""Smallest number of elements of a part, so that there are few partial results."""


@dataclass(frozen=True)
class SplitReductions(Pass):
    """Splits reductions whose row does not fit into L1: many cores reduce parts of the row, and a second reduction combines the
    results.

    Run it before `partition-kernels`, which makes a kernel of each reduction. Adjacent reduction loops are merged if the
    operands' dimensions are contiguous; otherwise, all but one become a separate reduction, unless there are enough rows for
    all cores. Elementwise operations that only the reduction uses move into its body. A row that cannot be divided is padded
    with neutral elements; the caller pads arguments.

    These stay unchanged: contractions; reductions with several results, except argmax and argmin; and reductions whose result
    is combined with the row again, as in a softmax, if memtiles hold a row, in and out, for each core. A core then sweeps over
    the row several times.

    Before:

        %s = linalg.generic {iterator_types = ["reduction"]} ins(%a : tensor<1048576xf32>) outs(%zero : tensor<f32>)

    After:

        %b = tensor.expand_shape %a [[0, 1]] : tensor<1048576xf32> into tensor<256x4096xf32>
        %p = linalg.generic {iterator_types = ["parallel", "reduction"]} ins(%b) outs(%zeros : tensor<256xf32>)
        %s = linalg.generic {iterator_types = ["reduction"]} ins(%p : tensor<256xf32>) outs(%zero : tensor<f32>)
    """

    name = "split-reductions"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""

    def run(self, op: AnyOp, /) -> None:
        device = device_option(self.name, self.device)
        room, far = core_room(device) // 2, device.tiles["mem"].memory // (2 * len(device.core_rows))
        cores = device.columns * len(device.core_rows)
        for function in walk_named(op, "func.func"):
            waiting = list(walk_named(function, "linalg.generic"))
            while waiting:
                generic = waiting.pop()
                waiting += _shorten_once(function, generic, room, far, cores)


def _shorten_once(function: ir.Operation, op: ir.Operation, room: int, far: int, cores: int) -> Sequence[ir.Operation]:
    """Shortens the rows by one step; returns the operations that may need another step."""
    reduces = reductions(op)
    if not any(reduces) or len(op.results) > 2 or _is_contraction(op):
        return ()
    if not all(isinstance(v.type, ir.RankedTensorType) for v in op.operands):
        return ()
    extents = loop_extents(op)
    row = _row(op, extents)
    if -1 in extents or row([e if r else 1 for e, r in zip(extents, reduces, strict=True)]) <= room:
        return ()
    rows = prod(e for e, r in zip(extents, reduces, strict=True) if not r)
    result = Generic.of(op)
    if (
        rows >= cores
        and row([e if r else 1 for e, r in zip(extents, reduces, strict=True)]) <= far
        and _can_sweep_in_parts(result)
    ):
        return ()
    if len(op.results) == 2:
        if not is_search(result):
            return ()
        parts, length = _even_parts(extents, row, room, reduces.index(True), rows)
        fits = parts * length == extents[reduces.index(True)] or is_argument(result.inputs[0])
        return (split_search(result, parts, length),) if fits else ()
    if (new := fuse_producer(result)) is not None:
        return (new,)
    splits = combiner(result) is not None and is_plain(result)
    if sum(reduces) > 1:
        if not splits or rows >= PARTS:
            return ()
        if (new := join_loops(result)) is not None:
            return (new,)
        outermost = next(d for m in result.maps for e in m.results for d in loops_in(e) if reduces[d])
        return split_in_two(result, outermost)
    loop = reduces.index(True)
    extent = extents[loop]
    fitting = [p for p in range(2, extent) if extent % p == 0 and row(_unit_except(extents, loop, extent // p)) <= room]
    fitting = [p for p in fitting if _has_whole_words(result, loop, extent // p)] or (fitting if not splits else [])
    busy = [p for p in fitting if p * rows >= PARTS and extent // p >= LEAST]
    parts = max(busy, key=lambda p: (gcd(p * rows, PARTS), -p)) if busy else next(iter(fitting[-1:]), 1)
    if splits and (parts == 1 or extent // parts < LEAST):
        count, length = _even_parts(extents, row, room, loop, rows)
        return pad_loop(result, loop, count * length)
    if parts == 1 or not (splits or _joins_at_the_end(result)):
        return ()
    if not has_loops_only(result):  # MLIR splits only reductions of this form
        return () if (new := drop_units(result)) is None else (new,)
    return _split(function, op, parts)


def _can_sweep_in_parts(generic: Generic) -> bool:
    """Whether a core can sweep over a row in parts, with one more sweep for users of the result."""
    lengths = [e for e, kind in zip(loop_extents(generic.op), generic.iterators, strict=True) if kind == "reduction"]
    part = smallest_part(lengths[0], masked=combiner(generic) is not None) if len(lengths) == 1 else None
    return part is not None and is_read_again(generic)


def _joins_at_the_end(generic: Generic) -> bool:
    """Whether the body ends with the operation that combines the accumulator, which is not a select. MLIR splits no other
    reductions.
    """
    [value], so_far = generic.yielded, generic.arguments[-1]
    if isinstance(value, ir.BlockArgument) or walk_named(generic.op, "linalg.index"):
        return False
    return value.owner.name != "arith.select" and so_far in list(value.owner.operands)


def _even_parts(
    extents: Sequence[int], row: Callable[[Sequence[int]], int], room: int, loop: int, rows: int
) -> tuple[int, int]:
    """The number of parts that cover a row, and their length: equal, and a multiple of LEAST."""
    extent, step = extents[loop], -(-PARTS // rows)
    count = next(c for c in range(step, extent + step, step) if row(_unit_except(extents, loop, extent // c + LEAST)) <= room)
    return count, -(-extent // (count * LEAST)) * LEAST


def _row(op: ir.Operation, extents: Sequence[int]) -> Callable[[Sequence[int]], int]:
    maps = list(zip(op.operands, indexing_maps(op), strict=True))
    return lambda sizes: sum(prod(spans(m, sizes)) * (element_bits(v.type) or 64) // 8 for v, m in maps)


def _has_whole_words(generic: Generic, loop: int, length: int) -> bool:
    """Whether parts of `length` iterations are whole 32-bit words in all operands whose rows this loop traverses."""
    along = [
        v for v, m in zip(generic.inputs, generic.maps, strict=False) if m.results and loop in loops_in(list(m.results)[-1])
    ]
    return all((element_bits(v.type) or 32) * length % 32 == 0 for v in along)


def _unit_except(extents: Sequence[int], loop: int, length: int) -> list[int]:
    return [length if i == loop else 1 for i in range(len(extents))]


def _is_contraction(op: ir.Operation) -> bool:
    from allo_air.mlir import linalg

    return bool(linalg.isa_contraction_op(op))


def _split(function: ir.Operation, generic: ir.Operation, parts: int) -> list[ir.Operation]:
    """Splits `generic`; returns the new operations, which may need another split."""
    earlier = walk_named(function, "linalg.generic")
    generic.attributes[MARK] = ir.UnitAttr.get()
    schedule("split-reduction", parts=parts).run(function)
    ops = [g for g in walk_named(function, "linalg.generic") if g not in earlier]
    for op in ops:
        if MARK in op.attributes:
            del op.attributes[MARK]
    return ops
