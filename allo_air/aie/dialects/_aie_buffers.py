"""Buffers of tiles and of external memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.arrays import ArrayType, is_array_type, mlir_type
from allo_air.aie.building.attributes import dense
from allo_air.aie.building.errors import IronValueError
from allo_air.aie.building.scope import place
from allo_air.aie.building.values import Memory, value_of
from allo_air.aie.dialects._aiex_npu import npu_rtp_write
from allo_air.dialects import aie as _aie
from allo_air.dtypes import element_of
from allo_air.mlir import ir

if TYPE_CHECKING:
    import numpy as np


def buffer(
    tile: object, datatype: object = None, dtype: str | None = None, name: str | None = None,
    initial_value: np.ndarray | None = None,
    address: int | None = None, mem_bank: int | None = None, use_write_rtp: bool = False, *, shape: Any = None,
    sym_name: str | None = None, loc: object = None, ip: object = None, **keywords: object,
) -> Memory:  # fmt: skip
    """A buffer in the memory of a tile, given by its type, or by a shape and an element type."""
    refuse(keywords, "buffer")
    if isinstance(dtype, str) and name is None and (isinstance(datatype, ir.Type) or is_array_type(datatype)):
        dtype, name = None, dtype  # buffer(tile, type, "name")
    extents = shape if shape is not None else datatype if isinstance(datatype, tuple | list | int) else None
    if extents is not None:
        sizes = [extents] if isinstance(extents, int) else list(extents)
        type = ir.MemRefType.get(sizes, mlir_type(dtype, "buffer"))
    elif datatype is None and initial_value is not None:
        type = mlir_type(ArrayType(initial_value.shape, element_of(initial_value.dtype)), "buffer")
    else:
        type = mlir_type(datatype if datatype is not None else dtype, "buffer")
    label = name or sym_name
    start = initial_value if isinstance(initial_value, ir.Attribute | None) else dense(initial_value, type, "buffer")
    op = _aie.BufferOp(
        tile=value_of(tile),
        buffer=type,
        sym_name=label,
        address=address,
        mem_bank=mem_bank,
        initial_value=start,
        loc=loc,
        ip=ip,
    )
    memory = NamedBuffer(op.operation.result)
    memory.symbol, memory.is_parameter = label, use_write_rtp
    return memory


class NamedBuffer(Memory):
    """A buffer of a tile; in the sequence, with `use_write_rtp`, `b[i] = v` writes it from the host."""

    symbol: str | None = None
    is_parameter = False

    @property
    def sym_name(self) -> Any:
        """Its symbol, an attribute."""
        return ir.StringAttr.get(self.symbol or "")

    def __setitem__(self, index: object, value: object) -> None:
        if place() != "sequence":
            super().__setitem__(index, value)
            return
        if not self.is_parameter:
            raise IronValueError(f"buffer '{self.symbol}' is written in the sequence; make it with use_write_rtp=True")
        npu_rtp_write(self.symbol, index, value)


def external_buffer(datatype: object, name: str | None = None, address: int | None = None, **keywords: object) -> Memory:
    """A buffer in external memory."""
    refuse(keywords, "external_buffer", ignored=("loc", "ip"))
    kind = mlir_type(datatype, "external_buffer")
    return Memory(_aie.ExternalBufferOp(buffer=kind, sym_name=name, address=address).operation.result)
