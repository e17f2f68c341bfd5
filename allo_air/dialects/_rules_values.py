"""Rules of fields that are an attribute or an operand: exactly one is present."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.dialects._op import OPS
from allo_air.dialects._rules import Report, rule

if TYPE_CHECKING:
    from allo_air.mlir import ir

_SUFFIX = "_operand"


@rule(
    "aiex.npu.write32", "aiex.npu.maskwrite32", "aiex.npu.sync", "aiex.npu.push_queue", "aiex.npu.address_patch",
    "aiex.npu.rtp_write", "aiex.set_lock",
)  # fmt: skip
def has_value(op: ir.OpView, report: Report) -> None:
    """Each number is given, as a constant or as a value."""
    for field in OPS[op.OPERATION_NAME].DECL.operands:
        name = field.name.removesuffix(_SUFFIX)
        if name != field.name and name not in op.attributes and getattr(op, field.name) is None:
            report.error(op, f"requires attribute '{name}', or a value for it")


@rule("aie.use_lock", "aie.dma_bd", "aiex.dma_configure_task", "aiex.dma_configure_task_for")
def has_one_value(op: ir.OpView, report: Report) -> None:
    """No number is given twice."""
    for field in OPS[op.OPERATION_NAME].DECL.operands:
        name = "value" if field.name == "amount" else field.name.removesuffix(_SUFFIX)
        if name != field.name and field.arity == "optional" and getattr(op, field.name) is not None and name in op.attributes:
            report.error(op, f"has both attribute '{name}' and a value for it")
