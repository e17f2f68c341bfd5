"""Divides a model's function into parts for the array and for the host. Each part becomes a function."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from allo_air.core.cloning import clone
from allo_air.core.diagnostics import position
from allo_air.core.functions import new_function
from allo_air.core.walking import walk_post_order
from allo_air.mlir import func, ir
from allo_air.passes._analysis.kernels import APART
from allo_air.program.detached import detached
from allo_air.program.source import Source

if TYPE_CHECKING:
    from torch import Tensor

ARRAY, HOST = "array", "host"

_SHAPES = ("tensor.cast", "tensor.expand_shape", "tensor.collapse_shape")
"""Operations that change only the shape of a tensor; they are placed with the producer of their source."""


class Graph:
    """The operations of a function by number, with the values that each uses and the users of each."""

    def __init__(self, function: ir.Operation) -> None:
        *ops, last = [o.operation for o in function.regions[0].blocks[0].operations]
        self.ops: list[ir.Operation] = ops
        self.last = last
        self.makers = {r: n for n, op in enumerate(ops) for r in op.results}
        self.uses = [_outer_values(op) for op in ops]
        self.needs = [[self.makers[v] for v in used if v in self.makers] for used in self.uses]
        self.users: list[set[int]] = [set() for _ in ops]
        for n, needs in enumerate(self.needs):
            for need in needs:
                self.users[need].add(n)
        self.free = set[int]()
        for n in range(len(ops)):
            if self._is_free(n):
                self.free.add(n)

    @property
    def returned(self) -> list[Any]:
        """The function's results."""
        return list(self.last.operands)

    def computes(self, numbers: Iterable[int]) -> bool:
        """Whether any of the operations computes or moves elements of tensors."""
        return any(self.ops[n].name not in _SHAPES and n not in self.free and self._has_tensors(n) for n in numbers)

    def _has_tensors(self, n: int) -> bool:
        return any(isinstance(v.type, ir.RankedTensorType) for v in (*self.uses[n], *self.ops[n].results))

    def _is_free(self, n: int) -> bool:
        """Whether it needs no argument of the function. Each part gets its own copy of such operations, which the compiler
        evaluates.
        """
        return len(self.needs[n]) == len(self.uses[n]) and self.free.issuperset(self.needs[n])


@dataclass(frozen=True, eq=False)
class Part:
    """Operations with the same place, by number. `arguments` and `results` are values of the model's function: those that
    enter and leave the part.
    """

    where: str
    ops: tuple[int, ...]
    arguments: tuple[Any, ...]
    results: tuple[Any, ...]
    module: Any
    copied: tuple[int, ...]

    @cached_property
    def source(self) -> Source:
        """The part as a module with function `main`, whose text leaves out the weights."""
        text, data = detached(self.module)
        return Source(text, "<text>", data=data)

    @property
    def text(self) -> str:
        """The text of `source`. Equal texts have equal weights, since a model's resources have different names."""
        return self.source.text

    def at(self, line: int) -> int | None:
        """The number of the operation at `line` of the text."""
        numbers = [*self.copied, *self.ops]
        results = [n for n, start in zip(numbers, self._lines, strict=False) if start <= line]
        return results[-1] if results and line < self._lines[-1] else None

    @cached_property
    def _lines(self) -> list[int]:
        """The lines at which its operations begin in the text, and the line after the last one."""
        with self.module.context, ir.Location.unknown():
            read = ir.Module.parse(self.text)
            [function] = read.body.operations
            return [position(o.location)[1] for o in function.regions[0].blocks[0].operations]


def cut(graph: Graph, on_host: Collection[int], apart: Collection[int] = ()) -> list[Part]:
    """The parts in execution order, with the operations `on_host` on the host, and `apart` in kernels of their own.

    Each operation is placed as early as its operands allow, so parts are as large as possible and never wait for each other.
    """
    rank: dict[int, tuple[int, str]] = {}
    for n, op in enumerate(graph.ops):
        if n in graph.free:
            continue
        needs = [rank[d] for d in graph.needs[n] if d in rank]
        where = HOST if n in on_host else max(needs)[1] if op.name in _SHAPES and needs else ARRAY
        rank[n] = max((level + (place != where) for level, place in needs), default=0), where
    parts = [
        part_of(graph, where, [n for n in rank if rank[n] == (level, where)], apart)
        for level, where in sorted(set(rank.values()))
    ]
    constant = [n for n in {graph.makers[v] for v in graph.returned if v in graph.makers} if n in graph.free]
    return [*parts, part_of(graph, HOST, constant)] if constant else parts


def _outer_values(op: ir.Operation) -> list[Any]:
    """The values from outside of `op` that it uses, also inside its regions."""
    within = list(walk_post_order(op))
    own: set[Any] = {r for o in within for r in o.results}
    own |= {a for o in within for g in o.regions for b in g.blocks for a in b.arguments}
    return [v for o in within for v in o.operands if v not in own]


def part_of(graph: Graph, where: str, numbers: Sequence[int], apart: Collection[int] = ()) -> Part:
    """The operations `numbers` as a part, with copies of the constants that they need. Each of `apart` gets its own kernel."""
    ops = [graph.ops[n] for n in numbers]
    computed: set[Any] = {r for op in ops for r in op.results}
    copied = sorted(_closure(graph, numbers) - set(numbers))
    spare: set[Any] = {r for n in copied for r in graph.ops[n].results}
    arguments = list(dict.fromkeys(v for n in numbers for v in graph.uses[n] if v not in computed and v not in spare))
    returned: set[Any] = set(graph.returned)
    inside = set(numbers)
    results = [
        r for n in numbers if graph.users[n] - inside or returned & set(graph.ops[n].results) for r in graph.ops[n].results
    ]
    results = [r for r in results if r in returned or _leaves_part(r, graph, inside)]
    with graph.last.location:
        module = ir.Module.create()
        ip = ir.InsertionPoint(module.body)
        _, block = new_function("main", [v.type for v in arguments], [v.type for v in results], is_private=False, ip=ip)
        values = dict(zip(arguments, block.arguments, strict=True))
        insertion = ir.InsertionPoint(block)
        for n in [*copied, *numbers]:
            copy = clone(graph.ops[n], values, insertion)
            if n in apart:
                copy.attributes[APART] = ir.UnitAttr.get()
        func.ReturnOp([values[v] for v in results], ip=insertion)
    return Part(where, tuple(numbers), tuple(arguments), tuple(results), module, tuple(copied))


def _closure(graph: Graph, numbers: Iterable[int]) -> set[int]:
    """The free operations that `numbers` need, transitively."""
    result, rest = set[int](), list(numbers)
    while rest:
        for need in graph.needs[rest.pop()]:
            if need in graph.free and need not in result:
                result.add(need)
                rest.append(need)
    return result


def _leaves_part(value: Tensor, graph: Graph, inside: set[int]) -> bool:
    return any(value in graph.uses[user] for user in graph.users[graph.makers[value]] - inside)
