"""Plans which operations become asynchronous tasks, and the dependences of each task. Does not change the IR."""

from __future__ import annotations

from collections.abc import Iterable

from allo_air.core.walking import walk_post_order
from allo_air.dialects.air_values import HIERARCHIES
from allo_air.mlir import ir
from allo_air.passes._analysis.dependence import STREAMED, Dependence, Effect, Summary
from allo_air.passes.schedule._tasks import (
    AccessHistory,
    Kind,
    Region,
    Scope,
    Task,
    add_dep,
    drop_implied_deps,
    implied,
    latest,
    span,
)

LOOPS = ("scf.for", "affine.for")
BRANCHES = ("scf.if", "scf.index_switch", "affine.if", "air.affine_if")
_BODIES: dict[str, Kind] = {
    **dict.fromkeys(LOOPS, "for"),
    "scf.parallel": "parallel",
    **dict.fromkeys(BRANCHES, "branch"),
}


class Planner:
    """Plans the tasks of one function.

    Operations that are already asynchronous keep their order, except with `orders_all`. With `whole_loops`, loops and branches
    that only access elements become one task each.
    """

    def __init__(self, dependence: Dependence, *, orders_all: bool = False, whole_loops: bool = True) -> None:
        self._dependence, self._orders_all, self._whole = dependence, orders_all, whole_loops
        self._token = ir.Type.parse("!air.async.token")

    def plan(self, summary: Summary, *, waits: bool = False) -> list[Scope]:
        """The scopes of the blocks of `summary`, a function or a hierarchy. With `waits`, the end of the function waits for all
        its operations.
        """
        region = Region({e.root for s in _nested(summary) for e in s.effects if e.writes})
        is_single = len(summary.blocks) == 1
        return [
            self._isolated(block, inside, summary, region, waits=waits or not is_single) for block, inside in summary.blocks
        ]

    def _isolated(self, block: ir.Block, inside: list[Summary], holder: Summary, region: Region, waits: bool) -> Scope:
        scope = Scope(block, None, region, holder.local, waits=waits)
        self._fill(scope, inside)
        if not waits:
            scope.joined = []
        return scope

    def _fill(self, scope: Scope, inside: list[Summary]) -> None:
        for summary in inside[:-1]:
            self._visit(scope, summary)
        yielded = self._producers(scope, inside[-1].op.operands) if inside else []
        relevant = [t for t in scope.tasks if _matters_outside(t, scope.local)]
        scope.joined = latest([*relevant, *yielded])
        if scope.carried and scope.carried not in scope.joined and not implied(scope.carried, scope.joined):
            scope.joined.append(scope.carried)
        scope.blocking = yielded if scope.outer is None else []

    def _visit(self, scope: Scope, summary: Summary) -> None:
        name, op = summary.name, summary.op
        if name in STREAMED or name == "air.execute":
            task = self._task(scope, "async", summary, op.operands)
            task.was_async = bool(len(op.results)) and op.results[0].type == self._token
            self._resolve(scope, task)
            if name in HIERARCHIES and (self._orders_all or not is_asynchronous(summary)):
                task.scopes = self.plan(summary)
        elif name == "air.wait_all":
            self._visit_join(scope, summary)
        elif summary.blocks and self._is_opened(summary):
            self._visit_region(scope, summary)
        elif summary.effects:
            used = _used_values(op) if summary.blocks or name.startswith("linalg.") else op.operands
            self._resolve(scope, self._task(scope, "execute", summary, used))
        else:
            result = self._producers(scope, op.operands)
            for value in op.results if result else ():
                scope.values[value] = result

    def _is_opened(self, summary: Summary) -> bool:
        """Whether the operations in `summary` become tasks of their own."""
        if summary.name.startswith("linalg."):
            return False
        return summary.is_coarse or (not self._whole and summary.name in _BODIES and bool(summary.effects))

    def _visit_join(self, scope: Scope, summary: Summary) -> None:
        """Plans an `air.wait_all`. It keeps its dependences. A blocking one needs no task, since all later operations are
        issued after it.
        """
        if len(summary.op.results):
            task = self._task(scope, "async", summary, summary.op.operands)
            task.was_async = True
            self._resolve(scope, task)

    def _visit_region(self, scope: Scope, summary: Summary) -> None:
        op, kind = summary.op, _BODIES.get(summary.name, "fence")
        inits = _inits(op, kind)
        task = self._task(scope, kind, summary, _used_values(op) if kind == "fence" else inits)
        task.blocking = self._producers(scope, list(op.operands)[: len(op.operands) - len(inits)])
        self._find(scope, task)
        drop_implied_deps(task)
        for block, inside in summary.blocks:
            inner = Scope(block, None if kind == "fence" else scope, scope.region, summary.local, waits=kind == "fence")
            if kind != "fence":
                inner.carried = Task("carried", op, Summary(op, ""), next(scope.region.numbers), after=task.after)
            if kind == "for":
                self._mark_carried(scope, inner, summary, inits)
            self._fill(inner, inside)
            task.deps += inner.carried.deps if inner.carried else []
            task.scopes.append(inner)
        drop_implied_deps(task)
        task.was_async = all(t.was_async for s in task.scopes for t in s.tasks)
        task.has_token = kind != "fence" and bool(_carries(task) or len(op.results))
        if kind == "fence":
            scope.tasks.append(task)
            return
        if not task.has_token:
            task.summary = Summary(op, summary.name)
        scope.remember(task, self._dependence)
        for value in op.results if task.has_token else ():
            scope.values[value] = [task]

    def _mark_carried(self, scope: Scope, inner: Scope, summary: Summary, inits: list[ir.Value]) -> None:
        """Marks values that a loop carries as available with the iteration's token, if an operation computes them
        asynchronously.
        """
        assert inner.carried is not None
        for init, argument in zip(inits, list(inner.block.arguments)[1:], strict=True):
            if init.type != self._token and (summary.makes_values or self._producers(scope, [init])):
                inner.values[argument] = [inner.carried]

    def _task(self, scope: Scope, kind: Kind, summary: Summary, used: Iterable[ir.Value]) -> Task:
        task = Task(kind, summary.op, summary, next(scope.region.numbers))
        task.deps = self._producers(scope, used)
        return task

    def _resolve(self, scope: Scope, task: Task) -> None:
        """Finds everything that `task` waits for, and records the task and its results for later tasks."""
        self._find(scope, task)
        drop_implied_deps(task)
        if not self._whole:
            task.deps = _in_order_of_mlir_air(scope, task)
        scope.remember(task, self._dependence)
        for value in task.op.results:
            scope.values[value] = [task]

    def _producers(self, scope: Scope, used: Iterable[ir.Value]) -> list[Task]:
        """The tasks that produce the values `used`. Inside a loop, the carried token represents tasks outside."""
        tasks: dict[Task, None] = {}
        for value in used:
            owner: Scope | None = scope
            carried: Task | None = None
            while owner is not None and value not in owner.values:
                if owner.carried is not None and carried is None:
                    carried = owner.carried
                owner = owner.outer
            if owner is None:
                continue
            if carried is None or value.type == self._token:
                tasks.update(dict.fromkeys(owner.values[value]))
            else:
                self._start_loops_after(scope, owner, owner.values[value])
                tasks[carried] = None
        return list(tasks)

    def _start_loops_after(self, scope: Scope, owner: Scope, tasks: list[Task]) -> None:
        """Makes each loop between `scope` and `owner` start after `tasks`."""
        inner: Scope | None = scope
        while inner is not None and inner is not owner:
            if inner.carried is not None:
                outside = inner.outer
                above = _carried_between(outside, owner)
                inner.carried.deps += [above] if above else tasks
            inner = inner.outer

    def _find(self, scope: Scope, task: Task) -> None:
        """Adds the earlier tasks that conflict with `task` as dependences."""
        drop_implied_deps(task)
        owner: Scope | None = scope
        while owner is not None:
            for effect in task.summary.effects:
                self._find_effect(owner, task, effect)
            if owner.carried is not None:
                if self._needs_iteration(task, owner):
                    add_dep(task, owner.carried)
                return
            owner = owner.outer

    def _find_effect(self, owner: Scope, task: Task, effect: Effect) -> None:
        candidates = [effect.root, *owner.unknown] if self._dependence.is_unique(effect.root) else list(owner.history)
        for root in dict.fromkeys(candidates):
            if root in owner.history:
                self._follow(owner.history[root], task, effect)

    def _follow(self, history: AccessHistory, task: Task, effect: Effect) -> None:
        """Adds the tasks in `history` that conflict with `effect`, the latest first. The search ends at a write of unknown
        elements, which waits for all earlier accesses itself.
        """
        terms, low, high = span(effect)
        oldest = -1
        for entries in (history.writes, history.reads) if effect.writes else (history.writes,):
            for rest, lowest, highest, done, last in reversed(entries):
                if last.number < oldest:
                    break
                if terms is not None and (lowest > high or highest < low) and rest == terms:
                    continue
                if not task.after >> last.number & 1:
                    if (not self._orders_all and task.was_async and last.was_async) or not self._dependence.meet(done, effect):
                        continue
                    add_dep(task, last)
                if done.writes and done.elements is None and not last.was_async:
                    oldest = last.number
                    break

    def _needs_iteration(self, task: Task, owner: Scope) -> bool:
        """Whether `task`, in the loop body `owner`, may conflict with tasks outside of the loop or in another iteration."""
        if task.summary.is_streamed:
            return True
        return any(
            effect.root not in owner.local
            and (effect.writes or any(self._dependence.may_alias(effect.root, w) for w in owner.region.written))
            for effect in task.summary.effects
        )


def _in_order_of_mlir_air(scope: Scope, task: Task) -> list[Task]:
    """The dependences of `task`, the last first; the token with which an iteration starts is last if it represents one of them,
    else first.

    For transfers and hierarchies whose dependences are all in one block, the order is program order.
    """
    carried = [d for d in task.deps if d.kind == "carried"]
    deps = sorted((d for d in task.deps if d.kind != "carried"), key=lambda d: d.number, reverse=True)
    if not carried:
        return deps if task.kind == "execute" else deps[::-1]
    outer, roots = scope.outer, {e.root for e in task.summary.effects}
    roots -= {e.root for d in deps for e in d.summary.effects}  # the other dependences imply it
    stands = False
    while outer is not None and not stands:
        stands = any(root in outer.history for root in roots)
        outer = outer.outer
    return [*deps, *carried] if stands else [*carried, *deps]


def _matters_outside(task: Task, local: set[ir.Value]) -> bool:
    """Whether the effects of `task` are visible outside of the block, whose own buffers are `local`."""
    if not task.has_token:
        return False
    return task.summary.is_streamed or any(e.root not in local for e in task.summary.effects)


def _carries(task: Task) -> bool:
    """Whether an operation in `task` waits for an operation outside, or has effects that are visible outside."""
    scopes = task.scopes
    return (
        bool(task.deps)
        or any(s.joined != ([s.carried] if s.carried else []) for s in scopes)
        or any(s.carried in t.deps for s in scopes for t in _all_tasks(s))
    )


def _all_tasks(scope: Scope) -> Iterable[Task]:
    for task in scope.tasks:
        yield task
        if task.kind in ("for", "parallel", "branch", "fence"):
            for inner in task.scopes:
                yield from _all_tasks(inner)


def _carried_between(scope: Scope | None, owner: Scope) -> Task | None:
    while scope is not None and scope is not owner:
        if scope.carried is not None:
            return scope.carried
        scope = scope.outer
    return None


def _inits(op: ir.Operation, kind: Kind) -> list[ir.Value]:
    """The operands with which a loop initializes its results."""
    return list(op.operands)[len(op.operands) - len(op.results) :] if kind in ("for", "parallel") else []


def _used_values(op: ir.Operation) -> list[ir.Value]:
    return [v for inner in walk_post_order(op) for v in inner.operands]


def _nested(summary: Summary) -> Iterable[Summary]:
    for _, inside in summary.blocks:
        for inner in inside:
            yield inner
            yield from _nested(inner)


def is_asynchronous(summary: Summary) -> bool:
    """Whether all operations in `summary` that can be tasks are already asynchronous."""
    for _, inside in summary.blocks:
        for inner in inside:
            if inner.name in STREAMED and not len(inner.op.results):
                return False
            if inner.name == "air.execute":
                continue
            if inner.blocks and inner.is_coarse:
                if not is_asynchronous(inner):
                    return False
            elif inner.effects and inner.name not in STREAMED:
                return False
    return True
