"""Runs a control program without its loops: each stays a loop of the tree as long as only offsets depend on it.

A loop whose rounds differ in more than their offsets (sizes, channels, branches, divisions), or that waits inside, is unrolled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.access.linear import Linear, product
from allo_air.core.affine import compiled, compiled_set
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.passes._analysis.arithmetic import Known, evaluate
from allo_air.passes.runtime._program import Act, Item, LaunchEnd, Loop, Node, Steps, Transfer, Wait

LAUNCH_END, LAUNCH = "air.launch_end", "air.launch"
_ARITHMETIC = ("affine.apply", "affine.min", "affine.max")
_DYNAMIC = -(2**63)
_IGNORED = ("airrt.segment_load", "memref.dim", "memref.rank", "memref.alloc", "memref.alloca", "memref.dealloc")
_VIEWS = (
    "memref.cast", "memref.memory_space_cast", "memref.assume_alignment", "memref.collapse_shape", "memref.expand_shape",
    "memref.subview", "memref.reinterpret_cast",
)  # fmt: skip


class _NotLinear(Exception):
    """A value that must be a number, or linear in the loops around, is not."""

    def __init__(self, op: Any, what: str) -> None:
        super().__init__(what)
        self.op, self.what = op, what


def trace(function: Any) -> list[Item]:
    """What `function`, an AIRRt control program, does; DiagnosticError where it holds what no runtime sequence can do."""
    return _Trace(function).run()


class _Trace:
    def __init__(self, function: Any) -> None:
        self.block = function.regions[0].blocks[0]
        self.arguments = {a: i for i, a in enumerate(self.block.arguments)}
        self.values: dict[Any, Known] = {}
        self.events: dict[Any, frozenset[Transfer]] = {}
        self.ranges: dict[Any, tuple[int, int]] = {}  # of the counters that linear values are made of
        self.buffers: dict[Any, tuple[Any, Linear]] = {}  # views to what they view, and from which element on
        self.launch: Any = None  # set while a launch's end has been met and not yet told
        self.ended = False

    def run(self) -> list[Item]:
        items: list[Item] = []
        try:
            self.body(self.block, items, top=True)
        except _NotLinear as wrong:
            raise error_at(wrong.op, f"{wrong.what}; a runtime sequence holds numbers only: make it a constant") from None
        return items

    def body(self, block: Any, out: list[Item], *, top: bool = False) -> Any:
        """Traces the operations of `block` into `out`; returns the terminator."""
        for view in block.operations:
            op = view.operation
            if op.name in ("scf.yield", "affine.yield", "scf.reduce", "func.return"):
                return op
            self.operation(op, out)
            if top and self.ended:
                out.append(LaunchEnd(self.launch))
                self.ended = False
        return None

    def operation(self, op: Any, out: list[Item]) -> None:
        name = op.name
        if name.startswith("arith.") or name in _ARITHMETIC:
            self.values[op.results[0]] = evaluate(op, [self.values.get(v) for v in op.operands], self.ranges.get)
        elif name == "airrt.dma_memcpy_nd":
            out.append(self.transfer(op))
        elif name == "airrt.wait_all":
            self.wait(op, out)
        elif name in ("scf.for", "affine.for"):
            self.loop(op, out)
        elif name == "scf.parallel":
            self.parallel(op, out)
        elif name in ("scf.if", "affine.if"):
            self.branch(op, out)
        elif name == "airrt.herd_load":
            self.events.update({r: frozenset() for r in list(op.results)[1:]})
            if len(op.operands):
                out.append(Act(op, tuple(self.number(v, op, "passes a value that is not constant") for v in op.operands)))
        elif name in _VIEWS:
            self.buffers[op.results[0]] = self.viewed(op)
        elif name not in _IGNORED:
            raise error_at(op, "has no place in a runtime sequence; it holds transfers, waits and loops with constant bounds")

    # Values.

    def linear(self, value: Any, op: Any, what: str) -> Linear:
        known = self.values.get(value)
        if known is None:
            raise _NotLinear(op, what)
        return known

    def number(self, value: Any, op: Any, what: str) -> int:
        known = self.linear(value, op, what)
        if not known.is_constant:
            raise _NotLinear(op, what)
        return known.constant

    def viewed(self, op: Any) -> tuple[Any, Linear]:
        """What a view looks at, and elements between the start of that and its own."""
        source = op.operands[0]
        if op.name not in ("memref.subview", "memref.reinterpret_cast"):
            return source, Linear()
        if op.name == "memref.subview":
            strides, _ = source.type.get_strides_and_offset()
        else:  # from the start of the memory on, whatever the source leaves out
            strides = [1]
            while source in self.buffers:
                source, _ = self.buffers[source]
        if _DYNAMIC in strides:
            raise error_at(op, "views a buffer whose strides are not constant; instruction words need numbers")
        dynamic, found = iter(list(op.operands)[1:]), Linear()
        for static, stride in zip(op.attributes["static_offsets"], strides, strict=True):
            if static != _DYNAMIC:
                found += Linear(static * stride)
                continue
            part = self.linear(next(dynamic), op, "has offsets that are neither constant nor linear in the loops around")
            found += part.scaled(stride)
        return source, found

    def transfer(self, op: Any) -> Transfer:
        view = op.opview
        channel = op.attributes["metadata"].value if "metadata" in op.attributes else None
        if channel is None:
            raise error_at(op, "has no metadata attribute that names the shim DMA allocation it uses; run air-to-aie before")
        buffer, offset = view.memref, Linear()
        while buffer in self.buffers:
            buffer, further = self.buffers[buffer]
            offset += further
        if buffer not in self.arguments:
            raise error_at(op, "moves a buffer that is no argument of the function; the host passes buffers as arguments")
        whats = {n: f"has {n} that are neither constant nor linear in the loops around" for n in ("offset", "length", "stride")}
        sizes = [self.number(getattr(view, f"length{i}"), op, whats["length"]) for i in (3, 2, 1, 0)]
        strides = [self.number(getattr(view, f"stride{i}"), op, whats["stride"]) for i in (3, 2, 1, 0)]
        if min(sizes) < 1:
            raise error_at(op, f"has sizes {sizes}; each must be at least 1")
        for i, stride in zip((3, 2, 1, 0), strides, strict=True):
            part = product(self.linear(getattr(view, f"offset{i}"), op, whats["offset"]), Linear(stride))
            assert part is not None
            offset += part
        made = Transfer(op, channel, self.arguments[buffer], offset, tuple(zip(sizes, strides, strict=True)))
        self.events.update({r: frozenset([made]) for r in op.results})
        return made

    def wait(self, op: Any, out: list[Item]) -> None:
        waited = frozenset[Transfer]().union(*(self.events.get(v, frozenset()) for v in op.operands))
        self.events.update(dict.fromkeys(op.results, waited))
        if LAUNCH_END in op.attributes:
            self.ended = True
            self.launch = op.attributes[LAUNCH].value if LAUNCH in op.attributes else None
        elif waited and not len(op.results):
            out.append(Wait(waited))

    # Control flow.

    def loop(self, op: Any, out: list[Item]) -> None:
        lower, trips, step = self.range(op)
        block = op.regions[0].blocks[0]
        iv, *carried = block.arguments
        inits = list(op.operands)[len(op.operands) - len(carried) :]
        self.carry(carried, inits)

        def once(value: Linear, into: list[Item]) -> None:
            self.values[iv] = value
            terminator = self.body(block, into)
            self.carry(carried, list(terminator.operands) if terminator is not None and carried else [])

        if trips:
            self.rounds(op, Linear(lower), Linear(step), iv, trips, once, out)
        for result, argument, init in zip(op.results, carried, inits, strict=True):
            self.events[result] = self.events.get(argument, frozenset()) | self.events.get(init, frozenset())
            self.values[result] = self.values.get(argument)

    def carry(self, arguments: list[Any], values: list[Any]) -> None:
        known = [(self.events.get(v, frozenset()), self.values.get(v)) for v in values]
        for argument, (events, value) in zip(arguments, known, strict=bool(values)):
            self.events[argument] = events
            self.values[argument] = value if value is not None and value.is_constant else None

    def rounds(
        self,
        op: Any,
        lower: Linear,
        step: Linear,
        iv: Any,
        trips: int,
        once: Callable[[Linear, list[Item]], None],
        out: list[Item],
    ) -> None:
        """Adds the rounds of a loop: as one Loop where that is possible, else unrolled."""
        if _waits(op):
            for i in range(trips):
                once(lower + step.scaled(i), out)
            return
        events, values = dict(self.events), dict(self.values)
        nodes: list[Item] = []
        self.ranges[iv] = 0, trips - 1
        try:
            for argument in list(iv.owner.arguments)[1:] if op.name != "scf.parallel" else []:
                self.values[argument] = None  # differs from round to round
            once(lower + Linear(0, ((iv, step.constant),)), nodes)
        except _NotLinear:
            self.events, self.values = events, values
            nodes = []
            self.unroll(trips, lambda i, into: once(lower + step.scaled(i), into), nodes)
            out += nodes
            return
        out += [n for n in nodes if isinstance(n, Act)]
        if body := _only_nodes(nodes):
            out.append(Loop(trips, iv, body))

    def unroll(self, trips: int, once: Callable[[int, list[Item]], None], out: list[Item]) -> None:
        rounds: list[tuple[Node, ...]] = []
        for i in range(trips):
            nodes: list[Item] = []
            once(i, nodes)
            out += [n for n in nodes if isinstance(n, Act)]
            rounds.append(_only_nodes(nodes))
        if any(rounds):
            out.append(Steps(tuple(rounds)))

    def parallel(self, op: Any, out: list[Item]) -> None:
        """A parallel loop runs in the order of its indices, the last one fastest."""
        operands, rank = list(op.operands), len(op.regions[0].blocks[0].arguments)
        lowers, uppers, steps, inits = (operands[i : i + rank] for i in (0, rank, 2 * rank, 3 * rank))
        numbers = [[self.number(v, op, "has bounds that are not constant") for v in vs] for vs in (lowers, uppers, steps)]
        block = op.regions[0].blocks[0]
        inner: list[frozenset[Transfer]] = []

        def nest(axis: int, into: list[Item]) -> None:
            if axis == rank:
                terminator = self.body(block, into)
                if terminator is not None:
                    inner.append(frozenset().union(*(self.events.get(v, frozenset()) for v in terminator.operands)))
                return
            lower, upper, step = (n[axis] for n in numbers)
            iv = block.arguments[axis]

            def once(value: Linear, within: list[Item]) -> None:
                self.values[iv] = value
                nest(axis + 1, within)

            if trips := max(0, -(-(upper - lower) // step)):
                self.rounds(op, Linear(lower), Linear(step), iv, trips, once, into)

        nest(0, out)
        joined = frozenset[Transfer]().union(*inner, *(self.events.get(v, frozenset()) for v in inits))
        self.events.update(dict.fromkeys(op.results, joined))

    def range(self, op: Any) -> tuple[int, int, int]:
        """Lower bound, number of rounds and step of a loop."""
        what = "has bounds that are not constant"
        if op.name == "scf.for":
            lower, upper, step = (self.number(v, op, what) for v in list(op.operands)[:3])
        else:
            counts = list(op.attributes["operandSegmentSizes"])
            numbers = [self.number(v, op, what) for v in list(op.operands)[: counts[0] + counts[1]]]
            lower = max(compiled(op.attributes["lowerBoundMap"].value)(numbers[: counts[0]]))
            upper = min(compiled(op.attributes["upperBoundMap"].value)(numbers[counts[0] :]))
            step = op.attributes["step"].value
        if step <= 0:
            raise error_at(op, f"has step {step}; wanted a positive one")
        return lower, max(0, -(-(upper - lower) // step)), step

    def branch(self, op: Any, out: list[Item]) -> None:
        what = "has a condition that is not constant"
        if op.name == "scf.if":
            taken = bool(self.number(op.operands[0], op, what))
        else:
            taken = compiled_set(op.attributes["condition"])([self.number(v, op, what) for v in op.operands])
        blocks = list(op.regions[0 if taken else 1].blocks)
        terminator = self.body(blocks[0], out) if blocks else None
        for result, value in zip(op.results, terminator.operands if terminator is not None else [], strict=False):
            self.events[result] = self.events.get(value, frozenset())
            self.values[result] = self.values.get(value)


def _waits(op: Any) -> bool:
    """Whether the controller waits in the middle of loop `op`."""
    waits = walk_named(op, "airrt.wait_all")
    return any(len(w.operands) and not len(w.results) and LAUNCH_END not in w.attributes for w in waits)


def _only_nodes(items: list[Item]) -> tuple[Node, ...]:
    return tuple(i for i in items if isinstance(i, Transfer | Loop | Steps))


__all__ = ["LAUNCH", "LAUNCH_END", "trace"]
