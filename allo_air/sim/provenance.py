"""Traces a byte of the host's memory back over the DMAs that moved it, to a store or a word of the host.

A run records this on request (`record=True`); otherwise nothing is recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from allo_air.core.walking import walk_post_order
from allo_air.sim.array import Array
from allo_air.sim.layout import Buffer
from allo_air.sim.naming import DIRECTIONS, NOWHERE, Names, Position, place_text, position_of

if TYPE_CHECKING:
    from allo_air.sim._engine import Agent

READ = "read"
"""The kind of a step at memory that was not written during the run."""


@dataclass(frozen=True)
class Step:
    """One step back: `text` describes the writer of the byte, `position` is the writer's place in the source.

    `kind` is `move` (a DMA), `store` (a core, or the sequence), `read` (memory that was not written during the run), or
    `input` (the writer of another buffer of the core that stored the byte). `bd`, `channel` and `tile` are those of the
    writer; `source` is the memory that a DMA read.
    """

    kind: str
    text: str
    position: Position
    tile: tuple[int, int] | None = None
    channel: str = ""
    bd: int = -1
    cycle: int = -1
    source: str = ""
    writer: str = ""
    """A short description of the writer."""

    def as_dict(self) -> dict[str, Any]:
        """The step as a dictionary for JSON."""
        file, line, column = self.position
        return {
            "kind": self.kind,
            "text": self.text,
            "file": file,
            "line": line,
            "column": column,
            "tile": list(self.tile) if self.tile else None,
            "channel": self.channel,
            "bd": self.bd if self.bd >= 0 else None,
            "cycle": self.cycle if self.cycle >= 0 else None,
            "source": self.source,
        }


@dataclass(frozen=True)
class Provenance:
    """The record of one run on `array`; `arrays` are the host's arrays by their numbers in the instruction words.

    `owner` is the module that ran. Names are looked up later, and operations do not keep it alive.
    """

    names: Names
    array: Array
    arrays: Mapping[int, Any]
    owner: Any = None

    def steps(self, argument: int, offset: int) -> tuple[list[Step], int | None]:
        """The path of byte `offset` of a host array, last writer first, and the address of the host's byte at its end."""
        raw = self.array.engine.origin(argument, offset)
        steps = [self._step(step) for step in raw]
        if not raw:
            return steps, int(self.arrays[argument].ctypes.data) + offset
        kind, column, row, source, byte = raw[-1].source
        if kind == "host":
            return steps, int(self.arrays[source].ctypes.data) + byte
        if kind == "tile":
            steps.append(self._unwritten((column, row), byte))
        return steps, None

    def inputs(self, steps: Sequence[Step]) -> list[Step]:
        """The last writers of the other buffers that the core used when it stored the byte at the end of `steps`."""
        last = steps[-1] if steps else None
        if last is None or last.kind != "store" or last.tile is None:
            return []
        core, layout = self.names.design.core_ops.get(last.tile), self.names.design.layout
        values = [v for op in walk_post_order(core) for v in op.operands] if core is not None else []
        used = [layout.buffers[v] for v in values if v in layout.buffers]
        inputs = []
        for buffer in dict.fromkeys(used):
            stored = next((s.source for s in reversed(steps[:-1])), "")
            if not stored.endswith(f" of {self.names.buffer(buffer)}") and (step := self._input(buffer)) is not None:
                inputs.append(step)
        return inputs

    def _input(self, buffer: Buffer) -> Step | None:
        """The writer of the first byte of a buffer that a core uses; None if it was a core."""
        raw = self.array.engine.tile_origin(*buffer.tile, buffer.offset)
        what = f"that core also uses {self.names.buffer(buffer)}"
        if not raw:
            contents = "nothing has written" if buffer.op.initial_value is None else "holds its initial value"
            return Step("input", f"{what}, which {contents}", position_of(buffer.op), buffer.tile)
        step = self._step(raw[0])
        if raw[0].agent.unit == "core":
            return None
        source = raw[-1].source if raw[-1].kind == "move" and len(raw) > 1 else None
        origin = f"; that came from {self._memory(source)}" if source is not None and source[0] == "host" else ""
        return replace(step, kind="input", text=f"{what}, last {step.text}{origin}")

    def describe(self, argument: int, offset: int) -> str:
        """A byte of a host array."""
        return f"byte {offset} of {self.names.argument(argument)}"

    def _unwritten(self, tile: tuple[int, int], byte: int) -> Step:
        """The end of a path at a memory that only the configuration may have written."""
        buffer = self.names.design.layout.buffer_at(tile, byte)
        place = position_of(buffer.op) if buffer is not None else NOWHERE
        initial = buffer is not None and buffer.op.initial_value is not None
        contents = ", its initial value" if initial else ", which nothing has written"
        return Step(READ, f"{self._memory(('tile', *tile, -1, byte))}{contents}{place_text(place)}", place, tile)

    def _step(self, raw: Any) -> Step:
        agent, when = raw.agent, f" in cycle {raw.cycle}"
        tile = (agent.col, agent.row) if agent.col >= 0 else None
        if raw.kind == "store":
            what = "written" if agent.unit == "controller" else "stored"
            place, writer = position_of(self.names.op(agent)), f"{what} by {self.names.who(agent)}"
            return Step("store", f"{what} by {self.names.agent(agent)}{when}", place, tile, cycle=raw.cycle, writer=writer)
        source = self._memory(raw.source)
        read = f", which read {source}" if source else ""
        sender = self._dma(raw.other, raw.other_task) if raw.other.unit == "dma" else self.names.agent(raw.other)
        by = self._dma(agent, raw.task)
        channel, place = f"{DIRECTIONS[agent.direction]} {agent.channel}", position_of(self.names.bd_of_task(agent, raw.task))
        text = f"written by {by}{when}, sent by {sender}{read}"
        return Step("move", text, place, tile, channel, agent.bd, raw.cycle, source, f"written by {by}")

    def _dma(self, agent: Agent, task: int) -> str:
        """A DMA with its BD and the place of that, as of the instruction at word `task`, which started its task."""
        return f"{self.names.who(agent)}{place_text(position_of(self.names.bd_of_task(agent, task)))}"

    def _memory(self, source: tuple[str, int, int, int, int]) -> str:
        kind, column, row, argument, byte = source
        if kind == "padding":
            return "its padding"
        if kind == "host":
            return self.describe(argument, byte)
        if kind != "tile":
            return ""
        buffer = self.names.design.layout.buffer_at((column, row), byte)
        if buffer is None:
            return f"byte {byte} of {self.names.module((column, row))}"
        return f"byte {byte - buffer.offset} of {self.names.buffer(buffer)}"


def path_of(runs: Sequence[Provenance], address: int, *, inputs: bool = False) -> list[Step]:
    """The path of the byte at `address` of the host's memory through `runs`, which ran one after another.

    Each run has `arrays`, `steps`, `inputs` and `describe` like a Provenance. A step of kind `read` ends the path. With
    `inputs`, steps of kind `input` after a core's store describe the other buffers that the core uses.
    """
    steps_back: list[Step] = []
    for run in reversed(runs):
        if (place := _host_position(run, address)) is None:
            continue
        steps, end = run.steps(*place)
        steps_back += steps
        if end is None:
            return steps_back + (run.inputs(steps_back) if inputs else [])
        address = end
    if not steps_back:
        return [Step(READ, "not written by anything in the run: the array still has its initial values", NOWHERE)]
    source = next((run.describe(*place) for run in runs if (place := _host_position(run, address)) is not None), "")
    return [*steps_back, Step(READ, f"{source}, as the host gave it", NOWHERE, source=source)]


def _host_position(run: Provenance, address: int) -> tuple[int, int] | None:
    """The number and offset of the host's byte at `address` in the arrays of a run."""
    places = ((number, address - int(array.ctypes.data), array.nbytes) for number, array in run.arrays.items())
    return next(((number, offset) for number, offset, size in places if 0 <= offset < size), None)
