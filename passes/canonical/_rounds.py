"""One round of all rewrites of AIR operations, over one walk."""

from __future__ import annotations

from allo_air.core.walking import walk_named
from allo_air.dialects.air_values import ASYNC
from allo_air.mlir import AnyOp
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.executes import simplify_executes
from allo_air.passes._ir.fold_access import fold_transfers
from allo_air.passes._ir.hierarchies import prune_arguments
from allo_air.passes.canonical._channels import drop_unused_channels
from allo_air.passes.canonical._false_dependences import drop_false_dependences
from allo_air.passes.canonical._tokens import prune_tokens

_CHANNEL = "air.channel"


def rewrite_once(root: AnyOp) -> bool:
    """Rewrites the AIR operations in `root`; returns whether anything changed, so that another round may find more."""
    operation = root.operation
    if not operation.context.is_dialect_loaded("air"):
        return False
    found = walk_named(operation, *ASYNC, _CHANNEL)
    if not found:
        return False
    channels = [op for op in found if op.name == _CHANNEL]
    ops = [op for op in found if op.name != _CHANNEL]
    with operation.context, operation.location:
        changes = [
            fold_transfers(ops, Indices()),
            simplify_executes(ops),
            drop_false_dependences(ops),
            prune_tokens(ops),
            prune_arguments(ops),
            drop_unused_channels(channels, [op for op in ops if op is not None and "chan_name" in op.attributes]),
        ]
    return any(changes)
