"""The puts and gets of channels, and attributes that passes use to fuse channels."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from allo_air.core.names import channel_of, sym_name_of
from allo_air.core.walking import enclosing, parents, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.parallel import CONDITIONS

GROUP = "allo.fuse_group"
"""Attribute of a channel: channels with the same number are to be fused."""
MULTIPLEXED = "allo.multiplexed"
"""Attribute of a transfer that is multiplexed: it precedes the transfers of another operand on their channel. The value is the
number of channels among which the transfer is to be divided.
"""
FROM_ADJACENT = "allo.from_adjacent_memtile"
"""Attribute of a put: it uses a channel of the memtile that contains the buffers marked as adjacent."""
INTO_ADJACENT = "allo.into_adjacent_memtile"
"""Attribute of a get: it fills a buffer in the memtile next to that of the channel's other buffers."""
ADJACENT = "allo.adjacent_memtile"
"""Attribute of the allocation of an L2 buffer: the buffer is in the memtile next to that of the other buffers that the same
streams read.
"""
IN_LOCKSTEP = "allo.in_lockstep"
"""Attribute of the allocation of an L2 buffer that several streams read repeatedly, or that several streams fill in part. The
pass that sets it guarantees that the receivers advance together, so that one lock is enough for all.
"""
STEPS_APART = 4
"""Largest number of steps by which cores that share an operand can be apart: each core has two steps in L1, and streams hold
less than one.
"""
PUT, GET = "air.channel.put", "air.channel.get"
_HIERARCHIES = ("air.herd", "air.segment", "air.launch")


class Ends:
    """The channels of a module, with their puts and gets. The IR must not change while the object is in use."""

    def __init__(self, module: AnyOp) -> None:
        self._declared: dict[str, ir.Operation] = {}
        self._transfers: dict[tuple[str, str], list[Any]] = {}
        for op in walk_named(module, "air.channel", PUT, GET):
            if op.name == "air.channel":
                self._declared[sym_name_of(op)] = op
            else:
                self._transfers.setdefault((channel_of(op), op.name), []).append(op)
        self._hierarchies: list[ir.Operation] = []

    def of(self, name: str, end: str) -> list[Any]:
        """The transfers of kind `end` ("air.channel.put" or "get") of channel `name`, in program order."""
        return list(self._transfers.get((name, end), ()))

    def kind(self, name: str) -> Hashable:
        """A key that is equal for channels between the same places: size, broadcast, cores and hierarchies. None for an unknown
        channel.
        """
        if name not in self._declared:
            return None
        op = self._declared[name]
        broadcast = str(op.attributes["broadcast_shape"]) if "broadcast_shape" in op.attributes else ""
        sets = tuple(
            str(put_op.attributes["broadcast_set"]) for put_op in self.of(name, PUT) if "broadcast_set" in put_op.attributes
        )
        places = tuple(tuple(dict.fromkeys(map(self._place, self.of(name, end)))) for end in (PUT, GET))
        return tuple(op.opview.size), broadcast, tuple(dict.fromkeys(sets)), op.opview.channel_type, places

    def _place(self, transfer: ir.Operation) -> Hashable:
        """The hierarchy around a transfer. Herds with the same name and placement count as one, since they are phases of the
        same cores.
        """
        outer = enclosing(transfer, *_HIERARCHIES)
        if outer is None:
            return None
        if outer.name == "air.herd" and "sym_name" in outer.attributes:
            return tuple(str(outer.attributes[n]) for n in ("sym_name", "x_loc", "y_loc") if n in outer.attributes)
        if outer not in self._hierarchies:
            self._hierarchies.append(outer)
        return self._hierarchies.index(outer)

    def channel_type(self, name: str) -> str:
        """The type of channel `name`; empty for an unknown channel."""
        return str(self._declared[name].opview.channel_type) if name in self._declared else ""

    def is_broadcast(self, name: str) -> bool:
        """Whether channel `name` is a broadcast, or unknown."""
        return name not in self._declared or "broadcast_shape" in self._declared[name].attributes

    def filling(self, buffer: ir.Value) -> str | None:
        """The channel that has gets into `buffer` and no puts in herds. None if there are several such channels or none."""
        gets = ((name, op) for (name, end), ops in self._transfers.items() if end == GET for op in ops)
        names = {name for name, op in gets if root_of(op.opview.dst) == buffer}
        filling = [n for n in names if not any(p.name == "air.herd" for put_op in self.of(n, PUT) for p in parents(put_op))]
        return filling[0] if len(filling) == 1 else None


def site_of(get: ir.Operation) -> ir.Operation:
    """The outermost condition around `get` within its loop or herd, or `get` itself."""
    site = get.operation
    while site.parent.operation.name in CONDITIONS:
        site = site.parent.operation
    return site


def loop_around(transfer: ir.Operation) -> ir.Operation | None:
    """The innermost scf.for around `transfer`."""
    return enclosing(transfer, "scf.for")
