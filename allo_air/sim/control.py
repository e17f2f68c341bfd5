"""The instruction words of a runtime sequence over a layout, and the operation that each word comes from."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from allo_air.core.diagnostics import error_at, given_name
from allo_air.sim.layout import Layout
from allo_air.target.npu_sequence import Sequence
from allo_air.target.npu_shim import BD_COUNT
from allo_air.target.npu_tasks import Channel
from allo_air.target.npu_words import LoadPdi, stream

_HEADER = 4


class LaidOutSequence(Sequence):
    """A runtime sequence whose buffers and locks are where a layout puts them.

    Queue depths, BDs in use and waits are not checked here: the words run, and the engine sees what happens.
    """

    def __init__(self, device_op: Any, sequence: Any, layout: Layout) -> None:
        super().__init__(device_op, sequence)
        self._layout = layout

    def buffer_address(self, op: Any, buffer: Any) -> int:
        return self._layout.buffers[buffer.buffer].offset

    def lock_id(self, op: Any, lock: Any) -> int:
        return self._layout.locks[lock.lock].id

    def push(self, op: Any, channel: Channel, bd: int, *, token: bool) -> None:
        return None

    def occupy(self, channel: Channel, bd: int) -> None:
        return None

    def wait(self, op: Any, channel: Channel) -> None:
        return None

    def claim(self, op: Any, column: int, bd: int) -> None:
        if not 0 <= bd < BD_COUNT:
            raise error_at(op, f"BD id {bd} does not exist; a shim tile has BDs 0 to {BD_COUNT - 1}")


@dataclass(frozen=True)
class Control:
    """An instruction stream; `starts` are the word offsets at which instructions begin, `ops` where each comes from."""

    words: npt.NDArray[np.uint32]
    starts: list[int]
    ops: list[Any]
    arguments: tuple[str, ...] = ()
    """What the file calls the host's buffers, where it does."""

    def op_at(self, offset: int) -> Any:
        """The operation that the word at `offset` comes from; None for the header."""
        index = bisect_right(self.starts, offset) - 1
        return self.ops[index] if index >= 0 else None


def control_of(device_op: Any, sequence: Any, layout: Layout) -> Control:
    """The words of a runtime sequence; DiagnosticError at an operation that has none."""
    source = LaidOutSequence(device_op, sequence, layout)
    instructions: list[Any] = []
    starts: list[int] = []
    ops: list[Any] = []
    offset = _HEADER
    for op, instruction in source.by_operation():
        if isinstance(instruction, LoadPdi):
            _check_load(op, device_op, first=not instructions)
        instructions.append(instruction)
        starts.append(offset)
        ops.append(op)
        offset += len(instruction.words())
    names = tuple(given_name(a.location, "argument") for a in sequence.body.blocks[0].arguments)
    return Control(np.array(stream(source.device, instructions), np.uint32), starts, ops, names)


def _check_load(op: Any, device_op: Any, *, first: bool) -> None:
    """The array is configured before the run: loading this device at the sequence's start is all that a load can say."""
    if op.device_ref is not None and op.device_ref != device_op.sym_name:
        raise error_at(
            op,
            f"loads @{op.device_ref} in a sequence of @{device_op.sym_name}; the simulator changes devices with aiex.configure "
            "and aiex.run only",
        )
    if not first:
        raise error_at(op, "loads a configuration in the midst of a sequence, which the simulator does at its start only")
