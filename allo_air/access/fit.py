"""Walks that one buffer descriptor can do: sizes that exceed their fields are divided, and the remaining dimensions stay
outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from allo_air.access.dims import Dims
from allo_air.access.fields import WORD
from allo_air.arch.limits import MAX_SIZE, MAX_STRIDE
from allo_air.device import BDFormat


@dataclass(frozen=True)
class Limits:
    """The dimensions that one descriptor of `form` can have over elements of `bits` bits.

    `sizes` are the largest sizes, innermost first, in elements; None: any.
    """

    form: BDFormat
    bits: int
    sizes: tuple[int | None, ...]
    max_stride: int

    @classmethod
    def of_program(cls, form: BDFormat, bits: int) -> Limits:
        """The fields of a descriptor in a DMA program. The outermost dimension has no wrap: the transfer's length ends it."""
        wraps = (*of_wraps(form, bits), *[MAX_SIZE] * form.dimensions)
        return cls(form, bits, tuple(min(MAX_SIZE, most) for most in wraps[: form.dimensions]), MAX_STRIDE)

    @property
    def unit(self) -> int:
        """The fewest elements that are a whole number of 32-bit words."""
        return max(1, WORD // self.bits)

    def steps(self, stride: int) -> bool:
        """Whether a descriptor can step by `stride`, if elements are not contiguous."""
        return self._holds(stride) and stride % self.unit == 0

    def allow(self, dims: Sequence[tuple[int, int]]) -> bool:
        """Whether one descriptor can do the walk `dims` unchanged; a contiguous run needs no dimensions."""
        if not dims or (len(dims) == 1 and dims[0][1] == 1):
            return True
        if len(dims) > len(self.sizes) or (self.bits != WORD and dims[-1][1] != 1):
            return False
        return all(
            (most is None or size <= most) and self._holds(stride)
            for (size, stride), most in zip(reversed(dims), self.sizes, strict=False)
        )

    def _holds(self, stride: int) -> bool:
        return 0 < stride <= self.max_stride and stride * self.bits // WORD <= self.form.max_step


def of_wraps(form: BDFormat, bits: int) -> tuple[int, ...]:
    """The largest sizes that the wraps of `form` hold, innermost first, in elements of `bits` bits."""
    return tuple(most if dim else most * WORD // bits for dim, most in enumerate(form.max_wraps))


@lru_cache(maxsize=4096)
def divisor(size: int, most: int, unit: int = 1) -> int:
    """The largest divisor of `size` that is a multiple of `unit` and at most `most`; 0 if there is none."""
    return next((d for d in range(most - most % unit, 0, -unit) if size % d == 0), 0)


def split(dims: Sequence[tuple[int, int]], limits: Limits) -> tuple[Dims, Dims]:
    """Splits `dims`, which must be merged, into outer dimensions and the dimensions of one descriptor.

    A size that exceeds its field is divided. A contiguous run that no further dimension of the descriptor repeats needs no
    field.
    """
    outer, inner = list(dims), list[tuple[int, int]]()
    while outer and len(inner) < len(limits.sizes):
        size, stride = outer[-1]
        if not (limits.steps(stride) or (stride == 1 and not inner)):
            break
        outer.pop()
        most = limits.sizes[len(inner)]
        is_run = stride == 1 and not inner and not (outer and limits.steps(outer[-1][1]))
        if most is not None and size > most and not is_run:
            longest = min(most, limits.max_stride // stride, limits.form.max_step * WORD // limits.bits // stride)
            part = divisor(size, longest, 1 if inner else limits.unit)
            outer.append((size // part, stride * part))
            size = part
        inner.append((size, stride))
    return tuple(outer), tuple(reversed(inner))
