"""Makes a walk of any dimensions one that shim descriptors do: three dimensions and an iteration, within the fields.

What does not fit into one descriptor is split: a size into two factors, or the outermost loops into tasks of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from allo_air.access.dims import Dims, addresses, merged, span, volume
from allo_air.arch.limits import MAX_ELEMENTS, MAX_PATCH, MAX_REPEAT
from allo_air.device import SHIM_BD

MAX_WRAP = SHIM_BD.max_wraps[0]
"""Largest size of the two innermost dimensions, of the innermost one in words."""


@dataclass(frozen=True)
class Descriptor:
    """One shim BD: `dims` from element `offset` on, outermost first, `rounds` of them `stride` apart, all `times` over.

    Without `dims` the BD moves `length` elements that lie one after another.
    """

    offset: int
    length: int  # elements in one round
    dims: Dims
    rounds: int = 1
    stride: int = 0
    times: int = 1

    @property
    def runs(self) -> int:
        """How often the queue runs the BD, whose iteration begins again after `rounds`."""
        return self.rounds * self.times


@dataclass(frozen=True)
class Elements:
    """Elements of `bits` bits, in the 32-bit words that a DMA counts."""

    bits: int

    @property
    def unit(self) -> int:
        """The fewest elements that fill words."""
        return max(1, 32 // self.bits)

    def words(self, count: int) -> int:
        return count * self.bits // 32

    def steps(self, stride: int) -> bool:
        """Whether a BD's step field can hold `stride`, which is not that of the innermost dimension."""
        return stride > 0 and stride % self.unit == 0 and self.words(stride) <= SHIM_BD.max_step


def problem(offset: int, dims: Dims, bits: int) -> str | None:
    """Why no shim BD can move this, in words; None where all is well."""
    if bits > 32:
        return f"moves elements of {bits} bits, and a DMA addresses at most 32; use a smaller type"
    _, last = span(dims, offset)  # where a task of its own may start
    if last >= MAX_ELEMENTS or last * bits // 8 >= MAX_PATCH:
        return (
            f"reaches element {last:,} of {bits} bits; 32-bit offsets reach {MAX_ELEMENTS:,} elements and {MAX_PATCH:,} bytes: "
            "split the array"
        )
    unit = Elements(bits).unit
    inner = merged(dims)
    run = inner[-1][0] if inner and inner[-1][1] == 1 else 1
    if run % unit:
        return (
            f"moves runs of {run} elements of {bits} bits; a DMA moves multiples of 4 bytes: "
            f"make the innermost size a multiple of {unit}"
        )
    strides = [s for n, s in inner if n > 1 and s != 1]
    if offset % unit or any(s % unit for s in strides):
        where = f"offset {offset}" if offset % unit else f"stride {next(s for s in strides if s % unit)}"
        return f"moves elements of {bits} bits from {where}; a DMA starts at multiples of 4 bytes: make it a multiple of {unit}"
    return None


def descriptors(
    offset: int, dims: Dims, bits: int, max_repeat: int = MAX_REPEAT, *, iterates_again: bool = True
) -> list[Descriptor]:
    """The BDs, in order, that walk `dims`, for which there is no `problem`; one repeats at most `max_repeat` times.

    With `iterates_again`, iterations begin again where a BD repeats more often than it iterates.
    """
    elements = Elements(bits)
    outer, core = _core(list(merged(dims)), elements)
    rounds = list(_iterations(*outer.pop(), elements, max_repeat)) if outer else [(0, 1, 0)]
    [*_, (_, count, stride)] = rounds
    most = max_repeat // count if iterates_again and len(rounds) == 1 and stride else 1
    times = list(_parts(outer.pop()[0], most)) if most > 1 and outer and not outer[-1][1] else [1]
    length = volume(core)
    walk = () if len(core) == 1 and core[0][1] == 1 else tuple(core)  # a run has no limit; a BD that steps has three dimensions
    return [
        Descriptor(offset + base + start, length, walk, count, stride if count > 1 else 0, again)
        for base in addresses(outer).tolist()
        for again in times
        for start, count, stride in rounds
    ]


def _core(dims: list[tuple[int, int]], elements: Elements) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The dimensions left outside, and up to three that a BD walks by itself, each outermost first."""
    if not dims or (dims[-1][1] != 1 and not elements.steps(dims[-1][1])):
        core = [(1, 1)]
    else:
        core = [dims.pop()]
        if elements.words(core[0][0]) > MAX_WRAP and (core[0][1] != 1 or (dims and elements.steps(dims[-1][1]))):
            core = _factored(core[0], elements)
    while dims and len(core) < 3 and elements.steps(dims[-1][1]):
        size, stride = dims.pop()
        if len(core) == 2 or size <= MAX_WRAP:
            core.insert(0, (size, stride))
            continue
        inner = next((d for d in range(MAX_WRAP, 0, -1) if size % d == 0 and elements.steps(stride * d)), 1)
        core = [(size // inner, stride * inner), (inner, stride), *core]
    if len(core) == 2 and core[0][0] > MAX_WRAP:
        core.insert(1, (1, elements.unit))
    return dims, core


def _factored(dim: tuple[int, int], elements: Elements) -> list[tuple[int, int]]:
    """A dimension as two that fit; as three where no factors do: the third has no limit, and the innermost is one word."""
    size, stride = dim
    inner = _divisor(size, elements.unit, MAX_WRAP * elements.unit)
    if size // inner <= MAX_WRAP:
        return [(size // inner, stride * inner), (inner, stride)]
    return [(size // elements.unit, stride * elements.unit), (1, elements.unit), (elements.unit, 1)]


def _divisor(size: int, unit: int, limit: int) -> int:
    """The largest divisor of `size` that is a multiple of `unit` and at most `limit`."""
    return next(d for d in range(limit - limit % unit, 0, -unit) if size % d == 0)


def _iterations(size: int, stride: int, elements: Elements, max_repeat: int) -> Iterator[tuple[int, int, int]]:
    """(offset, rounds, stride) of the BDs that iterate over a dimension outside of the core."""
    if stride and not elements.steps(stride):
        yield from ((i * stride, 1, 0) for i in range(size))
        return
    done = 0
    for count in _parts(size, SHIM_BD.max_iterations if stride else max_repeat):
        yield done * stride, count, stride
        done += count


def _parts(size: int, most: int) -> Iterator[int]:
    """`size` in as few numbers as there are of at most `most`, about alike."""
    parts = -(-size // most)
    yield from (size * (part + 1) // parts - size * part // parts for part in range(parts))
