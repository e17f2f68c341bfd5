"""The plan of kernels that only move elements in external memory, as a list of transfers."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from allo_air.access.dims import Dims
from allo_air.mlir import AnyOp
from allo_air.plan.plan import Plan, Route
from allo_air.plan.schema import plan_or_unplanned


@dataclass(frozen=True)
class Walk:
    """Elements of argument `argument` of the function: from `first` on, by `dims`, each with a size and a stride."""

    argument: int
    first: int
    dims: Dims

    @property
    def count(self) -> int:
        return prod(size for size, _ in self.dims)

    @property
    def numbers(self) -> list[int]:
        return [self.argument, self.first, *(n for dim in self.dims for n in dim)]

    @staticmethod
    def of(numbers: list[int]) -> Walk:
        argument, first, *rest = numbers
        return Walk(argument, first, tuple(zip(rest[::2], rest[1::2], strict=True)))


@dataclass(frozen=True)
class Transfer:
    """A transfer of the elements of `source` to `target`, in the order of each.

    For a transposition, the elements of one `turn` are collected in an L2 buffer, and leave it in the order of that walk.
    """

    source: Walk
    target: Walk
    turn: Dims = ()


Streams = tuple[tuple[Transfer, ...], ...]


def plan_of_streams(streams: Streams, why: str) -> Plan:
    """The plan of a function that moves elements; `why` is for the user."""
    routes = []
    for number, stream in enumerate(streams):
        walks = tuple(tuple(w.numbers) for transfer in stream for w in (transfer.source, transfer.target))
        routes.append(Route(str(number), turn=tuple(n for dim in stream[0].turn for n in dim), walks=walks))
    return Plan("move", why, routes=tuple(routes))


def moves_of(function: AnyOp) -> Streams | None:
    """The transfers in the plan of a function; None if the plan is of another kind."""
    plan = plan_or_unplanned(function)
    if plan.family != "move":
        return None
    moves = []
    for route in plan.routes:
        walks = [Walk.of(list(each)) for each in route.walks]
        turn = tuple(zip(route.turn[::2], route.turn[1::2], strict=True))
        moves.append(tuple(Transfer(a, b, turn) for a, b in zip(walks[::2], walks[1::2], strict=True)))
    return tuple(moves)
