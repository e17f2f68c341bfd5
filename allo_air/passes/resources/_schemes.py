"""Attributes that control how mlir-aie places a tile's buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import BufferOp
    from allo_air.mlir import ir

SEQUENTIAL = "basic-sequential"
"""Places buffers one after another."""


def keep_addresses(tile: ir.Value, buffers: list[BufferOp]) -> None:
    """Makes mlir-aie keep the addresses of the buffers of `tile`, if all have addresses.

    Before 2026-04-16, aie-assign-buffer-addresses moved such buffers so that they overlapped, unless they are consecutive.
    """
    op = tile.owner.opview
    if all(b.address is not None for b in buffers) and op.allocation_scheme is None:
        op.allocation_scheme = SEQUENTIAL
