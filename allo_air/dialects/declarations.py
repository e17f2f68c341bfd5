"""The purpose of an `aie.device`, its declarations, and their positions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at, given_name
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.device import DEVICES, Coordinate, Device
from allo_air.dialects._enums import DEVICE
from allo_air.errors import nearest, suggestion
from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    from allo_air.dialects._aie_objectfifo import ObjectFifoOp
    from allo_air.errors import DiagnosticError

ANYWHERE = ("aie.buffer", "aie.external_buffer", "aie.lock")
"""Declarations that need not be directly in the device: designs may have them in the core or DMA program that uses them."""


def declarations(device_op: AnyOp, *names: str) -> list[Any]:
    """The operations that a device declares, in program order, as views; with `names`, only those with these names. These are
    the operations directly in the device, and the buffers and locks in nested regions.

        %mem = aie.memtile_dma(%tile_0_1) {
          %buffer = aie.buffer(%tile_0_1) : memref<64xi32>      // declared by the device as if it stood before
          ...
    """
    ops: list[ir.OpView] = []
    nested = [name for name in ANYWHERE if not names or name in names]
    for view in device_op.opview.block.operations:
        op = view.operation
        if not names or op.name in names:
            ops.append(view)
        if nested and len(op.regions):
            ops += [o.opview for o in walk_named(op, *nested) if o != op]
    return ops


def functions_for(device_op: AnyOp) -> dict[str, ir.Operation]:
    """The functions that the code of a device may call, by name: those next to the device, and its own take precedence."""
    device = device_op.operation
    outer = [o.operation for region in device.parent.regions for b in region for o in b] if device.parent else []
    functions = [*(o for o in outer if o.name == "func.func"), *walk_named(device, "func.func")]
    return {sym_name_of(f): f for f in functions}


def device_of(op: AnyOp) -> Device:
    """The device that an `aie.device` is for."""
    return DEVICES[DEVICE.keyword(op.opview.device)]


def place_of(op: AnyOp, tile: ir.Value) -> Coordinate:
    """Column and row of `tile`, the tile of `op`; DiagnosticError if it is not placed."""
    attributes = tile.owner.attributes
    if "col" not in attributes or "row" not in attributes:
        raise error_at(op, "is on a tile that is not placed; give its column and row, or run aie-place-tiles first")
    return attributes["col"].value, attributes["row"].value


def location_of_fifo(fifo: ObjectFifoOp) -> ir.Location:
    """The location of the operations that replace `aie.objectfifo` FIFO, by which messages identify it."""
    return ir.Location.name(f"aie.objectfifo %{fifo.sym_name}", fifo.operation.location)


def fifo_of(op: AnyOp) -> str:
    """The name of the objectFifo for which a lock, a buffer or an allocation was created; empty for others."""
    return given_name(op.operation.location, "aie.objectfifo").removeprefix("%")


def no_allocation(op: AnyOp, name: str, allocations: Iterable[str]) -> DiagnosticError:
    """The error for `op`, which refers to `name`, if that is neither one of the shim DMA `allocations` nor one of their
    objectFifos."""
    names = list(dict.fromkeys(allocations))
    listed = ", ".join(f"@{symbol}" for symbol in names) or "none"
    near = suggestion(tuple(f"@{symbol}" for symbol in nearest(name, names, 1)))
    return error_at(op, f"no shim DMA allocation found for symbol @{name} in the device{near} (there are: {listed})")
