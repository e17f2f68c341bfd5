"""Subscripts: the region of a tensor or buffer that `t[i, lo:hi]` selects."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.air.api.errors import IndexError, NotImplementedError, TypeError, ValueError
from allo_air.air.api.extent import extent
from allo_air.air.api.index import Index
from allo_air.air.api.symbol import plain
from allo_air.errors import counted


@dataclass(frozen=True)
class Region:
    """Offsets and sizes along each dimension, in elements."""

    offsets: tuple[Index | int, ...]
    sizes: tuple[int, ...]


def is_whole(subscript: object) -> bool:
    """Whether the subscript consists of bare colons."""
    parts = subscript if isinstance(subscript, tuple) else (subscript,)
    return bool(parts) and all(isinstance(p, slice) and p.start is p.stop is p.step is None for p in parts)


def region_of(subscript: object, shape: tuple[int, ...], name: str) -> Region:
    """The region that `subscript` selects of an object with `shape`. It is checked against known extents."""
    parts = subscript if isinstance(subscript, tuple) else (subscript,)
    if any(p is Ellipsis for p in parts):
        raise NotImplementedError(f"{name}: `...` in a subscript is not supported; write a subscript for each dimension")
    if len(parts) != len(shape):
        raise IndexError(f"{name}: {_count(len(parts), 'subscript')} for {_count(len(shape), 'dimension')}; give one for each")
    pairs = [_part(p, size, f"{name}, dimension {d}") for d, (p, size) in enumerate(zip(parts, shape, strict=True))]
    return Region(tuple(o for o, _ in pairs), tuple(s for _, s in pairs))


def _part(part: object, full: int, where: str) -> tuple[Index | int, int]:
    if isinstance(part, slice):
        if part.step is not None:
            raise NotImplementedError(f"{where}: slices with a step are not supported; got a step of {part.step!r}")
        low = 0 if part.start is None else _index(part.start, where)
        high = full if part.stop is None else _index(part.stop, where)
        size = high - low
        if not isinstance(size, int):
            raise ValueError(f"{where}: the size of a slice must be constant, and `hi - lo` is {size!r}; write lo:lo + size")
        if size <= 0:
            raise ValueError(f"{where}: the slice has {counted(size, 'element')}, expected at least one")
    else:
        low, size = _index(part, where), 1
    _check_bounds(low, size, full, where)
    return low, size


def _check_bounds(low: Index | int, size: int, full: int, where: str) -> None:
    ends = extent(low)
    if ends is None or (ends[0] >= 0 and ends[1] + size <= full):
        return
    reached = f"{ends[0]}:{ends[0] + size}" if ends[0] < 0 else f"{ends[1]}:{ends[1] + size}"
    raise IndexError(f"{where}: {reached} is outside of the extent {full}")


def _index(value: object, where: str) -> Index | int:
    constant = plain(value)
    if isinstance(constant, Index) or (isinstance(constant, int) and not isinstance(constant, bool)):
        return constant
    raise TypeError(f"{where}: a subscript is an integer, a coordinate, or a sum of these, got {value!r}")


def row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a contiguous array of `shape`, in elements."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
