"""The declarations that a runtime sequence uses, and its tasks in flight at each point, with limits that the hardware does not
report.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.arch.limits import QUEUE_DEPTH
from allo_air.core.diagnostics import error_at, position, warn_at
from allo_air.device import Device
from allo_air.dialects._places import controller_id
from allo_air.dialects.aie import DeviceOp, RuntimeSequenceOp
from allo_air.dialects.declarations import declarations, device_of, fifo_of, no_allocation
from allo_air.dialects.memrefs import element_bits
from allo_air.errors import AlloAirError, Diagnostic
from allo_air.mlir import AnyOp, ir
from allo_air.target import npu_shim, npu_tasks
from allo_air.target.npu_bd import QUEUE_BASE
from allo_air.target.npu_registers import Push, effects
from allo_air.target.npu_values import buffers_of
from allo_air.target.npu_words import Instruction, MaskWrite, Write

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import BufferOp, LockOp


@dataclass
class Queued:
    """A task on a channel: its BDs, and whether it issues a token when it ends."""

    bds: list[int]
    token: bool


class State:
    """The state of one runtime sequence during its conversion to instructions: its names and its tasks in flight."""

    def __init__(self, device_op: DeviceOp, sequence: RuntimeSequenceOp) -> None:
        self.device: Device = device_of(device_op)
        self.device_op = device_op
        self.op = sequence
        self.bound: Mapping[Any, tuple[int, int] | None] = buffers_of(sequence)
        self.channels: dict[str, tuple[int, int, int]] = {}  # (column, direction, channel) by allocation
        self.fifos: dict[str, str] = {}  # the objectFifo of an allocation, if it has one
        self.packets: dict[str, Any] = {}  # packet headers by allocation
        self.chains: dict[str, Any] = {}
        self.rearms: dict[str, Any] = {}  # records for resets of objectFifos
        self.buffers: dict[str, Any] = {}
        self.controllers: dict[tuple[int, int], int] = {}  # packet ids of controllers by tile
        for op in declarations(device_op):
            match op.operation.name:
                case "aie.shim_dma_allocation":
                    self.channels[op.sym_name] = (op.tile.owner.opview.col, op.channel_dir, op.channel_index)
                    self.fifos[op.sym_name] = fifo_of(op)
                    if op.packet is not None:
                        self.packets[op.sym_name] = op.packet
                case "aie.objectfifo_rearm_binding":
                    self.rearms[op.sym_name] = op
                case "aie.bd_chain":
                    self.chains[op.sym_name] = op
                case "aie.buffer" if op.sym_name:
                    self.buffers[op.sym_name] = op
                case "aie.tile" if (controller := controller_id(op)) is not None:
                    self.controllers[op.col, op.row] = controller[1]
        self.tasks: dict[Any, npu_tasks.Task] = {}
        self.taken: dict[tuple[int, int], set[int]] = {}  # BDs of tasks that have not ended, by tile
        self.queued: dict[npu_tasks.Channel, list[Queued]] = {}  # tasks that are not known to have ended, oldest first
        self.tokens: dict[npu_tasks.Channel, list[Any]] = {}  # tasks whose tokens are not waited for yet, oldest first
        self.used: set[npu_tasks.Channel] = set()  # channels on which a task was queued

    def borrow(self, other: State) -> None:
        """Adds the names of another device that this one does not have."""
        own = set(self.channels)
        self.channels = other.channels | self.channels
        self.fifos = other.fifos | self.fifos
        self.packets |= {name: packet for name, packet in other.packets.items() if name not in own}
        self.chains = other.chains | self.chains
        self.rearms = other.rearms | self.rearms
        self.buffers = other.buffers | self.buffers
        self.controllers = other.controllers | self.controllers

    def allocation(self, op: ir.OpView, symbol: str) -> tuple[int, int, int]:
        """Column, direction and channel of a shim DMA allocation."""
        if symbol not in self.channels:
            raise no_allocation(op, symbol, [self.fifos.get(name) or name for name in self.channels])
        column, direction, channel = self.channels[symbol]
        if not 0 <= channel < self.device.tile(column, 0).channels[direction]:
            raise error_at(
                op, f"uses @{symbol}, an allocation of {_channel(column, 0, direction, channel)}, which does not exist"
            )
        return self.channels[symbol]

    def reload(self) -> None:
        """Records the load of another configuration, which ends all tasks and frees their BDs."""
        self.taken.clear()
        self.queued.clear()

    def push(self, op: ir.OpView, channel: npu_tasks.Channel, bd: int, *, token: bool) -> None:
        """Records a queued task; warns if the queue may drop it."""
        tasks = self.queued.setdefault(channel, [])
        if len(tasks) == QUEUE_DEPTH + 1:
            warn_at(
                op,
                f"is task {len(tasks) + 1} on {_channel(*channel)} with no wait in between; the queue holds {QUEUE_DEPTH}"
                f" besides the running task, and silently drops the next: wait for one first",
            )
        tasks.append(Queued([bd], token))
        self.used.add(channel)
        if token:
            self.tokens.setdefault(channel, []).append(op)

    def check_bd(self, op: AnyOp, column: int, bd: int) -> None:
        """Raises DiagnosticError if a shim has no such BD."""
        if not 0 <= bd < (count := self.device.tile(column, 0).bds):
            raise error_at(op, f"BD id {bd} does not exist; a shim tile has BDs 0 to {count - 1}")

    def claim(self, op: ir.OpView, column: int, bd: int) -> None:
        """Records a write of a shim BD; warns if a task may not have read it yet."""
        self.check_bd(op, column, bd)
        if any(bd in task.bds for key, tasks in self.queued.items() if key[:2] == (column, 0) for task in tasks):
            warn_at(
                op, f"rewrites BD {bd} of shim tile ({column}, 0), whose task has not been waited for; use another BD or wait"
            )

    def wait(self, op: ir.OpView, channel: npu_tasks.Channel) -> None:
        """Records a wait for one token of a channel: its tasks up to the one that issues the token have ended; others may
        have.
        """
        if not self.tokens.get(channel):
            raise error_at(op, f"waits for a token of {_channel(*channel)}, but no task queued there issues one")
        self.tokens[channel].pop(0)
        tasks = self.queued.get(channel, [])
        ended = next((i for i, task in enumerate(tasks) if task.token), len(tasks) - 1) + 1
        self.queued = {channel: tasks[ended:]}

    def sync(self, op: ir.OpView, channel: npu_tasks.Channel) -> None:
        """Records a wait for a token from a task that the device starts itself, or from an earlier sequence."""
        if channel in self.used:
            self.wait(op, channel)
        else:
            self.queued.clear()

    def flush(self, channel: npu_tasks.Channel) -> None:
        """Records the reset of a channel: its tasks end without tokens."""
        self.queued.pop(channel, None)
        self.tokens.pop(channel, None)

    def occupy(self, channel: npu_tasks.Channel, bd: int) -> None:
        """Records one more BD of the task queued last on a channel."""
        self.queued[channel][-1].bds.append(bd)

    def vacate(self, channel: npu_tasks.Channel, bds: list[int]) -> None:
        """Records the end of the task with these BDs, which the user asserts."""
        self.queued[channel] = [task for task in self.queued.get(channel, []) if task.bds != bds]

    def follow(self, op: ir.OpView, instruction: Instruction) -> None:
        """Records the effects of an explicit register write on DMA channels and shim BDs."""
        for effect in effects(instruction, self.device):
            if isinstance(effect, Push):
                self.push(op, effect.channel, effect.bd, token=effect.token)
            elif effect.row == 0:
                self.claim(op, effect.column, effect.bd)

    def queue(self, op: ir.OpView, channel: npu_tasks.Channel, bd: int, repeat: int, *, token: bool) -> list[Instruction]:
        """Starts a task. If its token goes to the tile's own controller, the packet id of the channel is set first."""
        column, row, direction, number = channel
        kind = self.device.kind(column, row)
        if kind == "shim_pl" or not 0 <= number < self.device.tile(column, row).channels[direction]:
            raise error_at(op, f"queues on {_channel(*channel)}, which does not exist")
        self.push(op, channel, bd, token=token)
        register = self.device.address(column, row, QUEUE_BASE[kind][direction] + 8 * number)
        word = npu_shim.queue_word(bd, repeat, token=token) | (bd & 0x30 if kind == "mem" else 0)
        return [*self.token_route(channel, token=token), Write(register, word)]

    def token_route(self, channel: npu_tasks.Channel, *, token: bool) -> list[Instruction]:
        """Writes the tile's controller id into the channel's control register, if a token is issued and the tile has
        such an id.
        """
        column, row, direction, number = channel
        if not token or (column, row) not in self.controllers:
            return []
        control = QUEUE_BASE[self.device.kind(column, row)][direction] + 8 * number - 4
        return [MaskWrite(self.device.address(column, row, control), self.controllers[column, row] << 8, 0x1F00)]

    def unwaited(self) -> list[Diagnostic]:
        """Warnings about outputs whose tokens the sequence does not wait for often enough."""
        diagnostics = []
        for (column, row, direction, number), ops in self.tokens.items():
            if direction == 0 and row == 0 and ops:
                where = _channel(column, row, direction, number)
                message = (
                    f"'{ops[-1].operation.name}' op issues a token on {where} that nothing waits for ({len(ops)} in all): "
                    "the sequence may end before the data are in memory; wait for each"
                )
                diagnostics.append(Diagnostic("warning", *position(ops[-1].location), message))
        return diagnostics

    def task(self, op: ir.OpView, value: ir.Value) -> npu_tasks.Task:
        """The task configured as `value`, which has not ended."""
        task = self.tasks.get(value)
        if task is None:
            raise error_at(op, "takes a task that is not configured before in this sequence")
        if task.ended:
            raise error_at(op, "takes a task that has been awaited or freed before; its BDs may belong to another")
        return task

    def bd_for(self, op: ir.OpView, channel: npu_tasks.Channel, bd_id: int | None) -> int:
        """The BD for a task of `channel`: `bd_id`, or the lowest free one that the channel can use."""
        column, row, _, number = channel
        tile = self.device.tile(column, row)
        usable = range(tile.bds)
        if tile.kind == "mem":
            usable = range(tile.bds // 2) if number % 2 == 0 else range(tile.bds // 2, tile.bds)
        used_bds = self.taken.setdefault((column, row), set())
        if bd_id is not None and bd_id not in usable:
            raise error_at(
                op, f"BD id {bd_id}; {_channel(column, row, channel[2], number)} has BDs {usable[0]} to {usable[-1]}"
            )
        free = [bd for bd in usable if bd not in used_bds]
        if not free:
            raise error_at(
                op,
                f"Allocator exhausted available buffer descriptor IDs: all {len(usable)} of tile ({column}, {row}) are in"
                " flight; await or free a task first",
            )
        result = free[0] if bd_id is None else bd_id
        if result in used_bds:
            raise error_at(
                op,
                f"Specified buffer descriptor ID {result} is already in use. Emit an aiex.dma_free_task operation to reuse BDs,"
                f" or await the task in flight that has it on tile ({column}, {row})",
            )
        if row == 0:
            self.claim(op, column, result)
        used_bds.add(result)
        return result

    def place(self, op: AnyOp, tile: ir.Value) -> tuple[int, int]:
        """Column and row of a tile."""
        owner = tile.owner.operation
        if "col" not in owner.attributes or "row" not in owner.attributes:
            raise error_at(op, "is on a tile without a place; place the tiles before (aie-place-tiles)")
        return owner.attributes["col"].value, owner.attributes["row"].value

    def buffer_address(self, op: AnyOp, buffer: BufferOp) -> int:
        """The address of an `aie.buffer` in its tile."""
        if buffer.address is None:
            raise error_at(
                op,
                f"needs the address of buffer @{buffer.sym_name}, which is not assigned; run aie-prepare, or give it `address`",
            )
        address: int = buffer.address
        return address

    def lock_id(self, op: ir.OpView, lock: LockOp) -> int:
        """The number of a lock in its tile."""
        if lock.lockID is None:
            raise error_at(op, "needs the id of a lock that has none; assign it before (aie-assign-lock-ids)")
        number: int = lock.lockID
        return number

    def bits(self, memref: ir.MemRefType) -> int:
        """Width of a memref's element."""
        if (bits := element_bits(memref)) is None:
            raise AlloAirError(f"a runtime sequence moves {memref}, whose elements have no known width")
        return bits


def _channel(column: int, row: int, direction: int, channel: int) -> str:
    return f"{('S2MM', 'MM2S')[direction]} channel {channel} of tile ({column}, {row})"
