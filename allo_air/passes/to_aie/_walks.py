"""Static access patterns as a DMA walks them, and how they fit the fields of a buffer descriptor."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

from allo_air.access.dims import Dims, merged, overlap, span, volume
from allo_air.access.fields import WORD, misfits
from allo_air.access.fit import Limits, split
from allo_air.device import BDFormat
from allo_air.errors import counted


@dataclass(frozen=True)
class Walk:
    """Elements of a buffer of `elements` elements of `bits` bits: `offset`, then (size, stride) dimensions, outermost first.

    `pads` are the zeros sent before and after each dimension; none where it is empty.
    """

    offset: int
    dims: Dims
    elements: int
    bits: int
    pads: tuple[tuple[int, int], ...] = ()

    @property
    def length(self) -> int:
        """The number of moved elements, including padding."""
        if not self.pads:
            return volume(self.dims)
        return prod(size + before + after for (size, _), (before, after) in zip(self.dims, self.pads, strict=True))

    @property
    def bytes(self) -> int:
        return self.length * self.bits // 8

    @property
    def is_whole(self) -> bool:
        """Whether this visits the buffer from its first to its last element."""
        return self.offset == 0 and self.plain.dims == ((self.elements, 1),)

    @cached_property
    def plain(self) -> Walk:
        """The same walk without unit dimensions and padding, with contiguous neighbours merged."""
        return replace(self, dims=merged(self.dims) or ((1, 1),), pads=())

    def overlaps(self, other: Walk) -> bool:
        """Whether both visit some element."""
        return self.is_whole or other.is_whole or overlap(self.dims, self.offset, other.dims, other.offset)


class UnwalkableError(ValueError):
    """Raised for a walk that no buffer descriptors of the tile can do, with the reason."""


_WHOLE = "whole 32-bit words: pad the buffer's rows to these, or compile the function on tensors, which are padded"


def fit(walk: Walk, form: BDFormat) -> list[tuple[Walk, Dims]]:
    """The BDs of `walk`, in order: the part of each, and its dimensions (empty if contiguous). Raises UnwalkableError."""
    if walk.pads:
        return [_padded(walk, form)]
    walk = walk.plain
    if walk.bytes % 4 or walk.offset * walk.bits // 8 % 4 or walk.offset * walk.bits % 8:
        raise UnwalkableError(
            f"moves {counted(walk.bytes, 'byte')} from byte {walk.offset * walk.bits // 8}; the DMA moves {_WHOLE}"
        )
    _, last = span(walk.dims, walk.offset)
    if walk.offset < 0 or last >= walk.elements or min(stride for _, stride in walk.dims) < 0:
        raise UnwalkableError(f"visits elements {walk.offset} to {last} of a buffer of {walk.elements}")
    if walk.bytes // 4 > form.max_words:
        return _peel(walk, form, f"moves {counted(walk.bytes // 4, 'word')}; a BD's length holds at most {form.max_words}")
    if len(walk.dims) == 1 and walk.dims[0][1] == 1:
        return [(walk, ())]
    _check_words(walk, form)
    dims = walk.dims if walk.bits == WORD or walk.dims[-1][1] == 1 else (*walk.dims, (1, 1))
    outer_dims, inner = split(dims, Limits.of_program(form, walk.bits))
    if outer_dims:
        many = len(dims) > form.dimensions
        text = counted(len(dims), "dimension") if many else "a size or stride that its fields cannot hold"
        return _peel(walk, form, f"needs {text}; a BD has {counted(form.dimensions, 'dimension')}")
    return [(walk, inner)]


def is_one_bd(walk: Walk, form: BDFormat) -> bool:
    """Whether one BD of `form` can do `walk`, which must move something."""
    try:
        return walk.bytes > 0 and len(fit(walk, form)) == 1
    except UnwalkableError:
        return False


def _padded(walk: Walk, form: BDFormat) -> tuple[Walk, Dims]:
    """The single BD of a walk with padding."""
    if not form.pad_bits:
        raise UnwalkableError("pads its data, which only the DMA of a memtile can do; send it through an L2 buffer")
    used = [n for n, (size, _) in enumerate(walk.dims) if size > 1 or any(walk.pads[n])]
    walk = replace(walk, dims=tuple(walk.dims[n] for n in used), pads=tuple(walk.pads[n] for n in used))
    fit(replace(walk, pads=()), form)
    grain = WORD // walk.bits if walk.bits < WORD else 1
    for dim, (before, after) in enumerate(reversed(walk.pads)):
        most = (1 << form.pad_bits[dim]) - 1 if dim < len(form.pad_bits) else 0
        units = [n / grain if dim == 0 else n for n in (before, after)]
        if any(n > most or n != int(n) for n in units):
            raise UnwalkableError(
                f"pads dimension {len(walk.dims) - 1 - dim} with {before} and {counted(after, 'element')} of "
                f"{counted(walk.bits, 'bit')}; a memtile's"
                f" BD pads at most {most} {'words' if dim == 0 else 'places'} there, and whole words"
            )
    if len(walk.dims) > form.dimensions:
        raise UnwalkableError(f"pads a walk of {counted(len(walk.dims), 'dimension')}; a BD has {form.dimensions}")
    return walk, walk.dims


def _check_words(walk: Walk, form: BDFormat) -> None:
    """Raises UnwalkableError if a run or a step is not a whole number of words."""
    for misfit in misfits(walk.dims, walk.bits, form):
        if misfit.kind == "run":
            raise UnwalkableError(
                f"has rows of {counted(misfit.value, 'element')} of {counted(walk.bits, 'bit')}; the DMA moves {_WHOLE}"
            )
        if misfit.kind == "grain" and misfit.dim:
            raise UnwalkableError(
                f"steps by {counted(misfit.value, 'element')} of {counted(walk.bits, 'bit')}; a step is whole 32-bit words"
            )
        if misfit.kind == "grain" and walk.bits < WORD:
            raise UnwalkableError(
                f"walks elements of {counted(walk.bits, 'bit')} with an innermost stride of {misfit.value}; "
                "the DMA moves 32-bit words, so elements narrower than that must be neighbours"
            )


def _peel(walk: Walk, form: BDFormat, why: str) -> list[tuple[Walk, Dims]]:
    """One BD for each step of the outermost dimension."""
    (size, stride), *rest = walk.dims
    if not rest or size > form.max_iterations:
        raise UnwalkableError(why)
    parts = [Walk(walk.offset + i * stride, tuple(rest), walk.elements, walk.bits) for i in range(size)]
    return [bd for part in parts for bd in fit(part, form)]
