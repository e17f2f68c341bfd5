"""Encodes a runtime sequence for a layout as instruction words, and records the operation of each word."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from collections.abc import Sequence as Words
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.device import Device
from allo_air.mlir import AnyOp, ir
from allo_air.sim.layout import Layout
from allo_air.target.npu_sequence import Sequence
from allo_air.target.npu_state import State
from allo_air.target.npu_tasks import Channel
from allo_air.target.npu_words import HEADER, LOADPDI, PREEMPT, Instruction, starts_of, stream

if TYPE_CHECKING:
    import numpy.typing as npt

    from allo_air.dialects._aie_tiles import BufferOp, LockOp, RuntimeSequenceOp


class LaidOutSequence(Sequence):
    """A runtime sequence with the addresses that layouts assign to its buffers and locks.

    The first layout is that of the sequence's device; buffers and locks of other devices are looked up in the other layouts.
    Queue depths, BDs in use and waits are not checked here, since the engine executes the words and detects errors.
    """

    def __init__(self, device_op: Any, sequence: RuntimeSequenceOp, *layouts: Layout) -> None:
        super().__init__(device_op, sequence)
        self._layouts = layouts
        for layout in layouts[1:]:
            self.borrow(State(layout.op, sequence))

    def buffer_address(self, op: AnyOp, buffer: BufferOp) -> int:
        return next(layout.buffers[buffer.buffer].offset for layout in self._layouts if buffer.buffer in layout.buffers)

    def lock_id(self, op: ir.OpView, lock: LockOp) -> int:
        return next(layout.locks[lock.lock].id for layout in self._layouts if lock.lock in layout.locks)

    def push(self, op: ir.OpView, channel: Channel, bd: int, *, token: bool) -> None:
        return None

    def occupy(self, channel: Channel, bd: int) -> None:
        return None

    def wait(self, op: AnyOp, channel: Channel) -> None:
        return None

    def claim(self, op: ir.OpView, column: int, bd: int) -> None:
        self.check_bd(op, column, bd)


@dataclass(frozen=True)
class Control:
    """An instruction stream. `starts` has the word offset of each instruction, `ops` the operation of each."""

    words: npt.NDArray[np.uint32]
    starts: list[int]
    ops: list[Any]
    arguments: tuple[str, ...] = ()
    """The file's names of the host's buffers, if it has any."""

    def op_at(self, offset: int) -> Any:
        """The operation of the word at `offset`; None for the header."""
        index = bisect_right(self.starts, offset) - 1
        return self.ops[index] if index >= 0 else None


def control_of(device: Device, steps: Iterable[tuple[ir.OpView, Instruction]], names: tuple[str, ...] = ()) -> Control:
    """The instruction stream for `steps`, with the operation of each instruction; `names` are those of the host's arrays."""
    instructions: list[Instruction] = []
    starts: list[int] = []
    ops: list[ir.OpView] = []
    offset = HEADER
    for op, instruction in steps:
        instructions.append(instruction)
        starts.append(offset)
        ops.append(op)
        offset += len(instruction.words())
    return Control(np.array(stream(device, instructions), np.uint32), starts, ops, names)


def of_words(words: Words[int], control: Control) -> Control:
    """The instruction stream `words`, with operations from `control`, the stream that was made from the file.

    If the streams differ, an instruction gets the operation with the same number if both have the same code.
    """
    array = np.array(words, np.uint32)
    if np.array_equal(array, control.words):
        return control
    result, starts, ops = [int(w) for w in array], starts_of(words), []
    operations = iter(zip(control.starts, control.ops, strict=True))
    first, op = next(operations, (0, None))
    for start in starts:
        code = result[start] & 0xFF
        same = op is not None and int(control.words[first]) & 0xFF == code
        ops.append(op if same else None)
        if same or code not in (LOADPDI, PREEMPT):
            first, op = next(operations, (0, None))
    return Control(array, starts, ops, control.arguments)
