"""aie-spread-buffers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import TYPE_CHECKING, Any

from allo_air.arch import arch_of
from allo_air.arch.limits import BUFFER_ALIGNMENT
from allo_air.core.pass_ import Pass
from allo_air.dialects.declarations import declarations, device_of, place_of
from allo_air.mlir import ir
from allo_air.passes._analysis.objectfifos import bits
from allo_air.passes.resources._accesses import Alike
from allo_air.passes.resources._bank_layout import Body, Layout
from allo_air.passes.resources._schemes import keep_addresses

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import BufferOp

_EXCHANGED = 10
"""Largest number of buffers to exchange if there are too many to try all orders."""


@dataclass(frozen=True)
class AieSpreadBuffers(Pass):
    """Assigns addresses to the buffers of a core that minimize bank conflicts in its loops.

    A core's memory has four banks of 16 KiB, and accesses to one bank in the same cycle wait for each other. Of the orders of
    buffers after the stack, packed or each within a bank, the pass takes the one in which the busiest banks of the core's
    innermost loops are busy for the fewest cycles; the buffers are then declared in the order of their addresses. Up to `most`
    buffers, all orders are tried; with more, the most accessed buffers are exchanged as long as that improves the layout.
    Tiles stay unchanged if an address or a bank is given, and if the buffers do not fit. Addresses are multiples of the core's
    load width (32 bytes, 64 on npu2), or of 32 if that does not fit.

    Before:

        %tile_0_2 = aie.tile(0, 2)
        %a = aie.buffer(%tile_0_2) {sym_name = "a"} : memref<2048xi32>
        %core = aie.core(%tile_0_2) {
          scf.for %i = %c0 to %c256 step %c1 { ... vector.load %a ... vector.store %b ... }

    After:

        %tile_0_2 = aie.tile(0, 2) {allocation_scheme = "basic-sequential"}
        %a = aie.buffer(%tile_0_2) {address = 1024 : i32, sym_name = "a"} : memref<2048xi32>
    """

    name = "aie-spread-buffers"
    anchor = "aie.device"
    most: int = 6
    """Number of buffers of a core up to which all orders are tried; with more, pairs are exchanged."""

    def run(self, op: ir.Operation, /) -> None:
        device = device_of(op)
        model = arch_of(device).core
        if model is None:
            return
        buffers_of: dict[Any, list[Any]] = {}
        for buffer in declarations(op, "aie.buffer"):
            buffers_of.setdefault(buffer.tile, []).append(buffer)
        bank_of: dict[Any, tuple[int, ...] | None] = {}
        copies = Alike(model.load_bytes)
        for core in declarations(op, "aie.core"):
            buffers = buffers_of.get(core.tile, [])
            if any(b.address is not None or b.mem_bank is not None for b in buffers):
                continue
            loops = copies.bodies(core, [b.buffer for b in buffers])
            used = sorted({number for body in loops for number, _ in body.accesses})
            if len(used) < 2:
                continue
            rest = [number for number in range(len(buffers)) if number not in used]
            sizes = tuple((bits(b.buffer.type) + 7) // 8 for b in buffers)
            memory = device.tile(*place_of(core, core.tile)).memory
            key = sizes, loops, core.stack_size
            for alignment in dict.fromkeys((model.load_bytes, BUFFER_ALIGNMENT)):
                if bank_of.get(key) is None:
                    layout = Layout(sizes, loops, core.stack_size, memory, alignment)
                    bank_of[key] = self._best(layout, used, rest)
            if (addresses := bank_of[key]) is not None:
                _place(buffers, addresses)
                keep_addresses(core.tile, buffers)

    def _best(self, layout: Layout, used: list[int], rest: list[int]) -> tuple[int, ...] | None:
        """The addresses of `layout` whose buffers `used` wait for banks for the fewest cycles, `rest` after them."""
        if len(used) <= self.most:
            result = layout.best((*order, *rest) for order in permutations(used))
        else:
            result = layout.near([*_busiest(used, layout.bodies), *rest], min(len(used), _EXCHANGED))
        return result[1] if result else None


def _busiest(used: Sequence[int], loops: Sequence[Body]) -> list[int]:
    """The buffers `used`, those first that `loops` access most."""
    cycles = dict.fromkeys(used, 0)
    for body in loops:
        for number, each in body.accesses:
            cycles[number] += body.times * each
    return sorted(used, key=lambda number: -cycles[number])


def _place(buffers: list[BufferOp], addresses: tuple[int, ...]) -> None:
    """Sets the addresses of `buffers`, and sorts their declarations by address: mlir-aie rejects an address below an earlier
    one in the same bank."""
    for buffer, address in zip(buffers, addresses, strict=True):
        buffer.address = address
    ordered = [buffers[number].operation for _, number in sorted((address, number) for number, address in enumerate(addresses))]
    if (
        ordered[0].block != (tile := ordered[0].operands[0].owner.operation).block
    ):  # declared in the core, unlike the others perhaps
        ordered[0].move_after(tile)
    for previous, following in pairwise(ordered):
        following.move_after(previous)
