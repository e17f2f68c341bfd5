"""Maps a lowered program's operations to their positions in its text."""

from __future__ import annotations

from allo_air.core.diagnostics import position
from allo_air.mlir import AnyOp, ir


class Places:
    """Maps a location of the parsed text to the position of its operation in pre-order."""

    def __init__(self, module: AnyOp):
        self._by_line: dict[int, int] = {}
        place = 0

        def visit(op: ir.Operation) -> ir.WalkResult:
            nonlocal place
            self._by_line.setdefault(position(op.location)[1], place)
            place += 1
            return ir.WalkResult.ADVANCE

        module.walk(visit, ir.WalkOrder.PRE_ORDER)

    def of(self, line: int) -> int:
        """The position of the first operation on `line`; 0 if there is none."""
        return self._by_line.get(line, 0)
