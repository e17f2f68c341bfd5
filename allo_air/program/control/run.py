"""Runs a control program and its device: the simulator moves each channel's data, and this file copies it to and from the
host's memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.dialects._places import size_stride_pairs
from allo_air.dialects.declarations import no_allocation
from allo_air.errors import counted
from allo_air.interp.errors import Unsupported
from allo_air.program.control.actions import Move
from allo_air.program.control.host import actions
from allo_air.program.control.provenance import ReceivedData, SentData, Transfer
from allo_air.program.control.schedule import S2MM, Allocation, Channel, Schedule, Scheduler, Task, elements
from allo_air.program.control.words import Writer
from allo_air.program.host.transfers import Role
from allo_air.sim.array import elaborate
from allo_air.sim.report_types import Report, SimulationError
from allo_air.sim.run import run as run_device
from allo_air.sim.settings import Settings
from allo_air.target.sequences import devices

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir

WORD = 4
"""Bytes of a DMA word."""


def run(
    module: Any,
    function: ir.Operation,
    arrays: Sequence[Any],
    seed: int = 0,
    kernels: Mapping[str, Callable[..., Any]] | None = None,
    *,
    tolerated: Sequence[str] = (),
    **settings: Any,
) -> Report:
    """Runs `function`, the control program of a device in `module`. Results are written into `arrays`, which must be
    C-contiguous.

    `settings` are those of `allo_air.sim.run.Settings`. Findings of the kinds in `tolerated` are ignored. Raises RunError for
    errors of the program, and SimulationError for those of the device.
    """
    result = actions(module, function)
    moves = [a for a in result if isinstance(a, Move)]
    device = _device(module, function, moves)
    allocations = _allocations(device)
    for move in moves:
        _check(move, allocations)
    schedule = Scheduler(allocations, {n: a.size for n, a in enumerate(arrays)}, seed).schedule(result)
    memory = _Memory(schedule, arrays, moves, allocations)
    name = sym_name_of(function)
    design = elaborate(device, kernels or {})
    words = Writer(schedule, memory.places, memory.spans, design.layout).control()
    chosen = Settings(seed, **settings | ({"strict": False} if tolerated else {}))
    while True:
        sent = memory.contents()
        report, _ = run_device(design, name, words, memory.buffers, chosen)
        report.findings = [f for f in report.findings if f.kind not in tolerated]
        if any(finding.is_error for finding in report.findings):
            raise SimulationError(report)
        after = memory.replay()
        if memory.contents() == sent:
            break
    for array, flat in zip(arrays, after, strict=True):
        array.reshape(-1)[...] = flat
    report.origins = memory.origins([replace(origin, owner=module) for origin in report.origins])
    return report


def roles(module: Any, function: ir.Operation) -> dict[int, Role]:
    """For each argument that the program moves: `in` if it is sent, `out` if it is received, or both."""
    moves = [a for a in actions(module, function) if isinstance(a, Move)]
    allocations = _allocations(_device(module, function, moves))
    results: dict[int, Role] = {}
    for move in moves:
        _check(move, allocations)
        role: Role = "out" if allocations[move.allocation].channel[1] == S2MM else "in"
        results[move.argument] = role if results.get(move.argument, role) == role else "inout"
    return results


class _Memory:
    """The host's memory, replayed in program order with the data that the device sent in its last run.

    The data of a put is known before the run, unless it reads data that a get writes. So the run is repeated until no put
    changes: once more than there are such dependences in a row.
    """

    def __init__(
        self, schedule: Schedule, arrays: Sequence[np.ndarray], moves: list[Move], allocations: Mapping[str, Allocation]
    ) -> None:
        self.arrays, self.moves = arrays, moves
        self.places: dict[Channel, int] = {}
        self.spans: dict[Task, tuple[int, int]] = {}
        self._where = {m: elements(m, arrays[m.argument].size) for m in moves}
        self._channel = {m: allocations[m.allocation].channel for m in moves}
        self._slices: dict[Move, slice] = {}
        ends: dict[Channel, int] = defaultdict(int)
        for task in schedule.tasks:
            begin = ends[task.channel]
            for move in task.moves:
                size = self._where[move].size * arrays[move.argument].itemsize
                self._slices[move] = slice(ends[task.channel], ends[task.channel] + size)
                ends[task.channel] += size
            self.spans[task] = begin, ends[task.channel] - begin
            if (ends[task.channel] - begin) % WORD:
                raise Unsupported(
                    task.moves[0].op, f"moves {counted(ends[task.channel] - begin, 'byte')}, and a DMA moves words of {WORD}"
                )
        self.places = {channel: n for n, channel in enumerate(ends)}
        self.buffers = {n: np.zeros(ends[channel], np.uint8) for channel, n in self.places.items()}
        self.replay()

    def contents(self) -> list[bytes]:
        """The data that the puts send."""
        return [self.buffers[n].tobytes() for channel, n in self.places.items() if channel[1] != S2MM]

    def origins(self, runs: Sequence[object]) -> list[Any]:
        """The path records of the device's last run, between those of sent and received data."""
        parts = [Transfer(m, self._where[m], self.buffers[self.places[self._channel[m]]][self._slices[m]]) for m in self.moves]
        sent = [t for t in parts if self._channel[t.move][1] != S2MM]
        received = [t for t in parts if self._channel[t.move][1] == S2MM]
        return [SentData(self.arrays, sent), *runs, ReceivedData(dict(enumerate(self.arrays)), received)] if runs else []

    def replay(self) -> list[Any]:
        """Fills the buffers of the sending channels. Returns the arrays' contents after the program."""
        flat = [a.reshape(-1).copy() for a in self.arrays]
        for move in self.moves:
            channel, array, positions = self._channel[move], flat[move.argument], self._where[move]
            stream = self.buffers[self.places[channel]][self._slices[move]]
            if channel[1] == S2MM:
                array[positions] = stream.view(array.dtype)
            else:
                stream[...] = array[positions].view(np.uint8)
        return flat


def _check(move: Move, allocations: Mapping[str, Allocation]) -> None:
    allocation = allocations.get(move.allocation)
    if allocation is None:
        raise no_allocation(move.op, move.allocation, allocations)
    if move.getting is not None and move.getting != (allocation.channel[1] == S2MM):
        direction = "S2MM" if move.getting else "MM2S"
        raise error_at(
            move.op, f"uses @{move.allocation}, which goes the other way; expected an allocation of direction {direction}"
        )


def _allocations(device: AnyOp) -> dict[str, Allocation]:
    allocations = {}
    for op in device.block.operations:
        if op.operation.name == "aie.shim_dma_allocation":
            tile = op.tile.owner.operation
            if "col" not in tile.attributes:
                raise error_at(op, "is on a tile without a column; place the tiles before (aie-place-tiles)")
            packet = size_stride_pairs(op.packet)[0] if op.packet is not None else None
            channel = (int(tile.attributes["col"].value), int(op.channel_dir), int(op.channel_index))
            allocations[str(op.sym_name)] = Allocation(channel, packet)
    return allocations


def _device(module: ir.OpView, function: AnyOp, moves: list[Move]) -> ir.OpView:
    """The only device whose shim DMAs `function` programs."""
    used = {m.allocation for m in moves}
    result = [d for d in devices(module) if used & _allocations(d).keys()] or devices(module)
    if len(result) != 1:
        names = ", ".join(f"@{d.sym_name}" for d in result) or "none"
        raise Unsupported(function, f"drives the devices {names}, and a control program is executed with one")
    if own := walk_named(result[0], "aie.shim_dma"):
        raise Unsupported(own[0], "is the program of a shim, which is not executed; the host's transfers are")
    return result[0]
