"""A sequence with loops left in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.target.npu_sequence import Sequence

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp


class LoopSequence(Sequence):
    """A sequence that contains loops: the tasks in flight at each point are only known at run time."""

    def push(self, op: AnyOp, channel: tuple[int, ...], bd: int, *, token: bool) -> None:
        return None

    def occupy(self, channel: object, bd: int) -> None:
        return None

    def wait(self, op: Any, channel: Any) -> None:
        return None

    def claim(self, op: AnyOp, column: int, bd: int) -> None:
        self.check_bd(op, column, bd)

    def bd_for(self, op: object, channel: object, bd_id: int | None) -> int:
        if bd_id is None:
            raise error_at(op, "has no BD id in a sequence whose loops stay; run aie-lower-dynamic-bd-pool, or give it bd_id")
        return bd_id
