"""check-level."""

from dataclasses import dataclass
from typing import Literal

from allo_air.core import levels
from allo_air.core.pass_ import Pass
from allo_air.mlir import ir


@dataclass(frozen=True)
class CheckLevel(Pass):
    """Checks that a module has only operations that are legal at an IR level; changes nothing.

    Pipelines run the same check at the end of each stage. The levels are those of `allo_air.core.levels`: `linalg`, `tiled`,
    `air`, `channel`, `aie`, `npu`. The error for an illegal operation names the legal ones and the pass to run.

    Before (`check-level{level=channel}`):

        air.dma_memcpy_nd (%l1[] [] [], %l2[] [] []) : (memref<64xi32, 2>, memref<64xi32, 1>)

    After: the same IR, or

        error: 'air.dma_memcpy_nd' op is not legal at level 'channel'
        note: run air-dma-to-channel
    """

    name = "check-level"
    level: Literal["linalg", "tiled", "air", "channel", "aie", "npu"]
    """The level whose operations are legal."""

    def run(self, op: ir.Operation, /) -> None:
        levels.check(op, self.level)
