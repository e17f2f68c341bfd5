"""What a control program does, in the order of its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.access.dims import Dims


@dataclass(frozen=True, eq=False)
class Move:
    """A transfer through shim DMA allocation `allocation`: elements of argument `argument`, `dims` from `offset` on.

    `getting` is whether the host's memory is written; None where only the allocation says. `past` is what has ended before it
    begins, by tokens and because the program waited: bit n for its n-th transfer. None where waits alone order transfers.
    """

    op: Any
    allocation: str
    argument: int
    offset: int
    dims: Dims
    getting: bool | None = None
    past: int | None = None
    packet: tuple[int, int] | None = None
    """The header of what it sends, type and id, if it does so in packets."""


@dataclass(frozen=True, eq=False)
class Wait:
    """`moves` have ended when the program goes on; with `launch_end` the program has only come to the end of a launch."""

    op: Any
    moves: frozenset[Move]
    launch_end: bool = False


@dataclass(frozen=True, eq=False)
class Start:
    """Herd `herd` of `segment` is started with runtime parameters, for launch number `launch`."""

    op: Any
    herd: str
    segment: str | None
    values: tuple[int, ...]
    launch: int | None = None


Action = Move | Wait | Start
