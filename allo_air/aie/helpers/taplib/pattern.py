"""`TensorAccessPattern`: which elements of a tensor a transfer takes, in which order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from allo_air.aie.iron.errors import IronValueError


class TensorAccessPattern:
    """Elements of a tensor: `sizes` and `strides` from `offset` on, outermost first; sizes of 1 in front have stride 0."""

    def __init__(self, tensor_dims: Sequence[int], offset: int, sizes: Sequence[int], strides: Sequence[int]):
        if len(sizes) != len(strides) or not sizes:
            raise IronValueError(f"TensorAccessPattern: {len(sizes)} sizes and {len(strides)} strides; give as many of both")
        if any(n < 1 for n in sizes) or offset < 0:
            raise IronValueError(
                f"TensorAccessPattern: offset {offset}, sizes {list(sizes)}; sizes are at least 1, the offset at least 0"
            )
        self.tensor_dims, self.offset = tuple(int(n) for n in tensor_dims), int(offset)
        self.sizes, self.strides = [int(n) for n in sizes], [int(n) for n in strides]
        for axis, size in enumerate(self.sizes):
            if size != 1:
                break
            if axis < len(self.sizes) - 1:
                self.strides[axis] = 0

    def accesses(self) -> tuple[Any, Any]:
        """Arrays of the tensor's shape: when each element is taken (-1: never), and how often."""
        import numpy as np

        order, counts = np.full(prod(self.tensor_dims), -1), np.zeros(prod(self.tensor_dims), int)
        for when, at in enumerate(self):
            order[at] = when
            counts[at] += 1
        return order.reshape(self.tensor_dims), counts.reshape(self.tensor_dims)

    def __iter__(self) -> Iterator[int]:
        for point in product(*map(range, self.sizes)):
            yield self.offset + sum(i * s for i, s in zip(point, self.strides, strict=True))

    @property
    def transformation_dims(self) -> list[tuple[int, int]]:
        """Pairs (size, stride)."""
        return list(zip(self.sizes, self.strides, strict=True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorAccessPattern) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"TensorAccessPattern({self.tensor_dims} offset={self.offset}, sizes={self.sizes}, strides={self.strides})"


class TensorAccessSequence(list[TensorAccessPattern]):
    """Patterns of one tensor, one behind the other."""

    def __init__(
        self, tensor_dims: Sequence[int], num_steps: int, offset: int = 0, sizes: Sequence[int] = (),
        strides: Sequence[int] = (), offset_fn: Callable[[int, int], int] | None = None,
    ):  # fmt: skip
        starts = [offset_fn(i, offset) if offset_fn else offset for i in range(num_steps)]
        super().__init__(TensorAccessPattern(tensor_dims, start, sizes, strides) for start in starts)

    @classmethod
    def from_taps(cls, taps: Sequence[TensorAccessPattern]) -> TensorAccessSequence:
        """The sequence of these patterns."""
        made = cls((), 0)
        made.extend(taps)
        return made
