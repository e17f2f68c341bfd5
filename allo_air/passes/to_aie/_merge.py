"""Merges the devices of one unrolled segment side by side into one wider device."""

from __future__ import annotations

from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.device import DEVICES, Device
from allo_air.errors import counted
from allo_air.mlir import ir

X, Y = "segment_unroll_x", "segment_unroll_y"
_SHARED = ("aie.shim_dma_allocation", "func.func", "memref.global")
"""Operations that keep their names: the host's program refers to shim allocations by name, and functions and globals are equal
in all pieces."""


def wider(device: Device, count: int, op: ir.Operation) -> Device:
    """The device of the same family as `device` that has room for `count` copies side by side."""
    fits = [d for d in _family(device) if d.columns >= device.columns * count]
    if not fits:
        raise error_at(
            op,
            f"is one of {counted(count, 'piece')} of {device.columns} columns each, and no {device.name.split('_')[0]} has"
            f" {device.columns * count} columns;"
            " unroll the segment less, or give air-to-aie a device of fewer columns",
        )
    return min(fits, key=lambda d: d.columns)


def narrower(device: Device, count: int, columns: int) -> Device:
    """The device for one of `count` pieces of `device`: of its family, with a share of its columns.

    It is `device` itself if no device of the family has this share, or if a piece needs more `columns` than that.
    """
    fits = (d for d in _family(device) if d.columns * count == device.columns and d.columns >= columns)
    return next(fits, device)


def _family(device: Device) -> list[Device]:
    """The devices of the generation of `device`: npu1 and its columns, or npu2 and its columns."""
    name = device.name.split("_")[0]
    return [d for d in DEVICES.values() if d.name.split("_")[0] == name]


def merge(pieces: list[ir.Operation], name: str, device: Device, into: Device) -> None:
    """Merges `pieces`, devices for `device` in order, side by side into one `aie.device` @`name` for `into`.

    Before:
        aie.device(npu1_1col) @s_0_0 { %t = aie.tile(0, 2) ... sym_name = "buf0" }
        aie.device(npu1_1col) @s_1_0 { %t = aie.tile(0, 2) ... sym_name = "buf0" }
    After:
        aie.device(npu1_2col) @s { %t = aie.tile(0, 2) ... "buf0_unroll_0" ... %u = aie.tile(1, 2) ... "buf0_unroll_1" }
    """
    first = pieces[0]
    keep = first.opview
    for n, piece in enumerate(pieces):
        block = _block(piece)
        _rename(block, n, names=_symbols(_block(first)) if n else set())
        for tile in walk_named(piece, "aie.tile", "aie.logical_tile"):
            if "col" not in tile.attributes:  # its place in the wider device is free
                continue
            column = tile.attributes["col"]
            tile.attributes["col"] = ir.IntegerAttr.get(column.type, column.value + n * device.columns)
        if n:
            for op in [o.operation for o in block.operations]:
                op.move_before(_end(_block(first)))
            piece.erase()
    _end(_block(first)).erase()
    keep.device = into.name
    first.attributes["sym_name"] = ir.StringAttr.get(name)
    for mark in (X, Y):
        if mark in first.attributes:
            del first.attributes[mark]


def _block(device: ir.Operation) -> ir.Block:
    """The block with a device's contents; in memory, it is the block of a module inside the device."""
    return device.regions[0].blocks[0].operations[0].operation.regions[0].blocks[0]


def _end(block: ir.Block) -> ir.Operation:
    """The end marker of `block`, a `ub.poison`, created if it is missing."""
    last = [o.operation for o in block.operations][-1]
    if last.name == "ub.poison":
        return last
    return ir.Operation.create("ub.poison", [ir.IndexType.get()], loc=last.location, ip=ir.InsertionPoint.after(last))


def _symbols(block: ir.Block) -> set[str]:
    return {a["sym_name"].value for o in block.operations if "sym_name" in (a := o.operation.attributes)}


def _rename(block: ir.Block, n: int, names: set[str]) -> None:
    """Appends a piece's number to its symbols; erases functions that an earlier piece has, too."""
    for op in [o.operation for o in block.operations]:
        if "sym_name" not in op.attributes:
            continue
        old = sym_name_of(op)
        if op.name not in _SHARED:
            op.attributes["sym_name"] = ir.StringAttr.get(f"{old}_unroll_{n}")
        elif old in names and op.name != "aie.shim_dma_allocation":
            op.erase()
