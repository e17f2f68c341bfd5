"""Executes a control program (AIR after `air-to-aie`, or AIRRt) up to its requests to the shim DMAs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product
from operator import or_
from typing import TYPE_CHECKING, Any

from allo_air.core.loops import Dim, Loop
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_post_order
from allo_air.interp.errors import Unsupported
from allo_air.interp.values import is_token
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.hierarchies import is_parameter
from allo_air.program.control.actions import Action, Move, Start, Wait
from allo_air.program.control.transfers import AIR, Allocations, is_host, of_air, of_airrt
from allo_air.program.control.values import SAME_BUFFER, EndedTransfers, Values

if TYPE_CHECKING:
    from allo_air.dialects.air import HerdOp

_LAUNCH_END, _LAUNCH = "air.launch_end", "air.launch"
_NOTHING = ("airrt.segment_load", "air.channel", "memref.alloc", "memref.alloca", "memref.dealloc", "memref.dim")
_HIERARCHIES = ("air.launch", "air.segment", "air.herd")


def actions(module: ir.OpView, function: AnyOp) -> list[Action]:
    """The actions of `function` of `module`. Raises RunError for operations that a host program of a device cannot have."""
    host = _Host(module, function)
    host.run(function.regions[0].blocks[0])
    return host.actions


class _Host(Values):
    CONTROL = {**Values.CONTROL, "air.affine_if": "branch"}

    def __init__(self, module: AnyOp, function: AnyOp) -> None:
        super().__init__(function.regions[0].blocks[0].arguments)
        self.allocations = Allocations(module)
        self.actions: list[Action] = []
        self.segment: str | None = None
        self.active = _active(function)
        self.moves = 0
        self.past = 0  # the transfers that have ended at the current operation, as in Move.past

    def step(self, op: ir.Operation) -> None:
        if len(op.regions) and op.name != "air.execute" and op not in self.active:
            self.skip(op)
        else:
            super().step(op)

    def operation(self, op: ir.Operation) -> None:
        if op.name in SAME_BUFFER or op.name in ("memref.subview", "memref.reinterpret_cast"):
            self.view(op)
        elif (run := _RULES.get(op.name)) is not None:
            run(self, op)
        elif op.name not in _NOTHING:
            self.skip(op)

    def undecided(self, op: ir.Operation, why: str) -> None:
        raise Unsupported(op, why)

    def skip(self, op: ir.Operation) -> None:
        """Skips operations of the device; the host itself only transfers."""
        for inner in walk_post_order(op):
            hands_on = inner.name in _HIERARCHIES or inner.name in _NOTHING or inner.name in SAME_BUFFER
            if not hands_on and any(is_host(v) for v in (*inner.operands, *inner.results)):
                raise Unsupported(inner, "works on the host's memory, and the host of a device only transfers")
        self.fire(op, self.waited(op))

    # Tokens.

    def waited(self, op: AnyOp) -> int:
        """The transfers that have ended when the tokens of `op` have fired."""
        tokens = [self.get(v) for v in op.operands if is_token(v.type)]
        return reduce(or_, (t.moves for t in tokens if isinstance(t, EndedTransfers)), self.past)

    def fire(self, op: AnyOp, past: int) -> None:
        """Ends `op` after `past`: sets its tokens; without a token, the program has waited."""
        tokens = [r for r in op.results if is_token(r.type)]
        self.assign(tokens, [EndedTransfers(past)] * len(tokens))
        if not tokens:
            self.past |= past

    def wait_all(self, op: ir.Operation) -> None:
        self.fire(op, self.waited(op))

    def inside(self, op: AnyOp, run: Callable[[], None]) -> None:
        """Runs the body of `op`. It begins after the operation's tokens, and ends when all operations in it have ended."""
        outer, first = self.past, self.moves
        self.past = self.waited(op)
        run()
        ended, self.past = self.past | ((1 << self.moves) - (1 << first)), outer
        self.fire(op, ended)

    def concurrently(self, points: Any, run: Callable[[Any], None]) -> None:
        """Runs each point of a grid independently: the waits of one point do not order another."""
        before = ended = self.past
        for point in points:
            self.past = before
            run(point)
            ended |= self.past
        self.past = ended

    # Transfers, waits, starts.

    def air_transfer(self, op: ir.Operation) -> None:
        past = self.waited(op)
        if any(is_host(v) for v in op.operands):
            self.actions.append(of_air(op, self, self.allocations, past))
            past |= 1 << self.moves
            self.moves += 1
        self.fire(op, past)

    def airrt_transfer(self, op: ir.Operation) -> None:
        move = of_airrt(op, self)
        self.actions.append(move)
        self.assign(op.results, [frozenset([move])] * len(op.results))

    def airrt_wait(self, op: ir.Operation) -> None:
        moves: frozenset[Move] = frozenset().union(*(self.get(v) or frozenset() for v in op.operands))
        self.assign(op.results, [moves] * len(op.results))
        if not len(op.results):
            self.actions.append(Wait(op, moves, _LAUNCH_END in op.attributes))

    def airrt_herd(self, op: ir.Operation) -> None:
        if len(op.operands):
            values = tuple(self.required_number(v, op) for v in op.operands)
            segment = op.attributes["segment_name"].value if "segment_name" in op.attributes else None
            self.actions.append(Start(op, sym_name_of(op), segment, values, _launch_of(op)))

    # Regions.

    def hierarchy(self, op: AnyOp) -> None:
        self.inside(op, lambda: self.grid(op))

    def grid(self, op: Any) -> None:
        view, outer = op.opview, self.segment
        name = sym_name_of(op) if "sym_name" in op.attributes else None
        sizes = [self.required_number(v, op) for v in view.sizes]
        self.assign(view.size_args, sizes)
        self.assign(view.body_args, [self.get(v) for v in view.args])
        if op.name == "air.segment":
            self.segment = name
        if op.name == "air.herd" and (scalars := _scalars(view)):
            self.actions.append(Start(op, name or "herd", self.segment, tuple(self.required_number(v, op) for v in scalars)))

        def at(point: tuple[int, ...]) -> None:
            self.assign(view.ids, point)
            self.run(view.block)

        self.concurrently(product(*map(range, sizes)), at)
        self.segment = outer

    def execute(self, op: AnyOp) -> None:
        results: list[Any] = []
        self.inside(op, lambda: results.extend(self.run(op.regions[0].blocks[0])))
        self.assign(list(op.results)[1:], results)

    def parallel(self, loop: Loop, dims: Sequence[Dim]) -> None:
        op, result = loop.op, list[Any]()

        def at(point: tuple[int, ...]) -> None:
            self.assign(loop.ivs, point)
            result.extend(self.run(loop.block))

        past = self.waited(op)
        self.concurrently(product(*(dim.values for dim in dims)), at)
        waits: frozenset[Move] = frozenset().union(*(v for v in result if isinstance(v, frozenset)))
        past = reduce(or_, (v.moves for v in result if isinstance(v, EndedTransfers)), past)
        self.assign(op.results, [EndedTransfers(past) if is_token(r.type) else waits for r in op.results])


def _active(function: AnyOp) -> set[Any]:
    """The operations of `function` that are host actions, or contain some."""
    results: set[Any] = set()
    for op in walk_post_order(function):
        moves = op.name in AIR and any(is_host(v) for v in op.operands)
        starts = op.name == "air.herd" and _scalars(op.opview)
        if not (moves or starts or op.name.startswith("airrt.")):
            continue
        while op is not None and op not in results:
            results.add(op)
            op = op.parent
    return results


def _scalars(herd: HerdOp) -> list[Any]:
    return [v for v in herd.args if is_parameter(v)]


def _launch_of(op: Any) -> int | None:
    """The launch number of a herd, from the next end of a launch."""
    while op is not None and op.parent is not None:
        following = list(op.block.operations)
        for successor in following[following.index(op.opview) :]:
            if successor.operation.name == "airrt.wait_all" and _LAUNCH in successor.operation.attributes:
                return int(successor.operation.attributes[_LAUNCH].value)
        op = op.parent.operation if op.parent.name != "func.func" else None
    return None


_RULES: dict[str, Callable[[_Host, Any], None]] = {
    **dict.fromkeys(AIR, _Host.air_transfer),
    "air.wait_all": _Host.wait_all,
    "airrt.dma_memcpy_nd": _Host.airrt_transfer,
    "airrt.wait_all": _Host.airrt_wait,
    "airrt.herd_load": _Host.airrt_herd,
    **dict.fromkeys(_HIERARCHIES, _Host.hierarchy),
    "air.execute": _Host.execute,
}
