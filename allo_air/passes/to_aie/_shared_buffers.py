"""L1 buffers of a segment that are operands of herds on different cores: one buffer for each pair of cores, which alternate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.device import Device
from allo_air.passes.to_aie._design import Buffer, Place
from allo_air.passes.to_aie._phases import Item, section
from allo_air.passes.to_aie._segment import Placed
from allo_air.passes.to_aie._sequences import Run, Step


@dataclass
class SharedBuffer:
    """A shared buffer: the cores that use it, in program order, and the core whose memory has it."""

    alloc: Any
    cores: list[Place]
    op: Any
    """A herd that receives it, for messages."""
    buffer: Buffer | None = None
    value: Any = None
    home: Place | None = None

    def place(self, moving: set[Place], device: Device) -> Place:
        """Places the buffer in the memory of the core whose DMA moves it (`moving`), otherwise of the last core, which reads
        it."""
        if len(moving) > 1:
            raise error_at(
                self.op,
                f"is passed an L1 buffer that the DMAs of cores {' and '.join(map(str, sorted(moving)))} work on, which"
                " reach their own memory only; move the data through a channel",
            )
        order = list(moving) or self.cores[::-1]
        self.home = next((p for p in order if all(device.sees_memory(core, p) for core in self.cores)), None)
        if self.home is None:
            far = next(core for core in self.cores if not device.sees_memory(core, order[0]))
            raise error_at(
                self.op,
                f"is passed an L1 buffer in the memory of core {order[0]}, which core {far} does not reach; place the herds"
                " side by side (x_loc, y_loc), or move the data through a channel",
            )
        return self.home

    def steps(self, items: Mapping[Place, list[Item]]) -> tuple[Step, ...]:
        """The accesses of the cores to the buffer in one iteration, in order."""
        assert self.buffer is not None
        steps: list[Step] = []
        rounds: dict[Place, int | None] = {}
        for core in self.cores:
            own_steps, rounds[core] = section(items[core], self.buffer.number)
            if own_steps is None:
                raise error_at(
                    self.op, "is passed an L1 buffer that a herd on other cores uses, too, at different depths of loops"
                )
            steps += [replace(s, agent=core) if isinstance(s, Run) and core != self.home else s for s in own_steps]
        if len(set(rounds.values())) > 1:
            counts = " and ".join(f"{count} times by core {core}" for core, count in rounds.items())
            raise error_at(
                self.op,
                f"is passed an L1 buffer that a herd on other cores uses, too: {counts}; make both use it equally often",
            )
        return tuple(steps)


def held_by_several(
    herds: Sequence[Placed], placed_at: Sequence[tuple[Any, Place, Place]]
) -> dict[tuple[Any, Place], SharedBuffer]:
    """The buffers passed to herds on different cores, by allocation and position in the herd."""
    homes: dict[Any, list[tuple[Any, Place, Place]]] = {}
    for placed, there in zip(herds, placed_at, strict=True):
        for alloc in placed.held.values():
            homes.setdefault(alloc.results[0], []).append(there)
    results: dict[tuple[Any, Place], SharedBuffer] = {}
    for value, users in homes.items():
        corners = list(dict.fromkeys(corner for _, corner, _ in users))
        if len(corners) < 2:
            continue
        if len({shape for _, _, shape in users}) > 1:
            raise error_at(
                users[-1][0],
                "is passed an L1 buffer that a herd of another size is passed, too; move the data through a channel",
            )
        width, height = users[0][2]
        for offset in ((x, y) for x in range(width) for y in range(height)):
            cores = [(corner[0] + offset[0], corner[1] + offset[1]) for corner in corners]
            results[value, offset] = SharedBuffer(value.owner, cores, users[-1][0])
    return results
