"""Which elements of a buffer an access touches, and whether two accesses can meet in one.

Addresses count elements of the buffer, whatever chain of views, `air.execute` results and hierarchy arguments leads to it. An
address set is a box of steps from a first address; the first address may depend on SSA values, which cancel where the two
accesses see the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import gcd, prod
from typing import Any

from allo_air.access.dims import Dims, is_dense, span
from allo_air.access.linear import ZERO, Linear, product
from allo_air.mlir import ir
from allo_air.passes._analysis.access import AccessPattern, Lists, whole_of
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.views import chain, patterns_of

_TRIES = 256
"""Candidates that one search for a common address looks at before it takes the accesses as meeting."""


@dataclass(frozen=True)
class Footprint:
    """The addresses `first + sum(i_k * stride_k)`, 0 <= i_k < count_k."""

    first: Linear
    steps: Dims

    @cached_property
    def span(self) -> tuple[int, int]:
        """The lowest and the highest address, counted from the SSA values' part of `first`."""
        return span(self.steps, self.first.constant)

    @cached_property
    def _backwards(self) -> Dims:
        return tuple((count, -stride) for count, stride in self.steps)

    def covers(self, elements: int) -> bool:
        """Whether this is each of the addresses from 0 to below `elements`."""
        return not self.first.terms and self.span == (0, elements - 1) and is_dense(self.steps)

    def meets(self, other: Footprint, indices: IndexValues) -> bool:
        """Whether the two can share an address while each SSA value has one value; True where that is not known."""
        steps = self.steps + other._backwards
        if self.first.terms == other.first.terms:
            return _reaches_zero(self.first.constant - other.first.constant, steps)
        distance = self.first + other.first.scaled(-1)
        for value, factor in distance.terms:
            known = indices.range_of(value)
            if known is None:
                return True
            lower, count, step = known
            distance += Linear(lower * factor)
            steps += ((count, step * factor),)
        return _reaches_zero(distance.constant, steps)

    def over(self, block: Any, indices: IndexValues) -> Footprint | None:
        """What this covers over all values of the SSA values that `block` defines; None where a range is not known."""
        first, steps = Linear(self.first.constant), list(self.steps)
        for value, factor in self.first.terms:
            if indices.block_of(value) != block:
                first += Linear(0, ((value, factor),))
                continue
            known = indices.range_of(value)
            if known is None:
                return None
            lower, count, step = known
            first += Linear(lower * factor)
            steps.append((count, step * factor))
        return Footprint(first, tuple(s for s in steps if s[0] != 1))


@lru_cache(maxsize=1 << 16)
def _reaches_zero(distance: int, steps: Dims) -> bool:
    """Whether `distance + sum(i_k * stride_k)` is 0 for some steps."""
    counts: dict[int, int] = {}
    for count, stride in steps:
        if count < 1:
            return False
        if stride < 0:
            distance += stride * (count - 1)
        if stride:
            counts[abs(stride)] = counts.get(abs(stride), 1) + count - 1
    loops = sorted(((stride, count - 1) for stride, count in counts.items() if count > 1), reverse=True)
    reach = [0]
    divisor = [0]
    for stride, most in reversed(loops):
        reach.append(reach[-1] + stride * most)
        divisor.append(gcd(divisor[-1], stride))
    reach.reverse()
    divisor.reverse()
    todo, tries = [(0, -distance)], 0
    while todo:
        at, wanted = todo.pop()
        if not 0 <= wanted <= reach[at] or (divisor[at] and wanted % divisor[at]):
            continue
        if at == len(loops):
            return True
        stride, most = loops[at]
        low = max(0, -((reach[at + 1] - wanted) // stride))
        high = min(most, wanted // stride)
        tries += high - low + 1
        if tries > _TRIES:
            return True
        todo += [(at + 1, wanted - i * stride) for i in range(low, high + 1)]
    return False


def footprint_of(memref: Any, lists: Sequence[Any] | None, indices: IndexValues) -> Footprint | None:
    """What an access through `memref` touches of its root: all of the view, or what `lists` (offsets, sizes, strides) name.

    None where that cannot be said, and where it is all of the root: any element, then.
    """
    found, root = visited(memref, lists, indices), root_of(memref)
    if found is None:
        return None
    return None if root.type.has_static_shape and found.covers(prod(root.type.shape)) else found


def visited(memref: Any, lists: Sequence[Any] | None, indices: IndexValues) -> Footprint | None:
    """Like `footprint_of`, but None only where it cannot be said."""
    pattern = _walked(memref)
    if pattern is None:
        return None
    if lists is not None and any(lists):
        explicit = Lists.of(*lists)
        if explicit is None:
            return None
        pattern = pattern.with_lists(explicit)
    steps = []
    for dim in pattern.dims:
        size, stride = indices.resolved(dim.size), indices.resolved(dim.stride)
        if size is None or not size.is_constant or size.constant < 1:
            return None
        if size.is_(1):
            continue
        if stride is None or not stride.is_constant:
            return None
        steps.append((size.constant, stride.constant))
    first = _first(pattern, indices)
    for outer in _hops(pattern.base):
        inner = _walked(outer)
        moved = _first(inner, indices) if inner else None
        if first is None or moved is None:
            return None
        first += moved
    root = root_of(memref)
    if first is None or not _is_rooted(pattern.base, root):
        return None
    return Footprint(first, tuple(steps))


def _walked(memref: Any) -> AccessPattern | None:
    """What `memref` walks over the memref at the bottom of its views; None where a view on the way cannot be followed."""
    views = chain(memref)
    if not views:
        return whole_of(memref)
    pattern = next(patterns_of(memref), None)
    return pattern if pattern is not None and pattern.base == views[0].operands[0] else None


def _first(pattern: AccessPattern, indices: IndexValues) -> Linear | None:
    """The first address of a walk."""
    total = ZERO
    for offset, stride in (*((d.offset, d.stride) for d in pattern.dims), *pattern.start):
        if offset.is_(0):
            continue
        moved = product(indices.resolved(offset), indices.resolved(stride))
        if moved is None:
            return None
        total += moved
    return total


def _hops(base: Any) -> Iterator[Any]:
    """The memrefs that `base` stands for, one after the other out of hierarchies and executes."""
    while True:
        outer = IndexValues.stands_for(base)
        if outer is None:
            return
        yield outer
        views = chain(outer)
        base = views[0].operands[0] if views else outer


def _is_rooted(base: Any, root: Any) -> bool:
    """Whether following `base` ends at `root`, with no view on the way that changes what an address means."""
    last = base
    for outer in _hops(base):
        views = chain(outer)
        last = views[0].operands[0] if views else outer
    return bool(last == root) and isinstance(root.type, ir.MemRefType)
