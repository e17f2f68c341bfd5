"""Access patterns: offsets, sizes and strides of the elements of a buffer or tensor that a transfer accesses."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.air.api.errors import NotImplementedError, TypeError, ValueError
from allo_air.air.api.expression import BufferSlice
from allo_air.air.api.index import Index
from allo_air.air.api.packed import PackedShape
from allo_air.air.api.region import Region
from allo_air.air.api.tensor import Tensor, TensorSlice
from allo_air.errors import counted


@dataclass(frozen=True)
class Pattern:
    """Offsets, sizes and strides, outermost first; all empty for a whole buffer."""

    offsets: tuple[Index | int, ...] = ()
    sizes: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class End:
    """One end of a transfer: a tensor or buffer, and the accessed region (None: all of it)."""

    holder: Any
    region: Region | None

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the region; for a packed buffer, the logical ones."""
        return tuple(self.holder.shape) if self.region is None else self.region.sizes

    @property
    def level(self) -> str:
        """L1, L2 or L3."""
        return "L3" if isinstance(self.holder, Tensor) else str(self.holder.scope.level)

    @property
    def packed(self) -> PackedShape | None:
        """The packed shape of a packed buffer."""
        return getattr(self.holder, "packed", None)

    def pattern(self) -> Pattern:
        """The access list of a region: row-major, or in packed order if the buffer is packed."""
        if self.region is None:
            return Pattern()
        if self.packed is not None:
            return drained(self.packed, self.holder.strides, self.region, self.holder.label)
        return Pattern(self.region.offsets, self.region.sizes, self.holder.strides)


def end_of(end: object, who: str) -> End:
    """`end` as an End; TypeError unless it is a tensor, a buffer, or a region of one."""
    if isinstance(end, TensorSlice):
        return End(end.tensor, end.region)
    if isinstance(end, BufferSlice):
        return End(end.buffer, end.region)
    if isinstance(end, Tensor) or hasattr(type(end), "as_whole_tile"):
        return End(end, None)
    raise TypeError(f"{who} takes a tensor, a buffer, or a region of one, got {type(end).__name__}")


def packing(packed: PackedShape, flat: End, who: str) -> Pattern:
    """The pattern that accesses `flat` in the order of `packed`, an operand A or B."""
    rows, columns = packed.micro.extents(packed.role)
    if packed.role == "C":
        raise NotImplementedError(f"{who}: packing an accumulator (C) is not supported; fill it with a number instead")
    if flat.region is None:
        raise TypeError(
            f"{who}: all of {flat.holder.label} is named; a packed {packed.role} takes a region, rows and columns by lo:hi"
        )
    region = flat.region
    strides, lead = tuple(flat.holder.strides), packed.lead
    if len(region.sizes) == 2 and prod(lead) == 1:
        over = flat.holder.shape[0] * strides[0]
        region = Region((*[0] * len(lead), *region.offsets), (*[1] * len(lead), *region.sizes))
        strides = (*[over] * len(lead), *strides)
    if len(region.sizes) != len(lead) + 2:
        raise ValueError(
            f"{who}: the region {list(region.sizes)} of {flat.holder.label} has "
            f"{counted(len(region.sizes), 'dimension')}; a packed "
            f"{packed.role} that leads with {list(lead)} takes {len(lead) + 2}" + (", or 2" if prod(lead) == 1 else "")
        )
    if region.sizes != (*lead, *packed.logical):
        raise ValueError(
            f"{who}: the region {list(region.sizes)} of {flat.holder.label} is not the {[*lead, *packed.logical]} of the "
            f"packed {packed.role}; shapes must be the same"
        )
    (m, k), (row, column) = packed.logical, strides[-2:]
    outer = [(k // columns, columns * column), (m // rows, rows * row)]
    inner = [(rows, row), (columns, column)]
    steps = [*outer, *inner]
    return Pattern(
        (*region.offsets[:-2], 0, 0, *region.offsets[-2:]),
        (*region.sizes[:-2], *(s for s, _ in steps)),
        (*strides[:-2], *(s for _, s in steps)),
    )


def drained(packed: PackedShape, strides: tuple[int, ...], region: Region, label: str) -> Pattern:
    """The pattern that accesses `region` of a packed accumulator, given in logical coordinates, row by row."""
    if packed.role != "C":
        raise NotImplementedError(f"{label}: a packed {packed.role} cannot be unpacked; only accumulators (C) can")
    rows, columns = packed.micro.extents("C")
    (m, n), (row, column) = region.sizes[-2:], region.offsets[-2:]
    if m % rows or n % columns:
        raise ValueError(f"{label}: a region of {m} x {n} does not consist of micro-tiles of {rows} x {columns}")
    for offset, unit, axis in ((row, rows, "row"), (column, columns, "column")):
        if not _is_multiple(offset, unit):
            raise ValueError(f"{label}: the {axis} offset {offset!r} is not a multiple of the micro-tile's {unit}")
    tile = rows * columns
    band = packed.logical[0] // rows * tile
    return Pattern(
        (*region.offsets[:-2], 0, row, _divided(column, columns), 0),
        (*region.sizes[:-2], m // rows, rows, n // columns, columns),
        (*strides[: len(packed.lead)], tile, columns, band, 1),
    )


def _is_multiple(offset: Index | int, unit: int) -> bool:
    if isinstance(offset, int):
        return offset % unit == 0
    return offset.constant % unit == 0 and all(n % unit == 0 for n in offset.terms.values())


def _divided(offset: Index | int, unit: int) -> Index | int:
    """`offset`, a multiple of `unit`, divided by `unit`."""
    if isinstance(offset, int):
        return offset // unit
    return Index({term: n // unit for term, n in offset.terms.items()}, offset.constant // unit)
