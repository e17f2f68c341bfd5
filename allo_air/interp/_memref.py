"""Buffers: allocation, views, copies, single elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from allo_air.interp.errors import OutOfBounds, RunError, Unsupported
from allo_air.interp.memory import Buffer, View, check_bounds, free, reads, row_major, whole, writes
from allo_air.interp.program import Step, Translator
from allo_air.interp.rules import pure, task
from allo_air.interp.scheduler import Agent, Task
from allo_air.interp.values import DYNAMIC, dense, dtype_of
from allo_air.mlir import ir


def allocate(step: Step, type_: Any, dynamic: list[int], what: str = "") -> View:
    """A fresh buffer of a memref type, nothing in it written."""
    sizes = mixed(type_.shape, dynamic)
    dtype = dtype_of(type_.element_type)
    if dtype is None:
        raise Unsupported(step.op, f"has elements of type {type_.element_type}, which the interpreter cannot execute")
    view = whole(Buffer(np.zeros(int(np.prod(sizes, dtype=np.int64)), dtype), step, what or f"a {type_}"), sizes)
    if isinstance(type_.layout, ir.StridedLayoutAttr) or (len(sizes) and type_.affine_map != ir.AffineMap.get_identity(len(sizes))):
        strides, offset = type_.get_strides_and_offset()
        if offset or any(t not in (s, DYNAMIC) for s, t in zip(view.strides, strides, strict=True)):
            raise Unsupported(step.op, f"allocates with the layout of {type_}; the interpreter wants a row-major one")
    return view


def mixed(static: Any, dynamic: Any) -> tuple[int, ...]:
    """Static numbers, the dynamic ones filled in from `dynamic`."""
    given = iter(dynamic)
    return tuple(int(next(given)) if s in (DYNAMIC, -1) else int(s) for s in static)


@task("memref.alloc", "memref.alloca")
def alloc(translator: Translator, step: Step) -> Any:
    type_ = step.op.results[0].type
    count = list(step.op.attributes["operandSegmentSizes"])[0]

    def run(agent: Agent, frame: dict[int, Any], operands: list[Any]) -> Task:
        return [allocate(step, type_, operands[:count])]
        yield

    return run


def _is_mark(op: Any) -> bool:
    """Whether a deallocation frees nothing: asynchronous, in a loop of tokens around which the buffer is allocated.

    mlir-air's ping-pong leaves such behind (`keep-memref-dealloc`) when it moves the allocation out of the loop: they tell where
    one iteration's use ends, and the next iteration uses the same buffer.
    """
    home = op.operands[0].owner
    block = home if isinstance(home, ir.Block) else home.operation.block
    outside, parent, executes = [block.owner.operation], op.parent, False
    while outside[-1].parent is not None:
        outside.append(outside[-1].parent.operation)
    while parent is not None and parent.operation not in outside:
        executes = executes or parent.name == "air.execute"
        if parent.name == "scf.for" and executes and any(str(r.type) == "!air.async.token" for r in parent.results):
            return True
        parent = parent.parent
    return False


@task("memref.dealloc")
def dealloc(translator: Translator, step: Step) -> Any:
    if _is_mark(step.op):
        from allo_air.interp._control import nothing

        return nothing

    def run(agent: Agent, frame: dict[int, Any], operands: list[Any]) -> Task:
        view: View = operands[0]
        yield from agent.machine.settle(agent, whole(view.buffer, (view.buffer.data.size,)), write=True)
        free(agent, step, view)
        return []

    return run


@task("memref.get_global")
def get_global(translator: Translator, step: Step) -> Any:
    name = step.op.attributes["name"].value
    declared = translator.symbols.get(name)
    if declared is None or declared.name != "memref.global":
        raise RunError(step.op, f"names @{name}, which is no memref.global")
    type_ = declared.attributes["type"].value
    initial = declared.attributes["initial_value"] if "initial_value" in declared.attributes else None

    def run(agent: Agent, frame: dict[int, Any], operands: list[Any]) -> Task:
        held = agent.machine.globals
        if name not in held:
            view = held[name] = allocate(step, type_, [], f"@{name}")
            if initial is not None and not isinstance(initial, ir.UnitAttr):
                view.buffer.data[...] = dense(initial, type_).reshape(-1)
                view.buffer.writer[...] = agent.machine.input_stamp
        return [held[name]]
        yield

    return run


@pure("memref.subview")
def subview(op: Any) -> Callable[..., View]:
    statics = [list(op.attributes[f"static_{n}"]) for n in ("offsets", "sizes", "strides")]
    counts = list(op.attributes["operandSegmentSizes"])[1:]
    kept = kept_dims(op, op.results[0].type, statics[1])

    def run(view: View, *dynamic: int) -> View:
        given = list(dynamic)
        lists = []
        for static, count in zip(statics, counts, strict=True):
            lists.append(mixed(static, given[:count]))
            del given[:count]
        offsets, sizes, steps = lists
        for i, (o, n, s) in enumerate(zip(offsets, sizes, steps, strict=True)):
            if n and not (0 <= o and o + (n - 1) * s < view.sizes[i]):
                raise OutOfBounds(op, f"takes {n} from {o} in steps of {s} of dimension {i}, which has {view.sizes[i]}")
        offset = view.offset + sum(o * s for o, s in zip(offsets, view.strides, strict=True))
        strides = [s * t for s, t in zip(view.strides, steps, strict=True)]
        return View(view.buffer, offset, tuple(sizes[i] for i in kept), tuple(strides[i] for i in kept))

    return run


def kept_dims(op: Any, result: Any, sizes: list[int]) -> list[int]:
    """The dimensions that a rank-reducing slice keeps: unit dimensions without a place in the result's shape are dropped."""
    shape = [DYNAMIC if d < 0 else d for d in result.shape]
    dims = list(range(len(sizes)))
    surplus = len(sizes) - len(shape)
    if not surplus:
        return dims
    strides = _type_strides(op)
    wanted = list(result.get_strides_and_offset()[0]) if isinstance(result, ir.MemRefType) else None
    kept: list[int] = []
    for i in dims:
        at = len(kept)
        same = at < len(shape) and (sizes[i] == shape[at])
        if same and sizes[i] == 1 and wanted is not None and strides is not None and strides[i] != wanted[at]:
            same = surplus <= 0
        if same and not (sizes[i] == 1 and surplus > 0 and wanted is None and _later(sizes[i + 1 :], shape[at:])):
            kept.append(i)
        else:
            surplus -= 1
    return kept


def _type_strides(op: Any) -> Any:
    source = op.operands[0].type
    return list(source.get_strides_and_offset()[0]) if isinstance(source, ir.MemRefType) else None


def _later(sizes: list[int], shape: list[int]) -> bool:
    """Whether `shape` is what remains of `sizes` after dropping unit dimensions."""
    rest = iter(sizes)
    return all(any(n == wanted for n in rest) for wanted in shape)


@pure("memref.cast", "memref.memory_space_cast", "memref.assume_alignment")
def same(op: Any) -> Callable[..., Any]:
    return lambda view: view


@pure("memref.dim", "tensor.dim")
def dim(op: Any) -> Callable[..., int]:
    return lambda shaped, i: (shaped.sizes if isinstance(shaped, View) else shaped.array.shape)[i]


@pure("memref.rank", "tensor.rank")
def rank(op: Any) -> Callable[..., int]:
    return lambda shaped: len(shaped.sizes if isinstance(shaped, View) else shaped.array.shape)


@pure("memref.transpose")
def transpose(op: Any) -> Callable[..., View]:
    order = [e.position for e in op.attributes["permutation"].value.results]
    return lambda v: View(v.buffer, v.offset, tuple(v.sizes[i] for i in order), tuple(v.strides[i] for i in order))


@pure("memref.reinterpret_cast")
def reinterpret(op: Any) -> Callable[..., View]:
    statics = [list(op.attributes[f"static_{n}"]) for n in ("offsets", "sizes", "strides")]
    counts = list(op.attributes["operandSegmentSizes"])[1:]

    def run(view: View, *dynamic: int) -> View:
        given, lists = list(dynamic), []
        for static, count in zip(statics, counts, strict=True):
            lists.append(mixed(static, given[:count]))
            del given[:count]
        made = View(view.buffer, lists[0][0], lists[1], lists[2])
        low, high = made.span()
        if made.size and (low < 0 or high >= view.buffer.data.size):
            raise OutOfBounds(op, f"covers elements {low} to {high} of a buffer of {view.buffer.data.size} elements")
        return made

    return run


def groups_of(op: Any) -> list[list[int]]:
    """The reassociation of an expand_shape or collapse_shape."""
    return [[i.value for i in group] for group in op.attributes["reassociation"]]


@pure("memref.expand_shape")
def expand(op: Any) -> Callable[..., View]:
    groups, static = groups_of(op), list(op.attributes["static_output_shape"])

    def run(view: View, *dynamic: int) -> View:
        shape = mixed(static, dynamic)
        strides = [0] * len(shape)
        for group, stride in zip(groups, view.strides, strict=True):
            for i in reversed(group):
                strides[i] = stride
                stride *= shape[i]
        return View(view.buffer, view.offset, shape, tuple(strides))

    return run


@pure("memref.collapse_shape")
def collapse(op: Any) -> Callable[..., View]:
    groups = groups_of(op)

    def run(view: View) -> View:
        sizes, strides = [], []
        for group in groups:
            real = [i for i in group if view.sizes[i] != 1]
            for a, b in zip(real, real[1:], strict=False):
                if view.strides[a] != view.strides[b] * view.sizes[b]:
                    raise RunError(op, f"collapses dimensions {a} and {b}, which are not contiguous")
            sizes.append(int(np.prod([view.sizes[i] for i in group])))
            strides.append(view.strides[real[-1]] if real else view.strides[group[-1]])
        return View(view.buffer, view.offset, tuple(sizes), tuple(strides))

    return run


def element(step: Step, view: View, indices: Any) -> View:
    """The view of one element."""
    for i, (index, size) in enumerate(zip(indices, view.sizes, strict=True)):
        if not 0 <= index < size:
            raise OutOfBounds(step.op, f"has index {index} in dimension {i}, which has {size}")
    return View(view.buffer, view.offset + sum(i * s for i, s in zip(indices, view.strides, strict=True)), (), ())


def number(value: Any) -> Any:
    """An element as a value: a Python number for integers."""
    return int(value) if value.dtype.kind in "iub" else value


@task("memref.load")
def load(translator: Translator, step: Step) -> Any:
    def run(agent: Agent, frame: dict[int, Any], operands: list[Any]) -> Task:
        at = element(step, operands[0], operands[1:])
        yield from agent.machine.settle(agent, at, write=False)
        reads(agent, step, at)
        return [number(at.buffer.data[at.offset])]

    return run


@task("memref.store")
def store(translator: Translator, step: Step) -> Any:
    def run(agent: Agent, frame: dict[int, Any], operands: list[Any]) -> Task:
        at = element(step, operands[1], operands[2:])
        yield from agent.machine.settle(agent, at, write=True)
        writes(agent, step, at)
        at.buffer.data[at.offset] = operands[0]
        return []

    return run


@task("memref.copy", "linalg.copy")
def copy(translator: Translator, step: Step) -> Any:
    if step.results:
        from allo_air.interp._tensor import copy_tensor

        return copy_tensor

    def run(agent: Agent, frame: dict[int, Any], operands: list[Any]) -> Task:
        yield from move(agent, step, operands[0], operands[1])
        return []

    return run


def move(agent: Agent, step: Step, source: View, target: View) -> Task:
    """Copies between views of the same shape."""
    if source.sizes != target.sizes:
        raise RunError(step.op, f"copies a buffer of shape {list(source.sizes)} to one of shape {list(target.sizes)}")
    check_bounds(step, source)
    check_bounds(step, target)
    yield from agent.machine.settle(agent, source, write=False)
    yield from agent.machine.settle(agent, target, write=True)
    yield
    reads(agent, step, source)
    data = source.array.copy()
    writes(agent, step, target)
    target.array[...] = data


@task("memref.prefetch", "affine.prefetch")
def prefetch(translator: Translator, step: Step) -> Any:
    from allo_air.interp._control import nothing

    return nothing


__all__ = ["allocate", "element", "mixed", "move", "number", "row_major"]
