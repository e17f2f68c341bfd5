"""Affine maps and sets as Python functions, and the operations that use them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from allo_air.interp._control import iterations
from allo_air.interp._memref import element
from allo_air.interp.errors import RunError
from allo_air.interp.memory import View, reads, writes
from allo_air.interp.program import Step, Translator
from allo_air.interp.rules import pure, task
from allo_air.interp.scheduler import Agent, Task
from allo_air.mlir import ir

Evaluate = Callable[[Sequence[int]], list[int]]

_OPERATORS = {
    ir.AffineAddExpr: "({} + {})",
    ir.AffineMulExpr: "({} * {})",
    ir.AffineModExpr: "({} % {})",
    ir.AffineFloorDivExpr: "({} // {})",
    ir.AffineCeilDivExpr: "(-(-{} // {}))",
}
_SET = re.compile(r"affine_set<\((?P<dims>.*?)\)(?:\[(?P<symbols>.*?)\])? : \((?P<constraints>.*)\)>")


def source(expression: Any, dims: int) -> str:
    """An affine expression as Python text over `v`, the dimensions and then the symbols."""
    match expression:
        case ir.AffineDimExpr():
            return f"v[{expression.position}]"
        case ir.AffineSymbolExpr():
            return f"v[{dims + expression.position}]"
        case ir.AffineConstantExpr():
            return str(expression.value)
    return _OPERATORS[type(expression)].format(source(expression.lhs, dims), source(expression.rhs, dims))


def compiled(map_: Any) -> Evaluate:
    """The results of an affine map as a function of its dimensions and symbols."""
    made: Evaluate = eval(f"lambda v: [{', '.join(source(e, map_.n_dims) for e in map_.results)}]")
    return made


def compiled_set(attribute: Any) -> Callable[[Sequence[int]], bool]:
    """Whether a point (dimensions, then symbols) is in an integer set; the bindings print the attribute but do not open it."""
    found = _SET.fullmatch(str(attribute))
    assert found, f"{attribute} is an integer set"
    parts = [part.rsplit(" ", 2) for part in re.split(r", (?![^(]*\))", found["constraints"])]
    with attribute.context:
        text = f"affine_map<({found['dims']})[{found['symbols'] or ''}] -> ({', '.join(p[0] for p in parts)})>"
        evaluate = compiled(ir.Attribute.parse(text).value)
    equal = [p[1] == "==" for p in parts]
    return lambda v: all(x == 0 if e else x >= 0 for x, e in zip(evaluate(v), equal, strict=True))


@pure("affine.apply", "affine.min", "affine.max")
def apply(op: Any) -> Callable[..., int]:
    evaluate = compiled(op.attributes["map"].value)
    choose = {"affine.min": min, "affine.max": max}.get(op.name, lambda values: values[0])
    return lambda *v: choose(evaluate(v))


@pure("affine.delinearize_index")
def delinearize(op: Any) -> Callable[..., Any]:
    statics = list(op.attributes["static_basis"])
    count = len(op.results)

    def run(index: int, *dynamic: int) -> Any:
        given = iter(dynamic)
        basis = [next(given) if b == -(2**63) else b for b in statics][-(count - 1) :] if count > 1 else []
        parts: list[int] = []
        for size in reversed(basis):
            index, part = divmod(index, size)
            parts.append(part)
        made = (index, *reversed(parts))
        return made[0] if count == 1 else made

    return run


@pure("affine.linearize_index")
def linearize(op: Any) -> Callable[..., int]:
    statics = list(op.attributes["static_basis"])
    count = next(iter(op.attributes["operandSegmentSizes"]))

    def run(*operands: int) -> int:
        indices, given = operands[:count], iter(operands[count:])
        basis = [next(given) if b == -(2**63) else b for b in statics]
        result = 0
        for index, size in zip(indices, ([1] * (count - len(basis))) + basis, strict=True):
            result = result * size + index
        return result

    return run


@task("affine.for", lazy=True)
def affine_for(translator: Translator, step: Step) -> Any:
    attributes, body = step.op.attributes, translator.region(step.op)
    lower, upper = compiled(attributes["lowerBoundMap"].value), compiled(attributes["upperBoundMap"].value)
    by, counts = attributes["step"].value, [int(i) for i in attributes["operandSegmentSizes"]]

    def run(agent: Agent, frame: dict[int, Any], operands: list[Any]) -> Task:
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

    def run(agent: Agent, frame: dict[int, Any], operands: list[Any]) -> Task:
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
        given = iter(values)
        return [choose(next(given) for _ in range(n)) for n in sizes]

    def run(agent: Agent, frame: dict[int, Any], operands: list[Any]) -> Task:
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

    def run(agent: Agent, frame: dict[int, Any], operands: list[Any]) -> Task:
        view: View = operands[1 if storing else 0]
        at = element(step, view, evaluate(operands[2 if storing else 1 :]))
        yield from agent.machine.settle(agent, at, write=storing)
        if storing:
            writes(agent, step, at)
            at.buffer.data[at.offset] = operands[0]
            return []
        reads(agent, step, at)
        return [at.buffer.data[at.offset].item() if at.buffer.data.dtype.kind in "iub" else at.buffer.data[at.offset]]

    return run
