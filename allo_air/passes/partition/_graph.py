"""The graph of a function's operations: their dependences, also through views, and the groups of operations that become
kernels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.mlir import ir
from allo_air.passes.partition._access import Access, access
from allo_air.passes.partition._roles import Role, base, inputs, role


@dataclass(eq=False)
class Group:
    """Operations, in program order, that become one kernel of kind `shape`; `note` gives the reason."""

    ops: list[Any]
    shape: str
    note: str = ""


@dataclass(frozen=True)
class Edge:
    """A tensor that `maker` computes and another operation reads, possibly through views."""

    maker: Any
    value: Any
    viewed: bool


class Graph:
    """The computing operations of one block, their operands, and their groups."""

    def __init__(self, block: ir.Block) -> None:
        self.ops = [o.operation for o in block.operations]
        self.end = self.ops.pop()
        self.work = [o for o in self.ops if role(o) is Role.WORK]
        self.order = {o: n for n, o in enumerate(self.work)}
        self.edges = {o: list(self._edges(o)) for o in self.work}
        self.returned = {e.value for v in self.end.operands if (e := self._edge(v))}
        self.readers: dict[Any, list[Any]] = {}
        for op, edges in self.edges.items():
            for edge in edges:
                self.readers.setdefault(edge.value, []).append(op)
        self.group_of: dict[Any, Group] = {}
        self._access: dict[Any, Access] = {}

    def access(self, op: ir.Operation) -> Access:
        if op not in self._access:
            self._access[op] = access(op)
        return self._access[op]

    def _edges(self, op: ir.Operation) -> Iterator[Edge]:
        for value in dict.fromkeys(inputs(op)):
            edge = self._edge(value)
            if edge is not None:
                yield edge

    def _edge(self, value: ir.Value) -> Edge | None:
        below = base(value)
        if isinstance(below, ir.BlockArgument) or role(below.owner.operation) is not Role.WORK:
            return None
        return Edge(below.owner.operation, below, below != value)

    @property
    def groups(self) -> list[Group]:
        """All groups, in dependence order."""
        results = list(dict.fromkeys(self.group_of[o] for o in self.work))
        done: dict[Group, None] = {}

        def visit(group: Group) -> None:
            if group not in done:
                for predecessor in self.waits_for(group):
                    visit(predecessor)
                done[group] = None

        for group in results:
            visit(group)
        return list(done)

    def waits_for(self, group: Group) -> list[Group]:
        """The groups whose results `group` reads."""
        result = dict.fromkeys(self.group_of[e.maker] for o in group.ops for e in self.edges[o] if e.maker in self.group_of)
        return [g for g in result if g is not group]

    def form(self, ops: Iterable[ir.Operation], shape: str, note: str = "") -> Group:
        """A new group of `ops`, which leave their old groups."""
        group = Group(sorted(ops, key=self.order.__getitem__), shape, note)
        self.group_of.update(dict.fromkeys(group.ops, group))
        return group

    def outputs(self, ops: Sequence[ir.Operation]) -> list[Any]:
        """The results of `ops` that other operations read or the function returns."""
        inside = set(ops)
        results = [r for o in ops for r in o.results]
        return [r for r in results if r in self.returned or any(u not in inside for u in self.readers.get(r, ()))]

    def is_free(self, ops: Iterable[ir.Operation]) -> bool:
        """Whether `ops` can be one group: no path leads from one of them through an operation outside back to one of them."""
        inside = set(ops)
        visited: set[Any] = set()
        stack = [e.maker for o in inside for e in self.edges[o] if e.maker not in inside]
        while stack:
            op = stack.pop()
            if op in inside:
                return False
            if op in visited:
                continue
            members = self.group_of[op].ops if op in self.group_of else [op]
            visited.update(members)
            stack += [e.maker for o in members for e in self.edges[o] if e.maker not in visited]
        return True

    def has_view(self, ops: Iterable[ir.Operation]) -> bool:
        """Whether one of `ops` reads a result of another through a view."""
        inside = set(ops)
        return any(e.viewed and e.maker in inside for o in inside for e in self.edges[o])
