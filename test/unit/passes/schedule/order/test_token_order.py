"""Hoisting keeps conflicting accesses ordered by tokens alone, in every iteration."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.passes._analysis.effects import accesses
from allo_air.passes._ir.dependences import ASYNC, dep_count
from allo_air.passes.schedule.air_hoist_dma_in_accum_pattern import AirHoistDmaInAccumPattern

LIT = Path(__file__).parents[4] / "lit/passes/schedule/air-hoist-dma-in-accum-pattern/async.mlir"
TRIPS = 3


@dataclass
class Trace:
    """The events of a run in which every loop runs TRIPS times; a token is the set of events that came before it."""

    before: list[frozenset[int]] = field(default_factory=list)
    touched: list[tuple[int, Any, bool]] = field(default_factory=list)
    tokens: dict[Any, frozenset[int]] = field(default_factory=dict)
    buffers: dict[Any, Any] = field(default_factory=dict)

    def block(self, block: Any) -> list[frozenset[int]]:
        for op in (o.operation for o in block.operations):
            if op.name == "scf.yield":
                return [self.tokens[v] for v in op.operands]
            if op.name == "scf.for":
                state = [self.tokens[v] for v in list(op.operands)[3:]]
                body = op.regions[0].blocks[0]
                for _ in range(TRIPS):
                    self.tokens.update(zip(list(body.arguments)[1:], state, strict=True))
                    state = self.block(body)
                self.tokens.update(zip(op.results, state, strict=True))
            elif op.name in ASYNC:
                self.event(op)
        return []

    def event(self, op: Any) -> None:
        me = len(self.before)
        past = frozenset().union(*(self.tokens[d] for d in list(op.operands)[: dep_count(op)]))
        self.before.append(past)
        for inner in walk_named(op, "memref.alloc"):
            self.buffers[inner.results[0]] = me
        for access in accesses(op):
            self.touched.append((me, self.buffers.get(access.root, access.root), access.kind != "read"))
        if len(op.results):
            self.tokens[op.results[0]] = past | {me}

    def unordered(self) -> Iterator[tuple[int, int]]:
        for (a, x, wrote), (b, y, writes) in combinations(self.touched, 2):
            if a != b and type(x) is type(y) and x == y and (wrote or writes) and a not in self.before[b]:
                yield a, b


def traces(module: Any) -> dict[str, Trace]:
    found = {}
    for function in walk_named(module, "func.func"):
        trace = found[function.attributes["sym_name"].value] = Trace()
        trace.block(function.regions[0].blocks[0])
    return found


@pytest.mark.usefixtures("context")
def test_conflicts_stay_ordered() -> None:
    module = asm.read(LIT.read_text(), str(LIT))
    before = traces(module)
    assert [name for name, trace in before.items() if list(trace.unordered())] == ["unordered"]
    AirHoistDmaInAccumPattern().run(module)
    asm.verify(module)
    after = traces(module)
    assert [name for name, trace in after.items() if list(trace.unordered())] == ["unordered"]
    assert {name: len(t.before) for name, t in before.items() if len(t.before) > len(after[name].before)}.keys() == {
        "matmul",
        "nest",
    }
