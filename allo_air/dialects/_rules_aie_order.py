"""Rules of the order of a device: unlike a module, it defines values before it uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.dialects._rules import Report, rule
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import DeviceOp


@rule("aie.device")
def defined_before_use(op: DeviceOp, report: Report) -> None:
    """A definition in the device must precede its uses.

    MLIR does not check this: in memory, a device holds its operations in a module, where any order is valid.
    """
    holder, tops = op.block.owner.operation, dict[ir.Operation, ir.Operation]()
    for definition in op.block.operations:
        for result in definition.results:
            for use in result.uses:
                user = use.owner.operation
                outer = _top_of(user, holder, tops)
                if not definition.operation.is_before_in_block(outer):
                    note = (definition, "operand defined here; write it before its uses")
                    report.error(user, f"operand #{use.operand_number} does not dominate this use", note)
                    return


def _top_of(op: ir.Operation, holder: ir.Operation, tops: dict[ir.Operation, ir.Operation]) -> ir.Operation:
    """The operation directly in `holder` that is or holds `op`; `tops` has it for the operations between."""
    between = []
    while (parent := op.parent.operation) != holder and parent not in tops:
        between.append(parent)
        op = parent
    top = op if parent == holder else tops[parent]
    tops |= dict.fromkeys(between, top)
    return top
