"""Tensors, which are immutable values, and their conversions from and to buffers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.access.pattern import kept_dims
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import defining_op
from allo_air.interp._memref import allocate, copy_view, kind_of, number
from allo_air.interp._views import filled_in, groups_of
from allo_air.interp.errors import OutOfBounds, PoisonRead, Race, Unsupported
from allo_air.interp.memory import View, reads, writes
from allo_air.interp.program import Step, Translator
from allo_air.interp.rules import nothing, pure, task
from allo_air.interp.scheduler import Agent, Task
from allo_air.interp.values import Tensor, dtype_of
from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    from allo_air.interp.values import Frame


def on_values_and_mask(tensor: Tensor, fn: Callable[[Any], object]) -> Tensor:
    """`fn` applied to the elements and to the mask of known elements."""
    return Tensor(fn(tensor.array), None if tensor.defined is None else fn(tensor.defined))


@task("tensor.empty")
def empty(translator: Translator, step: Step) -> Any:
    type_ = step.op.results[0].type

    def run(agent: Agent, frame: Frame, operands: list[Any]) -> Task:
        return [agent.machine.unknown(filled_in(type_.shape, operands), dtype_of(type_.element_type))]
        yield

    return run


@pure("tensor.splat")
def splat(op: ir.Operation) -> Callable[..., Tensor]:
    type_ = op.results[0].type
    return lambda value, *dynamic: Tensor(np.full(filled_in(type_.shape, dynamic), value, dtype_of(type_.element_type)))


@pure("tensor.from_elements")
def from_elements(op: ir.Operation) -> Callable[..., Tensor]:
    type_ = op.results[0].type
    return lambda *values: Tensor(np.array(values, dtype_of(type_.element_type)).reshape(type_.shape))


@pure("tensor.cast")
def cast(op: ir.Operation) -> Callable[..., Tensor]:
    return lambda tensor: tensor


def _window(op: AnyOp, shape: tuple[int, ...], dynamic: list[int]) -> tuple[slice, ...]:
    """The slices of an array of `shape` for an extract_slice or insert_slice."""
    statics = [list(op.attributes[f"static_{n}"]) for n in ("offsets", "sizes", "strides")]
    counts = [int(i) for i in op.attributes["operandSegmentSizes"]][-3:]
    remaining, lists = list(dynamic), []
    for static, count in zip(statics, counts, strict=True):
        lists.append(filled_in(static, remaining[:count]))
        del remaining[:count]
    for i, (o, n, s) in enumerate(zip(*lists, strict=True)):
        if n and not (o >= 0 and o + (n - 1) * s < shape[i]):
            raise OutOfBounds(op, f"takes {n} from {o} in steps of {s} of dimension {i}, which has {shape[i]}")
    return tuple(slice(o, o + (n - 1) * s + 1 if n else o, s) for o, n, s in zip(*lists, strict=True))


@pure("tensor.extract_slice")
def extract_slice(op: ir.Operation) -> Callable[..., Tensor]:
    shown = kept_dims(list(op.attributes["static_sizes"]), op.results[0].type.shape)

    def run(tensor: Tensor, *dynamic: int) -> Tensor:
        window = _window(op, tensor.array.shape, list(dynamic))
        return on_values_and_mask(tensor, lambda a: a[window].reshape([a[window].shape[i] for i in shown]))

    return run


def insert(
    op: AnyOp, source: Tensor, target: Tensor, dynamic: list[int], touched: dict[int, np.ndarray] | None = None
) -> Tensor:
    """Inserts `source` into `target`. `touched` records earlier insertions, which must not overlap."""
    window = _window(op, target.array.shape, dynamic)
    array = target.array.copy()
    array[window] = source.array.reshape(array[window].shape)
    if touched is not None:
        marks = touched.setdefault(0, np.zeros(array.shape, np.bool_))
        if marks[window].any():
            raise Race(op, "writes an element that another iteration writes too", (op, "is both"))
        marks[window] = True
    if target.defined is None and source.defined is None:
        return Tensor(array)
    defined = np.ones(array.shape, np.bool_) if target.defined is None else target.defined.copy()
    defined[window] = True if source.defined is None else source.defined.reshape(defined[window].shape)
    return Tensor(array, None if defined.all() else defined)


@pure("tensor.insert_slice")
def insert_slice(op: ir.Operation) -> Callable[..., Tensor]:
    return lambda source, target, *dynamic: insert(op, source, target, list(dynamic))


@pure("tensor.extract")
def extract(op: ir.Operation) -> Callable[..., Any]:
    def run(tensor: Tensor, *indices: int) -> Any:
        _check_index(op, tensor, indices)
        if tensor.defined is not None and not tensor.defined[indices]:
            raise PoisonRead(op, f"reads element {list(indices)}, which nothing has written")
        return number(tensor.array[indices])

    return run


def _check_index(op: ir.Operation, tensor: Tensor, indices: tuple[int, ...]) -> None:
    if any(not 0 <= i < n for i, n in zip(indices, tensor.array.shape, strict=True)):
        raise OutOfBounds(op, f"has indices {list(indices)}, the tensor has shape {list(tensor.array.shape)}")


_ORDERS = {"arith.cmpf": ((4, 5, 11, 12), (2, 3, 9, 10), ()), "arith.cmpi": ((2, 3, 6, 7), (4, 5, 8, 9), (6, 7, 8, 9))}
"""Comparisons, with the numbers of their predicates that mean less, greater, and unsigned."""


@pure("tm_tensor.sort")
def sort(op: ir.Operation) -> Callable[..., Any]:
    """Sorts by one operand, and moves the elements of the others along; equal elements keep their order, and NaN is the largest
    number, as in PyTorch.
    """
    dim, (number, descends, unsigned) = op.attributes["dimension"].value, _order(op)

    def run(*tensors: Tensor) -> Any:
        keys = tensors[number].array
        keys = keys.view(f"u{keys.itemsize}") if unsigned else keys
        if descends:  # reversed before and after, so that equal elements keep their order
            places = np.flip(keys.shape[dim] - 1 - np.argsort(np.flip(keys, dim), dim, kind="stable"), dim)
        else:
            places = np.argsort(keys, dim, kind="stable")
        results = tuple(on_values_and_mask(t, lambda a: np.take_along_axis(a, places, dim)) for t in tensors)
        return results if len(results) > 1 else results[0]

    return run


def _order(op: ir.Operation) -> tuple[int, bool, bool]:
    """The operand that a sort compares, whether the largest element comes first, and whether numbers are unsigned."""
    [*_, end] = [o.operation for o in op.regions[0].blocks[0].operations]
    compared = defining_op(end.operands[0], *_ORDERS)
    places = [v.arg_number for v in compared.operands if isinstance(v, ir.BlockArgument)] if compared is not None else []
    predicate = 0 if compared is None else compared.attributes["predicate"].value
    less, greater, unsigned = _ORDERS["arith.cmpi" if compared is None else compared.name]
    are_adjacent = len(places) == 2 and abs(places[0] - places[1]) == 1 and min(places) % 2 == 0
    if predicate not in (*less, *greater) or not are_adjacent:
        raise Unsupported(op, "compares in another way than two elements of one operand, as less or greater")
    return places[0] // 2, (predicate in greater) == (places[0] % 2 == 0), predicate in unsigned


@pure("tensor.insert")
def insert_element(op: ir.Operation) -> Callable[..., Tensor]:
    def run(value: object, tensor: Tensor, *indices: int) -> Tensor:
        _check_index(op, tensor, indices)
        array = tensor.array.copy()
        array[indices] = value
        defined = None if tensor.defined is None else tensor.defined.copy()
        if defined is not None:
            defined[indices] = True
        return Tensor(array, defined)

    return run


@pure("tensor.expand_shape")
def expand(op: AnyOp) -> Callable[..., Tensor]:
    static = list(op.attributes["static_output_shape"])
    return lambda tensor, *dynamic: on_values_and_mask(tensor, lambda a: a.reshape(filled_in(static, dynamic)))


@pure("tensor.collapse_shape")
def collapse(op: ir.Operation) -> Callable[..., Tensor]:
    groups = groups_of(op)
    return lambda tensor: on_values_and_mask(
        tensor, lambda a: a.reshape([int(np.prod([a.shape[i] for i in g])) for g in groups])
    )


@pure("tensor.concat")
def concat(op: AnyOp) -> Callable[..., Tensor]:
    dim = int(op.attributes["dim"].value)

    def run(*tensors: Tensor) -> Tensor:
        array = np.concatenate([t.array for t in tensors], dim)
        if all(t.defined is None for t in tensors):
            return Tensor(array)
        marks = [np.ones(t.array.shape, np.bool_) if t.defined is None else t.defined for t in tensors]
        return Tensor(array, np.concatenate(marks, dim))

    return run


@pure("linalg.softmax")
def softmax(op: AnyOp) -> Callable[..., Tensor]:
    if not op.results:
        raise error_at(op, "works on buffers, and is executed on tensors; simplify-linalg writes it as linalg.generics before")
    dim = int(op.attributes["dimension"].value)

    def run(tensor: Tensor, into: Tensor) -> Tensor:
        numbers = tensor.array.astype(np.float64 if tensor.array.dtype == np.float64 else np.float32)
        powers = np.exp(numbers - numbers.max(dim, keepdims=True))
        result = (powers / powers.sum(dim, keepdims=True)).astype(into.array.dtype)
        defined = None if tensor.defined is None else np.broadcast_to(tensor.defined.all(dim, keepdims=True), result.shape)
        return Tensor(result, defined)

    return run


@pure("tensor.reshape")
def reshape(op: AnyOp) -> Callable[..., Tensor]:
    return lambda tensor, shape: on_values_and_mask(tensor, lambda a: a.reshape(tuple(shape.array)))


@task("tensor.pad")
def pad(translator: Translator, step: Step) -> Any:
    body = translator.region(step.op)
    attributes = step.op.attributes
    low, high = list(attributes["static_low"]), list(attributes["static_high"])
    counts = [int(i) for i in attributes["operandSegmentSizes"]]

    def run(agent: Agent, frame: Frame, operands: Sequence[Tensor]) -> Task:
        tensor: Tensor = operands[0]
        before = filled_in(low, operands[1 : 1 + counts[1]])
        after = filled_in(high, operands[1 + counts[1] :])
        ends = zip(before, after, tensor.array.shape, strict=True)
        window = tuple(slice(max(0, -b), n - max(0, -a)) for b, a, n in ends)  # the part that negative padding keeps
        room = [(max(0, b), max(0, a)) for b, a in zip(before, after, strict=True)]
        whole = np.pad(tensor.array[window], room or 0)
        inner = tuple(slice(b, n - a) for (b, a), n in zip(room, whole.shape, strict=True))
        outside = np.ones(whole.shape, np.bool_)
        outside[inner] = False
        shared = {s for s in body.end.operands if s in frame}  # type: ignore[union-attr]
        if len(shared) == 1:
            whole[outside] = frame[shared.pop()]
        else:
            for indices in np.argwhere(outside):
                [value] = yield from body.run(agent, frame, [int(i) for i in indices])  # type: ignore[union-attr]
                whole[tuple(indices)] = value
        defined = None if tensor.defined is None else np.pad(tensor.defined[window], room or 0, constant_values=True)
        return [Tensor(whole, defined)]

    return run


@task("tensor.generate")
def generate(translator: Translator, step: Step) -> Any:
    body, type_ = translator.region(step.op), step.op.results[0].type

    def run(agent: Agent, frame: Frame, operands: list[Any]) -> Task:
        array = np.zeros(filled_in(type_.shape, operands), dtype_of(type_.element_type))
        for indices in np.ndindex(array.shape):
            [array[indices]] = yield from body.run(agent, frame, list(indices))  # type: ignore[union-attr]
        return [Tensor(array)]

    return run


@task("bufferization.alloc_tensor")
def alloc_tensor(translator: Translator, step: Step) -> Any:
    type_ = step.op.results[0].type
    counts = [int(i) for i in step.op.attributes["operandSegmentSizes"]]

    def run(agent: Agent, frame: Frame, operands: Sequence[object]) -> Task:
        if counts[1]:
            return [operands[counts[0]]]
        return [agent.machine.unknown(filled_in(type_.shape, operands[: counts[0]]), dtype_of(type_.element_type))]
        yield

    return run


@task("bufferization.dealloc_tensor")
def dealloc_tensor(translator: Translator, step: Step) -> Any:
    return nothing


@task("bufferization.materialize_in_destination")
def materialize(translator: Translator, step: Step) -> Any:
    def run(agent: Agent, frame: Mapping[int, object], operands: Sequence[Tensor]) -> Task:
        source, target = operands
        if isinstance(target, Tensor):
            return [source]
        yield from _store(agent, step, source, target)
        return []

    return run


def _store(agent: Agent, step: Step, source: Tensor, target: View) -> Task:
    yield from agent.machine.wait_for_accesses(agent, target, write=True)
    yield
    writes(agent, step, target, source.defined)
    target.array[... if source.defined is None else source.defined] = (
        source.array if source.defined is None else source.array[source.defined]
    )


@task("bufferization.to_tensor")
def to_tensor(translator: Translator, step: Step) -> Any:
    def run(agent: Agent, frame: Frame, operands: Sequence[View]) -> Task:
        view: View = operands[0]
        yield from agent.machine.wait_for_accesses(agent, view, write=False)
        defined = view.buffer.writer.are_set(view)
        reads(agent, step, view, None if defined.all() else defined)
        return [Tensor(view.array.copy(), None if defined.all() else defined)]

    return run


@task("bufferization.to_buffer", "bufferization.to_memref")
def to_buffer(translator: Translator, step: Step) -> Any:
    type_ = step.op.results[0].type

    def run(agent: Agent, frame: Frame, operands: list[Any]) -> Task:
        tensor: Tensor = operands[0]
        shape = list(tensor.array.shape)
        view = allocate(agent, step, kind_of(step, type_), [n for n, d in zip(shape, type_.shape, strict=True) if d < 0])
        yield from _store(agent, step, tensor, view)
        return [view]

    return run


@task("bufferization.clone")
def clone(translator: Translator, step: Step) -> Any:
    def run(agent: Agent, frame: Frame, operands: list[Any]) -> Task:
        source: View = operands[0]
        type_ = step.op.results[0].type
        view = allocate(agent, step, kind_of(step, type_), [n for n, d in zip(source.sizes, type_.shape, strict=True) if d < 0])
        yield from copy_view(agent, step, source, view)
        return [view]

    return run
