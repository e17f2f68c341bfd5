"""The actions of a control program, in program order: transfers, waits, and starts of herds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.access.dims import Dims


@dataclass(frozen=True, eq=False)
class Move:
    """A transfer through shim DMA allocation `allocation`: the elements of argument `argument` at `offset` with `dims`.

    `getting` is whether the host's memory is written; None if only the allocation says so. `past` are the transfers that
    have ended before it begins, by tokens or because the program waited: bit n for transfer n. None if only waits order
    transfers.
    """

    op: Any
    allocation: str
    argument: int
    offset: int
    dims: Dims
    getting: bool | None = None
    past: int | None = None
    packet: tuple[int, int] | None = None
    """For a transfer in packets: type and id in the packet header."""


@dataclass(frozen=True, eq=False)
class Wait:
    """The program continues when `moves` have ended. With `launch_end`, it is only the end of a launch."""

    op: Any
    moves: frozenset[Move]
    launch_end: bool = False


@dataclass(frozen=True, eq=False)
class Start:
    """Starts herd `herd` of `segment` with runtime parameters, for launch number `launch`."""

    op: Any
    herd: str
    segment: str | None
    values: tuple[int, ...]
    launch: int | None = None


Action = Move | Wait | Start
