"""Asynchronous execution: operations with dependences, `air.execute`, `air.wait_all`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.interp._effects import effects_of, execute_effects
from allo_air.interp._walk import Walk, padded
from allo_air.interp.program import Step, Translator
from allo_air.interp.rules import task
from allo_air.interp.scheduler import Agent, Future, Task, Token

if TYPE_CHECKING:
    from allo_air.interp.values import Frame


def asynchronous(
    translator: Translator,
    step: Step,
    deps: int,
    start: Callable[..., Task],
    *,
    unordered: bool = True,
    issue: Callable[[Agent, list[Any]], Task] | None = None,
) -> Any:
    """Runs `start(agent, operands)` after its first `deps` operands, which are tokens.

    `issue(agent, operands)` runs first, in the agent that reaches the operation; its result is the third argument of `start`.

    An operation with a token as result runs concurrently. So does one without a token if `unordered` is set (hardware runs
    herds and transfers side by side), but later operations on the same memory wait for it. Otherwise it runs at once.
    """
    in_order = translator.machine.program_order
    effects = effects_of(step) if in_order or (unordered and not step.results) else None

    def run(agent: Agent, frame: Frame, operands: list[Any]) -> Task:
        issued = () if issue is None else ((yield from issue(agent, operands)),)
        if not step.results and not unordered:
            yield from agent.wait((yield from agent.resolved(operands[:deps])))
            yield from start(agent, operands, *issued)
            return []
        own = agent.child(scope=[])

        def execution() -> Task:
            own.step = step
            yield from own.wait((yield from own.resolved(operands[:deps])))
            yield from start(own, operands, *issued)
            own.step = step
            yield from own.drained()

        token = agent.machine.scheduler.spawn(own, execution(), step)
        agent.scope.append(token)
        if effects is not None:
            agent.machine.hold(agent, (token, effects, operands))
        return [token] if step.results else []

    return run


@task("air.execute", lazy=True)
def execute(translator: Translator, step: Step) -> Any:
    body = translator.region(step.op)
    assert body is not None
    effects = execute_effects(translator, step) if translator.machine.program_order else None

    def run(agent: Agent, frame: Frame, operands: list[Token]) -> Task:
        futures = [Future(step) for _ in step.results[1:]]
        own = agent.child(scope=[])
        inside = body.capture(frame)

        def execution() -> Task:
            own.step = step
            yield from own.wait((yield from own.resolved(operands)))
            values = yield from body.run(own, inside)
            own.step = step
            yield from own.drained()
            for future, value in zip(futures, values, strict=True):
                [future.value] = yield from own.resolved([value])
                own.machine.scheduler.finish(future, own.clock.fork())

        token = agent.machine.scheduler.spawn(own, execution(), step)
        agent.scope.append(token)
        if effects is not None:
            agent.machine.hold(agent, (token, effects, inside))
        return [token, *futures]
        yield

    return run


@task("air.wait_all", lazy=True)
def wait_all(translator: Translator, step: Step) -> Any:
    def run(agent: Agent, frame: Frame, operands: list[Token]) -> Task:
        if not step.results:
            yield from agent.wait((yield from agent.resolved(operands)))
            return []
        if not operands:
            return [Token(step, done=True, past=agent.clock.fork())]
        own = agent.child(scope=[])

        def join() -> Task:
            own.step = step
            yield from own.wait((yield from own.resolved(operands)))

        token = agent.machine.scheduler.spawn(own, join(), step)
        agent.scope.append(token)
        return [token]

    return run


@task("air.custom", lazy=True)
def custom(translator: Translator, step: Step) -> Any:
    """An operation that takes time and has no effect."""

    def start(own: Agent, operands: list[Token]) -> Task:
        yield

    return asynchronous(translator, step, len(step.op.opview.deps), start, unordered=False)


@task("air.dma_memcpy_nd", lazy=True)
def dma(translator: Translator, step: Step) -> Any:
    deps = len(step.op.opview.deps)
    source, target = Walk.of(step, "src"), Walk.of(step, "dst")
    pads = padded(step)

    def start(own: Agent, operands: Sequence[Any]) -> Task:
        value = yield from own.resolved(operands)
        into = target.view(value)
        if pads is None:
            data = yield from source.fetch(own, value)
        else:
            data = pads((yield from source.fetch(own, value)), into.sizes)
        yield
        yield from target.deliver(own, value, data)

    return asynchronous(translator, step, deps, start, unordered=False)
