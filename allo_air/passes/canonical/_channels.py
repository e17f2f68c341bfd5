"""Erases `air.channel` bundles without puts and gets."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.core.names import channel_of, sym_name_of
from allo_air.mlir import ir


def drop_unused_channels(channels: Sequence[ir.Operation], transfers: Sequence[ir.Operation]) -> bool:
    """Erases each of `channels` that none of `transfers` uses; a name refers to the innermost enclosing declaration.

    Before:

        air.channel @used [1, 1]
        air.channel @unused [1, 1]
        air.channel.put @used[%c0, %c0] (%m[] [] []) : (memref<64xf32>)

    After:

        air.channel @used [1, 1]
        air.channel.put @used[%c0, %c0] (%m[] [] []) : (memref<64xf32>)
    """
    defined = {(channel.parent.operation, _name(channel)) for channel in channels}
    parent_ops = {parent for parent, _ in defined}
    if len(parent_ops) == 1 and next(iter(parent_ops)).parent is None:  # all declarations are at the top level
        [module] = parent_ops
        used = {(module, channel_of(op)) for op in transfers}
    else:
        used = {result for op in transfers if defined and (result := _definition(op, defined)) is not None}
    unused = [c for c in channels if (c.parent.operation, _name(c)) not in used]
    for channel in unused:
        channel.erase()
    return bool(unused)


def _name(channel: ir.Operation) -> str:
    name: str = sym_name_of(channel)
    return name


def _definition(op: ir.Operation, defined: set[tuple[ir.Operation, str]]) -> tuple[ir.Operation, str] | None:
    """The innermost of the declarations `defined` around `op` to which its name refers."""
    name = channel_of(op)
    outer = op.parent
    while outer is not None and (outer.operation, name) not in defined:
        outer = outer.operation.parent
    return None if outer is None else (outer.operation, name)
