"""Finds the enclosing device and the tile of operations; results are cached during one check."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.device import DEVICES, Device, Kind, Tile
from allo_air.dialects._enums import DEVICE
from allo_air.dialects._rules import Report, enclosing
from allo_air.mlir import AnyOp, ir

TILE_OWNERS = ("aie.core", "aie.mem", "aie.memtile_dma", "aie.shim_dma", "aie.switchbox", "aie.shim_mux")
"""Operations with a body that runs on, or configures, the tile of their first operand."""


@dataclass(frozen=True)
class Place:
    """A tile of a device."""

    device: Device
    column: int
    row: int

    @property
    def coordinate(self) -> tuple[int, int]:
        return self.column, self.row

    @property
    def kind(self) -> Kind:
        return self.device.kind(self.column, self.row)

    @property
    def tile(self) -> Tile:
        return self.device.tile(self.column, self.row)

    @property
    def is_shim(self) -> bool:
        return self.kind in ("shim_noc", "shim_pl")

    def sees(self, other: Place) -> bool:
        """Whether this tile reaches `other`'s memory and locks."""
        return self.device.sees_memory(self.coordinate, other.coordinate)

    def __str__(self) -> str:
        return f"tile ({self.column}, {self.row})"


def device_of(op: AnyOp, report: Report) -> Device | None:
    """The device around `op`; None if there is none."""
    device = _enclosing(op, ("aie.device",), report)
    if device is None:
        return None
    devices = report.memo.setdefault("devices", {})
    if device not in devices:
        devices[device] = DEVICES[DEVICE.keyword(device.attributes["device"].value)]
    return devices[device]


def tile_owner_of(op: AnyOp, report: Report) -> ir.Operation | None:
    """The core, DMA program or switch around `op`; None if there is none."""
    return _enclosing(op, TILE_OWNERS, report)


def place_of(tile: ir.Value, report: Report) -> Place | None:
    """The place of a tile value; None for a tile that is not placed yet, out of range, or unknown."""
    places = report.memo.setdefault("places", {})
    if tile not in places:
        places[tile] = _tile_place(tile, report)
    return places[tile]


def home_of(value: ir.Value, report: Report) -> Place | None:
    """The place of the tile that a lock, a buffer or a core belongs to."""
    if isinstance(value, ir.BlockArgument):
        return None
    owner = value.owner.operation
    if owner.name in ("aie.lock", "aie.buffer", *TILE_OWNERS):
        return place_of(owner.operands[0], report)
    return None


def kind_of(tile: ir.Value, report: Report) -> str | None:
    """The kind of a tile value, also of a logical one: `core`, `mem`, `shim_noc` or `shim_pl`."""
    place = place_of(tile, report)
    if place is not None:
        return place.kind
    if isinstance(tile, ir.BlockArgument) or tile.owner.operation.name != "aie.logical_tile":
        return None
    return ("core", "mem", "shim_noc", "shim_pl")[tile.owner.operation.attributes["tile_type"].value]


def is_shim(tile: ir.Value, report: Report) -> bool:
    """Whether a tile value is a shim tile."""
    return kind_of(tile, report) in ("shim_noc", "shim_pl")


def symbols_of(op: ir.OpView, report: Report) -> dict[str, ir.Operation]:
    """The operations directly in the device around `op` by symbol name; empty outside of a device."""
    device = _enclosing(op, ("aie.device",), report)
    return {} if device is None else _table(device, report)


def symbols_in_sequence(op: ir.OpView, report: Report) -> dict[str, ir.Operation]:
    """Like `symbols_of`, with the declarations of devices that the runtime sequence around `op` loads."""
    device, sequence = _enclosing(op, ("aie.device",), report), _enclosing(op, ("aie.runtime_sequence",), report)
    if device is None or sequence is None:
        return symbols_of(op, report)
    result = report.memo.setdefault("loaded", {})
    if sequence not in result:
        loads = walk_named(sequence, "aiex.configure", "aiex.npu.load_pdi")
        names = {o.attributes[key].value for o in loads for key in ("symbol", "device_ref") if key in o.attributes}
        ops = [o.operation for o in device.block.operations if o.operation.name == "aie.device"] if names else []
        tables = [_table(o, report) for o in ops if device_name(o) in names]
        result[sequence] = {name: op for table in (*tables, _table(device, report)) for name, op in table.items()}
    return result[sequence]


def device_name(device: ir.Operation) -> str:
    """The symbol of an `aie.device`; `main` if it has none."""
    attributes = device.attributes
    name: str = attributes["sym_name"].value if "sym_name" in attributes else "main"
    return name


def _table(device: ir.Operation, report: Report) -> dict[str, ir.Operation]:
    tables = report.memo.setdefault("symbols", {})
    if device not in tables:
        tables[device] = _symbols(device)
    return tables[device]


def size_stride_pairs(attribute: ir.Attribute) -> list[tuple[int, int]]:
    """The pairs of a BD dimension list, a padding list or a packet info, in the order written."""
    return list(_number_pairs(str(attribute)))


@lru_cache(maxsize=1024)
def _number_pairs(text: str) -> tuple[tuple[int, int], ...]:
    result = numbers(text)
    return tuple(zip(result[::2], result[1::2], strict=False))


def numbers(attribute: ir.Attribute | str) -> list[int]:
    """The numbers of an attribute of several fields, such as a BD's iteration, in the order written."""
    return [int(n) for n in re.findall(r"(?<![\w])-?\d+", str(attribute))]


def paired(pairs: Iterable[tuple[int, int]], name: str) -> ir.Attribute | None:
    """`#aie.<name><[...]>` of pairs, outermost first; None for none."""
    inner = ", ".join(f"array<i64: {a}, {b}>" for a, b in pairs)
    return ir.Attribute.parse(f"#aie.{name}<[{inner}]>") if inner else None


def controller_id(tile: ir.OpView) -> tuple[int, int] | None:
    """Packet type and id of the controller of an `aie.tile`; None if the tile does not specify them."""
    attributes = tile.operation.attributes
    if "controller_id" not in attributes:
        return None
    [result] = size_stride_pairs(attributes["controller_id"])
    return result


def _enclosing(op: AnyOp, names: tuple[str, ...], report: Report) -> ir.Operation | None:
    """The innermost operation around `op` called one of `names`; cached by block, since blocks have many operations."""
    return report.once(names, op, lambda: enclosing(op, *names))


def _tile_place(tile: ir.Value, report: Report) -> Place | None:
    if isinstance(tile, ir.BlockArgument):
        return None
    owner = tile.owner.operation
    attributes = owner.attributes
    if owner.name not in ("aie.tile", "aie.logical_tile") or "col" not in attributes or "row" not in attributes:
        return None
    device = device_of(owner, report)
    column, row = attributes["col"].value, attributes["row"].value
    return Place(device, column, row) if device is not None and device.holds(column, row) else None


def _symbols(device: ir.Operation) -> dict[str, ir.Operation]:
    table = {}
    blocks = list(device.regions[0].blocks)
    for op in blocks[0].operations if blocks else ():
        nested = op.operation.regions[0].blocks[0].operations if op.operation.name == "builtin.module" else (op,)
        for inner in nested:
            if "sym_name" in inner.operation.attributes:
                table[sym_name_of(inner.operation)] = inner.operation
    return table
