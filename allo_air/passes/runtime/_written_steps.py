"""The steps of a runtime sequence that keeps the order of its control program, block by block, and what moves in it.

A block is cut where the host waits for all of a launch, and where it loads a configuration. In each part what the cores are
passed goes first; where there are several parts, the host's outputs start before its inputs. Marks on transfers say what else
is asked for: `Task`.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from allo_air.arch.limits import QUEUE_DEPTH
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import warn_at
from allo_air.device import SHIM_TILE
from allo_air.passes.runtime._barriers import APPENDS, AWAITS, HOISTED, MARKS, PACED
from allo_air.passes.runtime._schedule import S2MM
from allo_air.passes.runtime._written_walks import Written

if TYPE_CHECKING:
    from allo_air.mlir import ir

COALESCED = "air.coalesced_shim_feed"
"""On a feed that several paced ones became."""
_AHEAD = 2
"""Tasks of a paced feed that are queued at a time."""
Channel = tuple[Any, int, int]
"""Tile, direction and number."""


@dataclass(eq=False)
class Task:
    """A descriptor on the channel of an allocation.

    Outputs issue a token, and are waited for. A paced feed has two tasks in its queue; one that awaits appends starts when the
    outputs before it that are marked have arrived; a hoisted one goes first. A coalesced feed is waited for once.
    """

    op: Any
    allocation: str
    channel: Channel
    buffer: Any
    written: Written
    token: bool = field(default=False)
    marks: frozenset[str] = field(default=frozenset())

    def __post_init__(self) -> None:
        self.marks = frozenset(m for m in (*MARKS, COALESCED) if m in self.op.attributes)
        self.token = self.is_output or self.is_paced or COALESCED in self.marks

    @property
    def is_output(self) -> bool:
        return self.channel[1] == S2MM

    @property
    def is_paced(self) -> bool:
        return not self.is_output and PACED in self.marks and COALESCED not in self.marks


@dataclass(frozen=True, eq=False)
class Configure:
    task: Task


@dataclass(frozen=True, eq=False)
class Start:
    task: Task


@dataclass(frozen=True, eq=False)
class Await:
    task: Task


@dataclass(frozen=True, eq=False)
class Free:
    task: Task


@dataclass(frozen=True, eq=False)
class Wait:
    """The program waits here for `tasks`; with `final` for all of a launch."""

    tasks: tuple[Task, ...]
    final: bool = False


@dataclass(frozen=True, eq=False)
class Load:
    """Loads the configuration of a device by its name."""

    device: str


@dataclass(frozen=True, eq=False)
class Pass:
    """Writes value `index` of a core's parameters."""

    op: Any
    buffer: str
    index: int
    value: Any


@dataclass(frozen=True, eq=False)
class LetGo:
    """Sets the lock that a core waits for, for so many rounds."""

    op: Any
    lock: Any
    rounds: int = 1


@dataclass(frozen=True, eq=False)
class Nested:
    """A loop or branch, with the steps of each of its blocks."""

    op: Any
    blocks: tuple[Any, ...]


Step = Configure | Start | Await | Free | Wait | Load | Pass | LetGo | Nested


def arranged(steps: Sequence[Step], *, drains: bool, reload: Sequence[str] = ()) -> list[Step]:
    """The steps of a block in the order in which the host takes them, waits as awaits and frees.

    With `drains`, what nobody waits for is waited for at the end. Between parts the devices called `reload` are loaded.
    """
    parts = _parts(steps)
    several = sum(any(isinstance(s, Configure) for s in part) for part in parts) > 1
    ordered: list[Step] = []
    for n, part in enumerate(parts):
        if n and reload and any(isinstance(s, Configure) for s in part):
            ordered += [Load(name) for name in reload]
        is_last = n + 1 == len(parts)
        ordered += _waited(_first_things_first(part, several=several), drains=drains or not is_last, ends=drains and is_last)
    return _bounded(ordered)


def _parts(steps: Sequence[Step]) -> list[list[Step]]:
    """The parts of a block: up to loads, ends of launches, and the wait before cores are passed something else."""
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
                    f"passes something else to @{step.buffer} than before, and was not waited for: cores may see the last one;"
                    " wait in between, or use several launches",
                )
        if isinstance(step, Pass):
            passed[step.buffer, step.index] = step.value
        parts[-1].append(step)
        if isinstance(step, Wait) and step.final:
            parts.append([])
            passed.clear()
    return [part for part in parts if part]


def _differs(before: ir.Value | None, value: ir.Value) -> bool:
    """Whether what a core was passed, if anything, may be another number than `value`."""
    if before is None or before == value:
        return False
    numbers = constant_of(before), constant_of(value)
    return None in numbers or numbers[0] != numbers[1]


def _first_things_first(part: Sequence[Step], *, several: bool) -> list[Step]:
    """The parameters of cores; and then, between waits and loops, hoisted inputs and, with `several` parts, outputs."""
    loads = [s for s in part if isinstance(s, Load)]
    passed: list[Step] = []
    values: dict[tuple[str, int], Any] = {}
    for step in part:
        if isinstance(step, Pass) and (
            values.get((step.buffer, step.index)) is None or _differs(values[step.buffer, step.index], step.value)
        ):
            passed.append(step)
            values[step.buffer, step.index] = step.value
    locks = [s for s in part if isinstance(s, LetGo)]
    rounds = {id(s.lock): sum(o.rounds for o in locks if o.lock == s.lock) for s in locks}
    once = {s.lock: replace(s, rounds=rounds[id(s.lock)]) for s in locks}
    steps: list[Step] = [*loads, *passed, *once.values()]
    rest = [s for s in part if not isinstance(s, Load | Pass | LetGo)]
    for moves, stretch in groupby(rest, key=lambda s: isinstance(s, Configure | Start)):
        group = list(stretch)
        early = several or (moves and _outputs_go_first(group))
        steps += sorted(group, key=lambda s: _rank(s, several=early)) if moves else group
    return steps


def _outputs_go_first(stretch: Sequence[Step]) -> bool:
    """Whether inputs will wait for earlier ones, and outputs, which these may need, can all be in their queues before."""
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


def _waited(steps: Sequence[Step], *, drains: bool, ends: bool) -> list[Step]:
    """The steps with awaits of outputs and paced feeds, and frees of other inputs, in the place of waits.

    Inputs that a wait names without any output are waited for, unless nothing comes after: nothing else tells of their end.
    """
    last = max((n for n, s in enumerate(steps) if isinstance(s, Configure | Nested)), default=-1)
    results: list[Step] = []
    running: dict[Task, None] = {}  # in the order of their start
    paced: dict[Channel, deque[Task]] = {}

    def end(tasks: Sequence[Task], *, alone: bool = False) -> None:
        for task in tasks:
            if task not in running:
                continue
            task.token |= alone
            before = [t for t in running if t.channel == task.channel and t.token] if task.token else []
            for each in [*before[: before.index(task)], task] if before else [task]:  # tokens come in the order of tasks
                del running[each]
                results.append(Await(each) if each.token else Free(each))

    def end_all(tasks: Sequence[Task], *, more: bool) -> None:
        end(tasks, alone=more and not any(t.is_output for t in tasks))

    for n, step in enumerate(steps):
        match step:
            case Wait():
                named = _fifo(step.tasks, running)
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
                elif task.is_output:  # a queue drops what it has no room for
                    end([t for t in running if t.channel == task.channel][: 1 - QUEUE_DEPTH])
                results.append(step)
                running[task] = None
            case _:
                results.append(step)
    if drains:
        end_all(sorted(running, key=lambda t: not t.is_output), more=not ends)
    else:
        end([t for t in running if t.token])  # no wait behind the block can name them
    return results


def _fifo(tasks: Sequence[Task], running: dict[Task, None]) -> list[Task]:
    """`tasks`, those of one channel in the order of their start."""
    there = [t for t in dict.fromkeys(tasks) if t in running]
    order = {task: n for n, task in enumerate(running)}
    queues: dict[Channel, deque[Task]] = {}
    for task in sorted(there, key=order.__getitem__):
        queues.setdefault(task.channel, deque()).append(task)
    return [queues[task.channel].popleft() for task in there]


def _bounded(steps: Sequence[Step]) -> list[Step]:
    """The steps with at most four inputs on a channel that are not known to have ended: later ones wait for the oldest.

    In a run of inputs that has more, channels take turns; elsewhere the steps keep their order.
    """
    queues = _Queues()
    for feeds, stretch in groupby(steps, key=_feeds):
        group = list(stretch)
        tasks: dict[Channel, list[Task]] = {}
        for step in group if feeds else ():
            if isinstance(step, Configure):
                tasks.setdefault(step.task.channel, []).append(step.task)
        longest = max(map(len, tasks.values()), default=0)
        if longest > QUEUE_DEPTH:
            tasks_in_order = [own[n] for n in range(longest) for own in tasks.values() if n < len(own)]
            group = [step for task in tasks_in_order for step in (Configure(task), Start(task))]
        for step in group:
            queues.take(step)
    for task in queues.known:
        task.token = True
    return queues.steps


class _Queues:
    """Takes steps in their order, and waits for the oldest where a channel's queue, or a tile, would hold one too many."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.running: list[Task] = []
        self.known = set[Task]()  # waited for before their wait in the text

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
            case Await() | Free():
                if step.task in self.known:
                    return
                self._end(step)
        self.steps.append(step)

    def _wait(self, task: Task) -> None:
        self.known.add(task)
        self.running.remove(task)
        self.steps.append(Await(task))

    def _end(self, step: Await | Free) -> None:
        """A task has ended, and with one that is waited for those before it on its channel, which came first."""
        if step.task in self.running:
            before = self.running[: self.running.index(step.task)] if isinstance(step, Await) else []
            ended = {step.task, *(t for t in before if t.channel == step.task.channel)}
            self.running = [t for t in self.running if t not in ended]


def _feeds(step: Step) -> bool:
    """Whether a step belongs to a run of inputs."""
    return isinstance(step, Configure | Start) and not step.task.is_output and not step.task.marks
