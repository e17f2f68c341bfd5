"""A channel transfer on another buffer."""

from __future__ import annotations

from typing import Any

from allo_air.access.box import Walk
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.rebuild import operand_groups, with_operands


def with_walk(transfer: Any, memref: Any, walk: Walk) -> Any:
    """Replaces `transfer` by one that walks `memref` as `walk` says."""
    groups, constants = operand_groups(transfer), Indices()
    groups[2] = [memref]
    lists = walk.lists()
    for n, parts in enumerate((lists.offsets, lists.sizes, lists.strides)):
        groups[3 + n] = [constants.value(part, transfer) for part in parts]
    return with_operands(transfer, groups)
