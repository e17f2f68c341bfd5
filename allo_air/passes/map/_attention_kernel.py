"""Functions whose whole body is attention."""

from __future__ import annotations

from allo_air.core.walking import is_result_of
from allo_air.mlir import ir
from allo_air.passes.map._attention import Attention, find_all

SETUP = ("func.return", "arith.constant", "tensor.empty", "tensor.insert_slice")


def attention_of(function: ir.Operation) -> Attention | None:
    """The attention that `function` computes from its arguments and returns; None if it computes anything else.

    The result may be the leading corner of the returned tensor.
    """
    blocks = list(function.regions[0].blocks)
    if len(blocks) != 1:
        return None
    *ops, end = [o.operation for o in blocks[0].operations]
    if len(end.operands) != 1 or any(o.name == "scf.forall" for o in ops):
        return None
    result = end.operands[0]
    if is_result_of(result, "tensor.insert_slice"):
        result = result.owner.operands[0]
    groups = [group for group in find_all(function) if group.result == result]
    if len(groups) != 1:
        return None
    [group] = groups
    inside = set(group.ops())
    if any(o not in inside and o.name not in SETUP for o in ops):
        return None
    return group if all(isinstance(v, ir.BlockArgument) for v in group.operands) else None
