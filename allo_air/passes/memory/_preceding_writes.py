"""Finds the writes to a buffer that may precede an operation."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import parents, walk_pre_order
from allo_air.mlir import ir
from allo_air.passes._analysis.alias import VIEWS, root_of
from allo_air.passes._analysis.effects import accesses

_LOOPS = ("scf.for", "scf.while", "affine.for")
"""Loops whose iterations see the writes of earlier ones; iterations of parallel loops and hierarchies must not rely on that."""

_MAY_PASS_ON = ("scf.", "affine.", "func.return", "cf.", "air.execute", "linalg.yield")
"""Prefixes of operations that may pass a buffer on as another value."""


class Writes:
    """The operations in `root` that write buffers, by buffer."""

    def __init__(self, root: ir.Operation) -> None:
        self._writes: list[tuple[ir.Value, ir.Operation]] = []
        for op in walk_pre_order(root):
            if len(op.regions) and not op.name.startswith("linalg."):
                continue  # the walk also visits the operations inside
            self._writes += [(a.root, op) for a in accesses(op) if a.kind in ("write", "update")]

    def before(self, buffer: ir.Value, op: ir.Operation) -> list[ir.Operation] | None:
        """The writes to `buffer`, an allocation, that may run before `op`; None if they cannot be listed."""
        if _escapes(buffer):
            return None
        return [w for root, w in self._writes if root == buffer and _may_precede(w, op, buffer.owner.operation)]


def _escapes(buffer: ir.Value) -> bool:
    """Whether a loop, a branch or a return passes the buffer on as another value."""
    todo = [buffer]
    while todo:
        value = todo.pop()
        for use in value.uses:
            user = use.owner.operation
            if user.name in VIEWS:
                todo += list(user.results)
            elif user.name.startswith(_MAY_PASS_ON) and user.name not in ("affine.load", "affine.store"):
                return True
    return False


def _may_precede(write: ir.Operation, op: ir.Operation, alloc: ir.Operation) -> bool:
    """Whether `write` may run before `op` during the lifetime of the buffer that `alloc` allocates."""
    ancestors = [op, *parents(op)]
    siblings: tuple[ir.Operation, ir.Operation] | None = None
    for outer in [write, *parents(write)]:
        for inner in ancestors:
            if outer == inner:
                return True  # one contains the other
            if outer.parent is not None and inner.parent is not None and outer.block == inner.block:
                siblings = (outer, inner)
                break
        if siblings is not None:
            break
    if siblings is None:
        return True
    first, second = siblings
    if first.is_before_in_block(second):
        return True
    loops = [p for p in parents(first) if p.name in _LOOPS]
    return any(loop not in parents(alloc) for loop in loops)


def source_buffer(value: ir.Value) -> Any:
    """The allocation that memref `value` is a view of; None if it has another source."""
    root = root_of(value)
    return root if isinstance(root, ir.OpResult) and root.owner.name == "memref.alloc" else None
