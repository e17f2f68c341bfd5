"""`Buffer`: a tile in L1 or L2."""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.air.api.elementwise import assign, refuse_l2
from allo_air.air.api.errors import NotImplementedError
from allo_air.air.api.expression import BufferSlice
from allo_air.air.api.packed import PackedShape
from allo_air.air.api.refused import refuse_operators
from allo_air.air.api.region import is_whole, region_of, row_major
from allo_air.air.api.scope import Scope
from allo_air.air.api.types import DType


class Buffer:
    """A tile of `shape`; `vector` is the number of lanes of loops that write it, `packed` the shape's roles if it is packed."""

    def __init__(self, shape: tuple[int, ...], dtype: DType, scope: Scope, vector: int | None, name: str | None):
        self.packed = shape if isinstance(shape, PackedShape) else None
        self.shape, self.dtype, self.scope, self.vector, self.name = tuple(shape), dtype, scope, vector, name
        self.op: Any = None  # the memref.alloc
        self.freed: Any = None  # the program's explicit memref.dealloc

    @property
    def strides(self) -> tuple[int, ...]:
        """Row-major strides, in elements."""
        return row_major(self.shape)

    @property
    def label(self) -> str:
        """The name in messages."""
        return f"{self.scope.level} buffer '{self.name}'" if self.name else f"an {self.scope.level} buffer {list(self.shape)}"

    @property
    def bytes(self) -> int:
        """Bytes in one tile's memory; for a buffer that cores share, the bytes of one core's part."""
        total = prod(self.shape) * self.dtype.itemsize
        shared = self.scope.kind == "shared" and self.packed is not None
        return total // prod(self.packed.lead) if shared and self.packed else total

    @property
    def logical_shape(self) -> tuple[int, ...]:
        """The extents of subscripts; for a packed buffer, the leading extents, rows and columns."""
        return self.shape if self.packed is None else (*self.packed.lead, *self.packed.logical)

    @property
    def as_whole_tile(self) -> BufferSlice:
        """The whole tile, as an expression."""
        return self[:]

    def __getitem__(self, subscript: object) -> BufferSlice:
        if is_whole(subscript):
            refuse_l2(self)
            return BufferSlice(self, None)
        return BufferSlice(self, region_of(subscript, self.logical_shape, self.label))

    def __setitem__(self, subscript: object, value: object) -> None:
        if not is_whole(subscript):
            raise NotImplementedError(
                f"{self.label}: assignment to a region is not supported; assign to all of it (`t[:] = ...`) or use air.ops.load"
            )
        refuse_l2(self)
        assign(self, value)

    def __repr__(self) -> str:
        return f"buffer({list(self.shape)}, {self.dtype.name}, {self.scope!r})"


refuse_operators(Buffer, "an operand is a whole tile: write `t[:]` for buffer t", arithmetic=True)
