"""The tasks of asynchronous IR, their dependences, and the scopes that contain them.

Tasks are numbered in program order within a function or hierarchy body, the region that tokens cannot leave. `after` is the set
of tasks, as bits, that have certainly ended once a task has; dependences that it implies are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal

from allo_air.access.footprint import Footprint
from allo_air.mlir import ir
from allo_air.passes._analysis.dependence import Dependence, Effect, End, Summary

Kind = Literal["execute", "async", "for", "parallel", "branch", "fence", "carried"]


@dataclass(eq=False)
class Task:
    """An operation that has a token, or will get one. `carried` represents the token with which an iteration of a loop
    starts.
    """

    kind: Kind
    op: Any
    summary: Summary
    number: int
    deps: list[Task] = field(default_factory=list)
    after: int = 0
    blocking: list[Task] = field(default_factory=list)  # values that `op` needs when it is issued, not when it runs
    scopes: list[Scope] = field(default_factory=list)
    was_async: bool = False
    has_token: bool = True
    token: Any = None  # set when tokens are written

    @property
    def done(self) -> int:
        return self.after | 1 << self.number


@dataclass(frozen=True)
class AccessHistory:
    """The accesses to one root so far: (SSA values of the address, lowest and highest constant part of it, effect, task)."""

    reads: list[tuple[Any, int, int, Effect, Task]] = field(default_factory=list)
    writes: list[tuple[Any, int, int, Effect, Task]] = field(default_factory=list)


@dataclass(eq=False)
class Scope:
    """The tasks of one block. `joined` are those that the block's own token waits for."""

    block: Any
    outer: Scope | None
    region: Region
    local: set[ir.Value]
    carried: Task | None = None
    tasks: list[Task] = field(default_factory=list)
    joined: list[Task] = field(default_factory=list)
    blocking: list[Task] = field(default_factory=list)  # values that the terminator needs
    waits: bool = False  # waits for `joined` instead of yielding a token
    history: dict[Any, AccessHistory] = field(default_factory=dict)
    values: dict[Any, list[Task]] = field(default_factory=dict)

    unknown: list[Any] = field(default_factory=list)  # roots in the history that may alias other roots

    def remember(self, task: Task, dependence: Dependence) -> None:
        """Records `task`, so that later tasks find its effects."""
        self.tasks.append(task)
        for effect in task.summary.effects:
            if effect.root not in self.history:
                self.history[effect.root] = AccessHistory()
                if not dependence.is_unique(effect.root):
                    self.unknown.append(effect.root)
            trail = self.history[effect.root]
            (trail.writes if effect.writes else trail.reads).append((*span(effect), effect, task))


class Region:
    """A function or hierarchy body, which tokens cannot leave; `written` are the roots written anywhere in it."""

    def __init__(self, written: set[ir.Value | End]) -> None:
        self.numbers = count()
        self.written = written


def span(effect: Effect) -> tuple[Any, int, int]:
    """The SSA values that the addresses of an effect depend on, with the lowest and highest constant part; None if they are
    unknown."""
    footprint = effect.elements
    return (footprint.first.terms, *footprint.span) if isinstance(footprint, Footprint) else (None, 0, 0)


def add_dep(task: Task, dep: Task) -> None:
    task.deps.append(dep)
    task.after |= dep.done


def drop_implied_deps(task: Task) -> None:
    """Removes dependences that others imply. As in mlir-air, loop-carried tokens stay, except on transfers of channels."""
    channel = task.summary.name.startswith("air.channel.")
    carried = [dep for dep in dict.fromkeys(task.deps) if dep.kind == "carried" and not channel]
    latest_deps = latest(task.deps)
    task.deps = [*(dep for dep in carried if dep not in latest_deps), *latest_deps]
    task.after = 0
    for dep in task.deps:
        task.after |= dep.done


def latest(tasks: Iterable[Task]) -> list[Task]:
    """`tasks` in program order, without those that others of them imply."""
    latest_tasks: list[Task] = []
    done = 0
    for task in sorted(set(tasks), key=lambda t: t.number, reverse=True):
        if not done >> task.number & 1:
            latest_tasks.append(task)
            done |= task.done
    return latest_tasks[::-1]


def implied(task: Task, by: Iterable[Task]) -> bool:
    return any(t.done >> task.number & 1 for t in by)
