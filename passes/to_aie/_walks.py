"""Static access patterns as a DMA walks them, and how they fit the fields of a buffer descriptor."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from allo_air.access.dims import Dims, addresses, merged, span, volume
from allo_air.arch.limits import MAX_SIZE
from allo_air.device import BDFormat

"""Largest size of a dimension that mlir-aie takes, whatever the tile's fields hold."""


@dataclass(frozen=True)
class Walk:
    """Elements of a buffer of `elements` elements of `bits` bits: `offset`, then (size, stride) dimensions, outermost first."""

    offset: int
    dims: Dims
    elements: int
    bits: int

    @property
    def length(self) -> int:
        """Elements moved."""
        return volume(self.dims)

    @property
    def bytes(self) -> int:
        return self.length * self.bits // 8

    @cached_property
    def addresses(self) -> Any:
        """The elements visited, each once, in increasing order."""
        walked = addresses(sorted(self.dims, key=lambda dim: -dim[1]), self.offset)
        walked.sort(kind="stable")  # which takes linear time where little or nothing is out of order
        return walked[np.append(True, walked[1:] != walked[:-1])]

    @property
    def is_whole(self) -> bool:
        """Whether this visits the buffer from its first to its last element."""
        return self.offset == 0 and self.plain.dims == ((self.elements, 1),)

    @cached_property
    def plain(self) -> Walk:
        """The same walk without unit dimensions, neighbours merged that follow on each other."""
        return replace(self, dims=merged(self.dims) or ((1, 1),))

    def overlaps(self, other: Walk) -> bool:
        """Whether both visit some element."""
        if self.is_whole or other.is_whole:
            return True
        mine, others = self.addresses, other.addresses
        low, high = max(mine[0], others[0]), min(mine[-1], others[-1])
        if low > high:
            return False
        visited = np.zeros(high - low + 1, dtype=bool)
        visited[mine[(mine >= low) & (mine <= high)] - low] = True
        return bool(visited[others[(others >= low) & (others <= high)] - low].any())


class Unfit(ValueError):
    """A walk that no buffer descriptors of the tile can do; the text says why."""


def fit(walk: Walk, limits: BDFormat) -> list[tuple[Walk, Dims]]:
    """The BDs of `walk`: each one's part of it and its dimensions (none where it is contiguous), in order; Unfit."""
    walk = walk.plain
    if walk.bytes % 4 or walk.offset * walk.bits // 8 % 4 or walk.offset * walk.bits % 8:
        raise Unfit(f"moves {walk.bytes} bytes from byte {walk.offset * walk.bits // 8}; the DMA moves whole 32-bit words")
    _, last = span(walk.dims, walk.offset)
    if walk.offset < 0 or last >= walk.elements or min(stride for _, stride in walk.dims) < 0:
        raise Unfit(f"visits elements {walk.offset} to {last} of a buffer of {walk.elements}")
    if walk.bytes // 4 > limits.max_words:
        return _peel(walk, limits, f"moves {walk.bytes // 4} words; a BD's length holds at most {limits.max_words}")
    if len(walk.dims) == 1 and walk.dims[0][1] == 1:
        return [(walk, ())]
    dims = _split(walk, limits)
    if dims is None or len(dims) > limits.dimensions:
        found = "a size or stride that its fields cannot hold" if dims is None else f"{len(dims)} dimensions"
        return _peel(walk, limits, f"needs {found}; a BD has {limits.dimensions} dimensions")
    return [(walk, dims)]


def _peel(walk: Walk, limits: BDFormat, why: str) -> list[tuple[Walk, Dims]]:
    """One BD for each step of the outermost dimension."""
    (size, stride), *rest = walk.dims
    if not rest or size > limits.max_iterations:
        raise Unfit(why)
    parts = [Walk(walk.offset + i * stride, tuple(rest), walk.elements, walk.bits) for i in range(size)]
    return [bd for part in parts for bd in fit(part, limits)]


def _split(walk: Walk, limits: BDFormat) -> Dims | None:
    """The dimensions with those divided that are larger than their field; None where none divides them or a
    stride is too long.

    The outermost dimension has no field: the BD ends when its length is moved. mlir-aie still wants MAX_SIZE there.
    """
    dims = list(walk.dims)
    if walk.bits != 32 and dims[-1][1] != 1:
        if walk.bits < 32:
            raise Unfit(
                f"walks elements of {walk.bits} bits with an innermost stride of {dims[-1][1]}; "
                "the DMA moves 32-bit words, so elements narrower than that must be neighbours"
            )
        dims.append((1, 1))
    words = max(1, walk.bits // 32) if walk.bits > 32 else 1
    if walk.bits < 32 and dims[-1][0] * walk.bits % 32:
        raise Unfit(f"has rows of {dims[-1][0]} elements of {walk.bits} bits; the DMA moves whole 32-bit words")
    result: list[tuple[int, int]] = []
    for number, (size, stride) in enumerate(reversed(dims)):
        if number and stride * walk.bits % 32:
            raise Unfit(f"steps by {stride} elements of {walk.bits} bits; a step is whole 32-bit words")
        result += _fields(size, stride, len(result), limits, words if number == 0 else 1, walk.bits)
        if not result[-1][0]:
            return None
    if any(size > 1 and stride * walk.bits // 32 > limits.max_step for size, stride in result):
        return None
    return tuple(reversed(result))


def _fields(size: int, stride: int, at: int, limits: BDFormat, words: int, bits: int) -> list[tuple[int, int]]:
    """(size, stride) of dimension `at` and those it is divided into, innermost first; a size of 0 where it cannot be."""
    found: list[tuple[int, int]] = []
    while True:
        place = at + len(found)
        most = MAX_SIZE
        if place < len(limits.max_wraps):
            field = limits.max_wraps[place]
            most = min(MAX_SIZE, field * 32 // bits if place == 0 and words == 1 else field // words if place == 0 else field)
        if size <= most:
            return [*found, (size, stride)]
        step = 32 // bits if place == 0 and bits < 32 else 1
        inner = next((f for f in range(most, 1, -1) if size % f == 0 and f % step == 0), 0)
        if not inner:
            return [*found, (0, stride)]
        found.append((inner, stride))
        size, stride = size // inner, stride * inner
