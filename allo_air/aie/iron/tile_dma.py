"""`TileDma`: the DMA program of a tile, as channels of BDs with their locks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from allo_air.aie.building.errors import IronTypeError, IronValueError, user_place
from allo_air.aie.building.regions import Blocks, fill_with
from allo_air.aie.building.scope import located
from allo_air.aie.building.values import value_of
from allo_air.aie.dialects import _aie_dma as dma
from allo_air.aie.dialects._aie_enum_gen import DMAChannelDir, LockAction
from allo_air.aie.dialects._aie_tiles import EndOp, use_lock
from allo_air.aie.iron.buffer import Buffer
from allo_air.aie.iron.device import CORE, MEMORY, Tile
from allo_air.aie.iron.explicit import Lock
from allo_air.dialects import aie as _aie


@dataclass(frozen=True)
class Acquire:
    """A lock that a BD acquires."""

    lock: Lock
    value: int = 1
    action: LockAction = LockAction.AcquireGreaterEqual


@dataclass(frozen=True)
class Release:
    """A lock that a BD releases at its end."""

    lock: Lock
    value: int = 1
    action: LockAction = LockAction.Release


@dataclass(frozen=True)
class BdIteration:
    """The iteration dimension of a BD: each execution advances the address by `stride` elements, and restarts after `size`
    executions."""

    size: int
    stride: int
    current: int = 0


class Bd:
    """A BD: its buffer, the locks that it acquires and releases, and the order of its elements."""

    def __init__(self, buffer: Buffer, *rest: object, acquire: object = (), release: object = (), **fields: Any):
        if not isinstance(buffer, Buffer):
            raise IronTypeError(f"Bd takes a Buffer, got {type(buffer).__name__}")
        self.buffer, self.place = buffer, user_place()
        values = [*rest, *_several(acquire, Acquire), *_several(release, Release)]
        self.acquires = [g for g in values if isinstance(g, Acquire)]
        self.releases = [g for g in values if isinstance(g, Release)]
        self.next: Any = fields.pop("next", fields.pop("next_bd", None))
        self.fields = {_NAMES.get(n, n): v for n, v in fields.items() if v is not None}
        for each in values:
            if isinstance(each, BdIteration):
                self.fields["iteration"] = each
            elif not isinstance(each, Acquire | Release):
                raise IronTypeError(f"Bd takes Acquire, Release and BdIteration, got {type(each).__name__}")

    def build(self) -> None:
        """Builds its operations in the current block."""
        for lock in self.acquires:
            use_lock(lock.lock.ssa, lock.action, value=lock.value)
        fields = dict(self.fields)
        if isinstance(steps := fields.pop("iteration", None), BdIteration):
            fields["iteration"] = dma.iteration(steps.size, steps.stride, steps.current)
        if (tap := fields.pop("tap", None)) is not None:
            fields |= {"offset": tap.offset, "dimensions": list(zip(tap.sizes, tap.strides, strict=True))}
        dma.dma_bd(self.buffer.ssa, loc=located(self.place), **fields)
        for each in self.releases:
            use_lock(each.lock.ssa, each.action, value=each.value)


_NAMES = {"dims": "dimensions", "dims_to_stream": "dimensions", "length": "len", "transfer_len": "len", "pkt": "packet"}


def _several(items: object, kind: type) -> list[Any]:
    several = items if isinstance(items, list | tuple) else [items]
    return [each if isinstance(each, kind) else kind(each) for each in several]


class DmaChannel:
    """A channel, its direction, and its BDs in order; with `loop`, the last BD is followed by the first."""

    def __init__(
        self, direction: Any = None, channel: int = 0, bds: Any = (), loop: bool = True, repeat_count: int | None = None,
        **keywords: object,
    ):  # fmt: skip
        self.direction = _direction(direction)
        self.channel = int(channel)
        self.bds = list(bds) if isinstance(bds, list | tuple) else [bds]
        self.loop, self.repeat_count, self.pad_value = loop, repeat_count, keywords.pop("pad_value", None)
        if keywords:
            raise IronTypeError(f"DmaChannel has no argument '{next(iter(keywords))}'")
        if not self.bds:
            raise IronValueError(f"DmaChannel {self.direction} {self.channel} has no Bd; give at least one")


def _direction(member: object) -> DMAChannelDir:
    """An enumeration member, given by itself, its name or its number."""
    allowed: dict[Any, DMAChannelDir] = {key: d for d in DMAChannelDir for key in (d.name, d.value)}
    if isinstance(member, bool) or not isinstance(member, str | Integral) or member not in allowed:
        raise IronValueError(
            f"DmaChannel: the direction is {member!r}, expected 'S2MM' (into memory) or 'MM2S' (out of memory)"
        )
    return allowed[member]


class TileDma:
    """The DMA program of a tile."""

    def __init__(self, tile: Any, *channels: Any, **keywords: object):
        self.tile: Tile = getattr(tile, "tile", tile) if not isinstance(tile, Tile) else tile
        values = [*channels, keywords.pop("channels", [])]
        self.channels = [c for each in values for c in (each if isinstance(each, list | tuple) else [each])]
        self.place = user_place()
        if keywords:
            raise IronTypeError(f"TileDma has no argument '{next(iter(keywords))}'")

    def tiles(self) -> Iterable[Tile]:
        """The tile."""
        return [self.tile]

    def resources(self) -> Iterable[Any]:
        """Its buffers and locks."""
        for bd in (b for c in self.channels for b in c.bds):
            yield bd.buffer
            yield from (lock.lock for lock in (*bd.acquires, *bd.releases))

    def bind(self) -> None:
        """Places buffers and locks that have no tile on this tile."""
        for each in self.resources():
            if isinstance(each, Buffer) and each.end is None:
                each.end = self.tile
            elif isinstance(each, Lock) and each.tile is None:
                each.tile = self.tile

    def build(self) -> None:
        """Builds the program."""
        kind = str(self.tile.tile_type or {0: "", 1: MEMORY, None: CORE}.get(self.tile.row, CORE))
        makes = {CORE: _aie.MemOp, MEMORY: _aie.MemTileDMAOp}.get(kind, _aie.ShimDMAOp)
        result = makes(tile=value_of(self.tile.op), loc=located(self.place))
        fill_with(result, self._program, None)

    def _program(self, block: Blocks) -> None:
        number, here = 1, block[0]
        for channel in self.channels:
            first, behind = number, number + len(channel.bds)
            with here:
                dma.dma_start(
                    channel.direction, channel.channel, dest=block[first], chain=block[behind],
                    repeat_count=channel.repeat_count, pad_value=channel.pad_value,
                )  # fmt: skip
            for i, bd in enumerate(channel.bds):
                with block[first + i]:
                    bd.build()
                    follows = self._next(channel, i)
                    if follows is None:
                        EndOp()
                    else:
                        dma.next_bd(block[first + follows])
            number, here = behind + 1, block[behind]
        with here:
            EndOp()

    def _next(self, channel: DmaChannel, index: int) -> int | None:
        next_bd = channel.bds[index].next
        if isinstance(next_bd, Bd) and next_bd in channel.bds:
            return channel.bds.index(next_bd)
        if isinstance(next_bd, Integral) and 0 <= int(next_bd) < len(channel.bds):
            return int(next_bd)
        if next_bd is not None:
            result = "a Bd that is not of this channel" if isinstance(next_bd, Bd) else repr(next_bd)
            refused = IronValueError(
                f"DmaChannel {channel.direction} {channel.channel}: next of Bd {index} is {result}, expected one of the "
                f"channel's own {len(channel.bds)} Bds, or its number, 0 to {len(channel.bds) - 1}"
            )
            refused.file, refused.line = channel.bds[index].place
            raise refused
        return index + 1 if index + 1 < len(channel.bds) else 0 if channel.loop else None
