"""Boxes: which part of a buffer's index space access lists visit, and the same lists on another buffer.

An access list counts in strides of memory. On a buffer of row-major layout each of its dimensions steps along one dimension of
the buffer: stride 4096 on memref<64x1024> is 4 rows. So a list visits a box, `size[d]` indices from `low[d]` on in dimension d.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from allo_air.access.dims import row_major
from allo_air.access.linear import ZERO, Linear
from allo_air.access.pattern import Lists


@dataclass(frozen=True)
class Step:
    """One dimension of an access list: `size` times `step` indices along `dim` of the buffer, from `offset` steps on."""

    dim: int
    size: int
    step: int
    offset: Linear


@dataclass(frozen=True)
class Walk:
    """An access list on a row-major buffer of `shape`, dimension by dimension, outermost first; offsets are resolved."""

    shape: tuple[int, ...]
    steps: tuple[Step, ...]

    @property
    def low(self) -> list[Linear]:
        """The first index that is visited in each dimension of the buffer."""
        lows = [ZERO] * len(self.shape)
        for s in self.steps:
            lows[s.dim] = lows[s.dim] + s.offset.scaled(s.step)
        return lows

    @property
    def size(self) -> list[int]:
        """The number of indices from the first to the last visited one, inclusive, in each dimension."""
        sizes = [1] * len(self.shape)
        for s in self.steps:
            sizes[s.dim] += (s.size - 1) * s.step
        return sizes

    def moved(self, shape: Sequence[int], base: Sequence[Linear]) -> Walk | None:
        """The same indices minus `base`, in a buffer of `shape`; None if no dimension of the list can represent the
        difference.
        """
        steps = list(self.steps)
        for dim, shift in enumerate(base):
            if shift.is_(0):
                continue
            here = [i for i, s in enumerate(steps) if s.dim == dim]
            low = sum((steps[i].offset.scaled(steps[i].step) for i in here), ZERO) + shift.scaled(-1)
            fits = [i for i in here if _divides(steps[i].step, low)]
            if not fits:
                return None
            chosen = max(fits, key=lambda i: (steps[i].size > 1, -steps[i].step, i))
            for i in here:
                offset = _quotient(low, steps[i].step) if i == chosen else ZERO
                steps[i] = Step(dim, steps[i].size, steps[i].step, offset)
        return Walk(tuple(shape), tuple(steps))

    def lists(self) -> Lists:
        """The equivalent access lists."""
        strides = row_major(self.shape)
        return Lists(
            tuple(s.offset for s in self.steps),
            tuple(Linear(s.size) for s in self.steps),
            tuple(Linear(s.step * strides[s.dim]) for s in self.steps),
        )


def whole_buffer(shape: tuple[int, ...]) -> Walk:
    """All of a buffer of `shape`."""
    return Walk(shape, tuple(Step(d, n, 1, ZERO) for d, n in enumerate(shape)))


def boxed(shape: tuple[int, ...], lists: Lists) -> Walk | None:
    """The walk of `lists` over a buffer of `shape`; None if it is not a box: dynamic sizes, or a run past the end of a row."""
    steps: list[Step] = []
    for offset, size, stride in zip(lists.offsets, lists.sizes, lists.strides, strict=True):
        if not size.is_constant or not stride.is_constant or size.constant < 1:
            return None
        step = _stepped_dim(shape, offset, size.constant, stride.constant)
        if step is None:
            return None
        steps.append(step)
    return _inside_rows(shape, steps)


def _stepped_dim(shape: tuple[int, ...], offset: Linear, size: int, stride: int) -> Step | None:
    """The step of `stride` along a dimension whose own stride divides it and which is long enough for the run.

    None for a repetition (stride 0), and if there is no such dimension.
    """
    if stride == 0:
        if size != 1:
            return None  # a repetition
        return Step(len(shape) - 1, 1, 1, ZERO)
    choices = [
        (d, stride // own)
        for d, own in enumerate(row_major(shape))
        if stride % own == 0 and (stride // own < shape[d] or stride == own) and (size - 1) * (stride // own) < shape[d]
    ]
    if not choices:
        # A single block along a dimension: its step does not matter.
        return Step(len(shape) - 1, 1, 1, ZERO) if size == 1 and offset.is_(0) else None
    dim, step = max(choices, key=lambda c: shape[c[0]] > 1)
    return Step(dim, size, step, offset)


def _inside_rows(shape: tuple[int, ...], steps: list[Step]) -> Walk | None:
    """The walk, if it stays inside the buffer's rows wherever its offsets are constant."""
    walk = Walk(shape, tuple(steps))
    for low, size, bound in zip(walk.low, walk.size, shape, strict=True):
        if size > bound or (low.is_constant and not 0 <= low.constant <= bound - size):
            return None
    return walk


def _divides(step: int, part: Linear) -> bool:
    return part.constant % step == 0 and all(c % step == 0 for _, c in part.terms)


def _quotient(part: Linear, step: int) -> Linear:
    return Linear(part.constant // step, tuple((v, c // step) for v, c in part.terms))
