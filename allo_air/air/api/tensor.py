"""`tensor`: arrays of the host, in the order of the function's arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from allo_air.air.api.errors import TypeError, ValueError
from allo_air.air.api.naming import assigned_name, given_name
from allo_air.air.api.refused import refuse_operators
from allo_air.air.api.region import Region, region_of, row_major
from allo_air.air.api.symbol import plain
from allo_air.air.api.types import DType, wanted_dtype

__all__ = ["Tensor", "TensorSlice", "tensor"]


class Tensor:
    """An array of the host (L3); it is an output if it is written."""

    def __init__(self, shape: tuple[int, ...], dtype: DType, name: str | None):
        self.shape, self.dtype, self.name = shape, dtype, name
        self.is_output = False

    @property
    def strides(self) -> tuple[int, ...]:
        """Row-major strides, in elements."""
        return row_major(self.shape)

    @property
    def label(self) -> str:
        """The name in messages."""
        return f"tensor '{self.name}'" if self.name else f"a tensor {list(self.shape)}"

    def __getitem__(self, subscript: object) -> TensorSlice:
        return TensorSlice(self, region_of(subscript, self.shape, self.label))

    def __setitem__(self, subscript: object, value: object) -> None:
        raise TypeError(f"{self.label} cannot be assigned to: it is in L3; write to it with air.ops.store")

    def __repr__(self) -> str:
        return f"tensor({list(self.shape)}, {self.dtype.name}{f', {self.name!r}' if self.name else ''})"


@dataclass(frozen=True, eq=False)
class TensorSlice:
    """A region of a tensor."""

    tensor: Tensor
    region: Region

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the region."""
        return self.region.sizes

    @property
    def dtype(self) -> DType:
        """The type of its elements."""
        return self.tensor.dtype


for _kind in (Tensor, TensorSlice):
    refuse_operators(
        _kind, "a tensor is in L3: load it into a buffer with ops.load, and compute with tiles `t[:]`", arithmetic=True
    )

PENDING_TENSORS: list[Tensor] = []
"""Tensors of the next launch."""


def tensor(shape: Sequence[object], dtype: DType, name: str | None = None) -> Tensor:
    """Declares an array of the host; the next `launch` takes all declared tensors, in order."""
    result = Tensor(
        shape_of(shape, "tensor"), wanted_dtype(dtype, "tensor"), given_name(name, "tensor") or assigned_name("tensor")
    )
    PENDING_TENSORS.append(result)
    return result


def shape_of(shape: object, who: str) -> tuple[int, ...]:
    """`shape` as integers, each at least 1."""
    if not isinstance(shape, list | tuple):
        raise TypeError(f"{who}: the shape is {shape!r}, expected a list of integers")
    sizes = tuple(plain(n) for n in shape)
    for size in sizes:
        if not isinstance(size, int) or isinstance(size, bool):
            raise TypeError(f"{who}: the shape has {size!r}, expected integers")
        if size < 1:
            raise ValueError(f"{who}: the shape {list(sizes)} has an extent of {size}, expected at least 1")
    return sizes
