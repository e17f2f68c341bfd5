"""What the fields of a buffer descriptor hold, and what of a walk they do not.

A DMA moves, counts and steps in words of 32 bits. The innermost dimension of a descriptor is counted in words, the others in
steps; elements that are no words are moved in runs of neighbours only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from allo_air.device import BDFormat

WORD = 32


@dataclass(frozen=True)
class Misfit:
    """What dimension `dim` of a walk, 0 the innermost, asks for beyond `most`.

    A `wrap` is the size as the hardware counts it, a `step` the stride in words, `iterations` the size of the iteration. Of a
    `run` (the innermost size) and a `grain` (a stride), in elements, it is that they are no whole words, or, of the innermost
    stride, that the elements are not neighbours; a `sign` is a stride below 1, which only an iteration may have: 0.
    """

    kind: Literal["run", "wrap", "iterations", "grain", "sign", "step"]
    dim: int
    value: int
    most: int = 0


def misfits(dims: Sequence[tuple[int, int]], bits: int, form: BDFormat, iteration: int | None = None) -> Iterator[Misfit]:
    """What the fields of `form` cannot hold of a walk over elements of `bits` bits that is no plain run.

    Dimension `iteration`, 0 the innermost, is that of the descriptor's iteration.
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
