"""Interprets a control program into a tree. A loop stays a loop of the tree if only offsets depend on its counter. A loop
whose iterations differ in more than their offsets (sizes, channels, branches, divisions), or that contains waits, is
unrolled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.access.linear import Linear, product
from allo_air.core import loops
from allo_air.core.control_flow import Walker
from allo_air.core.diagnostics import error_at
from allo_air.core.folding import RULES
from allo_air.core.loops import Dim
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.passes._analysis.arithmetic import Known, evaluate
from allo_air.passes.runtime._program import Act, Item, LaunchEnd, Loop, Mark, Node, Steps, Transfer, Wait

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir

LAUNCH_END, LAUNCH = "air.launch_end", "air.launch"
_DYNAMIC = -(2**63)
_IGNORED = (
    "airrt.segment_load", "airrt.alloc", "airrt.dealloc", "memref.dim", "memref.rank", "memref.alloc", "memref.alloca",
    "memref.dealloc",
)  # fmt: skip
_VIEWS = (
    "memref.cast", "memref.memory_space_cast", "memref.assume_alignment", "memref.collapse_shape", "memref.expand_shape",
    "memref.subview", "memref.reinterpret_cast",
)  # fmt: skip


class _NotLinear(Exception):
    """Raised if a value is neither a number nor linear in the enclosing counters."""

    def __init__(self, op: Any, what: str) -> None:
        super().__init__(what)
        self.op, self.what = op, what


def trace(function: AnyOp) -> list[Item]:
    """The actions of `function`, an AIRRt control program; DiagnosticError for operations that no runtime sequence can do."""
    return _Trace(function).items()


class _Trace(Walker):
    """A walk that represents each value as a number, a linear form of the surrounding counters, or the transfers that an
    event waits for."""

    def __init__(self, function: Any) -> None:
        super().__init__()
        self.block = function.regions[0].blocks[0]
        self.arguments = {a: i for i, a in enumerate(self.block.arguments)}
        self.ranges: dict[Any, tuple[int, int]] = {}  # counters of linear forms
        self.buffers: dict[Any, tuple[Any, Linear]] = {}  # views: their source, and the first element
        self.out: list[Item] = []
        self.launches = _launches(function)
        self.launch: Any = None  # the end of a launch that is not recorded yet
        self.ended = False

    def items(self) -> list[Item]:
        try:
            for view in self.block.operations:
                if view.operation.name != "func.return":
                    self.step(view.operation)
                if self.ended:
                    self.out.append(LaunchEnd(self.launch))
                    self.ended = False
        except _NotLinear as wrong:
            raise error_at(wrong.op, f"{wrong.what}; a runtime sequence holds numbers only: make it a constant") from None
        return self.out

    def step(self, op: AnyOp) -> None:
        if self.out and op.block in self.launches:
            self.out.append(Mark())
        super().step(op)

    def operation(self, op: ir.Operation) -> None:
        name = op.name
        if name.startswith("arith.") or name in RULES:
            result = evaluate(op, [self.form(v) for v in op.operands], self.ranges.get)
            if result is not None:
                self.known[op.results[0]] = result if result.terms else result.constant
        elif name == "airrt.dma_memcpy_nd":
            self.out.append(self.transfer(op))
        elif name == "airrt.wait_all":
            self.wait(op)
        elif name == "airrt.herd_load":
            if len(op.operands):
                self.out.append(
                    Act(op, tuple(self.required_number(v, op, "passes a value that is not constant") for v in op.operands))
                )
        elif name in _VIEWS:
            self.buffers[op.results[0]] = self.viewed(op)
        elif name == "memref.get_global":
            raise error_at(op, "is a constant array, which no runtime sequence has; make it an argument (pipeline npu does so)")
        elif name not in _IGNORED:
            raise error_at(op, "has no place in a runtime sequence; it holds transfers, waits and loops with constant bounds")

    def undecided(self, op: ir.OpView, why: str) -> None:
        raise _NotLinear(op, why)

    # Values.

    def form(self, value: ir.Value) -> Known:
        value_form = self.get(value)
        return Linear(value_form) if isinstance(value_form, int) else value_form if isinstance(value_form, Linear) else None

    def linear(self, value: ir.Value, op: AnyOp, quantity: str) -> Linear:
        linear = self.form(value)
        if linear is None:
            raise _NotLinear(op, quantity)
        return linear

    def required_number(self, value: ir.Value, op: object, quantity: str) -> int:
        constant = self.number(value)
        if constant is None:
            raise _NotLinear(op, quantity)
        return constant

    def ends(self, *events: ir.Value) -> frozenset[Transfer]:
        """The transfers that `events` wait for."""
        return frozenset[Transfer]().union(*(t for e in events if isinstance(t := self.known.get(e), frozenset)))

    def viewed(self, op: AnyOp) -> tuple[Any, Linear]:
        """The source of a view, and the elements between its start and the view's."""
        source = op.operands[0]
        if op.name not in ("memref.subview", "memref.reinterpret_cast"):
            return source, Linear()
        if op.name == "memref.subview":
            strides, _ = source.type.get_strides_and_offset()
        else:  # relative to the start of the memory, not of the source
            strides = [1]
            while source in self.buffers:
                source, _ = self.buffers[source]
        if _DYNAMIC in strides:
            raise error_at(op, "views a buffer whose strides are not constant; instruction words need numbers")
        dynamic, offset = iter(list(op.operands)[1:]), Linear()
        for static, stride in zip(op.attributes["static_offsets"], strides, strict=True):
            if static != _DYNAMIC:
                offset += Linear(static * stride)
                continue
            part = self.linear(next(dynamic), op, "has offsets that are neither constant nor linear in the loops around")
            offset += part.scaled(stride)
        return source, offset

    def transfer(self, op: AnyOp) -> Transfer:
        view = op.opview
        channel = op.attributes["metadata"].value if "metadata" in op.attributes else None
        if channel is None:
            raise error_at(op, "has no metadata attribute that names the shim DMA allocation it uses; run air-to-aie first")
        buffer, offset = view.memref, Linear()
        while buffer in self.buffers:
            buffer, further = self.buffers[buffer]
            offset += further
        if buffer not in self.arguments:
            raise error_at(op, "moves a buffer that is not an argument of the function; the host passes buffers as arguments")
        whats = {n: f"has {n} that are neither constant nor linear in the loops around" for n in ("offset", "length", "stride")}
        sizes = [self.required_number(getattr(view, f"length{i}"), op, whats["length"]) for i in (3, 2, 1, 0)]
        strides = [self.required_number(getattr(view, f"stride{i}"), op, whats["stride"]) for i in (3, 2, 1, 0)]
        if min(sizes) < 1:
            raise error_at(op, f"has sizes {sizes}; each must be at least 1")
        for i, stride in zip((3, 2, 1, 0), strides, strict=True):
            part = product(self.linear(getattr(view, f"offset{i}"), op, whats["offset"]), Linear(stride))
            assert part is not None
            offset += part
        transfer = Transfer(op, channel, self.arguments[buffer], offset, tuple(zip(sizes, strides, strict=True)))
        self.assign(op.results, [frozenset([transfer])] * len(op.results))
        return transfer

    def wait(self, op: ir.Operation) -> None:
        waited = self.ends(*op.operands)
        self.assign(op.results, [waited] * len(op.results))
        if LAUNCH_END in op.attributes:
            self.ended = True
            self.launch = op.attributes[LAUNCH].value if LAUNCH in op.attributes else None
        elif waited and not len(op.results):
            self.out.append(Wait(waited))

    # Control flow.

    def rounds(self, loop: loops.Loop, dims: Sequence[Dim]) -> None:
        names, inits = loop.iter_args, [self.get(v) for v in loop.inits]

        def once() -> None:
            self.assign(names, [_carried(v) for v in self.run(loop.block)])

        self.assign(names, [_carried(v) for v in inits])
        self.go_round(loop, dims[0], once)
        self.assign(loop.op.results, [_either(self.get(name), init) for name, init in zip(names, inits, strict=True)])

    def parallel(self, loop: loops.Loop, dims: Sequence[Dim]) -> None:
        """A parallel loop runs in the order of its indices, the last one fastest."""
        results = loop.op.results
        self.assign(results, [self.ends(*loop.inits)] * len(results))

        def nest(axis: int) -> None:
            if axis < len(dims):
                self.go_round(loop, dims[axis], lambda: nest(axis + 1))
                return
            self.run(loop.block)
            self.assign(results, [self.ends(*results, *loop.yielded)] * len(results))

        nest(0)

    def go_round(self, loop: loops.Loop, dim: Dim, once: Callable[[], None]) -> None:
        """Adds the iterations of a loop: as one Loop if possible, otherwise unrolled.

        A herd that is passed something else in a round is waited for before it: the instance of the launch ends there.
        """
        is_separate = self.passes_new_values(loop, dim, once)
        if is_separate or _waits(loop.op):
            for n in dim.values:
                self.known[dim.iv] = n
                once()
                if is_separate and self.ended:
                    self.out.append(LaunchEnd(self.launch))
                    self.ended = False
            return
        if not dim.trips:
            return
        before = dict(self.known)
        self.assign(loop.iter_args, [None if isinstance(v, int) else v for v in map(self.get, loop.iter_args)])  # may change
        self.known[dim.iv] = Linear(dim.lower, ((dim.iv, dim.step),))
        self.ranges[dim.iv] = 0, dim.trips - 1
        try:
            nodes = self.inside(once)
        except _NotLinear:
            self.known = before
            self.unroll(dim, once)
            return
        if nodes:
            self.out.append(Loop(dim.trips, dim.iv, nodes))

    def passes_new_values(self, loop: loops.Loop, dim: Dim, once: Callable[[], None]) -> bool:
        """Whether the iterations of a loop that contains ends of launches pass different parameters to a herd."""
        passing = any(len(o.operands) for o in walk_named(loop.op, "airrt.herd_load"))
        if not passing or dim.trips < 2 or not any(LAUNCH_END in o.attributes for o in walk_named(loop.op, "airrt.wait_all")):
            return False
        state, passed = (dict(self.known), self.out, self.ended, self.launch), dict[str, set[tuple[int, ...]]]()
        for n in dim.values:
            self.known[dim.iv], self.out = n, []
            once()
            for act in (i for i in self.out if isinstance(i, Act)):
                passed.setdefault(sym_name_of(act.op), set()).add(act.values)
        self.known, self.out, self.ended, self.launch = state
        return any(len(values) > 1 for values in passed.values())

    def unroll(self, dim: Dim, once: Callable[[], None]) -> None:
        rounds = []
        for n in dim.values:
            self.known[dim.iv] = n
            rounds.append(self.inside(once))
        if any(rounds):
            self.out.append(Steps(tuple(rounds)))

    def inside(self, once: Callable[[], None]) -> tuple[Node, ...]:
        """The nodes that one iteration of a loop adds; actions on herds go before the loop."""
        outer, self.out = self.out, []
        try:
            once()
            outer += [i for i in self.out if isinstance(i, Act)]
            return tuple(i for i in self.out if isinstance(i, Transfer | Loop | Steps))
        finally:
            self.out = outer


def _carried(transfers: frozenset[Transfer]) -> Any:
    """A loop-carried value in the next iteration: unknown for a linear form of this iteration's counters."""
    return None if isinstance(transfers, Linear) else transfers


def _either(last: frozenset[Transfer], first: frozenset[Transfer]) -> Any:
    """The result of a loop. An event also waits for the initial one, for a loop without iterations."""
    return last | first if isinstance(last, frozenset) and isinstance(first, frozenset) else last


def _launches(function: AnyOp) -> list[Any]:
    """The blocks that contain one whole launch each; empty without waits, since the order within a launch then does not
    matter."""
    return [w.block for w in walk_named(function, "airrt.wait_all") if LAUNCH_END in w.attributes] if _waits(function) else []


def _waits(op: AnyOp) -> bool:
    """Whether the controller waits in the middle of `op`."""
    waits = walk_named(op, "airrt.wait_all")
    return any(len(w.operands) and not len(w.results) and LAUNCH_END not in w.attributes for w in waits)


__all__ = ["LAUNCH", "LAUNCH_END", "trace"]
