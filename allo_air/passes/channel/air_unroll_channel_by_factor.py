"""air-unroll-channel-by-factor."""

from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.core.cloning import clone
from allo_air.core.constants import index_constant
from allo_air.core.diagnostics import error_at
from allo_air.core.names import channel_of, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.errors import OptionError
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._ir.operands import with_operands
from allo_air.passes._ir.tokens import joined, token_of


@dataclass(frozen=True)
class AirUnrollChannelByFactor(Pass):
    """Multiplies dimension `unroll-dim` of channel `channel-name` by `unroll-factor`, and replicates its puts and gets.

    Copy n of a put or get at index i goes over index i * `unroll-factor` + n, with the same data. Operations that waited for
    the original one wait for all copies. Errors: no channel of that name, a dimension that it does not have, a factor below 1.

    Before (`air-unroll-channel-by-factor{channel-name=c unroll-factor=2}`):

        air.channel @c [2]
        air.channel.put @c[%i] (%a[] [] []) : (memref<8xi32>)

    After:

        air.channel @c [4]
        %0 = arith.muli %i, %c2 : index
        air.channel.put @c[%0] (%a[] [] []) : (memref<8xi32>)
        %1 = arith.addi %0, %c1 : index
        air.channel.put @c[%1] (%a[] [] []) : (memref<8xi32>)
    """

    name = "air-unroll-channel-by-factor"
    anchor = "builtin.module"
    channel_name: str = ""
    """The channel's name."""
    unroll_dim: int = 0
    """The dimension that becomes larger."""
    unroll_factor: int = 1
    """The factor."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        if self.unroll_factor < 1:
            raise OptionError(f"{self.name}: unroll-factor is {self.unroll_factor}, expected at least 1")
        named = [c for c in walk_named(op, "air.channel") if sym_name_of(c) == self.channel_name]
        if not named:
            channel_names = ", ".join(sym_name_of(c) for c in walk_named(op, "air.channel")) or "none"
            raise OptionError(f"{self.name}: there is no channel '{self.channel_name}'; the module has: {channel_names}")
        channel: Any = named[0].opview
        sizes = list(channel.size)
        if not 0 <= self.unroll_dim < len(sizes):
            raise error_at(
                channel, f"has no dimension {self.unroll_dim}, as unroll-dim says; its dimensions are 0 to {len(sizes) - 1}"
            )
        sizes[self.unroll_dim] *= self.unroll_factor
        channel.size = sizes
        for end in walk_named(op, "air.channel.put", "air.channel.get"):
            if channel_of(end) == self.channel_name and len(end.opview.indices):
                self._unroll(end)

    def _unroll(self, end: AnyOp) -> None:
        indices = list(end.opview.indices)
        results = []
        with ir.InsertionPoint(end), end.location:
            first = arith.muli(indices[self.unroll_dim], index_constant(self.unroll_factor, end.location))
            for number in range(self.unroll_factor):
                indices[self.unroll_dim] = arith.addi(first, index_constant(number, end.location)) if number else first
                results.append(with_operands(clone(end, {}, ir.InsertionPoint(end)), {"indices": list(indices)}))
        tokens = [t for t in map(token_of, results) if t is not None]
        if tokens:
            token_of(end).replace_all_uses_with(joined(tokens, end))
        end.erase()
