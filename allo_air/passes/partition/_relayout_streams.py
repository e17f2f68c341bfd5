"""Relayouts as streams between external memories: which movements these perform faster than kernels of cores would."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from math import prod

from allo_air.device import Device
from allo_air.dialects.memrefs import element_bits
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.columns import moved_by_cores, on_columns, reconfiguration, record_columns
from allo_air.passes._analysis.moves import plan_of_streams
from allo_air.passes.partition._element_map import boxes_of_movement
from allo_air.passes.partition._movement import Movement
from allo_air.passes.partition._relayout_steps import kernel_shapes
from allo_air.passes.partition._streams import LEAST, Schedule, boxes_of, schedule
from allo_air.plan.schema import attach

_SURE = 2
"""Factor by which streams must be faster than the upper bound for cores."""
_LITTLE = 1 / 32
"""Other kernels may have one idle channel in each direction, but not two; then a second stream costs a load. It must save at
least this fraction of one.
"""


@dataclass(frozen=True)
class Streamed:
    """A movement by streams: the rows of padding that it reads, each with its elements and the number in them, and its schedule
    on a device.
    """

    fills: tuple[tuple[int, ir.Attribute], ...]
    planned: Callable[[Device, int], Schedule | None]
    device: Device

    def attach_to(self, function: AnyOp) -> None:
        """Records the streams: those of one shim, which need no configuration of their own, unless streams on more columns save
        more than loading one.
        """
        best, few = on_columns(function, self.device, self.on, lambda s: None if s is None else s.cycles), self.of_one_shim
        if few is not None and (best is None or few.cycles <= best.cycles + reconfiguration(self.device)):
            record_columns(function, 1, self.device, "other kernels can carry the streams of one shim")
            best = few
        assert best is not None, "planned before"
        attach(
            function, plan_of_streams(best.streams, f"{counted(len(best.streams), 'stream')}; about {best.cycles:.3g} cycles")
        )

    @property
    def cycles(self) -> float:
        """The cycles on all columns or on one, whichever takes less time."""
        return min(s.cycles for s in (self.on(self.device), self.of_one_shim) if s is not None)

    def on(self, device: Device) -> Schedule | None:
        """The streams on all shim channels of `device`."""
        return self.planned(device, 0)

    @property
    def of_one_shim(self) -> Schedule | None:
        """The streams on one column; a single one if others save little, since other kernels may have one idle channel in each
        direction only.
        """
        column = replace(self.device, columns=1)
        single, several = self.planned(column, 1), self.on(column)
        if single is None or several is None:
            return single or several
        return single if single.cycles - several.cycles < _LITTLE * reconfiguration(self.device) else several


def streamed(movement: Movement, device: Device) -> Streamed | None:
    """The movement as streams between external memories; None if it does not consist of boxes of words, or if cores are faster.

    Cores and streams of several shims load a configuration; streams of one shim do not, since other kernels carry them. A
    single kernel of cores is assumed to fit beside others, so its load does not count.
    """
    kernels = kernel_shapes(movement)
    bits = element_bits(movement.source.type)
    if not kernels or bits is None or prod(movement.shapes()[-1]) * bits < 8 * LEAST:
        return None
    streams = streams_of(movement, device)
    if streams is None:
        return None
    whole, few = streams.on(device), streams.of_one_shim
    cores, load = sum(moved_by_cores(prod(n), device) for n in kernels), reconfiguration(device)
    limits = (whole, cores - _SURE * load), (few, cores + load * (len(kernels) > 1))
    return streams if any(s is not None and _SURE * s.cycles < limit for s, limit in limits) else None


def streams_of(movement: Movement, device: Device) -> Streamed | None:
    """The movement as streams between external memories; None if it does not consist of boxes of words, or has too many
    boxes."""
    bits, result = element_bits(movement.source.type), boxes_of_movement(movement)
    if bits not in (8, 16, 32) or result is None:
        return None
    pieces, shape = result
    numbers = list(dict.fromkeys(p.number for p in pieces if p.source is None))
    boxes = boxes_of(pieces, [movement.source], numbers, shape, bits)
    if boxes is None:
        return None

    @cache
    def with_columns(columns: int, channels: int) -> Schedule | None:
        return schedule(boxes, 1, len(numbers), bits, replace(device, columns=columns), channels)

    def planned(on: Device, channels: int) -> Schedule | None:
        return with_columns(on.columns, channels)

    # on more columns, boxes are in more parts, perhaps too many
    plans = (planned(device, 0), planned(replace(device, columns=1), 0))
    fills = next((s.fills for s in plans if s is not None), None)
    return None if fills is None else Streamed(tuple(zip(fills, numbers, strict=True)), planned, device)
