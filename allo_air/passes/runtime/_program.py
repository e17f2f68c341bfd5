"""The transfers of a control program as a tree: transfers, the loops around them, waits, and ends of launches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from allo_air.access.dims import Dims, volume
from allo_air.access.linear import Linear

if TYPE_CHECKING:
    from allo_air.mlir import ir


@dataclass(frozen=True, eq=False)
class Transfer:
    """One `airrt.dma_memcpy_nd`: elements of function argument `argument` from `offset` on, in the order of `dims`."""

    op: Any
    channel: str  # the shim DMA allocation
    argument: int
    offset: Linear
    dims: Dims

    @property
    def volume(self) -> int:
        """The number of elements."""
        return volume(self.dims)


@dataclass(frozen=True, eq=False)
class Loop:
    """A loop with `trips` iterations of `body`; `symbol` is its counter, from 0, in offsets."""

    trips: int
    symbol: Any
    body: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class Steps:
    """The iterations of a loop that differ in more than their offsets, one after another."""

    rounds: tuple[tuple[Node, ...], ...]


Node = Transfer | Loop | Steps


@dataclass(frozen=True, eq=False)
class Wait:
    """The controller waits until `transfers` have ended."""

    transfers: frozenset[Transfer]


@dataclass(frozen=True, eq=False)
class LaunchEnd:
    """The end of launch `launch`: all earlier nodes belong to it or to earlier launches. None is a separate launch."""

    launch: Any


@dataclass(frozen=True, eq=False)
class Act:
    """An operation that the runtime sequence performs here: the start of a herd, with a number of iterations."""

    op: Any
    values: tuple[int, ...]
    rounds: int = 1


@dataclass(frozen=True, eq=False)
class Mark:
    """The border between two operations of a launch."""


Item = Node | Wait | LaunchEnd | Act | Mark


def transfers(nodes: tuple[Item, ...]) -> Iterator[Transfer]:
    """All transfers in `nodes`, in program order."""
    for node in nodes:
        match node:
            case Transfer():
                yield node
            case Loop():
                yield from transfers(node.body)
            case Steps():
                for body in node.rounds:
                    yield from transfers(body)


def extent(nodes: tuple[Item, ...], argument: int, last: Mapping[ir.Value, int] = MappingProxyType({})) -> int:
    """The number of elements of function argument `argument` up to the last one that `nodes` access; `last` is each
    symbol's last value."""
    most = 0
    for node in nodes:
        match node:
            case Transfer() if node.argument == argument:
                start = node.offset.constant + sum(max(0, c * last[v]) for v, c in node.offset.terms)
                most = max(most, start + sum(max(0, (size - 1) * stride) for size, stride in node.dims) + 1)
            case Loop():
                most = max(most, extent(node.body, argument, {**last, node.symbol: node.trips - 1}))
            case Steps():
                most = max(most, *(extent(body, argument, last) for body in node.rounds))
    return most
