"""Orders the steps of a runtime sequence that keeps the order of its control program, block by block.

A block is cut into parts: where the host waits for all of a launch, where it loads a configuration, and before cores get other
parameters. In each part, parameters of cores come first. If there are several parts, outputs start before inputs. Marks on
transfers ask for exceptions (`Task`).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from allo_air.arch.limits import QUEUE_DEPTH
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import warn_at
from allo_air.device import SHIM_TILE
from allo_air.passes.runtime._barriers import APPENDS, AWAITS, HOISTED
from allo_air.passes.runtime._sequence_steps import (
    Await,
    Channel,
    Configure,
    FreeTask,
    Load,
    Nested,
    Pass,
    ReleaseHerdLock,
    Start,
    Step,
    Task,
    Wait,
)

if TYPE_CHECKING:
    from allo_air.mlir import ir

_AHEAD = 2
"""Tasks of a paced input that are queued at a time."""


def arranged(steps: Sequence[Step], *, drains: bool, reload: Sequence[str] = ()) -> list[Step]:
    """The steps of a block in the order of the runtime sequence, with awaits and frees instead of waits.

    With `drains`, the block ends with awaits of all remaining tasks. The devices named `reload` are loaded between parts.
    """
    parts = _parts(steps)
    several = sum(any(isinstance(s, Configure) for s in part) for part in parts) > 1
    ordered: list[Step] = []
    for n, part in enumerate(parts):
        if n and reload and any(isinstance(s, Configure) for s in part):
            ordered += [Load(name) for name in reload]
        is_last = n + 1 == len(parts)
        ordered += _with_awaits(_hoisted(part, several=several), drains=drains or not is_last, ends=drains and is_last)
    return _bounded(ordered)


def _parts(steps: Sequence[Step]) -> list[list[Step]]:
    """The parts of a block: it is cut at loads, at ends of launches, and at the wait before cores get other parameters."""
    parts: list[list[Step]] = [[]]
    passed: dict[tuple[str, int], Any] = {}
    for step in steps:
        if isinstance(step, Load) and parts[-1]:
            parts.append([])
            passed.clear()
        if isinstance(step, Pass) and _differs(passed.get((step.buffer, step.index)), step.value):
            waits = [n for n, s in enumerate(parts[-1]) if isinstance(s, Wait)]
            if waits:
                parts[-1:] = [parts[-1][: waits[-1] + 1], parts[-1][waits[-1] + 1 :]]
                passed = {(s.buffer, s.index): s.value for s in parts[-1] if isinstance(s, Pass)}
            else:
                warn_at(
                    step.op,
                    f"passes another value to @{step.buffer} without a wait after the previous one: cores may see the last"
                    " value; wait in between, or use several launches",
                )
        if isinstance(step, Pass):
            passed[step.buffer, step.index] = step.value
        parts[-1].append(step)
        if isinstance(step, Wait) and step.final:
            parts.append([])
            passed.clear()
    return [part for part in parts if part]


def _differs(before: ir.Value | None, value: ir.Value) -> bool:
    """Whether the parameter `before`, if any, may be another number than `value`."""
    if before is None or before == value:
        return False
    numbers = constant_of(before), constant_of(value)
    return None in numbers or numbers[0] != numbers[1]


def _hoisted(part: Sequence[Step], *, several: bool) -> list[Step]:
    """The steps of a part: first loads and the parameters of cores, then the transfers. Between two waits or loops, hoisted
    inputs come first, and with `several` parts, outputs come before other inputs.
    """
    loads = [s for s in part if isinstance(s, Load)]
    passed: list[Step] = []
    values: dict[tuple[str, int], Any] = {}
    for step in part:
        if isinstance(step, Pass) and (
            values.get((step.buffer, step.index)) is None or _differs(values[step.buffer, step.index], step.value)
        ):
            passed.append(step)
            values[step.buffer, step.index] = step.value
    locks = [s for s in part if isinstance(s, ReleaseHerdLock)]
    rounds = {id(s.lock): sum(o.rounds for o in locks if o.lock == s.lock) for s in locks}
    once = {s.lock: replace(s, rounds=rounds[id(s.lock)]) for s in locks}
    steps: list[Step] = [*loads, *passed, *once.values()]
    rest = [s for s in part if not isinstance(s, Load | Pass | ReleaseHerdLock)]
    for moves, stretch in groupby(rest, key=lambda s: isinstance(s, Configure | Start)):
        group = list(stretch)
        is_several = several or (moves and _can_start_outputs_first(group))
        steps += sorted(group, key=lambda s: _rank(s, several=is_several)) if moves else group
    return steps


def _can_start_outputs_first(stretch: Sequence[Step]) -> bool:
    """Whether inputs will wait for earlier inputs, which may need outputs, and the queues have room for all outputs first."""
    tasks = [s.task for s in stretch if isinstance(s, Start)]
    counts = Counter(t.channel for t in tasks)
    inputs = [t for t in tasks if not t.is_output]
    outputs = [t for t in tasks if t.is_output]
    if not any(counts[t.channel] > QUEUE_DEPTH for t in inputs) or any(counts[t.channel] > QUEUE_DEPTH for t in outputs):
        return False
    return not {t.buffer for t in inputs} & {t.buffer for t in outputs}


def _rank(step: Any, *, several: bool) -> int:
    if HOISTED in step.task.marks and not step.task.is_output:
        return 0
    return 1 if several and step.task.is_output else 2


def _with_awaits(steps: Sequence[Step], *, drains: bool, ends: bool) -> list[Step]:
    """The steps with waits replaced by awaits of outputs and paced inputs, and by frees of other inputs.

    A wait for inputs alone becomes awaits of them if other steps follow, since no output shows that they have ended.
    """
    last = max((n for n, s in enumerate(steps) if isinstance(s, Configure | Nested)), default=-1)
    results: list[Step] = []
    running: dict[Task, None] = {}  # in start order
    paced: dict[Channel, deque[Task]] = {}

    def end(tasks: Sequence[Task], *, alone: bool = False) -> None:
        for task in tasks:
            if task not in running:
                continue
            task.token |= alone
            before = [t for t in running if t.channel == task.channel and t.token] if task.token else []
            for earlier in [*before[: before.index(task)], task] if before else [task]:  # tokens come in the order of tasks
                del running[earlier]
                results.append(Await(earlier) if earlier.token else FreeTask(earlier))

    def end_all(tasks: Sequence[Task], *, more: bool) -> None:
        end(tasks, alone=more and not any(t.is_output for t in tasks))

    for n, step in enumerate(steps):
        match step:
            case Wait():
                named = _in_start_order(step.tasks, running)
                rest = sorted((t for t in running if t not in named), key=lambda t: not t.is_output) if step.final else []
                end_all([*named, *rest], more=n < last or (step.final and not ends))
            case Configure() if AWAITS in step.task.marks:
                end([t for t in running if t.is_output and APPENDS in t.marks])
                results.append(step)
            case Start():
                task = step.task
                if task.is_paced:
                    queue = paced.setdefault(task.channel, deque())
                    queue.append(task)
                    if len(queue) > _AHEAD:
                        end([queue.popleft()])
                elif task.is_output:  # a full queue drops tasks
                    end([t for t in running if t.channel == task.channel][: 1 - QUEUE_DEPTH])
                results.append(step)
                running[task] = None
            case _:
                results.append(step)
    if drains:
        end_all(sorted(running, key=lambda t: not t.is_output), more=not ends)
    else:
        end([t for t in running if t.token])  # waits after the block cannot name them
    return results


def _in_start_order(tasks: Sequence[Task], running: dict[Task, None]) -> list[Task]:
    """The running tasks among `tasks`; those of one channel are in the order of their start."""
    started = [t for t in dict.fromkeys(tasks) if t in running]
    order = {task: n for n, task in enumerate(running)}
    queues: dict[Channel, deque[Task]] = {}
    for task in sorted(started, key=order.__getitem__):
        queues.setdefault(task.channel, deque()).append(task)
    return [queues[task.channel].popleft() for task in started]


def _bounded(steps: Sequence[Step]) -> list[Step]:
    """The steps with awaits, so that each channel has at most four inputs that may be running: a fifth waits for the oldest.

    If a sequence of inputs has more than four on a channel, the inputs of all channels alternate. Other steps keep their order.
    """
    queues = _Queues()
    for are_inputs, stretch in groupby(steps, key=_is_input):
        group = list(stretch)
        tasks: dict[Channel, list[Task]] = {}
        for step in group if are_inputs else ():
            if isinstance(step, Configure):
                tasks.setdefault(step.task.channel, []).append(step.task)
        longest = max(map(len, tasks.values()), default=0)
        if longest > QUEUE_DEPTH:
            tasks_in_order = [own[n] for n in range(longest) for own in tasks.values() if n < len(own)]
            group = [step for task in tasks_in_order for step in (Configure(task), Start(task))]
        for step in group:
            queues.take(step)
    for task in queues.awaited:
        task.token = True
    return queues.steps


class _Queues:
    """Takes steps in order, and awaits the oldest task if the queue of a channel, or the descriptors of a tile, are full."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.running: list[Task] = []
        self.awaited = set[Task]()
        """Tasks that were awaited before their await in the block."""

    def take(self, step: Step) -> None:
        match step:
            case Configure():
                while len(of_tile := [t for t in self.running if t.channel[0] == step.task.channel[0]]) >= SHIM_TILE.bds:
                    same = [t for t in of_tile if t.channel == step.task.channel]
                    self._wait(same[0] if len(same) >= QUEUE_DEPTH else of_tile[0])
            case Start():
                if not step.task.is_output:
                    while len(queue := [t for t in self.running if t.channel == step.task.channel]) >= QUEUE_DEPTH:
                        self._wait(queue[0])
                self.running.append(step.task)
            case Await() | FreeTask():
                if step.task in self.awaited:
                    return
                self._end(step)
        self.steps.append(step)

    def _wait(self, task: Task) -> None:
        self.awaited.add(task)
        self.running.remove(task)
        self.steps.append(Await(task))

    def _end(self, step: Await | FreeTask) -> None:
        """Removes a task from the running ones; an await also ends the earlier tasks of its channel."""
        if step.task in self.running:
            before = self.running[: self.running.index(step.task)] if isinstance(step, Await) else []
            ended = {step.task, *(t for t in before if t.channel == step.task.channel)}
            self.running = [t for t in self.running if t not in ended]


def _is_input(step: Step) -> bool:
    """Whether a step configures or starts an unmarked input."""
    return isinstance(step, Configure | Start) and not step.task.is_output and not step.task.marks
