"""Functions and structured control flow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from allo_air.core.names import callee_of
from allo_air.interp._external import external
from allo_air.interp._tensor import insert
from allo_air.interp.errors import RunError, Unsupported
from allo_air.interp.program import Body, Step, Translator
from allo_air.interp.rules import nothing, task
from allo_air.interp.scheduler import Agent, Task, Token
from allo_air.interp.values import DYNAMIC, Frame

if TYPE_CHECKING:
    from allo_air.interp.memory import View
    from allo_air.interp.values import Tensor
    from allo_air.mlir import ir


@task("func.func", "air.channel", "memref.global", "aie.device", "builtin.module", "transform.named_sequence")
def declaration(translator: Translator, step: Step) -> Any:
    return nothing


@task("func.call", lazy=True)
def call(translator: Translator, step: Step) -> Any:
    name = callee_of(step.op)
    callee = translator.symbols.get(name)
    if callee is None:
        raise RunError(step.op, f"calls @{name}, which is not defined")
    if not callee.regions[0].blocks:
        return external(translator, step, callee)
    body: list[Body] = []

    def run(agent: Agent, frame: Frame, operands: Sequence[View | Tensor]) -> Task:
        if not body:
            body.append(translator.function(name))  # type: ignore[arg-type]
        return (yield from body[0].run(agent, Frame(), operands))

    return run


@task("cf.assert")
def assertion(translator: Translator, step: Step) -> Any:
    def run(agent: Agent, frame: Mapping[int, object], operands: Sequence[int]) -> Task:
        if not operands[0]:
            raise RunError(step.op, f"does not hold: {step.op.attributes['msg'].value}")
        return []
        yield

    return run


def _region(translator: Translator, step: Step, index: int = 0) -> Body:
    body = translator.region(step.op, index)
    if body is None:
        raise RunError(step.op, f"has no block in region {index}")
    return body


@task("scf.for", lazy=True)
def scf_for(translator: Translator, step: Step) -> Any:
    body = _region(translator, step)

    def run(agent: Agent, frame: Frame, operands: Sequence[Token | Tensor | int]) -> Task:
        lower, upper, by = yield from agent.resolved(operands[:3])
        if by <= 0:
            raise RunError(step.op, f"has step {by}, expected a positive one")
        carried = operands[3:]
        for i in range(lower, upper, by):
            carried = yield from body.run(agent, frame, [i, *carried])
            agent.step = step
        return carried

    return run


@task("scf.while", lazy=True)
def scf_while(translator: Translator, step: Step) -> Any:
    before, after = _region(translator, step, 0), _region(translator, step, 1)

    def run(agent: Agent, frame: Frame, operands: Sequence[int]) -> Task:
        carried = operands
        while True:
            going, *carried = yield from body_resolved(before, agent, frame, carried)
            if not going:
                return carried
            carried = yield from after.run(agent, frame, carried)
            yield

    return run


def body_resolved(body: Body, agent: Agent, frame: Frame, values: Sequence[int]) -> Task:
    """Runs a block and waits for its first result."""
    result = yield from body.run(agent, frame, values)
    result[:1] = yield from agent.resolved(result[:1])
    return result


@task("scf.if")
def scf_if(translator: Translator, step: Step) -> Any:
    branches = [translator.region(step.op, 0), translator.region(step.op, 1)]

    def run(agent: Agent, frame: Frame, operands: Sequence[int]) -> Task:
        body = branches[0 if operands[0] else 1]
        if body is None:
            return []
        return (yield from body.run(agent, frame))

    return run


@task("scf.index_switch")
def index_switch(translator: Translator, step: Step) -> Any:
    cases = list(step.op.attributes["cases"])
    bodies = [_region(translator, step, n) for n in range(len(cases) + 1)]

    def run(agent: Agent, frame: Frame, operands: Sequence[int]) -> Task:
        chosen = cases.index(operands[0]) + 1 if operands[0] in cases else 0
        return (yield from bodies[chosen].run(agent, frame))

    return run


@task("scf.execute_region")
def execute_region(translator: Translator, step: Step) -> Any:
    body = _region(translator, step)

    def run(agent: Agent, frame: Frame, operands: Sequence[ir.Value]) -> Task:
        return (yield from body.run(agent, frame))

    return run


def iterations(
    agent: Agent,
    step: Step,
    body: Body | TakingBody,
    frame: Frame,
    points: Sequence[tuple[int, ...]],
    extra: tuple[Tensor, ...] = (),
) -> Task:
    """Runs `body` once for each of `points`, concurrently outside of cores; returns the yielded values of each iteration."""
    results: list[Any] = [None] * len(points)
    if agent.core or len(points) == 1:  # a core is one thread
        for n, point in enumerate(points):
            results[n] = yield from body.run(agent, frame, [*point, *extra])
        return results

    def iteration(n: int, own: Agent) -> Task:
        results[n] = yield from body.run(own, body.capture(frame), [*points[n], *extra])

    tokens: list[Token] = []
    own_agents: list[Agent] = []
    events = agent.pending
    for n in range(len(points)):
        own = agent.child(pending=events)
        own_agents.append(own)
        tokens.append(agent.machine.scheduler.spawn(own, iteration(n, own), step))
    yield from agent.wait(tokens)
    for own in own_agents:  # operations that they started without a token continue
        for pending in own.pending:
            if not any(pending is p for p in events):
                agent.machine.hold(agent, pending)
    return results


@task("scf.parallel", lazy=True)
def parallel(translator: Translator, step: Step) -> Any:
    body = _region(translator, step)
    rank = len(body.arguments)
    reduce = body.end.op
    combine = [translator.region(reduce, n) for n in range(len(reduce.regions))]

    def run(agent: Agent, frame: Frame, operands: list[int | Token]) -> Task:
        bounds = yield from agent.resolved(operands[: 3 * rank])
        lower, upper, by = (bounds[k * rank : (k + 1) * rank] for k in range(3))
        if any(b <= 0 for b in by):
            raise RunError(step.op, f"has steps {by}, expected positive ones")
        points = list(product(*map(range, lower, upper, by)))
        parts = yield from iterations(agent, step, body, frame, points)
        state = operands[3 * rank :]
        for part in parts:
            for n, inner in enumerate(combine):
                [state[n]] = yield from inner.run(agent, frame, [state[n], part[n]])  # type: ignore[union-attr]
        return state

    return run


@task("scf.forall", lazy=True)
def forall(translator: Translator, step: Step) -> Any:
    body = _region(translator, step)
    op = step.op.opview
    statics = [[int(i) for i in step.op.attributes[n]] for n in ("staticLowerBound", "staticUpperBound", "staticStep")]
    rank, counts = len(statics[0]), [int(i) for i in step.op.attributes["operandSegmentSizes"]]
    shared = body.arguments[rank:]
    ends = [o.operation for o in op.regions[0].blocks[0].operations][-1]
    inserts = [translator._bare(o.operation) for r in ends.regions for b in r.blocks for o in b.operations]
    for each in inserts:
        if each.name != "tensor.parallel_insert_slice":
            raise Unsupported(each.op, f"is one that the interpreter cannot execute: it has no rule for {each.name}")
    shared_values = sorted({s for each in inserts for s in each.operands if s not in shared})

    def run(agent: Agent, frame: Frame, operands: Sequence[Tensor]) -> Task:
        operands = yield from agent.resolved(operands)
        value, dims = iter(operands), []
        for static, count in zip(statics, counts[:3], strict=True):
            dynamic = [next(value) for _ in range(count)]
            dims.append([dynamic.pop(0) if s == DYNAMIC else s for s in static])
        outs = dict(zip(shared, value, strict=True))
        points = list(product(*map(range, *dims)))
        frames = [Frame() for _ in points]
        taking = TakingBody(body, frames, shared_values)
        yield from iterations(agent, step, taking, frame, [(n, *p) for n, p in enumerate(points)], tuple(outs.values()))
        touched: dict[int, Any] = {}
        for values in frames:
            for each in inserts:
                source, target, *where = each.operands
                results: list[Any] = [values.get(s, frame.get(s)) for s in (source, *where)]
                outs[target] = insert(each.op, results[0], outs[target], results[1:], touched.setdefault(target, {}))
        return list(outs.values())

    return run


class TakingBody:
    """A body that returns the values of some slots; its first argument is the iteration's number."""

    def __init__(self, body: Body, frames: list[Frame], shared: list[int]) -> None:
        self.body, self.frames, self.wanted = body, frames, shared

    def capture(self, frame: Frame) -> Frame:
        return self.body.capture(frame)

    def run(self, agent: Agent, frame: Frame, arguments: Any) -> Task:
        number, *rest = arguments
        yield from self.body.run(agent, frame, rest)
        values = yield from agent.resolved([frame.get(s) for s in self.wanted])
        self.frames[number] = Frame(zip(self.wanted, values, strict=True))
        return []
