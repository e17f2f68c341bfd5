"""Converts AIR to AIRRt token by token: each token becomes an event, and waits stay in place."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from allo_air.core.names import sym_name_of
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.air_values import is_token
from allo_air.dialects.airrt import AllocOp, DeallocOp, WaitAllOp
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._ir.affine_loops import affine_for, body_of, constant
from allo_air.passes.runtime._host_ops import YIELDS, is_for_device, token_of
from allo_air.passes.runtime._memcpy_as_air import MemcpyAsAir
from allo_air.passes.runtime._to_airrt import ToAirrt
from allo_air.passes.runtime._trace import LAUNCH_END


class TokenByToken(ToAirrt):
    """Rebuilds one function."""

    builder = MemcpyAsAir
    ends_itself = False
    """Whether the enclosing launch waits at its end."""

    def event_of(self, tokens: Sequence[ir.Value]) -> Any:
        """A new event that joins those of `tokens`."""
        values = [self.mapped(t) for t in tokens]
        events = [e for e in values if not is_token(e)]
        result = WaitAllOp(events=events, event=True).event
        self.events[result] = frozenset[int]().union(*(self.events.get(e, frozenset()) for e in events))
        return result

    def transfer(self, op: ir.Operation) -> None:
        super().transfer(op)
        token = token_of(op)
        if token is not None and self.memcpy_made(self.map[token]):
            self.map[token] = self.event_of([self.map[token], *op.opview.deps])

    def memcpy_made(self, event: ir.Value) -> bool:
        return bool(event.owner.name == "airrt.dma_memcpy_nd")

    def wait_all(self, op: AnyOp) -> None:
        attributes = {n: a for n, a in op.attributes.items() if n not in ("operandSegmentSizes", "id")}
        token = token_of(op)
        if token is not None:
            self.map[token] = self.event_of(op.opview.deps)
            return
        events = [e for t in op.opview.deps if not is_token(e := self.mapped(t))]
        if LAUNCH_END in attributes:
            events = list(dict.fromkeys([*events, *self.ended()]))
        WaitAllOp(events=events, attributes=attributes)

    def ended(self) -> list[Any]:
        """The transfers of this block that have not been waited for."""
        here = ir.InsertionPoint.current.block
        return [e for e in self.done if e.owner.operation.block == here and not list(e.uses)]

    def execute(self, op: AnyOp) -> None:
        terminator = self.body(op.regions[0].blocks[0])
        yielded = [self.mapped(v) for v in terminator.operands] if terminator is not None else []
        self.map.update(zip(list(op.results)[1:], yielded, strict=True))
        inner = [o.operation for o in op.regions[0].blocks[0].operations]
        frees = all(o.name in YIELDS or (o.name == "memref.dealloc" and is_for_device(o)) for o in inner)
        self.finish(op, [] if frees else op.opview.deps)

    def convert(self, op: ir.Operation) -> None:
        if op.name in ("memref.alloc", "memref.dealloc") and is_for_device(op) and not _in_herd(op):
            self.buffer(op)
        else:
            super().convert(op)

    def buffer(self, op: AnyOp) -> None:
        """Does nothing: L2 buffers are allocated on the device."""
        if op.name == "memref.alloc":
            self.map[op.results[0]] = AllocOp(memref=op.results[0].type).memref
        elif (mapped_buffer := self.mapped(op.operands[0])) != op.operands[0]:
            DeallocOp(memref=mapped_buffer)

    def launch(self, op: AnyOp) -> None:
        token = token_of(op)
        self.bounds()
        event = None if token is None else self.event_of(op.opview.deps)
        self.ends_itself = any(LAUNCH_END in w.attributes for w in walk_named(op, "air.wait_all"))
        super().launch(op)
        if token is not None:
            self.map[token] = event

    def bounds(self) -> None:
        """The bounds of the loops of a hierarchy. As in mlir-air, they are constants before the loops."""
        for number in (0, 1):
            arith.constant(ir.IndexType.get(), number)

    def place_in_launch(self, iteration: ir.Value) -> tuple[ir.Value, ...]:
        """The column is the number of the launch's first loop, as in mlir-air."""
        return (iteration,)

    def after_launch(self, op: AnyOp) -> None:
        """The launch's token becomes the event of its dependences."""

    def end_launch(self, events: list[ir.Value], marks: dict[str, ir.Attribute]) -> None:
        if not self.ends_itself and events:
            super().end_launch(events, marks)

    def segment_op(self, op: ir.Operation) -> None:
        token = token_of(op)
        self.bounds()
        event = None if token is None else self.event_of(op.opview.deps)
        outer, self.segment = self.segment, sym_name_of(op) if "sym_name" in op.attributes else None
        view = op.opview
        sizes = [self.mapped(v) for v in view.sizes]
        self.bind(view.body_args, view.args)
        self.map.update(zip(view.size_args, sizes, strict=True))
        with ExitStack() as points:
            for i, size in enumerate(sizes or [None]):
                loop = affine_for(constant(0), constant(1), 1, {}) if size is None else self.grid_loop(op, size, {})
                points.enter_context(ir.InsertionPoint.at_block_terminator(body_of(loop)))
                if size is not None:
                    self.map[view.ids[i]] = body_of(loop).arguments[0]
            self.body(view.block)
        self.segment = outer
        if token is not None:
            self.map[token] = event


def _in_herd(op: AnyOp) -> bool:
    return any(p.name == "air.herd" for p in parents(op))
