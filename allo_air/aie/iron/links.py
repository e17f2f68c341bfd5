"""Links of objectFifos on a memtile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.aie.building.arrays import ArrayType, in_bytes
from allo_air.aie.building.errors import user_place
from allo_air.aie.building.scope import located
from allo_air.aie.dialects._aie_fifos import object_fifo_link
from allo_air.aie.iron.device import MEMORY, Tile, with_kind


class Link:
    """Links the FIFOs `ins` to the FIFOs `outs` on a memtile; offsets are in elements, for joins and distributes."""

    def __init__(self, ins: Sequence[Any], outs: Sequence[Any], offsets: Sequence[int], tile: Tile | None):
        self.ins, self.outs, self.offsets = list(ins), list(outs), list(offsets)
        self.tile = with_kind(tile, MEMORY)
        self.place = user_place()

    def build(self) -> None:
        """Builds the operation."""
        joins = len(self.ins) > 1
        offsets = [n * self.ins[0].type.block for n in self.offsets]
        object_fifo_link(self.ins, self.outs, offsets if joins else [], [] if joins else offsets, loc=located(self.place))


def stored(dims: tuple[tuple[int, int], ...], kind: ArrayType) -> Any:
    """Dimensions converted to the element type in memory."""
    _, sizes, strides = in_bytes(0, [a for a, _ in dims], [b for _, b in dims], kind.block)
    return list(zip(sizes, strides, strict=True))
