"""`air.channel`: bundles that no put or get names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def drop_unused_channels(channels: Sequence[Any], transfers: Sequence[Any]) -> bool:
    """Erases each of `channels` that none of `transfers` names from inside the module that holds it.

    Before:
        air.channel @used [1, 1]
        air.channel @unused [1, 1]
        air.channel.put @used[%c0, %c0] (%m[] [] []) : (memref<64xf32>)
    After:
        air.channel @used [1, 1]
        air.channel.put @used[%c0, %c0] (%m[] [] []) : (memref<64xf32>)
    """
    if not channels:
        return False
    tables = {channel.parent.operation for channel in channels}
    named = {(table, op.attributes["chan_name"].value) for op in transfers for table in _around(op, tables)}
    unused = [c for c in channels if (c.parent.operation, c.attributes["sym_name"].value) not in named]
    for channel in unused:
        channel.erase()
    return bool(unused)


def _around(op: Any, tables: set[Any]) -> list[Any]:
    """Those of `tables` that contain `op`."""
    found = []
    outer = op.parent
    while outer is not None:
        if outer.operation in tables:
            found.append(outer.operation)
        outer = outer.operation.parent
    return found
