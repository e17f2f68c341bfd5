"""Rules of the order of a device: unlike a module, it defines values before it uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.dialects._rules import Report, rule

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import DeviceOp


@rule("aie.device")
def defined_before_use(op: DeviceOp, report: Report) -> None:
    """What the device itself defines comes before what uses it.

    MLIR does not see this: in memory a device holds its operations in a module, where any order is good.
    """
    block = op.block
    for definition in block.operations:
        for result in definition.results:
            for use in result.uses:
                user = outer = use.owner.operation
                while outer.block != block:
                    outer = outer.parent
                if not definition.operation.is_before_in_block(outer):
                    note = (definition, "operand defined here; write it before its uses")
                    report.error(user, f"operand #{use.operand_number} does not dominate this use", note)
                    return
