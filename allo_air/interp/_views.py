"""Views of buffers: the same elements with other sizes and strides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from allo_air.access.dims import merged, row_major, start_of
from allo_air.access.pattern import kept_dims
from allo_air.errors import counted
from allo_air.interp.errors import OutOfBounds, RunError
from allo_air.interp.memory import View
from allo_air.interp.rules import pure
from allo_air.interp.values import DYNAMIC
from allo_air.mlir import ir


def filled_in(static: Sequence[int], dynamic: Any) -> tuple[int, ...]:
    """Static numbers, the dynamic ones filled in from `dynamic`."""
    value = iter(dynamic)
    return tuple(int(next(value)) if s == DYNAMIC else int(s) for s in static)


@pure("memref.subview")
def subview(op: ir.Operation) -> Callable[..., View]:
    statics = [list(op.attributes[f"static_{n}"]) for n in ("offsets", "sizes", "strides")]
    counts = list(op.attributes["operandSegmentSizes"])[1:]
    shown = kept_dims(statics[1], op.results[0].type.shape)

    def run(view: View, *dynamic: int) -> View:
        values = list(dynamic)
        lists = []
        for static, count in zip(statics, counts, strict=True):
            lists.append(filled_in(static, values[:count]))
            del values[:count]
        offsets, sizes, steps = lists
        for i, (o, n, s) in enumerate(zip(offsets, sizes, steps, strict=True)):
            if n and not (o >= 0 and o + (n - 1) * s < view.sizes[i]):
                raise OutOfBounds(op, f"takes {n} from {o} in steps of {s} of dimension {i}, which has {view.sizes[i]}")
        offset = view.offset + start_of(offsets, view.strides)
        strides = [s * t for s, t in zip(view.strides, steps, strict=True)]
        return View(view.buffer, offset, tuple(sizes[i] for i in shown), tuple(strides[i] for i in shown))

    return run


@pure("memref.cast", "memref.memory_space_cast", "memref.assume_alignment")
def same(op: ir.Operation) -> Callable[..., Any]:
    return lambda view: view


@pure("memref.dim", "tensor.dim")
def dim(op: ir.Operation) -> Callable[..., int]:
    return lambda shaped, i: (shaped.sizes if isinstance(shaped, View) else shaped.array.shape)[i]


@pure("memref.rank", "tensor.rank")
def rank(op: ir.Operation) -> Callable[..., int]:
    return lambda shaped: len(shaped.sizes if isinstance(shaped, View) else shaped.array.shape)


@pure("memref.transpose")
def transpose(op: ir.Operation) -> Callable[..., View]:
    order = [e.position for e in op.attributes["permutation"].value.results]
    return lambda v: View(v.buffer, v.offset, tuple(v.sizes[i] for i in order), tuple(v.strides[i] for i in order))


@pure("memref.reinterpret_cast")
def reinterpret(op: ir.Operation) -> Callable[..., View]:
    statics = [list(op.attributes[f"static_{n}"]) for n in ("offsets", "sizes", "strides")]
    counts = list(op.attributes["operandSegmentSizes"])[1:]

    def run(view: View, *dynamic: int) -> View:
        remaining, lists = list(dynamic), []
        for static, count in zip(statics, counts, strict=True):
            lists.append(filled_in(static, remaining[:count]))
            del remaining[:count]
        result = View(view.buffer, lists[0][0], lists[1], lists[2])
        low, high = result.span()
        if result.size and (low < 0 or high >= view.buffer.data.size):
            raise OutOfBounds(op, f"covers elements {low} to {high} of a buffer of {counted(view.buffer.data.size, 'element')}")
        return result

    return run


@pure("memref.reshape")
def reshape(op: ir.Operation) -> Callable[..., View]:
    """The elements in row-major order, in the shape of the result type; the second operand has its dynamic sizes."""
    kind = op.results[0].type
    static = list(kind.shape) if isinstance(kind, ir.MemRefType) else []

    def run(view: View, shape: View) -> View:
        values = [int(n) for n in shape.array]
        sizes = tuple(g if s in (DYNAMIC, -1) else s for s, g in zip(static, values, strict=True)) if static else tuple(values)
        if prod(sizes) != view.size:
            raise RunError(op, f"makes {counted(prod(sizes), 'element')} of {view.size}")
        return View(view.buffer, view.offset, sizes, row_major(sizes))

    return run


def groups_of(op: ir.Operation) -> list[list[int]]:
    """The reassociation of an expand_shape or collapse_shape."""
    return [[i.value for i in group] for group in op.attributes["reassociation"]]


@pure("memref.expand_shape")
def expand(op: ir.Operation) -> Callable[..., View]:
    groups, static = groups_of(op), list(op.attributes["static_output_shape"])

    def run(view: View, *dynamic: int) -> View:
        shape = filled_in(static, dynamic)
        strides = [0] * len(shape)
        for group, stride in zip(groups, view.strides, strict=True):
            for i in reversed(group):
                strides[i] = stride
                stride *= shape[i]
        return View(view.buffer, view.offset, shape, tuple(strides))

    return run


@pure("memref.collapse_shape")
def collapse(op: ir.Operation) -> Callable[..., View]:
    groups = groups_of(op)

    def run(view: View) -> View:
        sizes, strides = [], []
        for group in groups:
            runs = merged([(view.sizes[i], view.strides[i]) for i in group]) or ((1, view.strides[group[-1]]),)
            if len(runs) > 1:
                raise RunError(op, f"collapses dimensions {group}, which are not contiguous")
            sizes.append(runs[0][0])
            strides.append(runs[0][1])
        return View(view.buffer, view.offset, tuple(sizes), tuple(strides))

    return run
