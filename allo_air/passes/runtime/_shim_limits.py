"""Converts an access pattern of any number of dimensions to shim BDs: three dimensions and an iteration, within the fields.
Patterns that do not fit one BD are split: a size into two factors, or the outermost loops into separate tasks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from allo_air.access.dims import Dims, merged, span, visited_elements, volume
from allo_air.access.fields import WORD
from allo_air.access.fit import Limits, of_wraps, split
from allo_air.arch.limits import BLOCK_BITS, MAX_ELEMENTS, MAX_PATCH, MAX_REPEAT
from allo_air.device import SHIM_BD
from allo_air.errors import counted


@dataclass(frozen=True)
class Descriptor:
    """One shim BD: `dims` from element `offset` on, outermost first; it iterates `rounds` times with step `stride`, and the
    whole repeats `times` times. Without `dims`, it moves `length` contiguous elements.
    """

    offset: int
    length: int  # elements in one round
    dims: Dims
    rounds: int = 1
    stride: int = 0
    times: int = 1

    @property
    def runs(self) -> int:
        """The number of times that the queue runs the BD, whose iteration restarts after `rounds`."""
        return self.rounds * self.times


@lru_cache
def limits_of(bits: int) -> Limits:
    """The limits of a shim BD over elements of `bits` bits; its third dimension has no wrap, since the length ends it."""
    return Limits(SHIM_BD, bits, (*of_wraps(SHIM_BD, bits), None), SHIM_BD.max_step * WORD // bits)


def problem(offset: int, dims: Dims, bits: int) -> str | None:
    """The reason why no shim BD can move this; None if one can."""
    if bits > 32:
        instead = "i8 and its bytes, which are those of blocks" if bits in BLOCK_BITS.values() else "a smaller type"
        return f"moves elements of {counted(bits, 'bit')}, and a DMA addresses at most 32; use {instead}"
    _, last = span(dims, offset)  # the alignment of a separate task's start
    if last >= MAX_ELEMENTS or last * bits // 8 >= MAX_PATCH:
        return (
            f"reaches element {last:,} of "
            f"{counted(bits, 'bit')}; 32-bit offsets reach {MAX_ELEMENTS:,} elements and {MAX_PATCH:,} bytes: "
            "split the array"
        )
    return _problem(offset, dims, bits) if offset % limits_of(bits).unit else _problem(0, dims, bits)


@lru_cache(maxsize=1024)
def _problem(offset: int, dims: Dims, bits: int) -> str | None:
    """The reason why no descriptors can do a pattern in 32-bit words, or None; the pattern may start at any word."""
    unit = limits_of(bits).unit
    inner = merged(dims)
    run = inner[-1][0] if inner and inner[-1][1] == 1 else 1
    if run % unit:
        return (
            f"moves runs of {counted(run, 'element')} of {counted(bits, 'bit')}; a DMA moves multiples of 4 bytes: "
            f"make the innermost size a multiple of {unit}"
        )
    strides = [s for n, s in inner if n > 1 and s != 1]
    if offset % unit or any(s % unit for s in strides):
        place_text = f"offset {offset}" if offset % unit else f"stride {next(s for s in strides if s % unit)}"
        return (
            f"moves elements of {counted(bits, 'bit')} from {place_text}; a DMA starts at multiples of 4 bytes: "
            f"make it a multiple of {unit}"
        )
    return None


def descriptors(
    offset: int, dims: Dims, bits: int, max_repeat: int = MAX_REPEAT, *, iterates_again: bool = True
) -> list[Descriptor]:
    """The BDs for `dims`, in order, for which `problem` is None; a BD repeats at most `max_repeat` times. With
    `iterates_again`, the iteration restarts if a BD repeats more often than it iterates.
    """
    result = _descriptors(dims, bits, max_repeat, iterates_again)
    return [Descriptor(offset + d.offset, d.length, d.dims, d.rounds, d.stride, d.times) for d in result]


@lru_cache(maxsize=1024)
def _descriptors(dims: Dims, bits: int, max_repeat: int, iterates_again: bool) -> tuple[Descriptor, ...]:
    """The BDs of a pattern from element 0 on (cached: many patterns of a sequence differ only in their offsets)."""
    limits = limits_of(bits)
    walk = merged(dims)
    if not walk or not (walk[-1][1] == 1 or limits.steps(walk[-1][1])):
        walk = (*walk, (1, 1))
    outer_walk, core = split(walk, limits)
    outer = list(outer_walk)
    rounds = list(_iterations(*outer.pop(), limits, max_repeat)) if outer else [(0, 1, 0)]
    [*_, (_, count, stride)] = rounds
    most = max_repeat // count if iterates_again and len(rounds) == 1 and stride else 1
    times = list(_parts(outer.pop()[0], most)) if most > 1 and outer and not outer[-1][1] else [1]
    length = volume(core)
    inner = () if len(core) == 1 and core[0][1] == 1 else core  # a contiguous run has no limit; other BDs have three dimensions
    return tuple(
        Descriptor(base + start, length, inner, count, stride if count > 1 else 0, again)
        for base in visited_elements(outer)
        for again in times
        for start, count, stride in rounds
    )


def _iterations(size: int, stride: int, limits: Limits, max_repeat: int) -> Iterator[tuple[int, int, int]]:
    """(offset, rounds, stride) of the BDs that iterate over a dimension outside of the core."""
    if stride and not limits.steps(stride):
        yield from ((i * stride, 1, 0) for i in range(size))
        return
    done = 0
    for count in _parts(size, SHIM_BD.max_iterations if stride else max_repeat):
        yield done * stride, count, stride
        done += count


def _parts(size: int, most: int) -> Iterator[int]:
    """`size` as a sum of as few numbers of at most `most` as possible, of about equal size."""
    parts = -(-size // most)
    yield from (size * (part + 1) // parts - size * part // parts for part in range(parts))
