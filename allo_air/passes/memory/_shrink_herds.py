"""Shrinks a buffer that herds take as an operand, with a copy for each core, to the part of it that a core uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from allo_air.access.box import Walk
from allo_air.access.linear import Linear
from allo_air.core.walking import walk_named
from allo_air.dialects.air import L1, L3
from allo_air.dialects.air_values import regroup_operands
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.buffers import Buffer, Nest
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.memory import is_in
from allo_air.passes.memory._shrink import bounding_box, is_known_at, reallocated
from allo_air.passes.memory._sink import buffer_of
from allo_air.passes.memory._uses import can_move, moved_use, use_of

Uses = list[tuple[ir.Value, list[Nest], list[Linear], tuple[int, ...]]]
"""Herds' arguments, with their uses, and first index and size of the box around these."""


def buffers_on_device(root: AnyOp) -> Iterator[Buffer]:
    """The buffers of constant size in L2 and L1 that are allocated in `root`, with all that uses them."""
    for alloc in walk_named(root, "memref.alloc"):
        result = buffer_of(alloc)
        if result is None or is_in(alloc.results[0].type, L3):
            continue
        users = [use.owner.operation for use in result.value.uses]
        rest = [u for u in users if u.name != "memref.dealloc"]
        yield Buffer(result.home, alloc, result.value, tuple(rest), result.frees)


def is_herds_own(buffer: Buffer) -> bool:
    """Whether `buffer` is in L1 and only herds use it."""
    return is_in(buffer.value.type, L1) and bool(buffer.transfers) and all(t.name == "air.herd" for t in buffer.transfers)


def shrinking_in_herds(buffer: Buffer) -> Callable[[], None] | None:
    """The change that shrinks `buffer` to the part that a core uses; None if that is all of it, unknown, or differs between
    herds.
    """
    herds = list(buffer.transfers)
    indices = IndexValues()
    results: Uses = []
    for argument in _arguments(buffer.value, herds):
        nests = [use_of(use.owner.operation, argument.owner, indices) for use in argument.uses]
        nests_present = [n for n in nests if n is not None]
        box = bounding_box(nests_present) if nests_present and len(nests_present) == len(nests) else None
        if nests and box is None:
            return None
        if box is not None:
            results.append((argument, nests_present, *box))
    common = _common(results)
    if common is None:
        return None
    bases, size = common
    moved: list[tuple[Nest, Walk, ir.Value]] = []
    for (argument, uses, _, _), base in zip(results, bases, strict=True):
        for nest in uses:
            walk = nest.walk.moved(size, base)
            if walk is None or not is_known_at(nest.transfer, walk, indices) or not can_move(nest.transfer, size):
                return None
            moved.append((nest, walk, argument))
    if size == tuple(buffer.value.type.shape) or all(n == 1 for n in size):
        return None
    return partial(_shrink, buffer, size, moved, herds)


def _arguments(value: ir.Value, herds: Sequence[AnyOp]) -> list[ir.Value]:
    """The arguments of `herds` that `value` is passed as."""
    arguments = []
    for herd in dict.fromkeys(herds):
        view = herd.opview
        arguments += [a for o, a in zip(view.args, view.body_args, strict=True) if o == value]
    return arguments


def _common(uses: Uses) -> tuple[list[list[Linear]], tuple[int, ...]] | None:
    """The first index in each herd and the size of one part that fits all; None if the parts of the herds differ."""
    if not uses:
        return None
    forms = [[_by_ids(linear, argument) for linear in base] for argument, _, base, _ in uses]
    first = forms[0]
    if any(f is None or g is None or f[1] != g[1] for form in forms for f, g in zip(form, first, strict=True)):
        return None
    lows, part_sizes = [], []
    for dim in range(len(first)):
        starts = [form[dim][0] for form in forms]  # type: ignore[index]
        lows.append(min(starts))
        part_sizes.append(max(start + sizes[dim] for start, (_, _, _, sizes) in zip(starts, uses, strict=True)) - min(starts))
    bases = [[Linear(low, linear.terms) for low, linear in zip(lows, base, strict=True)] for _, _, base, _ in uses]
    return bases, tuple(part_sizes)


def _by_ids(linear: Linear, argument: ir.Value) -> tuple[int, dict[int, int]] | None:
    """The constant and the factor of each id of the herd, by number; None if it depends on other values."""
    ids = list(argument.owner.owner.opview.ids)
    if any(value not in ids for value, _ in linear.terms):
        return None
    return linear.constant, {ids.index(value): factor for value, factor in linear.terms}


def _shrink(buffer: Buffer, size: tuple[int, ...], moved: list[tuple[Nest, Walk, ir.Value]], herds: list[ir.Operation]) -> None:
    old = buffer.alloc.results[0].type
    value = reallocated(buffer, ir.MemRefType.get(size, old.element_type, memory_space=old.memory_space))
    for argument in _arguments(buffer.value, herds):
        argument.set_type(value.type)
    for nest, walk, argument in moved:
        moved_use(nest.transfer, argument, walk)
    buffer.value.replace_all_uses_with(value)
    for herd in dict.fromkeys(herds):
        regroup_operands(herd)
    if buffer.token is not None:
        buffer.token.replace_all_uses_with(value.owner.operation.results[0])
    buffer.home.erase()
