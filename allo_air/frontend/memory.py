"""Layouts: how tensors are distributed over the cores of a kernel. The names are those that Allo's programs import."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from allo_air.errors import AlloAirError, AlloValueError, counted


@dataclass(frozen=True)
class Shard:
    """This dimension of the tensor is divided along dimension `axis` of the kernel's mapping, counted from the left."""

    axis: int

    def __repr__(self) -> str:
        return f"S({self.axis})"


class _Replicate:
    """Each core gets all of this dimension."""

    def __repr__(self) -> str:
        return "R"


Replicate = _Replicate()


class Layout:
    """The distribution of a tensor, one entry for each dimension: `Layout([Layout.Shard(1), Layout.Replicate])`, or the older
    `Layout("S0R")`.

    The older form counts the mapping's dimensions from the right: in a mapping of two dimensions `S0` is `Shard(1)`.
    """

    Shard = Shard
    Replicate = Replicate

    def __init__(self, entries: Any):
        self.entries = _parse(entries) if isinstance(entries, str) else tuple(entries)
        self.from_right = isinstance(entries, str)
        for entry in self.entries:
            if not isinstance(entry, Shard) and entry is not Replicate:
                raise AlloAirError(f"layout entry {entry!r}; Layout.Shard(axis) and Layout.Replicate are allowed")

    def axes(self, rank: int, mapping: int) -> tuple[int | None, ...]:
        """For each of `rank` dimensions, the dimension of the mapping (from the left) that divides it, or None."""
        if len(self.entries) != rank:
            raise AlloAirError(f"layout {self} has {counted(len(self.entries), 'entry')} for a tensor of rank {rank}")
        axes: list[int | None] = []
        for entry in self.entries:
            if entry is Replicate:
                axes.append(None)
                continue
            axis = mapping - 1 - entry.axis if self.from_right else entry.axis
            if not 0 <= axis < mapping:
                raise AlloAirError(
                    f"layout {self} cuts along dimension {entry.axis} of a mapping of {counted(mapping, 'dimension')}"
                )
            if axis in axes:
                raise AlloAirError(f"layout {self} cuts two dimensions along dimension {entry.axis} of the mapping")
            axes.append(axis)
        return tuple(axes)

    def __repr__(self) -> str:
        if self.from_right:
            return "".join("R" if e is Replicate else f"S{e.axis}" for e in self.entries)
        return f"[{', '.join(map(repr, self.entries))}]"


def _parse(text: str) -> tuple[Any, ...]:
    entries: list[Any] = []
    position = 0
    while position < len(text):
        if text[position] == "R":
            entries.append(Replicate)
            position += 1
        elif text[position] == "S" and text[position + 1 : position + 2].isdigit():
            entries.append(Shard(int(text[position + 1])))
            position += 2
        else:
            raise AlloAirError(f"layout {text!r}: {text[position:]!r} is neither R nor S and a digit")
    return tuple(entries)


def layout_of(mark: object) -> Layout | None:
    """The layout after the `@` of an annotation, or None."""
    if mark is None:
        return None
    return mark if isinstance(mark, Layout) else Layout(mark)


@dataclass(frozen=True)
class Memory:
    """The memory of a buffer on an FPGA. C++ for HLS gets a pragma; it has no effect on an NPU."""

    resource: str = "AUTO"
    storage_type: str | None = None
    latency: int | None = None
    depth: int | None = None

    RESOURCES: ClassVar[tuple[str, ...]] = ("AUTO", "BRAM", "URAM", "LUTRAM", "SRL")
    STORAGE_TYPES: ClassVar[tuple[str, ...]] = (
        "FIFO", "RAM_1P", "RAM_1WNR", "RAM_2P", "RAM_S2P", "RAM_T2P", "ROM_1P", "ROM_2P", "ROM_NP",
    )  # fmt: skip

    def __post_init__(self) -> None:
        for name, allowed in (("resource", self.RESOURCES), ("storage_type", self.STORAGE_TYPES)):
            value = getattr(self, name)
            if value is None and name == "storage_type":
                continue
            if not isinstance(value, str) or value.upper() not in allowed:
                raise AlloValueError(f"Invalid {name} {value!r} of a memory; one of {', '.join(allowed)} is allowed")
            object.__setattr__(self, name, value.upper())
        for name, least in (("latency", 0), ("depth", 1)):
            number = getattr(self, name)
            if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < least):
                raise AlloValueError(f"{name} of a memory is a whole number from {least}, found {number!r}")

    def __repr__(self) -> str:
        fields = [f"resource={self.resource}"]
        for name in ("storage_type", "latency", "depth"):
            if getattr(self, name) is not None:
                fields.append(f"{name}={getattr(self, name)}")
        return f"Memory({', '.join(fields)})"

    @property
    def storage(self) -> str:
        """The arguments of the HLS pragma `bind_storage`, as text: `type=RAM_2P impl=uram latency=2`."""
        fields = {"impl": None if self.resource == "AUTO" else self.resource.lower(), "latency": self.latency}
        return " ".join([f"type={self.storage_type or 'RAM_2P'}", *(f"{k}={v}" for k, v in fields.items() if v is not None)])


@dataclass(frozen=True)
class DTensor:
    """A distributed tensor: the shape of the whole, the mapping of the kernel, and the layout."""

    shape: tuple[int, ...]
    mapping: tuple[int, ...]
    layout: Layout | None = None

    def local_shape(self) -> tuple[int, ...]:
        """The shape of one core's part. Raises an error for sizes that the mapping does not divide."""
        axes = self.axes()
        sizes = []
        for dimension, (size, axis) in enumerate(zip(self.shape, axes, strict=True)):
            parts = 1 if axis is None else self.mapping[axis]
            if size % parts:
                raise AlloAirError(
                    f"dimension {dimension} of size {size} cannot be cut into {parts} equal parts; pad the tensor to "
                    f"{-(-size // parts) * parts}, or map the kernel on a divisor of {size}"
                )
            sizes.append(size // parts)
        return tuple(sizes)

    def axes(self) -> tuple[int | None, ...]:
        """For each dimension, the dimension of the mapping that divides it."""
        return (None,) * len(self.shape) if self.layout is None else self.layout.axes(len(self.shape), len(self.mapping))

    def offsets(self, pid: tuple[int, ...]) -> tuple[int, ...]:
        """The offsets of the part of core `pid`."""
        return tuple(
            0 if axis is None else pid[axis] * size for axis, size in zip(self.axes(), self.local_shape(), strict=True)
        )
