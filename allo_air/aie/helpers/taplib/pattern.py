"""`TensorAccessPattern`: the elements of a tensor that a transfer accesses, and their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, product, zip_longest
from math import prod
from typing import Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.errors import IronValueError
from allo_air.aie.helpers.taplib.drawing import draw, film
from allo_air.errors import counted


class TensorAccessPattern:
    """Elements of a tensor: `sizes` and `strides` from `offset` on, outermost first; sizes of 1 in front have stride 0."""

    def __init__(self, tensor_dims: Sequence[int], offset: int, sizes: Sequence[int], strides: Sequence[int]):
        if len(sizes) != len(strides) or not sizes:
            raise IronValueError(
                f"TensorAccessPattern: {counted(len(sizes), 'size')} and "
                f"{counted(len(strides), 'stride')}; give as many of both"
            )
        if any(n < 1 for n in sizes) or offset < 0:
            raise IronValueError(
                f"TensorAccessPattern: offset {offset}, sizes {list(sizes)}; sizes are at least 1, the offset at least 0"
            )
        if any(n < 1 for n in tensor_dims) or any(n < 0 for n in strides):
            raise IronValueError(
                f"TensorAccessPattern: dimensions {list(tensor_dims)}, strides {list(strides)}; dimensions are at least 1,"
                " strides at least 0"
            )
        self.tensor_dims, self.offset = tuple(int(n) for n in tensor_dims), int(offset)
        self.sizes, self.strides = [int(n) for n in sizes], [int(n) for n in strides]
        for axis, size in enumerate(self.sizes):
            if size != 1:
                break
            if axis < len(self.sizes) - 1:
                self.strides[axis] = 0

    def accesses(self) -> tuple[Any, Any]:
        """Two arrays of the tensor's shape: the position at which each element is accessed (-1: never), and its number of
        accesses."""
        import numpy as np

        order, counts = np.full(prod(self.tensor_dims), -1), np.zeros(prod(self.tensor_dims), int)
        for when, element in enumerate(self):
            order[element] = when
            counts[element] += 1
        return order.reshape(self.tensor_dims), counts.reshape(self.tensor_dims)

    def access_order(self) -> Any:
        """The position at which each element is accessed; -1 for never."""
        return self.accesses()[0]

    def access_count(self) -> Any:
        """The number of accesses of each element."""
        return self.accesses()[1]

    def access_generator(self) -> Iterator[int]:
        """The flat indices of the elements, in their order."""
        return iter(self)

    def compare_access_orders(self, other: TensorAccessPattern) -> bool:
        """Whether `other` accesses the same elements in the same order, even with other sizes and strides."""
        return self.tensor_dims == other.tensor_dims and all(a == b for a, b in zip_longest(self, other))

    def visualize(
        self, show_arrows: bool | None = None, title: str | None = None, file_path: str | None = None, show_plot: bool = True,
        plot_access_count: bool = False,
    ) -> None:  # fmt: skip
        """Draws the order, and with `plot_access_count` the counts, into `file_path` or on the screen."""
        order, counts = self.accesses()
        draw(order, counts if plot_access_count else None, title or repr(self), file_path, show_plot)

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
    """Patterns of one tensor, one after another."""

    def __init__(
        self, tensor_dims: Sequence[int], num_steps: int, offset: int = 0, sizes: Sequence[int] = (),
        strides: Sequence[int] = (), offset_fn: Callable[[int, int], int] | None = None,
        sizes_fn: Callable[[int, Any], Sequence[int]] | None = None,
        strides_fn: Callable[[int, Any], Sequence[int]] | None = None,
    ):  # fmt: skip
        super().__init__()
        for step in range(num_steps):  # each function gets the step's number and its value in the previous step
            offset = offset_fn(step, offset) if offset_fn else offset
            sizes = sizes_fn(step, sizes) if sizes_fn else sizes
            strides = strides_fn(step, strides) if strides_fn else strides
            self.append(TensorAccessPattern(tensor_dims, offset, sizes, strides))

    def accesses(self) -> tuple[Any, Any]:
        """Like `TensorAccessPattern.accesses`, over all patterns."""
        import numpy as np

        if not self:
            raise IronValueError("TensorAccessSequence: it has no patterns")
        order, counts = np.full(self[0].tensor_dims, -1), np.zeros(self[0].tensor_dims, int)
        before = 0
        for pattern in self:
            when, often = pattern.accesses()
            order = np.where(when >= 0, when + before, order)
            counts, before = counts + often, before + prod(pattern.sizes)
        return order, counts

    def access_order(self) -> Any:
        """The position at which each element is accessed; -1 for never."""
        return self.accesses()[0]

    def access_count(self) -> Any:
        """The number of accesses of each element."""
        return self.accesses()[1]

    def compare_access_orders(self, other: TensorAccessSequence) -> bool:
        """Whether both access the same elements in the same order."""
        return all(a == b for a, b in zip_longest(chain.from_iterable(self), chain.from_iterable(other)))

    def visualize(
        self, title: str | None = None, file_path: str | None = None, show_plot: bool = True, plot_access_count: bool = False,
        **keywords: object,
    ) -> None:  # fmt: skip
        """Draws the patterns in one picture."""
        refuse(keywords, "TensorAccessSequence.visualize")
        order, counts = self.accesses()
        draw(order, counts if plot_access_count else None, title or counted(len(self), "pattern"), file_path, show_plot)

    def animate(self, title: str | None = None, animate_access_count: bool = False, **keywords: object) -> Any:
        """A matplotlib animation that adds one pattern of the sequence at a time."""
        refuse(keywords, "TensorAccessSequence.animate")
        frames = [TensorAccessSequence.from_taps(self[: i + 1]).accesses() for i in range(len(self))]
        return film(
            [counts if animate_access_count else order for order, counts in frames], title or counted(len(self), "pattern")
        )

    @classmethod
    def from_taps(cls, taps: Sequence[TensorAccessPattern]) -> TensorAccessSequence:
        """The sequence of these patterns."""
        access_sequence = cls((), 0)
        access_sequence.extend(taps)
        return access_sequence
