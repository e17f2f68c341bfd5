"""The first and last steps of a byte's path in a control program: transfers between the host's arrays and the channels'
data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.program.control.actions import Move
from allo_air.sim.naming import place_text, position_of
from allo_air.sim.provenance import Step


@dataclass(frozen=True)
class Transfer:
    """A transfer. The elements `elements` of its argument, in order, are the `stream` that channels send or receive."""

    move: Move
    elements: Any
    stream: Any

    def step(self, action: str) -> Step:
        """The step of a path in which it moved a word."""
        name, place = self.move.op.operation.name, position_of(self.move.op)
        return Step("move", f"{action} by {name}{place_text(place)}", place, writer=f"{action} by {name}{place_text(place)}")


@dataclass(frozen=True)
class ReceivedData:
    """The data that the program wrote into the host's `arrays`, in order; the last transfer of an element counts."""

    arrays: Mapping[int, Any]
    transfers: Sequence[Transfer]

    def steps(self, argument: int, offset: int) -> tuple[list[Step], int]:
        """The transfer that wrote a byte of an argument, and the address of that byte in the channel's data."""
        import numpy as np

        array = self.arrays[argument]
        element, byte = divmod(offset, array.itemsize)
        for transfer in reversed(self.transfers):
            if transfer.move.argument == argument and len(places := np.flatnonzero(transfer.elements == element)):
                address = int(transfer.stream.ctypes.data) + int(places[-1]) * array.itemsize + byte
                return [transfer.step("received")], address
        return [], int(array.ctypes.data) + offset

    def describe(self, argument: int, offset: int) -> str:
        """Describes a byte of an argument."""
        return f"byte {offset} of argument {argument}"


@dataclass(frozen=True)
class SentData:
    """The data that the program sent from `sources` to channels, in order."""

    sources: Sequence[Any]
    transfers: Sequence[Transfer]

    @property
    def arrays(self) -> dict[int, Any]:
        """The data of each transfer, by number."""
        return {n: t.stream for n, t in enumerate(self.transfers)}

    def steps(self, number: int, offset: int) -> tuple[list[Step], int]:
        """The transfer that sent a byte, and the byte's address in the host's array."""
        transfer = self.transfers[number]
        source = self.sources[transfer.move.argument]
        place, byte = divmod(offset, source.itemsize)
        return [transfer.step("sent")], int(source.ctypes.data) + int(transfer.elements[place]) * source.itemsize + byte

    def describe(self, number: int, offset: int) -> str:
        """Describes a byte of a transfer's data."""
        return f"byte {offset} of the sent data{place_text(position_of(self.transfers[number].move.op))}"
