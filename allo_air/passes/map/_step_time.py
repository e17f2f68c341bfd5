"""The time of an operation on one tile."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.arch import Core
from allo_air.mlir import ir
from allo_air.passes._analysis.gather_pattern import cycles, one_hot_gather_of
from allo_air.passes.map._loop_time import LoopTime
from allo_air.passes.map._pads import LANES


class StepTime:
    """The time of an operation, queried for many tiles."""

    def __init__(self, op: ir.Operation, core: Core, *, is_bf16: bool, is_returned: bool) -> None:
        self._gather = one_hot_gather_of(op)
        self._loops = LoopTime(op, core, is_bf16=is_bf16, is_returned=is_returned)

    def code(self, piece: Sequence[int]) -> int:
        """Operations in the code for a piece."""
        return 0 if self._gather is not None else self._loops.code(piece)

    def of(self, tile: Sequence[int], piece: Sequence[int], turns: int, code: int) -> float:
        """Cycles for a tile, of which a core takes `turns` pieces one after another; `tile` and `piece` are sizes of loops. The
        core has so many operations of `code` in all.
        """
        if self._gather is not None:
            return cycles(self._gather, list(tile), turns, LANES)
        return turns * self._loops.of(piece, code)
