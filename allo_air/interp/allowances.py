"""Errors that a run tolerates in a program that was wrong or unfinished before the first pass."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.walking import walk_named
from allo_air.mlir import ir

UNBOUNDED = 1 << 30
"""Capacity of channels for programs that need more than one message."""


@dataclass(frozen=True)
class Allowances:
    """Errors that a run tolerates.

    `program_order`: operations of a body on the same memory keep their order, with or without tokens. `races`: unordered
    accesses leave random data instead of an error. `unwritten`: unwritten memory has random data. Without `unwritten`, reading
    it is an error, and with `whole_results` so is returning it. A channel holds `capacity` messages; with `leftovers`, messages
    may remain at the end. Channels in `open` have only one end in the program: their gets receive numbers that depend on the
    channel's name, and the data of their puts are outputs.
    """

    program_order: bool = False
    races: bool = False
    unwritten: bool = False
    whole_results: bool = False
    capacity: int = 1
    leftovers: bool = False
    open: frozenset[str] = frozenset()

    @property
    def garbage(self) -> bool:
        """Whether some values may be undefined."""
        return self.races or self.unwritten


def one_sided(function: ir.Operation) -> frozenset[str]:
    """The channels that `function` puts into or gets from, but not both."""
    puts, gets = ({o.opview.chan_name for o in walk_named(function, f"air.channel.{n}")} for n in ("put", "get"))
    return frozenset(puts ^ gets)
