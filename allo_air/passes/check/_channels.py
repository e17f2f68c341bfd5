"""The channels of a module: their bundles, and the gets that a put serves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from allo_air.core.walking import walk_named
from allo_air.dialects.air import ChannelOp
from allo_air.mlir import AnyOp, ir


@dataclass(frozen=True)
class Bundle:
    """A channel declaration: puts have indices below `size`, gets below `shape` (the broadcast shape, else `size`)."""

    op: Any
    name: str
    size: tuple[int, ...]
    shape: tuple[int, ...]

    @property
    def is_broadcast(self) -> bool:
        return self.size != self.shape

    @property
    def fits(self) -> bool:
        """Whether `size` can be broadcast to `shape`, as in NumPy."""
        return len(self.size) == len(self.shape) and all(a in (1, b) for a, b in zip(self.size, self.shape, strict=True))

    def source_of(self, indices: tuple[int, ...]) -> tuple[int, ...]:
        """The indices of the put that serves the get at `indices`."""
        return tuple(0 if size == 1 else i for i, size in zip(indices, self.size, strict=True))

    def served_by(self, indices: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The indices of the gets that the put at `indices` serves."""
        axes = [range(wide) if size == 1 else (i,) for i, size, wide in zip(indices, self.size, self.shape, strict=True)]
        return list(product(*axes))

    def filled(self, indices: Sequence[int], *, is_put: bool) -> tuple[int, ...] | None:
        """The full indices of a put or get: zeros if there are none; None if there are too many, too few, or one is out of
        range.

        Trailing zeros in excess are dropped. A get of a broadcast may give the ids of its core, also along a dimension of
        size 1.
        """
        extent = self.size if is_put else self.shape
        if not indices:
            return (0,) * len(extent)
        if len(indices) > len(extent) and all(i == 0 for i in indices[len(extent) :]):
            indices = indices[: len(extent)]
        if self.is_broadcast and not is_put and len(indices) == len(extent):
            indices = [0 if n == 1 else i for i, n in zip(indices, extent, strict=True)]
        if len(indices) != len(extent) or any(not 0 <= i < n for i, n in zip(indices, extent, strict=True)):
            return None
        return tuple(indices)

    @property
    def count(self) -> int:
        return prod(self.shape)


def bundles(module: AnyOp) -> dict[str, Bundle]:
    """The channels of `module` by name, except those inside an `aie.device`, which are leftovers of lowering."""
    results = {}
    for op in map(ChannelOp, walk_named(module, "air.channel")):
        if _in_device(op.operation):
            continue
        size = tuple(op.size)
        attributes = op.attributes
        wide = _integers(attributes["broadcast_shape"]) if "broadcast_shape" in attributes else None
        results[op.sym_name] = Bundle(op, op.sym_name, size, size if wide is None else wide)
    return results


def _in_device(op: ir.Operation) -> bool:
    parent = op.parent
    while parent is not None:
        if parent.operation.name == "aie.device":
            return True
        parent = parent.operation.parent
    return False


def _integers(attribute: Any) -> tuple[int, ...]:
    if isinstance(attribute, ir.ArrayAttr):
        return tuple(int(a.value) for a in attribute if isinstance(a, ir.IntegerAttr))
    return tuple(int(i) for i in attribute)
