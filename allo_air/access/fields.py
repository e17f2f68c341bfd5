"""The fields of a buffer descriptor, and the parts of a walk that do not fit them.

A DMA moves, counts and steps in 32-bit words. The innermost dimension of a descriptor is counted in words, the others in steps.
Elements that are not whole words can only be moved in contiguous runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from allo_air.device import BDFormat

WORD = 32


@dataclass(frozen=True)
class Misfit:
    """A quantity of dimension `dim` (0 is the innermost) that a field of a descriptor cannot hold; the largest possible value
    is `most`.

    `wrap`: the size, as the hardware counts it. `step`: the stride in words. `iterations`: the size of the iteration. `run`:
    the innermost size, in elements, is not whole words. `grain`: a stride, in elements, is not whole words, or the innermost
    elements are not contiguous. `sign`: a stride is below 1; only the iteration may have stride 0.
    """

    kind: Literal["run", "wrap", "iterations", "grain", "sign", "step"]
    dim: int
    value: int
    most: int = 0


def misfits(dims: Sequence[tuple[int, int]], bits: int, form: BDFormat, iteration: int | None = None) -> Iterator[Misfit]:
    """The quantities of a walk that exceed the fields of `form`, for elements of `bits` bits. The walk must not be a plain run.

    Dimension `iteration` (0 is the innermost) uses the descriptor's iteration.
    """
    for dim, (size, stride) in enumerate(reversed(dims)):
        wrap = size if dim else size * bits // WORD
        if not dim and size * bits % WORD:
            yield Misfit("run", dim, size)
        elif dim == iteration:
            if size > form.max_iterations:
                yield Misfit("iterations", dim, size, form.max_iterations)
        elif dim < len(form.max_wraps) and wrap > form.max_wraps[dim]:
            yield Misfit("wrap", dim, wrap, form.max_wraps[dim])
        if size == 1:
            continue
        if stride < (dim != iteration):
            yield Misfit("sign", dim, stride)
        elif stride * bits % WORD if dim else bits != WORD and stride != 1:
            yield Misfit("grain", dim, stride)
        elif stride * bits // WORD > form.max_step:
            yield Misfit("step", dim, stride * bits // WORD, form.max_step)
