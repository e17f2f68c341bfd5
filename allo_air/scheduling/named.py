"""Prints schedules readably: elementwise linalg.generic operations become named ones."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import walk_pre_order
from allo_air.mlir import AnyOp, PassManager, ir

_PIPELINE = "builtin.module(func.func(linalg-specialize-generic-ops))"


def named_ops(module: ir.Module) -> ir.Module:
    """A copy of the module in which loops over elements have names where linalg has one; itself if it has none of them.

    Before: `linalg.generic {...} ins(%a) outs(%b) {^bb0(%in: f32, %out: f32): %0 = math.exp %in : f32  linalg.yield %0 : f32}`
    After:  `linalg.exp ins(%a) outs(%b)`
    """
    text = str(module)
    if "linalg.generic" not in text:
        return module
    result = ir.Module.parse(text)
    notes_after = [dict(_schedule_attributes(op)) for op in _linalg(result.operation)]
    PassManager.parse(_PIPELINE).run(result.operation)
    after = _linalg(result.operation)
    if len(after) != len(notes_after):
        return module
    for op, notes in zip(after, notes_after, strict=True):
        for name, value in notes.items():
            op.attributes[name] = value
    return result


def _linalg(module: AnyOp) -> list[Any]:
    return [op for op in walk_pre_order(module) if op.name.startswith("linalg.") and op.regions and op.operands]


def _schedule_attributes(op: AnyOp) -> list[tuple[str, Any]]:
    """The attributes that the schedule has added: the names of the operation and of its loops."""
    return [(name, op.attributes[name]) for name in op.attributes if name in ("op_name", "loop_name", "name")]
