"""air-enforce-channel-fifo-order."""

from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.core.names import channel_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._ir.tokens import add_deps, token_of


@dataclass(frozen=True)
class AirEnforceChannelFifoOrder(Pass):
    """Makes each asynchronous put (get) wait for the previous one in its block on the same channel with the same indices.

    A channel transfers data in the order of its puts and of its gets. Transfers that share no buffer have no dependence that
    preserves this order. Run the pass after the last `canonicalize`, which prunes implied dependences.

    Before:

        %1 = air.channel.put async @c[%i] (%a[] [] []) : (memref<8xi32>)
        %2 = air.channel.put async @c[%i] (%b[] [] []) : (memref<8xi32>)

    After:

        %1 = air.channel.put async @c[%i] (%a[] [] []) : (memref<8xi32>)
        %2 = air.channel.put async [%1] @c[%i] (%b[] [] []) : (memref<8xi32>)
    """

    name = "air-enforce-channel-fifo-order"

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        values = IndexValues()
        last: dict[Any, Any] = {}
        for end in walk_named(op, "air.channel.put", "air.channel.get"):
            if token_of(end) is None:
                continue
            indices = tuple(values.value(v) for v in end.opview.indices)
            place = (end.block, end.name, channel_of(end), indices)
            before = last.get(place)
            result = end if before is None else add_deps(end, [token_of(before)])
            last[place] = result
