"""`aie.iron.algorithms`: whole designs of one function on elements or tiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.aie.building.arrays import ArrayType, array_type, is_array_type
from allo_air.aie.building.errors import IronValueError
from allo_air.aie.iron.controlflow import range_
from allo_air.aie.iron.current import get_current_device
from allo_air.aie.iron.dataflow import ObjectFifo
from allo_air.aie.iron.kernel import Kernel
from allo_air.aie.iron.program import Program
from allo_air.aie.iron.rows import row_at_a_time, row_at_a_time_tiled, row_at_a_time_with_skip, sliding_3row
from allo_air.aie.iron.runtime import Runtime
from allo_air.aie.iron.tasks import TaskGroup
from allo_air.aie.iron.worker import Worker

if TYPE_CHECKING:
    from allo_air.aie.iron.dataflow import ObjectFifoHandle
    from allo_air.mlir import ir

__all__ = [
    "for_each", "reduce", "row_at_a_time", "row_at_a_time_tiled", "row_at_a_time_with_skip", "sliding_3row", "transform",
    "transform_binary", "transform_parallel", "transform_parallel_binary",
]  # fmt: skip


def transform(func: object, ty: object, *params: object, tile_size: int = 16, trace_size: int = 0) -> Any:
    """out[i] = func(in[i]), or func(in, out, *params, tile_size) on tiles, by one core.

    A parameter that is an array type is a tensor argument of the call after the output, which cores read as a whole. Others
    are numbers.
    """
    return _transformed(func, ty, params, 1, 1, tile_size, trace_size, True)


def transform_binary(func: object, ty: object, *params: object, tile_size: int = 16, trace_size: int = 0) -> Any:
    """out[i] = func(a[i], b[i])."""
    return _transformed(func, ty, params, 2, 1, tile_size, trace_size, True)


def transform_parallel(
    func: object, ty: object, *params: object, tile_size: int = 16, num_channels: int = 1, pass_size_to_kernel: bool = True,
    trace_size: int = 0,
) -> Any:  # fmt: skip
    """Like `transform`, with a core for each column and channel; each core computes a contiguous piece."""
    workers = get_current_device().cols * num_channels
    return _transformed(func, ty, params, 1, workers, tile_size, trace_size, pass_size_to_kernel)


def transform_parallel_binary(
    func: object, ty: object, *params: object, tile_size: int = 16, num_channels: int = 1, pass_size_to_kernel: bool = True,
    trace_size: int = 0,
) -> Any:  # fmt: skip
    """Like `transform_binary`, with a core for each column and channel."""
    workers = get_current_device().cols * num_channels
    return _transformed(func, ty, params, 2, workers, tile_size, trace_size, pass_size_to_kernel)


def for_each(func: object, ty: object, tile_size: int = 16, trace_size: int = 0) -> Any:
    """x[i] = func(x[i]), in place."""
    whole = array_type(ty, "for_each")
    return _design(func, whole, (), 1, 1, tile_size, trace_size, True, in_place=True)


def reduce(func: Kernel, in_ty: object, out_ty: object, trace_size: int = 0) -> Any:
    """func(in, out, n) on all of the input, by one core."""
    whole, result = array_type(in_ty, "reduce"), array_type(out_ty, "reduce")
    of_in, of_out = ObjectFifo(whole, name="in0"), ObjectFifo(result, name="out")

    def core(source: ObjectFifoHandle, sink: ObjectFifoHandle, func: Callable[..., object]) -> None:
        x, y = source.acquire(1), sink.acquire(1)
        func(x, y, whole.size)
        source.release(1)
        sink.release(1)

    def sequence(a: ir.Value, b: ir.Value, source: ObjectFifoHandle, sink: ObjectFifoHandle) -> None:
        source.fill(a)
        sink.drain(b, wait=True)

    rt = Runtime(sequence, [whole, result, of_in.prod(), of_out.cons()])
    return _resolved(rt, [Worker(core, [of_in.cons(), of_out.prod(), func])], trace_size)


def _transformed(
    func: object, ty: object, params: Sequence[object], inputs: int, workers: int, tile_size: int, trace_size: int, sized: bool
) -> Any:
    return _design(func, array_type(ty, "transform"), params, inputs, workers, tile_size, trace_size, sized)


def _design(
    func: object,
    whole: ArrayType,
    params: Sequence[object],
    inputs: int,
    workers: int,
    tile_size: int,
    trace_size: int,
    sized: bool,
    in_place: bool = False,
) -> Any:
    if whole.size % (workers * tile_size):
        raise IronValueError(
            f"transform: {whole.size} elements are not a multiple of {workers} workers' tiles of {tile_size}; change tile_size"
        )
    each, flat, part = whole.size // workers, ArrayType((whole.size,), whole.element), ArrayType((tile_size,), whole.element)
    suffixes = [f"_{w}" if workers > 1 else "" for w in range(workers)]
    sources = [[ObjectFifo(part, name=f"in{i}{s}") for i in range(inputs)] for s in suffixes]
    sinks = [ObjectFifo(part, name=f"out{s}") for s in suffixes]
    types = [array_type(p, "transform") if is_array_type(p) else None for p in params]
    held = [None if t is None else ObjectFifo(t, depth=1, name=f"param{i}") for i, t in enumerate(types)]

    def core(sources: list[ObjectFifoHandle], sink: ObjectFifoHandle, func: Callable[..., object], held: list[Any]) -> None:
        values = [p if h is None else h.acquire(1) for p, h in zip(params, held, strict=True)]
        for _ in range_(each // tile_size):
            tiles, out = [s.acquire(1) for s in sources], sink.acquire(1)
            _apply(func, tiles, out, values, tile_size, sized)
            for end in (*sources, sink):
                end.release(1)
        for handle in held:
            if handle is not None:
                handle.release(1)

    def sequence(*tensors: Any) -> None:
        arrays, (ends, drains, loads) = tensors[:-3], tensors[-3:]
        group = TaskGroup()
        for load, array in zip(loads, arrays[len(arrays) - len(loads) :], strict=True):
            load.fill(array, group=group)
        for w, (fills, drain) in enumerate(zip(ends, drains, strict=True)):
            piece: Any = {"offset": w * each, "sizes": [1, 1, 1, each], "strides": [0, 0, 0, 1], "group": group}
            for fill, array in zip(fills, arrays, strict=False):
                fill.fill(array, **piece)
            drain.drain(arrays[0 if in_place else inputs], wait=True, **piece)
        group.finish()

    arrays = [*[flat] * (inputs + (0 if in_place else 1)), *(t for t in types if t is not None)]
    loads = [f.prod() for f in held if f is not None]
    rt = Runtime(sequence, [*arrays, [[f.prod() for f in fs] for fs in sources], [f.cons() for f in sinks], loads])
    results = [
        Worker(core, [[f.cons() for f in fs], sink.prod(), func, [None if f is None else f.cons() for f in held]])
        for fs, sink in zip(sources, sinks, strict=True)
    ]
    return _resolved(rt, results, trace_size)


def _apply(func: Callable[..., Any], tiles: Sequence[Any], out: Any, params: Sequence[Any], size: int, sized: bool) -> None:
    if isinstance(func, Kernel):
        func(*tiles, out, *params, *([size] if sized else []))
        return
    for i in range_(size):
        out[i] = func(*(t[i] for t in tiles), *params)


def _resolved(rt: Runtime, workers: list[Worker], trace_size: int) -> Any:
    program = Program(get_current_device(), rt, workers)
    program.enable_trace(trace_size)
    return program.resolve_program()
