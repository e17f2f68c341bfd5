"""What judges the interpreter: a program without channels written out, each operation that it runs with what comes before it.

It knows what AIR says of order, and nothing of the interpreter: an operation with a token starts after its dependences, and
what is issued after one without a token starts after that; instances of a loop or hierarchy start together. All runs in the
order of the text: the result is that of any order if no two accesses to an element, one of them a write, are unordered.
"""

from itertools import product
from typing import Any

import numpy as np


class Buffer:
    """A view: its elements, their numbers, and the events that make it, as bits."""

    def __init__(self, data: Any, ids: Any, made: int = 0) -> None:
        self.data, self.ids, self.made = data, ids, made

    def part(self, at: Any) -> "Buffer":
        return Buffer(self.data[at], self.ids[at], self.made)

    @property
    def bits(self) -> int:
        return sum(1 << int(i) for i in np.unique(self.ids))


class Oracle:
    """One run of a function: `arrays` are its arguments afterwards, `conflicts` pairs of operations that nothing orders."""

    def __init__(self, function: Any, inputs: list[Any]) -> None:
        self.values: dict[Any, Any] = {}
        self.elements = 0
        self.events: list[list[Any]] = []  # name, what comes before, what is read and written, all as bits
        self.issued = 0
        self.inside: list[Any] | None = None  # the event of the air.execute that runs
        block = function.regions[0].blocks[0]
        given = [self.buffer(np.array(a)) if np.ndim(a) else int(a) for a in inputs]
        self.block(block, given)
        self.arrays = [g.data for g in given if isinstance(g, Buffer)]

    @property
    def conflicts(self) -> list[tuple[str, str]]:
        return [
            (first[0], second[0])
            for n, second in enumerate(self.events)
            for k, first in enumerate(self.events[:n])
            if not second[1] >> k & 1 and (first[3] & (second[2] | second[3]) or first[2] & second[3])
        ]

    def buffer(self, data: Any) -> Buffer:
        ids = np.arange(self.elements, self.elements + data.size).reshape(data.shape)
        self.elements += data.size
        return Buffer(data, ids)

    def block(self, block: Any, given: Any = ()) -> list[Any]:
        self.values.update(zip(block.arguments, given, strict=True))
        *operations, last = [o.operation for o in block.operations]
        for op in operations:
            results = getattr(self, op.name.split(".")[1])(op, *(self.values[v] for v in op.operands))
            self.values.update(zip(op.results, results, strict=True))
        return [self.values[v] for v in last.operands]

    def happen(self, op: Any, deps: int, reads: list[Buffer], writes: list[Buffer]) -> int:
        """An event; its bit and those before it."""
        if self.inside is None:
            self.events.append([op.name, self.issued | deps, 0, 0])
        event = self.events[-1] if self.inside is None else self.inside
        for place, buffers in ((2, reads), (3, writes)):
            for used in buffers:
                event[place] |= used.bits
                event[1] |= used.made
        done = event[1] | 1 << len(self.events) - 1
        if self.inside is None and not (op.name.startswith("air.") and op.results):
            self.issued = done
        return done

    # Order.

    def joined(self, tokens: Any) -> int:
        joined = self.issued
        for token in tokens:
            joined |= token
        return joined

    def wait_all(self, op: Any, *tokens: int) -> list[int]:
        if op.results:
            return [self.joined(tokens)]
        self.issued = self.joined(tokens)
        return []

    def execute(self, op: Any, *tokens: int) -> list[Any]:
        self.happen(op, self.joined(tokens), [], [])
        self.inside = self.events[-1]
        yielded = self.block(op.regions[0].blocks[0])
        self.inside = None
        done = self.events[-1][1] | 1 << len(self.events) - 1
        return [done, *(Buffer(v.data, v.ids, done) for v in yielded)]

    def segment(self, op: Any, *given: Any) -> list[int]:
        view, outer, first = op.opview, self.issued, len(self.events)
        sizes, args = ([self.values[v] for v in group] for group in (view.sizes, view.args))
        start = self.joined([*(self.values[t] for t in view.deps), *(buffer.made for buffer in args)])
        for point in product(*map(range, sizes)):
            self.issued = start
            self.block(view.block, [*point, *sizes, *args])
        self.issued = outer
        done = start | sum(1 << n for n in range(first, len(self.events)))
        if not op.results:
            self.issued = done
        return [done for _ in op.results]

    # Control flow.

    def instances(self, block: Any, points: Any) -> list[list[Any]]:
        issued = after = self.issued
        ends = []
        for point in points:
            self.issued = issued
            ends.append(self.block(block, point))
            after |= self.issued
        self.issued = after
        return ends

    def parallel(self, op: Any, lower: int, upper: int, step: int, *state: int) -> Any:
        body = op.regions[0].blocks[0]
        for ends in self.instances(body, [[i] for i in range(lower, upper, step)]):
            for end in ends:
                state = self.block(body.operations[len(body.operations) - 1].regions[0].blocks[0], [*state, end])
        return state

    def forall(self, op: Any) -> list[Any]:
        self.instances(op.regions[0].blocks[0], [[i] for i in range(op.attributes["staticUpperBound"][0])])
        return []

    def __getattr__(self, name: str) -> Any:
        return {"for": self.loop, "if": self.branch}[name]

    def loop(self, op: Any, lower: int, upper: int, step: int, *state: Any) -> Any:
        for i in range(lower, upper, step):
            state = self.block(op.regions[0].blocks[0], [i, *state])
        return state

    def branch(self, op: Any, condition: int) -> list[Any]:
        return [v for block in op.regions[0 if condition else 1].blocks for v in self.block(block)]

    def index_switch(self, op: Any, chosen: int) -> list[Any]:
        cases = list(op.attributes["cases"])
        return self.block(op.regions[1 + cases.index(chosen) if chosen in cases else 0].blocks[0])

    # Values and memory.

    def constant(self, op: Any) -> list[int]:
        return [op.attributes["value"].value]

    def apply(self, op: Any, number: int) -> list[int]:
        return [number + op.attributes["map"].value.results[0].rhs.value]

    def cmpi(self, op: Any, left: int, right: int) -> list[int]:
        return [left == right]

    def subview(self, op: Any, buffer: Buffer, *row: int) -> list[Buffer]:
        [at] = row or op.opview.static_offsets[:1]
        return [buffer.part(slice(at, at + 1))]

    def alloc(self, op: Any) -> list[Buffer]:
        made = self.buffer(np.zeros(op.results[0].type.shape, np.int32))
        self.happen(op, 0, [], [made])
        return [made]

    def dealloc(self, op: Any, buffer: Buffer) -> list[Any]:
        self.happen(op, 0, [], [buffer])
        return []

    def fill(self, op: Any, value: int, buffer: Buffer) -> list[Any]:
        return self.store(op, value, buffer)

    def store(self, op: Any, value: int, buffer: Buffer, *at: int) -> list[Any]:
        used = buffer.part(tuple(slice(i, i + 1) for i in at))
        self.happen(op, 0, [], [used])
        used.data[...] = value
        return []

    def copy(self, op: Any, source: Buffer, target: Buffer) -> list[Any]:
        self.happen(op, 0, [source], [target])
        target.data[...] = source.data
        return []

    def dma_memcpy_nd(self, op: Any, *given: Any) -> list[Any]:
        view = op.opview
        deps = self.joined(self.values[t] for t in view.deps)
        ends = []
        for end in ("dst", "src"):
            buffer = self.values[getattr(view, end)]
            lists = [[self.values[v] for v in getattr(view, f"{end}_{part}")] for part in ("offsets", "sizes")]
            ends.append(buffer.part(tuple(slice(o, o + n) for o, n in zip(*lists, strict=True))))
        done = self.happen(op, deps, ends[1:], ends[:1])
        ends[0].data[...] = ends[1].data.copy()
        return [done for _ in op.results]
