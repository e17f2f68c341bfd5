"""The data about the array that compiled cores need: addresses of buffers and names of locks."""

from __future__ import annotations

from typing import Any, Protocol

from allo_air.device import Coordinate
from allo_air.mlir import ir


class Layout(Protocol):
    """Addresses and handles by SSA value of the device."""

    def address(self, buffer: ir.Value) -> int:
        """The host address of an `aie.buffer`, given as its value."""
        ...

    def place(self, buffer: ir.Value) -> tuple[Coordinate, int, int] | None:
        """Tile, offset in its data memory and bytes of an `aie.buffer`, given as its value; None if they are not needed."""
        ...

    def lock_handle(self, lock: Any) -> int:
        """The engine's handle of an `aie.lock`: `column << 16 | row << 8 | id` of the tile that owns it."""
        ...
