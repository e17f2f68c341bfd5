"""Buffers: allocation, views, copies, single elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.core.walking import defining_block
from allo_air.interp._views import filled_in
from allo_air.interp.errors import OutOfBounds, RunError, Unsupported
from allo_air.interp.memory import Buffer, View, check_bounds, free, reads, whole_view, writes
from allo_air.interp.program import Step, Translator
from allo_air.interp.rules import nothing, task
from allo_air.interp.scheduler import Agent, Task
from allo_air.interp.values import DYNAMIC, dense, dtype_of, is_token
from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    import numpy as np

    from allo_air.interp.values import Frame


@dataclass(frozen=True)
class Kind:
    """The interpreter's view of a memref type: `layout` has strides and offset if they are not row-major."""

    text: str
    shape: tuple[int, ...]
    dtype: Any
    layout: tuple[tuple[int, ...], int] | None


def kind_of(step: Step, type_: ir.MemRefType) -> Kind:
    """The Kind of a memref type; raises Unsupported if NumPy has no type for its elements."""
    dtype, rank = dtype_of(type_.element_type), len(type_.shape)
    if dtype is None:
        raise Unsupported(step.op, f"has elements of type {type_.element_type}, which the interpreter cannot execute")
    layout = None
    if isinstance(type_.layout, ir.StridedLayoutAttr) or (rank and type_.affine_map != ir.AffineMap.get_identity(rank)):
        strides, offset = type_.get_strides_and_offset()
        layout = tuple(strides), offset
    return Kind(str(type_), tuple(type_.shape), dtype, layout)


def allocate(agent: Agent, step: Step, kind: Kind, dynamic: list[int], what: str = "") -> View:
    """A fresh buffer of a memref type, nothing in it written."""
    sizes = filled_in(kind.shape, dynamic)
    view = whole_view(Buffer(agent.machine.unwritten(prod(sizes), kind.dtype), step, what or f"a {kind.text}"), sizes)
    if kind.layout is not None:
        strides, offset = kind.layout
        if offset or any(t not in (s, DYNAMIC) for s, t in zip(view.strides, strides, strict=True)):
            raise Unsupported(step.op, f"allocates with the layout of {kind.text}; the interpreter needs a row-major one")
    return view


@task("memref.alloc", "memref.alloca")
def alloc(translator: Translator, step: Step) -> Any:
    type_ = step.op.results[0].type
    count = next(iter(step.op.attributes["operandSegmentSizes"]))
    kinds: list[Kind] = []

    def run(agent: Agent, frame: Frame, operands: list[Any]) -> Task:
        if not kinds:
            kinds.append(kind_of(step, type_))
        return [allocate(agent, step, kinds[0], operands[:count])]
        yield

    return run


def _is_mark(op: AnyOp) -> bool:
    """Whether a deallocation frees nothing: it is asynchronous, in a loop of tokens inside of the scope of the allocation.

    mlir-air's ping-pong keeps such deallocations (`keep-memref-dealloc`) when it moves the allocation out of the loop. They
    mark the end of one iteration's use, and the next iteration uses the same buffer.
    """
    block = defining_block(op.operands[0])
    outside, parent, executes = [block.owner.operation], op.parent, False
    while outside[-1].parent is not None:
        outside.append(outside[-1].parent.operation)
    while parent is not None and parent.operation not in outside:
        executes = executes or parent.name == "air.execute"
        if parent.name == "scf.for" and executes and any(is_token(r.type) for r in parent.results):
            return True
        parent = parent.parent
    return False


@task("memref.dealloc")
def dealloc(translator: Translator, step: Step) -> Any:
    if _is_mark(step.op) or (translator.machine.program_order and step.op.parent.name == "air.execute"):
        return nothing

    def run(agent: Agent, frame: Frame, operands: Sequence[View]) -> Task:
        view: View = operands[0]
        yield from agent.machine.wait_for_accesses(agent, whole_view(view.buffer, (view.buffer.data.size,)), write=True)
        free(agent, step, view)
        return []

    return run


@task("memref.get_global")
def get_global(translator: Translator, step: Step) -> Any:
    name = step.op.attributes["name"].value
    declared = translator.symbols.get(name)
    if declared is None or declared.name != "memref.global":
        raise RunError(step.op, f"names @{name}, which is not a memref.global")
    type_ = declared.attributes["type"].value
    initial = declared.attributes.get("initial_value", None)

    def run(agent: Agent, frame: Frame, operands: list[Any]) -> Task:
        globals_ = agent.machine.globals
        if name not in globals_:
            view = globals_[name] = allocate(agent, step, kind_of(step, type_), [], f"@{name}")
            if initial is not None and not isinstance(initial, ir.UnitAttr):
                view.buffer.data[...] = dense(initial, type_).reshape(-1)
                view.buffer.writer.set(view, None, agent.machine.input_stamp)
        return [globals_[name]]
        yield

    return run


def element(step: Step, view: View, indices: Any) -> View:
    """The view of one element."""
    for i, (index, size) in enumerate(zip(indices, view.sizes, strict=True)):
        if not 0 <= index < size:
            raise OutOfBounds(step.op, f"has index {index} in dimension {i}, which has {size}")
    return View(view.buffer, view.offset + sum(i * s for i, s in zip(indices, view.strides, strict=True)), (), ())


def number(value: np.generic) -> Any:
    """An element as a value: a Python number for integers."""
    return int(value) if value.dtype.kind in "iub" else value


@task("memref.load")
def load(translator: Translator, step: Step) -> Any:
    def run(agent: Agent, frame: Frame, operands: list[Any]) -> Task:
        element_view = element(step, operands[0], operands[1:])
        yield from agent.machine.wait_for_accesses(agent, element_view, write=False)
        reads(agent, step, element_view)
        return [number(element_view.buffer.data[element_view.offset])]

    return run


@task("memref.store")
def store(translator: Translator, step: Step) -> Any:
    def run(agent: Agent, frame: Frame, operands: list[Any]) -> Task:
        element_view = element(step, operands[1], operands[2:])
        yield from agent.machine.wait_for_accesses(agent, element_view, write=True)
        writes(agent, step, element_view)
        element_view.buffer.data[element_view.offset] = operands[0]
        return []

    return run


@task("memref.copy", "linalg.copy")
def copy(translator: Translator, step: Step) -> Any:
    if step.results:
        return lambda agent, frame, operands: agent.resolved(operands[:1])

    def run(agent: Agent, frame: Frame, operands: Sequence[View]) -> Task:
        yield from copy_view(agent, step, operands[0], operands[1])
        return []

    return run


def copy_view(agent: Agent, step: Step, source: View, target: View) -> Task:
    """Copies between views of the same shape."""
    if source.sizes != target.sizes:
        raise RunError(step.op, f"copies a buffer of shape {list(source.sizes)} to one of shape {list(target.sizes)}")
    check_bounds(step, source)
    check_bounds(step, target)
    yield from agent.machine.wait_for_accesses(agent, source, write=False)
    yield from agent.machine.wait_for_accesses(agent, target, write=True)
    yield
    reads(agent, step, source)
    data = source.array.copy()
    writes(agent, step, target)
    target.array[...] = data


@task("memref.prefetch", "affine.prefetch")
def prefetch(translator: Translator, step: Step) -> Any:
    return nothing
