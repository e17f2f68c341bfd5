"""Simplifies waits in control programs: folds each `airrt.wait_all` into its users, and erases waits for nothing and unused
buffers.
"""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import defining_op, is_unused, walk_named
from allo_air.mlir import AnyOp, ir

_WAIT = "airrt.wait_all"
_LAUNCH = "air.launch"
"""Attribute of the wait that ends a counted launch; such waits stay."""


def prune_events(root: AnyOp) -> bool:
    """Simplifies the operands of `airrt.wait_all`, and erases L2 buffers that are only freed. Returns whether anything changed.

    Before:

        %1 = airrt.wait_all %0 : !airrt.event
        %2 = airrt.wait_all : !airrt.event
        airrt.wait_all %1, %2

    After:

        airrt.wait_all %0
    """
    changed = False
    for op in walk_named(root, _WAIT):
        events = list(dict.fromkeys(e for event in op.operands for e in _joined(event)))
        if op.results and len(events) == 1:
            op.results[0].replace_all_uses_with(events[0])
        elif events != list(op.operands):
            op = _rebuilt(op, events)
            changed = True
    for op in reversed(walk_named(root, _WAIT)):
        if is_unused(op.results[0]) if op.results else not len(op.operands) and _LAUNCH not in op.attributes:
            op.erase()
            changed = True
    for alloc in walk_named(root, "airrt.alloc"):
        users = [use.owner.operation for use in alloc.results[0].uses]
        if all(user.name == "airrt.dealloc" for user in users):
            for op in (*users, alloc):
                op.erase()
            changed = True
    return changed


def _joined(event: ir.Value) -> list[Any]:
    """The events that `event` joins; itself if it is not a join."""
    owner = defining_op(event)
    return [event] if owner is None or owner.name != _WAIT else list(owner.operands)


def _rebuilt(op: AnyOp, events: list[ir.Value]) -> Any:
    """`op` with other operands."""
    attributes = {name: op.attributes[name] for name in op.attributes}
    new = ir.Operation.create(
        _WAIT, [r.type for r in op.results], events, attributes, loc=op.location, ip=ir.InsertionPoint(op)
    )
    for old, item in zip(op.results, new.results, strict=True):
        old.replace_all_uses_with(item)
    op.erase()
    return new
