"""`Runtime`: the runtime sequence, as a function of its arrays and the ends of objectFifos."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.arrays import ArrayType, array_type, is_array_type, mlir_type, scalar_element
from allo_air.aie.building.errors import IronRuntimeError, IronTypeError, user_place
from allo_air.aie.building.regions import fill_with
from allo_air.aie.building.scope import located
from allo_air.aie.building.values import constant
from allo_air.aie.dialects._aie_trace import check_options
from allo_air.aie.iron.barrier import WorkerRuntimeBarrier
from allo_air.aie.iron.dataflow import ObjectFifo, ObjectFifoHandle
from allo_air.aie.iron.device import SHIM, with_kind
from allo_air.aie.iron.modules import sequence_with
from allo_air.aie.iron.tasks import RuntimeTaskGroup, Started, TaskGroup
from allo_air.aie.iron.traces import Traces
from allo_air.aie.iron.worker import Worker, leaves
from allo_air.dialects.aie import RuntimeSequenceOp
from allo_air.dtypes import numpy_dtype

__all__ = ["Runtime", "RuntimeData", "RuntimeTaskGroup", "TaskGroup"]


class RuntimeData:
    """An array argument of the sequence, for programs before July 2026."""

    def __init__(self, type: ArrayType | str):
        self.type = type
        self.ssa: Any = None  # the operation in the current module

    @property
    def shape(self) -> tuple[int, ...]:
        """Its extents; empty for a scalar."""
        return self.type.shape if isinstance(self.type, ArrayType) else ()

    @property
    def dtype(self) -> Any:
        """Its numpy dtype."""
        return self.type.dtype if isinstance(self.type, ArrayType) else numpy_dtype(self.type)


class Runtime:
    """The sequence `seq_fn(*fn_args)`, whose arguments are the array types in `fn_args`. Without `seq_fn`, `sequence()`
    builds it."""

    def __init__(
        self,
        seq_fn: Callable[..., object] | None = None,
        fn_args: Sequence[object] | None = None,
        *,
        strict_task_groups: bool = True,
    ):
        self.seq_fn, self.fn_args, self.strict = seq_fn, list(fn_args or ()), strict_task_groups
        self.workers: list[Worker] = []
        self.traces: Traces | None = None
        self.parts: list[Any] = []  # flows, locks and DMA programs
        self._steps: list[Callable[[], Any]] = []  # of `sequence()`
        self._data: list[RuntimeData] = []
        self.place = user_place()

    def handles(self) -> Iterator[ObjectFifoHandle]:
        """The ends of objectFifos that the sequence fills or drains."""
        yield from (leaf for leaf in leaves(self.fn_args) if isinstance(leaf, ObjectFifoHandle))

    def bind(self) -> None:
        """Gives each end a shim tile; consumers of one FIFO on the same shim are merged."""
        served: dict[tuple[ObjectFifo, int | None, object, int | None], ObjectFifoHandle] = {}
        for handle in dict.fromkeys(self.handles()):
            if handle.end is not None:
                continue
            column = handle.tile.col if handle.tile is not None else None
            first = served.setdefault((handle.of, column, handle.dims, handle.channel), handle)
            if first is handle:
                handle.bind(with_kind(handle.tile, SHIM), "the sequence")
            else:
                handle.of.consumers.remove(handle)

    def build(self, start: Callable[[], None] | None = None) -> None:
        """Builds the sequence; `start` builds its first operations."""
        kinds = [_typed(a) for a in self.fn_args if _is_type(a)] if self.seq_fn else [d.type for d in self._data]
        started = Started()

        def body(*arguments: object) -> None:
            if start is not None:
                start()
            if self.seq_fn is not None:
                arrays = iter(arguments)
                self.seq_fn(*(next(arrays) if _is_type(a) else _constant(a) for a in self.fn_args))
            for data, value in zip(self._data, arguments, strict=False):
                data.ssa = value
            for step in self._steps:
                step()
            started.close(self.strict)

        op = RuntimeSequenceOp(sym_name="sequence", loc=located(self.place))
        with sequence_with(started):
            fill_with(op, body, None, [mlir_type(k, "Runtime") for k in kinds])

    def add_flow(self, *flows: object) -> None:
        """Adds flows to the design; also packet flows and cascades."""
        self.parts += flows

    def add_lock(self, *locks: object) -> None:
        """Adds locks to the design."""
        self.parts += locks

    def add_tile_dma(self, *programs: object) -> None:
        """Adds DMA programs of tiles to the design."""
        self.parts += programs

    add_packet_flow = add_cascade_flow = add_flow

    # Methods for programs before July 2026

    @contextmanager
    def sequence(self, *types: object) -> Iterator[Any]:
        """`with rt.sequence(A, B) as (a, b):`: the arrays that the calls inside move."""
        if self.seq_fn is not None:
            raise IronRuntimeError("rt.sequence: the runtime has a function already")
        self._data = [RuntimeData(_typed(t, "rt.sequence")) for t in types]
        yield self._data[0] if len(self._data) == 1 else tuple(self._data)

    def start(self, *workers: Worker) -> None:
        """Adds these workers to the design."""
        self.workers += list(leaves(list(workers)))

    def fill(
        self,
        handle: ObjectFifoHandle,
        source: object,
        tap: object = None,
        task_group: object = None,
        wait: bool = False,
        **options: object,
    ) -> None:
        """`handle.fill(source)` in the sequence."""
        self._later(handle, options)
        self._steps.append(lambda: handle.fill(source, tap, wait=wait, group=_opened(task_group)))

    def drain(
        self,
        handle: ObjectFifoHandle,
        dest: object,
        tap: object = None,
        task_group: object = None,
        wait: bool = False,
        **options: object,
    ) -> None:
        """`handle.drain(dest)` in the sequence."""
        self._later(handle, options)
        self._steps.append(lambda: handle.drain(dest, tap, wait=wait, group=_opened(task_group)))

    def _later(self, handle: ObjectFifoHandle, options: dict[str, Any]) -> None:
        if not isinstance(handle, ObjectFifoHandle):
            raise IronTypeError(f"rt.fill and rt.drain take a handle of an ObjectFifo, got {type(handle).__name__}")
        if placement := options.pop("placement", None):
            handle.tile = placement
        refuse(options, "rt.fill and rt.drain")
        self.fn_args.append(handle)

    def set_barrier(self, barrier: WorkerRuntimeBarrier, value: int) -> None:
        """`barrier.set(value)` in the sequence."""
        self._steps.append(lambda: barrier.set(value))

    def inline_ops(self, function: Callable[..., object], args: Sequence[object] = ()) -> None:
        """Runs `function(*args)` in the sequence."""
        self.fn_args += list(args)
        self._steps.append(lambda: function(*(a.ssa if isinstance(a, RuntimeData) else a for a in args)))

    def enable_trace(
        self,
        trace_size: int = 0,
        trace_offset: int | None = None,
        workers: Sequence[Worker] | None = None,
        *,
        coretile_events: object = None,
        coremem_events: object = None,
        memtile_events: object = None,
        shimtile_events: object = None,
        core_trace_mode: object = 0,
        egress_shim_col: int | None = None,
        ddr_id: int | None = None,
        **keywords: object,
    ) -> None:
        """Traces the cores of `workers`, otherwise those of workers with `trace=`, otherwise all."""
        check_options({**keywords, "trace_offset": trace_offset}, "Runtime.enable_trace", trace_size)
        events = {"core": coretile_events, "mem": coremem_events, "memtile": memtile_events, "shimtile": shimtile_events}
        options = {"egress_shim_col": egress_shim_col}
        self.traces = Traces(trace_size, workers, events, core_trace_mode, options, ddr_id) if trace_size else None

    def task_group(self) -> Later:
        """A task group, which `finish_task_group` ends."""
        task_group = Later()
        self._steps.append(task_group.open)
        return task_group

    def finish_task_group(self, group: Later) -> None:
        """Ends the transfers of `group`."""
        self._steps.append(lambda: _opened(group).finish())  # type: ignore[union-attr]


class Later:
    """A task group of `sequence()`, which is opened when the sequence is built."""

    def __init__(self) -> None:
        self.group: TaskGroup | None = None

    def open(self) -> None:
        """Opens the group."""
        self.group = TaskGroup()


def _is_type(annotation: object) -> bool:
    return is_array_type(annotation) or scalar_element(annotation) is not None


def _typed(annotation: object, who: str = "Runtime") -> ArrayType | str:
    return scalar_element(annotation) or array_type(annotation, who)


def _constant(argument: object) -> Any:
    """Integers among the arguments become constants of the sequence."""
    return constant(argument, "i32") if isinstance(argument, int) and not isinstance(argument, bool) else argument


def _opened(handle: Any) -> TaskGroup | None:
    return handle.group if isinstance(handle, Later) else handle
