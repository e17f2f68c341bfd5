"""Calls of functions that are declared only: a library of Python functions, or the linalg operation that they stand for."""

from __future__ import annotations

from typing import Any

from allo_air.interp._control import resolved
from allo_air.interp.errors import Unsupported
from allo_air.interp.memory import View, reads, writes
from allo_air.interp.program import Step, Translator
from allo_air.interp.scheduler import Agent, Task
from allo_air.interp.structured import Structured


def external(translator: Translator, step: Step, callee: Any) -> Any:
    """Runs the function that `libraries` has under the callee's name on the arrays of its operands.

    A Structured (of a linalg operation that the call stands for) is run as such. Else the memref arguments may be changed in
    place: those that change are written, all are read.
    """
    name = callee.attributes["sym_name"].value
    found = translator.machine.libraries.get(name)
    if found is None:
        raise Unsupported(
            step.op, f"calls @{name}, which is declared only; give the interpreter libraries={{'{name}': function}}"
        )

    if isinstance(found, Structured):

        def kernel(agent: Agent, frame: dict[int, Any], operands: list[Any]) -> Task:
            return (yield from found.run(agent, step, (yield from resolved(agent, operands))))

        return kernel

    def run(agent: Agent, frame: dict[int, Any], operands: list[Any]) -> Task:
        operands = yield from resolved(agent, operands)
        for value in operands:
            if isinstance(value, View):
                yield from agent.machine.settle(agent, value, write=True)
        yield
        arrays = [v.array.copy() if isinstance(v, View) else v for v in operands]
        found(*arrays)
        for view, array in zip(operands, arrays, strict=True):
            if not isinstance(view, View):
                continue
            changed = array.tobytes() != view.array.tobytes()
            known = view.over(view.buffer.writer) != 0
            reads(agent, step, view, None if known.all() else known)
            if changed or not known.all():
                writes(agent, step, view)
                view.array[...] = array
        return []

    return run
