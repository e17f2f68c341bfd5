"""Reads a host transfer of AIR or airrt: its shim DMA allocation, its buffer, and the elements that it moves."""

from __future__ import annotations

from typing import Any

from allo_air.access.dims import Dims, start_of
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.dialects._places import size_stride_pairs
from allo_air.errors import counted
from allo_air.interp.errors import RunError, Unsupported
from allo_air.interp.values import DYNAMIC
from allo_air.mlir import AnyOp, ir
from allo_air.program.control.actions import Move
from allo_air.program.control.values import Values

AIR = ("air.channel.put", "air.channel.get", "air.dma_memcpy_nd")


def is_host(value: ir.Value) -> bool:
    """Whether a value is a memref in external memory."""
    if not isinstance(value.type, ir.MemRefType | ir.UnrankedMemRefType):
        return False
    space = value.type.memory_space
    return space is None or str(space).split(" ", 1)[0] == "0"


class Allocations:
    """The shim DMA allocations of AIR transfers, from the attributes that `air-to-aie` adds to them."""

    def __init__(self, module: AnyOp) -> None:
        self.sizes = {sym_name_of(c): list(c.opview.size) for c in walk_named(module, "air.channel")}

    def of(self, op: AnyOp, indices: list[int]) -> str:
        """The name of the allocation of `op`, which has these `indices` in its bundle; raises RunError if it has none."""
        if "metadata" in op.attributes:
            return str(op.attributes["metadata"].value)
        return str(self._entry(op, indices)["base"].value)

    def header_of(self, op: AnyOp, indices: list[int]) -> tuple[int, int] | None:
        """The header (type, id) of the packets that `op` sends; None if it does not send packets."""
        attributes = op.attributes if "packet" in op.attributes or "metadata" in op.attributes else self._entry(op, indices)
        return size_stride_pairs(attributes["packet"])[0] if "packet" in attributes else None

    def _entry(self, op: AnyOp, indices: list[int]) -> Any:
        """The entry of `metadataArray` for `indices`. The entries are the bundle's channels in row-major order."""
        entries = list(op.attributes["metadataArray"]) if "metadataArray" in op.attributes else []
        if not entries:
            raise RunError(op, "names no shim DMA allocation (metadata, metadataArray); run air-to-aie first")
        if len(entries) == 1:
            return entries[0]
        flat = 0
        for index, size in zip(indices, self.sizes.get(op.opview.chan_name, []) if indices else [], strict=True):
            flat = flat * size + index
        results = [e for e in entries if "index" in e and e["index"].value == flat]
        if len(results) != 1:
            raise RunError(
                op,
                f"uses channel {flat} of its bundle, for which metadataArray has "
                f"{counted(len(results), 'entry')} instead of one",
            )
        return results[0]


def of_air(op: ir.Operation, values: Values, allocations: Allocations, past: int) -> Move:
    """The transfer of a put, a get or a copy, as external memory sees it. `past` is a mask of the transfers that end before it
    begins.
    """
    for name in ("pad_before", "pad_after"):
        if name in op.attributes and any(op.attributes[name]):
            raise Unsupported(op, f"has {name} = {list(op.attributes[name])}, and a shim DMA cannot pad")
    view = op.opview
    side = {"air.channel.put": "src", "air.channel.get": "dst"}.get(op.name) or ("dst" if is_host(view.dst) else "src")
    indices = [values.required_number(v, op) for v in view.indices] if op.name != AIR[2] else []
    memref = getattr(view, side)
    place = values.place(memref, op)
    offsets, sizes, strides = (
        [values.required_number(v, op) for v in getattr(view, f"{side}_{part}")] for part in ("offsets", "sizes", "strides")
    )
    name, header = allocations.of(op, indices), allocations.header_of(op, indices)
    if not sizes:
        return Move(op, name, place.argument, place.offset, whole_memref(op, memref.type), side == "dst", past, header)
    begin = place.offset + start_of(offsets, strides)
    return Move(op, name, place.argument, begin, tuple(zip(sizes, strides, strict=True)), side == "dst", past, header)


def of_airrt(op: ir.Operation, values: Values) -> Move:
    """The transfer of an `airrt.dma_memcpy_nd`."""
    if "metadata" not in op.attributes:
        raise RunError(op, "names no shim DMA allocation (metadata); run air-to-aie, then air-to-std")
    view = op.opview
    offsets, sizes, strides = (
        [values.required_number(getattr(view, f"{part}{i}"), op) for i in (3, 2, 1, 0)]
        for part in ("offset", "length", "stride")
    )
    place = values.place(view.memref, op)
    begin = place.offset + start_of(offsets, strides)
    header = size_stride_pairs(op.attributes["packet"])[0] if "packet" in op.attributes else None
    name, dims = str(op.attributes["metadata"].value), tuple(zip(sizes, strides, strict=True))
    return Move(op, name, place.argument, begin, dims, packet=header)


def whole_memref(op: ir.Operation, type_: ir.MemRefType) -> Dims:
    """Sizes and strides that cover all of a memref; raises Unsupported if they are not constant."""
    strides, _ = type_.get_strides_and_offset()
    if not type_.has_static_shape or any(s == DYNAMIC for s in strides):
        raise Unsupported(op, f"moves all of a {type_}, whose extent is not constant")
    return tuple(zip(type_.shape, strides, strict=True))
