"""Where operations of a device are."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.device import DEVICES, Device
from allo_air.dialects._enums import DEVICE
from allo_air.dialects.declarations import declarations

Place = tuple[int, int]


def device_of(op: Any) -> Device:
    """The device that an `aie.device` is for."""
    return DEVICES[DEVICE.keyword(op.opview.device)]


def place_of(op: Any, tile: Any) -> Place:
    """Column and row of `tile`, which `op` is on; DiagnosticError for one that is not placed."""
    attributes = tile.owner.attributes
    if "col" not in attributes or "row" not in attributes:
        raise error_at(op, "is on a tile that is not placed; give its column and row, or run aie-place-tiles first")
    return attributes["col"].value, attributes["row"].value


def operations(device_op: Any, *names: str) -> list[Any]:
    """The operations called one of `names` that a device declares, as views."""
    return declarations(device_op, *names)
