"""What a run lets pass that is wrong, or unfinished, in a program that somebody else wrote."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.walking import walk_named
from allo_air.mlir import ir

UNBOUNDED = 1 << 30
"""Messages that a channel holds for programs that need more than one."""


@dataclass(frozen=True)
class Allowances:
    """`program_order`: operations of a body that touch the same memory keep their order, tokens or not.

    `races`: what accesses without order leave is garbage, and no error. `unwritten`: so is memory that nothing has written;
    without it, with `whole_results`, returning such memory is an error as reading it is. A channel holds `capacity` messages;
    with `leftovers`, some may be left at the end. Of the channels in `open` the program has one side only: gets receive numbers
    that the channel's name determines, and what puts send is an output.
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
