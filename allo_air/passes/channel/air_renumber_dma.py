"""air-renumber-dma."""

from dataclasses import dataclass
from typing import Literal

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir

_MEMCPY = ("air.dma_memcpy_nd", "air.channel.put", "air.channel.get")


@dataclass(frozen=True)
class AirRenumberDma(Pass):
    """Numbers the `id` of DMA copies and channel puts and gets from 1, in the order of the text.

    `mode` says where counting restarts: `global` counts through the function; `herd`, `segment` and `launch` count in each
    herd, segment or launch separately and ignore operations outside of them. Ids of other operations stay.

    Before:

        air.channel.put @a[] (%x[] [] []) {id = 7 : i32} : (memref<8xi32>)
        air.channel.get @b[] (%y[] [] []) : (memref<8xi32>)

    After:

        air.channel.put @a[] (%x[] [] []) {id = 1 : i32} : (memref<8xi32>)
        air.channel.get @b[] (%y[] [] []) {id = 2 : i32} : (memref<8xi32>)
    """

    name = "air-renumber-dma"
    anchor = "func.func"
    mode: Literal["global", "herd", "segment", "launch"] = "global"
    """Numbers restart at each function, herd, segment or launch."""

    def run(self, op: AnyOp, /) -> None:
        scopes = [op] if self.mode == "global" else walk_named(op, f"air.{self.mode}")
        i32 = ir.IntegerType.get_signless(32)
        for scope in scopes:
            for number, memcpy in enumerate(walk_named(scope, *_MEMCPY), start=1):
                memcpy.attributes["id"] = ir.IntegerAttr.get(i32, number)
