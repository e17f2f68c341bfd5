"""Agents that run in a random order, the conditions that they wait for, and the report of a deadlock."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterable, Sequence
from typing import Any

from allo_air.core.integers import Undefined
from allo_air.errors import counted
from allo_air.interp.errors import Deadlock, RunError, Unsupported
from allo_air.interp.events import Clock, History
from allo_air.mlir import AnyOp

_LISTED = 6
"""Largest number of waiting operations in the message of a deadlock."""

Task = Generator[Any, None, Any]
"""A generator that yields the condition it waits for, or None to let others run."""


class Condition:
    """Something that agents wait for; `fire` lets all of them go on and look again."""

    __slots__ = ("waiting",)

    def __init__(self) -> None:
        self.waiting: list[Agent] = []

    def describe(self) -> str:
        raise NotImplementedError


class Token(Condition):
    """The completion of an asynchronous operation: `step` started it, `past` has the events before its end."""

    __slots__ = ("done", "past", "step")

    def __init__(self, step: Any, *, done: bool = False, past: int = 0) -> None:
        super().__init__()
        self.step, self.done, self.past = step, done, past

    def describe(self) -> str:
        return f"the end of {describe_step(self.step)}"


class Future(Condition):
    """A value that an asynchronous operation will yield."""

    __slots__ = ("done", "past", "step", "value")

    def __init__(self, step: Any) -> None:
        super().__init__()
        self.step, self.done, self.past, self.value = step, False, 0, None

    def describe(self) -> str:
        return f"a result of {describe_step(self.step)}"


def describe_step(step: Any | None) -> str:
    """An operation and where it is."""
    return f"'{step.name}' at {step.position}" if step is not None else "the start"


class Agent:
    """One thread of the program: an instance of a herd, an asynchronous operation, an iteration of a parallel loop.

    `scope` collects the tokens of operations that it starts, and `pending` the operations started without a token, which are
    ordered by memory only; `instance` distinguishes the instances of launches.
    """

    def __init__(
        self, machine: Any, clock: Clock, scope: list[Token], pending: tuple[Any, ...], *, core: bool, who: str
    ) -> None:
        self.machine, self.clock, self.scope, self.pending = machine, clock, scope, pending
        self.core, self.who = core, who
        self.instance = 0
        self.step: Any = None
        self.waits: Condition | None = None

    def wait(self, events: Iterable[Future | Token]) -> Task:
        """Waits for tokens and futures, and joins their pasts."""
        for event in events:
            while not event.done:
                yield event
            self.clock.join(event.past)

    def resolved(self, values: Sequence[object]) -> Task:
        """The values, futures waited for."""
        for value in values:
            if value.__class__ is Future:
                yield from self.wait((value,))
        return [v.value if v.__class__ is Future else v for v in values]

    def drained(self) -> Task:
        """Waits for all that the scope has started."""
        while self.scope:
            yield from self.wait([self.scope.pop()])

    def child(self, **changes: object) -> Agent:
        """An agent that starts here."""
        values: dict[str, Any] = {"scope": self.scope, "pending": self.pending, "core": self.core, "who": self.who} | changes
        agent = Agent(self.machine, Clock(self.clock.fork()), **values)
        agent.step, agent.instance = self.step, self.instance
        return agent


class Scheduler:
    """Runs agents until `main` has ended; each step, a random runnable agent continues."""

    def __init__(self, seed: int, max_turns: int | None = None) -> None:
        self.random = random.Random(seed)
        self.history = History()
        self.ready: list[tuple[Agent, Task, Token]] = []
        self.parked: dict[Agent, tuple[Agent, Task, Token]] = {}
        self.max_turns = max_turns

    def spawn(self, agent: Agent, task: Task, step: Any | None) -> Token:
        """Starts `task` and returns the token of its end."""
        token = Token(step)
        self.ready.append((agent, task, token))
        return token

    def fire(self, condition: Condition) -> None:
        """Makes the agents that wait for `condition` runnable again."""
        if condition.waiting:
            for agent in condition.waiting:
                agent.waits = None
                self.ready.append(self.parked.pop(agent))
            condition.waiting = []

    def finish(self, event: Token | Future, past: int) -> None:
        """Marks a token or future as done."""
        event.done, event.past = True, past
        self.fire(event)

    def run(self, main: Token) -> None:
        """Runs until `main` has ended; raises Deadlock if nothing can go on before."""
        ready, draw, steps = self.ready, self.random.random, 0
        while not main.done:
            if not ready:
                raise self._deadlock(main)
            steps += 1
            if self.max_turns and steps > self.max_turns:
                raise Unsupported(main.step.op, f"did not end in {self.max_turns} turns; raise max_turns if it should")
            choice = int(draw() * len(ready))
            ready[choice], ready[-1] = ready[-1], ready[choice]
            agent, task, token = ready.pop()
            try:
                awaited = next(task)
            except StopIteration:
                self.finish(token, agent.clock.fork())
                continue
            except Undefined as why:
                raise RunError(agent.step.op, str(why)) from None
            if awaited is None:
                ready.append((agent, task, token))
            else:
                agent.waits = awaited
                awaited.waiting.append(agent)
                self.parked[agent] = (agent, task, token)

    def _deadlock(self, main: Token) -> Deadlock:
        """The error if all agents wait: the waiting operations on channels and memory, and the herds around them."""
        stuck = [a for a in self.parked if a.step is not None and a.waits]
        roots = [a for a in stuck if not isinstance(a.waits, Token | Future)] or stuck
        by_op: dict[Any, list[tuple[str, str]]] = {}
        for agent in roots:
            assert agent.waits is not None
            by_op.setdefault(agent.step, []).append((agent.who, agent.waits.describe()))
        rest = [(step.op, _several(waits)) for step, waits in list(by_op.items())[:_LISTED]]
        first = rest[0][0] if rest else main.step.op
        if len(by_op) > _LISTED:
            rest.append((first, f"... and {counted(len(by_op) - _LISTED, 'other operation')} wait"))
        herds = dict.fromkeys(a.waits.step for a in stuck if isinstance(a.waits, Token) and a.waits.step is not None)
        rest += [(h.op, f"{_named(h.op)}has not ended") for h in herds if h.name == "air.herd"]
        return Deadlock(
            first, f"deadlock: {counted(len(stuck), 'agent')} wait{'s' * (len(stuck) == 1)}, and none can go on", *rest
        )


def _named(op: AnyOp) -> str:
    return f"'@{op.attributes['sym_name'].value}' " if "sym_name" in op.attributes else ""


def _several(waits: list[tuple[str, str]]) -> str:
    """The waits of the agents at one operation: the first ones, and the number of the others."""
    texts = list(dict.fromkeys(f"{who + ': ' if who else ''}waits for {what}" for who, what in waits))
    more = f"; {len(texts) - 2} others wait here" if len(texts) > 3 else ""
    return "; ".join(texts[: 2 if more else 3]) + more
