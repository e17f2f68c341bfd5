"""`Worker`: the program of a core."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.errors import IronValueError, user_place
from allo_air.aie.building.loops import no_loop_left, range_
from allo_air.aie.building.regions import fill_with
from allo_air.aie.building.scope import located
from allo_air.aie.dialects._aie_tiles import Core, EndOp
from allo_air.aie.iron.barrier import WorkerRuntimeBarrier
from allo_air.aie.iron.buffer import Buffer
from allo_air.aie.iron.dataflow import ObjectFifo, ObjectFifoHandle
from allo_air.aie.iron.device import CORE, Tile, with_kind
from allo_air.aie.iron.explicit import Lock

_FOREVER = 9223372036854775807


class Worker:
    """A core that runs `core_fn(*fn_args)`, in an endless loop if `while_true`."""

    def __init__(
        self, core_fn: Callable[..., Any] | None, fn_args: Sequence[Any] | None = None, tile: Tile | None = None,
        while_true: bool = True, stack_size: int | None = None, allocation_scheme: str | None = None, **keywords: Any,
    ):  # fmt: skip
        tile = keywords.pop("placement", None) or tile  # its name before July 2026
        self.trace, self.trace_events = keywords.pop("trace", None), keywords.pop("trace_events", None)  # for traces
        self.dynamic: bool | None = keywords.pop("dynamic_objfifo_lowering", None)
        refuse(keywords, "Worker")
        self.core_fn, self.fn_args, self.place = core_fn, list(fn_args or ()), user_place()
        self.tile = with_kind(tile, CORE)
        if allocation_scheme is not None:
            self.tile.allocation_scheme = allocation_scheme
        self.while_true, self.stack_size = while_true, stack_size
        for leaf in leaves(self.fn_args):
            if isinstance(leaf, ObjectFifo):
                raise IronValueError(f"Worker: ObjectFifo '{leaf.name}' is an argument; give a handle, its prod() or cons()")

    @staticmethod
    def grid(rows: int, cols: int, factory: Callable[[int, int], Worker]) -> list[list[Worker]]:
        """Workers `factory(row, column)` for each row and column."""
        return [[factory(r, c) for c in range(cols)] for r in range(rows)]

    def bind(self) -> None:
        """Sets the tile of its arguments."""
        who = f"the worker of {getattr(self.core_fn, '__name__', 'a core')}"
        for leaf in leaves(self.fn_args):
            if isinstance(leaf, ObjectFifoHandle | Buffer):
                leaf.bind(self.tile, who)
            elif isinstance(leaf, WorkerRuntimeBarrier):
                leaf.bind(self.tile)
            elif isinstance(leaf, Lock) and leaf.tile is None:
                leaf.tile = self.tile

    def build(self) -> None:
        """Builds the core."""
        core = Core(self.tile.op, None, self.dynamic, self.stack_size or None, loc=located(self.place))
        fill_with(core, self._body, EndOp)

    def _body(self) -> None:
        barriers = [b for b in leaves(self.fn_args) if isinstance(b, WorkerRuntimeBarrier)]
        for _ in range_(_FOREVER if self.while_true else 1):
            for barrier in barriers:
                barrier.here = self.tile
            with no_loop_left():
                if self.core_fn is not None:
                    self.core_fn(*self.fn_args)
            for barrier in barriers:
                barrier.here = None


def leaves(nested: object) -> Iterator[Any]:
    """The elements of nested lists."""
    if isinstance(nested, list | tuple):
        for each in nested:
            yield from leaves(each)
    else:
        yield nested
