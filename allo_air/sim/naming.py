"""Names of the engine's numbers in the design: agents, locks, BDs and sites, with their source operations."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import called, position
from allo_air.device import Coordinate
from allo_air.dialects.declarations import declarations, fifo_of, place_of
from allo_air.errors import counted
from allo_air.mlir import ir
from allo_air.sim.array import Design
from allo_air.sim.control import Control
from allo_air.sim.cores.sites import Site
from allo_air.sim.layout import Buffer
from allo_air.target.npu_registers import Push, Rewrite, effects_of_write
from allo_air.target.npu_words import BLOCKWRITE, WRITE

if TYPE_CHECKING:
    from allo_air.sim._engine import Agent
    from allo_air.sim._engine import Agent as EngineAgent

DIRECTIONS = ("S2MM", "MM2S")


_PLACED = ("core", "dma", "controller")
"""Units that are at an operation of the source."""

Position = tuple[str, int, int]
NOWHERE: Position = ("", 0, 0)


def position_of(op: Any) -> Position:
    """`(file, line, column)` of an operation, a location or a site of a core."""
    if op is None:
        return NOWHERE
    if isinstance(op, ir.Location):
        return position(op)
    if isinstance(op, Site):
        return op.file, op.line, op.column
    return position(op.operation.location)


def place_text(where: Position) -> str:
    """` (file:line)`, or empty if the place is unknown."""
    file, line, _ = where
    return f" ({file}:{line})" if line else ""


@dataclass
class Names:
    """Maps numbers of a run to operations and names of the design."""

    design: Design
    control: Control
    written: dict[tuple[Coordinate, int], list[Any]] = field(default_factory=lambda: defaultdict(list))
    """Operations of the sequence that write a BD, by tile and number."""
    pushes: dict[tuple[Coordinate, int, int], list[tuple[Any, Push]]] = field(default_factory=lambda: defaultdict(list))
    """Operations of the sequence that queue a task, and the task, by tile, direction and channel."""

    _pushed: dict[tuple[Coordinate, int, int], list[int]] = field(default_factory=lambda: defaultdict(list))
    """Word offsets of the instructions in `pushes`."""
    _offsets: dict[tuple[Coordinate, int], list[int]] = field(default_factory=lambda: defaultdict(list))
    """Word offsets of the instructions in `effects_of_write`."""

    def __post_init__(self) -> None:
        self._static = {(d.tile, d.number): d for d in self.design.descriptors}
        words = self.control.words
        for start, op in zip(self.control.starts, self.control.ops, strict=True):
            if int(words[start]) & 0xFF in (WRITE, BLOCKWRITE):
                self._note(
                    op, start, effects_of_write(self.design.layout.device, int(words[start + 2]), [int(words[start + 4])])
                )

    def _note(self, op: ir.Operation, start: int, effects: list[Push | Rewrite]) -> None:
        for effect in effects:
            match effect:
                case Rewrite(column, row, bd):
                    self.written[(column, row), bd].append(op)
                    self._offsets[(column, row), bd].append(start)
                case Push((column, row, direction, channel)):
                    self.pushes[(column, row), direction, channel].append((op, effect))
                    self._pushed[(column, row), direction, channel].append(start)

    def queued(self, channel: tuple[Coordinate, int, int]) -> list[tuple[Any, int]]:
        """The operations that queue tasks on a channel, with the word offsets of their instructions."""
        return [(op, start) for (op, _), start in zip(self.pushes.get(channel, ()), self._pushed.get(channel, ()), strict=True)]

    def module(self, tile: Coordinate) -> str:
        """The name of a tile's kind (`core tile`, `memtile` or `shim`) with its position."""
        device = self.design.layout.device
        kind = device.kind(*tile) if device.holds(*tile) else "core"
        return {"core": "tile", "mem": "memtile"}.get(kind, "shim") + f" ({tile[0]}, {tile[1]})"

    def channel(self, tile: Coordinate, direction: int, channel: int) -> str:
        """`MM2S 0 of memtile (0, 1)`."""
        return f"{DIRECTIONS[direction]} {channel} of {self.module(tile)}"

    @cached_property
    def _allocated(self) -> dict[tuple[Coordinate, int, int], str]:
        """The file's names of shim channels: objectFifos, else allocations."""
        results = {}
        for op in declarations(self.design.layout.op, "aie.shim_dma_allocation"):
            name = fifo_of(op)
            results[place_of(op, op.tile), op.channel_dir, op.channel_index] = (
                f"objectFifo @{name}" if name else f"@{op.sym_name}"
            )
        return results

    def transfers(self, channel: tuple[Coordinate, int, int]) -> str:
        """A channel as the file calls it: `@out (S2MM 0 of shim (0, 0))`."""
        name = self._allocated.get(channel)
        return f"{name} ({self.channel(*channel)})" if name else self.channel(*channel)

    def lock(self, tile: Coordinate, number: int) -> str:
        """The name of a lock with its tile. A lock without a name is shown by its number and the place of its definition."""
        lock = self.design.layout.lock_at(tile, number)
        fifo = fifo_of(lock.op) if lock else ""
        text = f"lock {lock.name if lock else number}{f' of objectFifo @{fifo}' * bool(fifo)} of {self.module(tile)}"
        file, line, _ = position_of(lock.op) if lock and not called(lock.op) else NOWHERE
        return text + (f", defined at {file}:{line}" if line else "")

    def fifo(self, tile: Coordinate, number: int) -> str:
        """The objectFifo that a lock is of; empty for another."""
        lock = self.design.layout.lock_at(tile, number)
        return fifo_of(lock.op) if lock else ""

    def objects(self, tile: Coordinate, number: int, count: int) -> str | None:
        """The meaning of `count` of an objectFifo's lock, as in `1 filled object of @in`; None for other locks."""
        lock = self.design.layout.lock_at(tile, number)
        fifo = fifo_of(lock.op) if lock else ""
        if lock is None or not fifo or not (ends := re.search(r"_(prod|cons)_lock(_\d+)?$", lock.name)):
            return None
        state = "free" if ends[1] == "prod" else "filled"
        return f"{counted(count, f'{state} object')} of @{fifo}"

    def buffer(self, buffer: Buffer) -> str:
        """A buffer with its tile."""
        fifo = fifo_of(buffer.op) if buffer.op is not None else ""
        return f"buffer {buffer.name}{f' of objectFifo @{fifo}' * bool(fifo)} of {self.module(buffer.tile)}"

    def argument(self, number: int) -> str:
        """The name of a host buffer; that of the sequence's argument if it is known."""
        name = self.control.arguments[number] if number < len(self.control.arguments) else ""
        return f"host buffer {number}" + (f" ({name})" if name else "")

    def lock_name(self, tile: Coordinate, number: int) -> str:
        """The lock's name in the file, or its number."""
        if number < 0:
            return ""
        lock = self.design.layout.lock_at(tile, number)
        return lock.name if lock else str(number)

    def bd_op(self, tile: Coordinate, number: int, direction: int, channel: int) -> Any:
        """The operation that created a BD, in a DMA program or in the sequence (there, one that starts a task on the same
        channel).
        """
        ops = self.written.get((tile, number), [])
        queuing = [op for op, push in self.pushes.get((tile, direction, channel), ()) if push.bd == number]
        if result := next((op for op in ops if op in queuing), None):
            return result
        if (tile, number) in self._static:
            return self._static[tile, number].op
        return ops[0] if ops else next(iter(queuing), None)

    def bd_of_task(self, agent: Agent, task: int) -> Any:
        """The operation of the BD that DMA `agent` runs, as of the instruction at word `task`, which started its task."""
        tile = (agent.col, agent.row)
        before = bisect_right(self._offsets[tile, agent.bd], task) if task >= 0 else 0
        if before:
            return self.written[tile, agent.bd][before - 1]
        return self.bd_op(tile, agent.bd, agent.direction, agent.channel)

    def op(self, agent: EngineAgent) -> Any:
        """The operation (or location) that an agent last executed; None if unknown."""
        tile = (agent.col, agent.row)
        match agent.unit:
            case "core":
                return self.site(agent.site) or self.design.core_ops.get(tile)
            case "controller" | "dma" if agent.site >= 0:
                return self.control.op_at(agent.site)
            case "dma" if agent.bd >= 0:
                return self.bd_op(tile, agent.bd, agent.direction, agent.channel)
            case "dma":
                return self.start_op(tile, agent.direction, agent.channel)
        return None

    def start_op(self, tile: Coordinate, direction: int, channel: int) -> Any:
        """The operation that starts a channel, in the configuration or in the sequence."""
        for start in self.design.starts:
            if (start.tile, start.direction, start.channel) == (tile, direction, channel):
                return start.op
        return next((op for op, _ in self.pushes.get((tile, direction, channel), ())), None)

    def site(self, number: int) -> Any:
        """The site of core code with this number, or None."""
        cores = self.design.cores
        if cores is None or not 0 <= number < len(cores.sites):
            return None
        return cores.sites[number]

    def agent(self, agent: Any) -> str:
        """The name of an agent with its place in the source."""
        return self.who(agent) + ("" if agent.unit not in _PLACED else place_text(position_of(self.op(agent))))

    def who(self, agent: EngineAgent) -> str:
        """The agent in words."""
        tile = (agent.col, agent.row)
        match agent.unit:
            case "core":
                site = self.site(agent.site)
                _, _, called = site.op.partition("func.call @") if site is not None else ("", "", "")
                return f"the core of {self.module(tile)}" + (f", in kernel '{called}'" if called else "")
            case "dma":
                bd = f", BD {agent.bd}" if agent.bd >= 0 else ""
                return f"{self.channel(tile, agent.direction, agent.channel)}{bd}"
            case "controller":
                return "the runtime sequence"
        return f"{agent.unit} of {self.module(tile)}"
