"""SSA values in the text: numbers, constants, and arrays or parts of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.target.hls.flavors import Flavor
from allo_air.target.hls.types import Kind


@dataclass(frozen=True)
class Number:
    """A variable or expression; `constant` is its value if the text is a literal."""

    text: str
    kind: Kind
    constant: Any = None

    def as_kind(self, kind: Kind, flavor: Flavor) -> str:
        """The text cast to the signedness of `kind`, which has the same width."""
        if self.constant is not None:
            return literal(self.constant, kind, flavor)
        return self.text if kind == self.kind else f"({kind.text(flavor)}){self.text}"


def literal(value: int | float, kind: Kind, flavor: Flavor) -> str:
    """A constant of a type."""
    if not kind.integral:
        return _float(float(value), kind, flavor)
    if kind.bits == 1:
        return "true" if value else "false"
    value = int(value)
    if kind.sort == "int":
        value &= (1 << kind.bits) - 1
        value -= (1 << kind.bits) if kind.signed and value >> (kind.bits - 1) else 0
    if kind.bits > 64 and not -(1 << 63) <= value < 1 << 63:
        return f'{kind.text(flavor)}("{value}", 10)'
    if value < 0 and value in (-(1 << 31), -(1 << 63)):
        return f"({value + 1}{'LL' if kind.bits > 32 else ''} - 1)"
    if kind.bits < 32:
        return str(value)
    return f"{value}{'' if kind.signed else 'U'}{'LL' if kind.bits > 32 else ''}"


def _float(value: float, kind: Kind, flavor: Flavor) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        text = "NAN" if value != value else "INFINITY" if value > 0 else "-INFINITY"
    else:
        text = repr(value) if kind.bits == 64 else _shortest_text(value) + "f"
    return text if kind.bits > 16 else f"({kind.text(flavor)}){text}"


def _shortest_text(value: float) -> str:
    """The shortest text that reads back as the same 32-bit float."""
    import numpy as np

    text = str(np.float32(value))
    return text if "." in text or "e" in text else f"{text}.0"


@dataclass(frozen=True)
class Array:
    """A part of the array `name`: its shape, and for each dimension of the array an offset, a step and the index along it."""

    name: str
    kind: Kind
    shape: tuple[int, ...]
    array_shape: tuple[int, ...]
    walks: tuple[tuple[str, int, int | None], ...]

    @classmethod
    def of(cls, name: str, kind: Kind, shape: Sequence[int]) -> Array:
        """A whole array."""
        walks = tuple(("0", 1, dim) for dim in range(len(shape)))
        return cls(name, kind, tuple(shape), tuple(shape), walks)

    @property
    def is_whole(self) -> bool:
        return self == Array.of(self.name, self.kind, self.array_shape)

    def at(self, subscripts: Sequence[str]) -> str:
        """One element."""
        if not self.array_shape:
            return self.name
        return self.name + "".join(f"[{_walked(o, s, None if d is None else subscripts[d])}]" for o, s, d in self.walks)

    def part(self, offsets: Sequence[str], sizes: Sequence[int], steps: Sequence[int], dims: Sequence[int]) -> Array:
        """The part that begins at `offsets`; `dims` are the dimensions that the result keeps."""
        walks: list[tuple[str, int, int | None]] = []
        for offset, step, dim in self.walks:
            if dim is None:
                walks.append((offset, step, dim))
                continue
            begin = _walked(offset, step, offsets[dim])
            walks.append((begin, step * steps[dim], dims.index(dim) if dim in dims else None))
        return Array(self.name, self.kind, tuple(sizes[d] for d in dims), self.array_shape, tuple(walks))

    @property
    def contiguous(self) -> bool:
        """Whether its elements are contiguous in the array, in order."""
        inside = False
        for size, (offset, step, dim) in zip(self.array_shape, self.walks, strict=True):
            full = dim is not None and (offset, step) == ("0", 1) and self.shape[dim] == size
            if inside and not full:
                return False
            if dim is not None and self.shape[dim] > 1:
                inside = True
                if step != 1:
                    return False
        walked = [dim for *_, dim in self.walks if dim is not None]
        return walked == sorted(walked)


def _walked(offset: str, step: int, index: str | None) -> str:
    if index is None:
        return offset
    if index.lstrip("-").isdigit() and offset.lstrip("-").isdigit():
        return str(int(offset) + step * int(index))
    moved = index if step == 1 else f"({index}) * {step}"
    return moved if offset == "0" else offset if moved == "0" else f"{offset} + {moved}"
