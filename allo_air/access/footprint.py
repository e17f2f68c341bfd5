"""The elements of a buffer that an access touches, in any order, and whether two accesses can touch the same element.

The first address may depend on values of the program, which cancel if both accesses use the same ones.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import gcd
from typing import TYPE_CHECKING, Any, Protocol

from allo_air.access.dims import Dims, is_dense, span
from allo_air.access.linear import Linear

if TYPE_CHECKING:
    from allo_air.mlir import ir


class Ranges(Protocol):
    """Ranges and places of the values in an address."""

    def range_of(self, value: ir.Value) -> tuple[int, int, int] | None:
        """(lowest, number of values, step) of a value; None if unknown."""

    def block_of(self, value: Any) -> Hashable:
        """The block that defines a value."""


_TRIES = 256
"""Candidates that one search for a common address tries; after that, the accesses are assumed to share one."""


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
        """Whether the footprint is exactly the addresses from 0 to `elements` - 1."""
        return not self.first.terms and self.span == (0, elements - 1) and is_dense(self.steps)

    def meets(self, other: Footprint, ranges: Ranges) -> bool:
        """Whether the two can share an address while each SSA value has one value; True if unknown."""
        steps = self.steps + other._backwards
        if self.first.terms == other.first.terms:
            return _reaches_zero(self.first.constant - other.first.constant, steps)
        distance = self.first + other.first.scaled(-1)
        for value, factor in distance.terms:
            bounds = ranges.range_of(value)
            if bounds is None:
                return True
            lower, count, step = bounds
            distance += Linear(lower * factor)
            steps += ((count, step * factor),)
        return _reaches_zero(distance.constant, steps)

    def over(self, block: ir.Block, ranges: Ranges) -> Footprint | None:
        """The footprint over all values of the SSA values that `block` defines; None if a range is unknown."""
        first, steps = Linear(self.first.constant), list(self.steps)
        for value, factor in self.first.terms:
            if ranges.block_of(value) != block:
                first += Linear(0, ((value, factor),))
                continue
            bounds = ranges.range_of(value)
            if bounds is None:
                return None
            lower, count, step = bounds
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
        loop, total = todo.pop()
        if not 0 <= total <= reach[loop] or (divisor[loop] and total % divisor[loop]):
            continue
        if loop == len(loops):
            return True
        stride, most = loops[loop]
        low = max(0, -((reach[loop + 1] - total) // stride))
        high = min(most, total // stride)
        tries += high - low + 1
        if tries > _TRIES:
            return True
        todo += [(loop + 1, total - i * stride) for i in range(low, high + 1)]
    return False
