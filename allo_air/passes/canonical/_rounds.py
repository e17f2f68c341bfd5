"""One iteration of all rewrites of AIR, AIE and AIEVec operations."""

from __future__ import annotations

import weakref

from allo_air.core.walking import dependences_of, walk_named
from allo_air.dialects.air_values import ASYNC
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.executes import simplify_executes
from allo_air.passes._ir.fold_access import fold_transfers
from allo_air.passes._ir.hierarchies import prune_arguments
from allo_air.passes._ir.prune_tokens import prune_tokens
from allo_air.passes._ir.symbols import promote_symbols
from allo_air.passes.canonical._aie import canonical_aie
from allo_air.passes.canonical._channels import drop_unused_channels
from allo_air.passes.canonical._events import prune_events
from allo_air.passes.canonical._false_dependences import drop_false_dependences

_CHANNEL, _TRANSLATE = "air.channel", "air.translate"
_PLACES = ("id", "x_loc", "y_loc", "x_size", "y_size")
"""Attributes that no rewrite reads."""

_canonical: tuple[weakref.ref[ir.Context], bytes] | None = None
"""The dependences after the last iteration, in which nothing could be removed, and the context that owns them."""


def rewrite_once(root: AnyOp) -> bool:
    """Rewrites the AIR operations in `root` once. Returns whether anything changed, so that another iteration may find more."""
    global _canonical
    operation = root.operation
    waits = canonical_aie(operation)
    waits = (operation.context.is_dialect_loaded("airrt") and prune_events(operation)) or waits
    if not operation.context.is_dialect_loaded("air"):
        return waits
    moved = _stay_at_home(operation) or waits
    with operation.context, operation.location:
        moved = promote_symbols(operation) or moved
    results = walk_named(operation, *ASYNC, _CHANNEL)
    if not results:
        return moved
    context = operation.context
    seen = dependences_of(operation, (*ASYNC, _CHANNEL), _PLACES)
    is_canonical = _canonical is not None and seen is not None and _canonical[0]() is context and _canonical[1] == seen
    channels = [op for op in results if op.name == _CHANNEL]
    ops = [op for op in results if op.name != _CHANNEL]
    with operation.context, operation.location:
        changes = [fold_transfers(operation, ops), simplify_executes(ops)]
        if not is_canonical or any(changes):
            changes += [drop_false_dependences(ops), prune_tokens(ops)]
        changes += [
            prune_arguments(ops),
            drop_unused_channels(channels, [op for op in ops if op is not None and "chan_name" in op.attributes]),
        ]
    if seen is not None and not any(changes):
        _canonical = weakref.ref(context), seen
    return any(changes) or moved


def _stay_at_home(root: AnyOp) -> bool:
    """Replaces each `air.translate` of a buffer from a rank to the same rank by the buffer."""
    ops = [op for op in walk_named(root, _TRANSLATE) if op.operands[1] == op.operands[2]]
    for op in ops:
        op.results[0].replace_all_uses_with(op.operands[0])
        op.erase()
    return bool(ops)
