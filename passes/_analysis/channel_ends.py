"""Which transfers a channel has at its ends, and which channels can be one."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from allo_air.core.walking import parents, walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.parallel import CONDITIONS

GROUP = "fuse_group"
"""Attribute of a channel: those with the same number shall be one."""
PUT, GET = "air.channel.put", "air.channel.get"


class Ends:
    """The channels of a module, and the transfers at their ends; for IR that does not change meanwhile."""

    def __init__(self, module: Any) -> None:
        self._declared = {op.attributes["sym_name"].value: op for op in walk_named(module, "air.channel")}
        self._transfers = walk_named(module, PUT, GET)

    def of(self, name: str, end: str) -> list[Any]:
        """The transfers of channel `name` called `end`, in the order of the text."""
        return [op for op in self._transfers if op.name == end and op.attributes["chan_name"].value == name]

    def kind(self, name: str) -> Hashable:
        """Equal for channels between the same places: size, broadcast, and cores that get; None for an unknown channel."""
        if name not in self._declared:
            return None
        op = self._declared[name]
        broadcast = str(op.attributes["broadcast_shape"]) if "broadcast_shape" in op.attributes else ""
        sets = tuple(str(put.attributes["broadcast_set"]) for put in self.of(name, PUT) if "broadcast_set" in put.attributes)
        return tuple(op.opview.size), broadcast, tuple(dict.fromkeys(sets)), op.opview.channel_type

    def channel_type(self, name: str) -> str:
        """How channel `name` moves data; empty for an unknown channel."""
        return str(self._declared[name].opview.channel_type) if name in self._declared else ""

    def filling(self, buffer: ir.Value) -> str | None:
        """The one channel that is got into `buffer`; None where there is none, or several."""
        names = {
            op.attributes["chan_name"].value for op in self._transfers if op.name == GET and root_of(op.opview.dst) == buffer
        }
        return names.pop() if len(names) == 1 else None


def site_of(get: ir.Operation) -> ir.Operation:
    """The outermost condition around `get` inside of its loop or herd, or `get` itself."""
    site = get.operation
    while site.parent.operation.name in CONDITIONS:
        site = site.parent.operation
    return site


def loop_around(transfer: ir.Operation) -> ir.Operation | None:
    """The innermost scf.for around `transfer`."""
    return next((p for p in parents(transfer) if p.name == "scf.for"), None)
