"""`Worker`: what a core does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from allo_air.aie.iron.barrier import WorkerRuntimeBarrier
from allo_air.aie.iron.buffer import Buffer
from allo_air.aie.iron.dataflow import ObjectFifo, ObjectFifoHandle
from allo_air.aie.iron.device import CORE, Tile, own
from allo_air.aie.iron.errors import IronMissing, IronRuntimeError, IronValueError
from allo_air.aie.iron.writing import Writer, inside

_FOREVER = 9223372036854775807


class Worker:
    """A core that runs `core_fn(*fn_args)`, again and again unless `while_true` is off."""

    def __init__(
        self, core_fn: Callable[..., Any] | None, fn_args: Sequence[Any] | None = None, tile: Tile | None = None,
        while_true: bool = True, stack_size: int | None = None, allocation_scheme: str | None = None, **others: Any,
    ):  # fmt: skip
        tile = others.pop("placement", None) or tile  # its name before July 2026
        self.trace, self.trace_events = others.pop("trace", None), others.pop("trace_events", None)  # for enable_trace
        self.dynamic: bool | None = others.pop("dynamic_objfifo_lowering", None)
        for name, value in others.items():
            if value:
                raise IronMissing(f"Worker: {name} is not there yet")
        self.core_fn, self.fn_args = core_fn, list(fn_args or ())
        self.tile = own(tile, CORE)
        if allocation_scheme is not None:
            self.tile.allocation_scheme = allocation_scheme
        self.while_true, self.stack_size = while_true, stack_size
        for leaf in leaves(self.fn_args):
            if isinstance(leaf, ObjectFifo):
                raise IronValueError(f"Worker: ObjectFifo '{leaf.name}' is an argument; give a handle, its prod() or cons()")

    @staticmethod
    def grid(rows: int, cols: int, factory: Callable[[int, int], Worker]) -> list[list[Worker]]:
        """`factory(row, column)` for each place."""
        return [[factory(r, c) for c in range(cols)] for r in range(rows)]

    def bind(self) -> None:
        """Says of its arguments which tile they are on."""
        who = f"the worker of {getattr(self.core_fn, '__name__', 'a core')}"
        for leaf in leaves(self.fn_args):
            if isinstance(leaf, ObjectFifoHandle | Buffer):
                leaf.bind(self.tile, who)
            elif isinstance(leaf, WorkerRuntimeBarrier):
                leaf.bind(self.tile)

    def write(self, out: Writer, tile: str) -> None:
        """Writes the core."""
        flags = [f"stack_size = {self.stack_size} : i32"] if self.stack_size else []
        flags += [f"dynamic_objfifo_lowering = {str(bool(self.dynamic)).lower()}"] if self.dynamic is not None else []
        attributes = f" {{{', '.join(flags)}}}" if flags else ""
        with inside(out, "core"), out.region(f"{out.fresh()} = aie.core({tile}) {{", f"}}{attributes}"):
            zero, one = out.constant("0", "index"), out.constant("1", "index")
            last = out.constant(str(_FOREVER if self.while_true else 1), "index")
            depth = out.depth
            with out.region(f"scf.for {out.fresh()} = {zero} to {last} step {one} {{"):
                barriers = [b for b in leaves(self.fn_args) if isinstance(b, WorkerRuntimeBarrier)]
                for barrier in barriers:
                    barrier.here = self.tile
                if self.core_fn is not None:
                    self.core_fn(*self.fn_args)
                for barrier in barriers:
                    barrier.here = None
                if out.depth != depth + 1:
                    raise IronRuntimeError("a core's function leaves a loop of range_ early; break and return cannot leave it")
            out.op("aie.end")


def leaves(given: Any) -> Iterator[Any]:
    """What nested lists hold."""
    if isinstance(given, list | tuple):
        for each in given:
            yield from leaves(each)
    else:
        yield given
