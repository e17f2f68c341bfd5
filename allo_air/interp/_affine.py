"""Affine control flow, loads and stores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from allo_air.core.affine import compiled, compiled_set
from allo_air.interp._control import iterations
from allo_air.interp._memref import element
from allo_air.interp.errors import RunError
from allo_air.interp.memory import View, reads, writes
from allo_air.interp.program import Step, Translator
from allo_air.interp.rules import task
from allo_air.interp.scheduler import Agent, Task

if TYPE_CHECKING:
    from allo_air.interp.scheduler import Token
    from allo_air.interp.values import Frame


@task("affine.for", lazy=True)
def affine_for(translator: Translator, step: Step) -> Any:
    attributes, body = step.op.attributes, translator.region(step.op)
    lower, upper = compiled(attributes["lowerBoundMap"].value), compiled(attributes["upperBoundMap"].value)
    by, counts = attributes["step"].value, [int(i) for i in attributes["operandSegmentSizes"]]

    def run(agent: Agent, frame: Frame, operands: Sequence[Token | int]) -> Task:
        bounds = yield from agent.resolved(operands[: counts[0] + counts[1]])
        carried = operands[counts[0] + counts[1] :]
        for i in range(max(lower(bounds[: counts[0]])), min(upper(bounds[counts[0] :])), by):
            carried = yield from body.run(agent, frame, [i, *carried])  # type: ignore[union-attr]
            agent.step = step
        return carried

    return run


@task("affine.if", "air.affine_if")
def affine_if(translator: Translator, step: Step) -> Any:
    holds = compiled_set(step.op.attributes["condition"])
    branches = [translator.region(step.op, 0), translator.region(step.op, 1)]

    def run(agent: Agent, frame: Frame, operands: Sequence[int]) -> Task:
        body = branches[0 if holds(operands) else 1]
        return [] if body is None else (yield from body.run(agent, frame))

    return run


@task("affine.parallel")
def affine_parallel(translator: Translator, step: Step) -> Any:
    attributes, body = step.op.attributes, translator.region(step.op)
    if len(step.results):
        raise RunError(step.op, "reduces, which the interpreter cannot execute; lower it to scf.parallel first")
    maps = [attributes[n].value for n in ("lowerBoundsMap", "upperBoundsMap")]
    groups = [[int(n) for n in attributes[n]] for n in ("lowerBoundsGroups", "upperBoundsGroups")]
    lower, upper = compiled(maps[0]), compiled(maps[1])
    inputs = maps[0].n_dims + maps[0].n_symbols
    by = [s.value for s in attributes["steps"]]

    def grouped(values: list[int], sizes: list[int], choose: Any) -> list[int]:
        value = iter(values)
        return [choose(next(value) for _ in range(n)) for n in sizes]

    def run(agent: Agent, frame: Mapping[int, object], operands: Sequence[int]) -> Task:
        starts = grouped(lower(operands[:inputs]), groups[0], max)
        ends = grouped(upper(operands[inputs:]), groups[1], min)
        points = list(product(*map(range, starts, ends, by)))
        yield from iterations(agent, step, body, frame, points)  # type: ignore[arg-type]
        return []

    return run


@task("affine.load", "affine.store")
def affine_access(translator: Translator, step: Step) -> Any:
    evaluate = compiled(step.op.attributes["map"].value)
    storing = step.name == "affine.store"

    def run(agent: Agent, frame: Frame, operands: list[Any]) -> Task:
        view: View = operands[1 if storing else 0]
        element_view = element(step, view, evaluate(operands[2 if storing else 1 :]))
        yield from agent.machine.wait_for_accesses(agent, element_view, write=storing)
        if storing:
            writes(agent, step, element_view)
            element_view.buffer.data[element_view.offset] = operands[0]
            return []
        reads(agent, step, element_view)
        return [
            element_view.buffer.data[element_view.offset].item()
            if element_view.buffer.data.dtype.kind in "iub"
            else element_view.buffer.data[element_view.offset]
        ]

    return run
