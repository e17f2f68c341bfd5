"""Calls of functions without a body: Python functions of a library, or replacements for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.core.names import sym_name_of
from allo_air.interp.errors import PoisonRead, Unsupported
from allo_air.interp.memory import View, reads, writes
from allo_air.interp.program import Step, Translator
from allo_air.interp.rules import UNREGISTERED, task
from allo_air.interp.scheduler import Agent, Task
from allo_air.interp.structured import Structured
from allo_air.interp.uninterpreted import Uninterpreted
from allo_air.interp.values import Tensor

if TYPE_CHECKING:
    import numpy as np

    from allo_air.interp.scheduler import Future
    from allo_air.interp.values import Frame
    from allo_air.mlir import ir


def external(translator: Translator, step: Step, callee: ir.Operation) -> Any:
    """Calls the function in `libraries` with the callee's name on the arrays of its operands.

    A Structured, which replaces a linalg operation, runs as that operation; an Uninterpreted runs by its rule. Other functions
    are Python. They may change memref arguments in place: all are read, and those that change are written. Functions on tensors
    return the arrays of the results.
    """
    name = sym_name_of(callee)
    library = translator.machine.libraries.get(name)
    if library is None:
        raise Unsupported(
            step.op, f"calls @{name}, which is declared only; give the interpreter libraries={{'{name}': function}}"
        )
    if isinstance(library, Structured):
        return _structured(step, library)
    return _uninterpreted(step, library) if isinstance(library, Uninterpreted) else _python(step, library)


@task(UNREGISTERED)
def unregistered(translator: Translator, step: Step) -> Any:
    """Runs an unregistered operation as an arbitrary but fixed function with the operation's name."""
    libraries = translator.machine.libraries
    library = libraries.setdefault(step.name, Uninterpreted(step.name, [r.type for r in step.op.results]))
    return _uninterpreted(step, library)


def _structured(step: Step, item: Structured) -> Any:
    def run(agent: Agent, frame: Mapping[int, object], operands: Sequence[View | np.generic]) -> Task:
        return (yield from item.run(agent, step, (yield from agent.resolved(operands))))

    return run


def _uninterpreted(step: Step, item: Uninterpreted) -> Any:
    if not item.is_known:
        raise Unsupported(step.op, f"calls '{item.name}', which has no body, and no values of its results' types can be made")

    def run(agent: Agent, frame: Frame, operands: Sequence[View | Future | int | np.generic]) -> Task:
        operands = yield from _ready_operands(agent, operands)
        if any(isinstance(v, Tensor) for v in operands):
            raise Unsupported(step.op, f"passes tensors to '{item.name}', which has no body")
        views = {n: v for n, v in enumerate(operands) if isinstance(v, View)}
        for n, view in views.items():
            if view.size and not view.buffer.writer.are_set(view).any():
                item.learn(n)
        arrays = [v.array.copy() if isinstance(v, View) else v for v in operands]
        results = item.apply(arrays)
        for n, view in views.items():
            if n not in item.destinations:
                reads(agent, step, view)
        for n, view in views.items():
            if n in item.destinations or n == max(views):
                writes(agent, step, view)
                view.array[...] = arrays[n]
        return results

    return run


def _python(step: Step, item: Any) -> Any:
    def run(agent: Agent, frame: Mapping[int, object], operands: list[Any]) -> Task:
        operands = yield from _ready_operands(agent, operands)
        if any(isinstance(v, Tensor) for v in operands):
            return _of_tensors(step, item, operands)
        arrays = [v.array.copy() if isinstance(v, View) else v for v in operands]
        item(*arrays)
        for view, array in zip(operands, arrays, strict=True):
            if not isinstance(view, View):
                continue
            changed = array.tobytes() != view.array.tobytes()
            defined = view.buffer.writer.are_set(view)
            reads(agent, step, view, None if defined.all() else defined)
            if changed or not defined.all():
                writes(agent, step, view)
                view.array[...] = array
        return []

    return run


def _of_tensors(step: Step, item: Any, operands: list[Any]) -> list[Any]:
    """The results of `item`, an array for each result, for operands that are defined everywhere."""
    for n, value in enumerate(operands):
        if isinstance(value, Tensor) and value.defined is not None and not value.defined.all():
            raise PoisonRead(step.op, f"reads elements of operand {n} that nothing has written")
    return [Tensor(array) for array in item(*(v.array if isinstance(v, Tensor) else v for v in operands))]


def _ready_operands(agent: Agent, operands: Sequence[View | Future | int | np.generic]) -> Task:
    """The operands, after all earlier operations that access their memory have ended."""
    operands = yield from agent.resolved(operands)
    for value in operands:
        if isinstance(value, View):
            yield from agent.machine.wait_for_accesses(agent, value, write=True)
    yield
    return operands
