"""Rebuilds functions with AIR launches as the host's AIRRt control program, without the operations of the device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from allo_air.core.cloning import clone
from allo_air.core.diagnostics import error_at
from allo_air.core.folding import number_of
from allo_air.core.names import set_function_type, sym_name_of
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.air_values import is_token
from allo_air.dialects.airrt import HerdLoadOp, SegmentLoadOp, WaitAllOp
from allo_air.dialects.operands import memref_of
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._ir.affine_loops import LABEL, affine_for, body_of, constant
from allo_air.passes._ir.hierarchies import is_parameter
from allo_air.passes.runtime import _control_flow as control_flow
from allo_air.passes.runtime._barriers import APPENDS, AWAITS
from allo_air.passes.runtime._expand import AFFINE, expand
from allo_air.passes.runtime._hazards import Accesses, conflict, host_side
from allo_air.passes.runtime._host_ops import EVENT, L3_OPS, YIELDS, has_air, in_hierarchy, is_for_device, token_of
from allo_air.passes.runtime._memcpy import Channels, MemcpyBuilder
from allo_air.passes.runtime._trace import LAUNCH, LAUNCH_END

if TYPE_CHECKING:
    from allo_air.dialects.air import HerdOp


class ToAirrt:
    """Rebuilds one function."""

    builder: type[MemcpyBuilder] = MemcpyBuilder

    def __init__(self, function: AnyOp, channels: Channels, first_launch: int) -> None:
        self.function = function
        self.block = function.regions[0].blocks[0]
        self.map: dict[Any, Any] = {}
        self.events: dict[Any, frozenset[int]] = {}  # the transfers that each new event waits for
        self.accesses = Accesses(function)
        self.memcpy = self.builder(self.block, channels, self.mapped)
        self.launches = first_launch
        self.place: tuple[Any, ...] = ()  # ids of the enclosing herd
        self.done: list[Any] = []  # events of the enclosing launch, in order
        self.segment: str | None = None
        self.appended: dict[Any, list[Any]] = {}  # events of marked gets by buffer

    def run(self) -> None:
        """Rewrites the function in place. Its tokens, as arguments and results, become events."""
        for argument in filter(is_token, self.block.arguments):
            argument.set_type(ir.Type.parse(EVENT))
        olds = [o.operation for o in self.block.operations]
        replaced = []
        for op in olds:
            if has_air(op):
                with ir.InsertionPoint(op), op.location:
                    self.convert(op)
                replaced.append(op)
        for op in replaced:
            self.hand_over(op, set(replaced))
        for op in reversed(replaced):
            op.erase()
        set_function_type(self.function)

    def hand_over(self, op: ir.Operation, replaced: set[AnyOp]) -> None:
        """Replaces uses of the results of `op` by operations that stay in the function."""
        for result in op.results:
            users = [u.owner.operation for u in result.uses]
            stays = next((u for u in users if not any(outer in replaced for outer in (u, *parents(u)))), None)
            if stays is None:
                continue
            is_returned = all(u.name == "func.return" for u in users if u not in replaced)
            if result not in self.map or (self.map[result].type != result.type and not is_returned):
                raise error_at(stays, f"uses a {result.type} that an operation of the device yields, and the host has none")
            result.replace_all_uses_with(self.map[result])

    def mapped(self, value: ir.Value) -> Any:
        return self.map.get(value, value)

    # Events.

    def event_of(self, tokens: Sequence[ir.Value]) -> Any:
        """One event that joins the tokens of transfers; an event without a wait if there are none."""
        live = self.live(tokens)
        if len(live) == 1:
            return live[0]
        result = WaitAllOp(events=live, event=True).event
        self.events[result] = frozenset[int]().union(*(self.events[e] for e in live))
        return result

    def live(self, tokens: Sequence[ir.Value]) -> list[Any]:
        """The events of the tokens that signal the end of a transfer, each once."""
        events = [self.mapped(t) for t in tokens]
        return list(dict.fromkeys(e for e in events if self.events.get(e)))

    def finish(self, op: AnyOp, tokens: Sequence[ir.Value]) -> None:
        """Maps the token of `op`, which does nothing on the host, to the events of `tokens`."""
        token = token_of(op)
        if token is not None:
            self.map[token] = self.event_of(tokens)

    # Operations.

    def body(self, block: ir.Block) -> Any:
        """Converts the operations of `block` at the insertion point; returns the terminator."""
        for view in block.operations:
            op = view.operation
            if op.name in YIELDS:
                return op
            with op.location:
                self.convert(op)
        return None

    def convert(self, op: ir.Operation) -> None:
        convert = _CONVERSIONS.get(op.name)
        if op.name not in _BUFFERS and is_for_device(op) and not has_air(op) and not in_hierarchy(op):
            self.clone(op)  # host code on memory that only the device should use
        elif op.name in _METHODS:
            getattr(self, _METHODS[op.name])(op)
        elif convert is not None:
            convert(self, op)
        elif op.name in L3_OPS:
            self.transfer(op)
        elif op.name in AFFINE:
            self.map[op.results[0]] = expand(op, [self.mapped(v) for v in op.operands])
        elif op.name.startswith("air."):
            raise error_at(
                op, "has no counterpart in a control program; expected launches, segments, herds, channels and waits"
            )
        elif not is_for_device(op):
            self.clone(op)

    def clone(self, op: AnyOp) -> None:
        clone(op, self.map)

    def transfer(self, op: ir.Operation) -> None:
        side, view, token = host_side(op), op.opview, token_of(op)
        if side is None:
            return self.finish(op, view.deps)
        here = self.accesses.number(op)
        before = self.live(view.deps) if token is not None else []
        earlier = frozenset[int]().union(*(self.events[e] for e in before))
        if any(conflict(self.accesses[i], self.accesses[here]) for i in earlier):
            self.block_on(before, op)
        self.await_appends(op)
        event = self.memcpy.build(op, side, self.place)
        if event is None:
            if self.accesses.meets(here):
                raise error_at(op, "has more than 4 dimensions and meets another transfer of its buffer; expected at most 4")
            event = WaitAllOp(events=[], event=True).event
        self.events[event] = frozenset([here])
        self.done.append(event)
        if APPENDS in op.attributes:
            self.appended.setdefault(root_of(side.memref), []).append(event)
        if token is None:
            if self.accesses.meets(here):  # without tokens, program order applies
                self.block_on([event], op)
            return None
        if any(self.accesses.meets(i) for i in earlier):  # a wait for this event must include those
            event = WaitAllOp(events=[event, *before], event=True).event
            self.events[event] = earlier | {here}
        self.map[token] = event
        return None

    def await_appends(self, op: AnyOp) -> None:
        """Waits, before a marked put, for the marked gets of its block that came before it."""
        if AWAITS in op.attributes:
            here = ir.InsertionPoint.current.block
            memref = memref_of(op)
            events = [e for e in self.appended.pop(root_of(memref), []) if e.owner.operation.block == here]
            if events:
                self.block_on(events, op)

    def block_on(self, events: list[ir.Value], op: AnyOp) -> None:
        """Waits on the host for `events`."""
        WaitAllOp(events=events, loc=op.location)

    def wait_all(self, op: AnyOp) -> None:
        deps = op.opview.deps
        if token_of(op) is not None:
            self.finish(op, deps)
        elif (live := self.live(deps)) and not self.is_last_of_launch(op):
            self.block_on(live, op)

    def is_last_of_launch(self, op: AnyOp) -> bool:
        """Whether only the end of the launch follows, which waits for all transfers."""
        if op.parent is None or op.parent.operation.name != "air.launch":
            return False
        after, result = False, False
        for neighbour in op.block.operations:
            result = result or (after and bool(self.accesses.moves(neighbour.operation)))
            after = after or neighbour.operation == op
        return not result

    def execute(self, op: AnyOp) -> None:
        if in_hierarchy(op) and all(
            is_for_device(o.operation) or o.operation.name in YIELDS for o in op.regions[0].blocks[0].operations
        ):
            return self.finish(op, op.opview.deps)
        terminator = self.body(op.regions[0].blocks[0])
        yielded = [self.mapped(v) for v in terminator.operands] if terminator is not None else []
        self.map.update(zip(list(op.results)[1:], yielded, strict=True))
        return self.finish(op, op.opview.deps)

    def launch(self, op: AnyOp) -> None:
        view = op.opview
        if live := self.live(view.deps):
            self.block_on(live, op)
        sizes = [self.mapped(v) for v in view.sizes]
        self.bind(view.body_args, view.args)
        self.map.update(zip(view.size_args, sizes, strict=True))
        outer, self.done = self.done, []
        with ExitStack() as points:
            for i, size in enumerate(sizes or [None]):
                loop = self.grid_loop(op, size, {LABEL: ir.StringAttr.get("tiling")} if i == 0 else {})
                points.enter_context(ir.InsertionPoint.at_block_terminator(body_of(loop)))
                if size is not None:
                    self.map[view.ids[i]] = body_of(loop).arguments[0]
                if i == 0:
                    self.place = self.place_in_launch(body_of(loop).arguments[0])
            for segment in walk_named(op, "air.segment"):
                if "sym_name" in segment.attributes:
                    SegmentLoadOp(sym_name=sym_name_of(segment))
            self.body(view.block)
            i32 = ir.IntegerType.get_signless(32)
            marks = {LAUNCH_END: ir.UnitAttr.get(), LAUNCH: ir.IntegerAttr.get(i32, self.launches)}
            here = ir.InsertionPoint.current.block
            ended = [e for e in dict.fromkeys(self.done) if e.owner.operation.block == here]
            self.end_launch(ended, marks)
        self.place = ()
        self.launches += 1
        self.done = outer
        self.after_launch(op)

    def place_in_launch(self, iteration: ir.Value) -> tuple[ir.Value, ...]:
        """The core of a transfer: None outside of herds."""
        return ()

    def after_launch(self, op: AnyOp) -> None:
        """Marks the launch as waited for."""
        if token_of(op) is not None:
            self.map[token_of(op)] = WaitAllOp(events=[], event=True).event

    def end_launch(self, events: list[ir.Value], marks: dict[str, ir.Attribute]) -> None:
        """Waits for all transfers of the launch."""
        WaitAllOp(events=events, attributes=marks)

    def grid_loop(self, op: AnyOp, size: ir.Value | None, attributes: dict[str, ir.StringAttr]) -> ir.Operation:
        trip_count = 1 if size is None else number_of(size)
        if trip_count is None:
            raise error_at(op, "has a size that is not constant; a control program runs a fixed number of launches")
        return affine_for(constant(0), constant(trip_count), 1, attributes)

    def segment_op(self, op: ir.Operation) -> None:
        outer, self.segment = self.segment, sym_name_of(op) if "sym_name" in op.attributes else None
        self.grid(op, lambda: self.body(op.opview.block))
        self.segment = outer
        self.finish(op, op.opview.deps)

    def herd(self, op: ir.Operation) -> None:
        view = op.opview
        name = sym_name_of(op) if "sym_name" in op.attributes else "herd"
        parameters = [v for v in view.args if is_parameter(v)]
        scalars = [self.as_scalar(self.mapped(v)) for v in parameters]
        attributes = {"segment_name": ir.StringAttr.get(self.segment)} if self.segment else {}
        HerdLoadOp(rtp=scalars, sym_name=name, attributes=attributes)
        if self.accesses.moves(op):
            outer = self.place
            self.grid(op, lambda: self.herd_body(view))
            self.place = outer
        self.finish(op, view.deps)

    def herd_body(self, view: HerdOp) -> None:
        self.place = tuple(self.mapped(i) for i in view.ids)
        self.body(view.block)

    def as_scalar(self, value: ir.Value) -> Any:
        if str(value.type) != "index":
            return value
        return arith.index_cast(ir.IntegerType.get_signless(32), value)

    def grid(self, op: AnyOp, body: Callable[[], object]) -> None:
        """Builds loops over the instances of a segment or herd, if it contains transfers."""
        view = op.opview
        sizes = [self.mapped(v) for v in view.sizes]
        self.bind(view.body_args, view.args)
        self.map.update(zip(view.size_args, sizes, strict=True))
        with ExitStack() as points:
            for id_, size in zip(view.ids, sizes, strict=True):
                if not self.accesses.moves(op):
                    self.map[id_] = self.memcpy.constant(0, "index")
                    continue
                loop = self.grid_loop(op, size, {})
                points.enter_context(ir.InsertionPoint.at_block_terminator(body_of(loop)))
                self.map[id_] = body_of(loop).arguments[0]
            body()

    def bind(self, arguments: Sequence[ir.Value], values: Sequence[ir.Value]) -> None:
        self.map.update(zip(arguments, [self.mapped(v) for v in values], strict=True))


_BUFFERS = ("memref.alloc", "memref.dealloc")
_METHODS = {
    "air.launch": "launch",
    "air.segment": "segment_op",
    "air.herd": "herd",
    "air.wait_all": "wait_all",
    "air.execute": "execute",
}
_CONVERSIONS: dict[str, Callable[[ToAirrt, Any], None]] = {
    "scf.for": control_flow.loop,
    "scf.parallel": control_flow.parallel,
    "scf.if": control_flow.branch,
    "scf.index_switch": control_flow.branch,
    "affine.if": control_flow.branch,
    "air.affine_if": control_flow.branch,
    "affine.for": control_flow.affine_loop,
}
