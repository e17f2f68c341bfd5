"""Rules of the order of a device: unlike a module, it defines values before it uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.core.walking import ancestor_in
from allo_air.dialects._rules import Report, operations, rule
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import DeviceOp


@rule("aie.device")
def defined_before_use(op: DeviceOp, report: Report) -> None:
    """A definition in the device must precede its uses.

    MLIR does not check this: in memory, a device holds its operations in a module, where any order is valid.
    """
    holder, tops = op.block, dict[ir.Block, ir.Operation]()
    for definition in operations(op.block):
        for result in definition.results:
            for use in result.uses:
                user = use.owner.operation
                block = user.block
                if block == holder:
                    top = user
                else:
                    if block not in tops:
                        tops[block] = ancestor_in(user, holder)
                    top = tops[block]
                if not definition.is_before_in_block(top):
                    note = (definition, "operand defined here; write it before its uses")
                    report.error(user, f"operand #{use.operand_number} does not dominate this use", note)
                    return
