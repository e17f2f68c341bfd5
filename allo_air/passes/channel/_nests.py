"""Builds the loops around one end of a channel outside of a hierarchy, so that it runs as often as the end inside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from allo_air.core.constants import index_constant
from allo_air.core.loops import PARALLEL, dim_of
from allo_air.dialects.air import ChannelGetOp, ChannelPutOp, ExecuteOp, ExecuteTerminatorOp, WaitAllOp
from allo_air.mlir import AnyOp, ir, memref, scf
from allo_air.passes._analysis.parallel import view
from allo_air.passes._ir.tokens import combine_joined, distinct
from allo_air.passes.channel import _conditions as conditions
from allo_air.passes.channel._boxes import Box, Point, boxes, grid
from allo_air.passes.channel._places import branch, shape_of, shared_loop
from allo_air.passes.channel._slices import Cursor, Frame, Slice, carried
from allo_air.passes.channel._split import ExternalOp, guard_inputs

Externals = list[ExternalOp]
_OF_LOOPS = ("air.disable_ping_pong", "air.shared_resident_ring", "loop_annotation")
"""Attributes of a loop inside that are copied to the loop outside."""


def build_nest(externals: Sequence[ExternalOp], tokens: list[Any]) -> list[Any]:
    """Emits `externals` of one hierarchy before it, with their loops and conditions; they start after `tokens`.

    Each operation waits for the previous one, also across iterations. Returns the tokens that are ready when all have ended.

    Before: `air.herd tile (%x, %y) in (2, 2) { scf.for %k { put of @c[%x, %y] from %l2[%x * 16, %k] } }`;
    after: `scf.parallel (%x, %y) = (0, 0) to (2, 2) { scf.for %k { put of @c[%x, %y] from %l2[%x * 16, %k] } }`, and the herd.
    """
    top = externals[0].top
    nest = _Nest(top, Frame(None, Cursor(top.block, top)), externals[0])
    nest.tokens = tokens
    nest.carried = carried(top, list(externals))
    with top.location:
        nest.emit(list(externals), 0)
    return nest.tokens


class _Nest(Slice):
    tokens: list[Any]  # the next operation waits for these
    carried: set[Any]
    guarded = False  # whether to emit affine.if on the ids of the surrounding herd

    @property
    def cursor(self) -> Cursor:
        return self.frames[-1].cursor

    @contextmanager
    def frame(self, original: ir.Block, cursor: Cursor, mapping: dict[ir.Value, ir.Value] | None = None) -> Iterator[Frame]:
        self.frames.append(Frame(original, cursor, mapping or {}))
        yield self.frames[-1]
        self.frames.pop()

    @contextmanager
    def inside(self, new: ir.Operation, block: object, original: Any, mapping: dict[Any, Any]) -> Iterator[Frame]:
        """Emits into `block` of the new operation `new`. In the meantime, values of outer blocks are emitted before `new`."""
        outer, before = self.cursor, self.cursor.before
        outer.before = new
        with self.frame(original, Cursor(block), mapping) as frame:
            yield frame
        outer.before = before

    def emit(self, externals: list[ExternalOp], depth: int) -> None:
        """Emits `externals`, whose paths all have the same operation at `depth`."""
        op = externals[0].path[depth]
        self.culprit = externals[0]
        if len(externals[0].path) == depth + 1:
            self._emit_operation(externals[0])
        elif op.name in ("air.herd", "air.segment"):
            self._grid(op, externals, depth)
        elif op.name == "scf.for":
            self._for(op, lambda: self._inner(externals, depth))
        elif op.name == "affine.for":
            self._affine_for(op, lambda: self._inner(externals, depth))
        elif op.name in PARALLEL:
            self._in_turn(op, lambda: self._inner(externals, depth))
        elif op.name in ("scf.if", "air.affine_if"):
            self._if(op, externals, depth)
        elif op.name == "air.execute":
            with self.frame(op.regions[0].blocks[0], self.cursor):
                self._inner(externals, depth)
        else:
            raise self.error(
                f"is in '{op.name}', which cannot be repeated outside of '{self.top.name}' for the channel's other end;"
                " use scf.for, scf.parallel, scf.if or affine.if"
            )

    def _inner(self, externals: list[ExternalOp], depth: int) -> None:
        for _, run in groupby(externals, key=lambda s: s.path[depth + 1]):
            self.emit(list(run), depth + 1)

    def _emit_operation(self, external: ExternalOp) -> None:
        op = external.op
        if op.name in ("air.channel.put", "air.channel.get"):
            self._transfer(op)
            return
        inner = next(iter(op.regions[0].blocks[0].operations)).operation if op.name == "air.execute" else op
        if inner.name == "memref.dealloc":
            new = ExecuteOp(deps=self.tokens, ip=self.cursor.ip)
            block = new.operation.regions[0].blocks.append()
            memref.DeallocOp(self.value(inner.operands[0]), ip=ir.InsertionPoint(block))
            ExecuteTerminatorOp(values=[], ip=ir.InsertionPoint(block))
            self.tokens = [new.token]
            return
        sizes = [self.value(v) for v in inner.operands]
        new = inner.clone(ip=self.cursor.ip)
        for n, size in enumerate(sizes):
            new.operands[n] = size
        results = list(op.results)[1:] if op.name == "air.execute" else list(op.results)
        for result in {*results, *inner.results}:
            self.frames[-1].mapping[result] = new.results[0]

    def _transfer(self, op: ir.Operation) -> None:
        value = op.opview
        side = "src" if op.name == "air.channel.put" else "dst"
        fields = ("indices", f"{side}_offsets", f"{side}_sizes", f"{side}_strides")
        lists: dict[str, Any] = {name: [self.value(v) for v in getattr(value, name)] for name in fields}
        kind: Any = ChannelPutOp if side == "src" else ChannelGetOp
        if side == "src" and value.dest is not None:
            lists["dest"] = self.value(value.dest)
        new = kind(
            chan_name=value.chan_name,
            deps=self.tokens,
            token=True,
            attributes={n: a for n, a in op.attributes.items() if n not in ("chan_name", "operandSegmentSizes")},
            loc=op.location,
            ip=self.cursor.ip,
            **{side: self.value(getattr(value, side))},
            **lists,
        )
        self.tokens = [new.token]

    def _grid(self, op: ir.Operation, externals: list[ExternalOp], depth: int) -> None:
        """Emits the operations of a segment or herd for each of its ids, or once if one put serves a box of cores."""
        block, ids = op.regions[0].blocks[0], op.opview.ids
        if op.name == "air.segment" or not ids:
            self._over(block, ids, grid(shape_of(op)), lambda: self._inner(externals, depth))
            return
        if _have_same_cores(externals):
            self._herd(op, externals, depth, externals[0].source, externals[0].points, written_out=False)
        elif not any(s.source for s in externals):
            self._herd(op, externals, depth, None, (), written_out=True)
        else:
            runs = [list(run) for _, run in groupby(externals, key=lambda s: s.source)]
            if any(shared_loop(a.path[depth:], b.path[depth:]) for a in runs[0] for run in runs[1:] for b in run):
                raise self.error("shares a loop with a copy for other cores to the same buffer; put them in loops of their own")
            for run in runs:
                self._grid(op, run, depth)

    def _herd(
        self,
        op: ir.Operation,
        externals: Externals,
        depth: int,
        source: Box | None,
        points: tuple[Point, ...],
        *,
        written_out: bool,
    ) -> None:
        """Emits the operations of a herd's cores. With `written_out`, conditions on the ids are emitted; otherwise only the
        cores in `points` execute the operations.
        """
        block, ids = op.regions[0].blocks[0], op.opview.ids
        outer, self.guarded = self.guarded, written_out
        if source is not None:
            fixed = {i: low for i, low, n in zip(ids, source.lower, source.shape, strict=True) if n == 1}
            with self.frame(block, self.cursor) as frame:
                frame.mapping |= {i: self._index(low) for i, low in fixed.items()}
                self._inner(externals, depth)
        else:
            for box in [grid(shape_of(op))] if self.guarded else boxes(points):
                self._over(block, ids, box, lambda: self._inner(externals, depth))
        self.guarded = outer

    def _over(self, block: ir.Block, ids: list[ir.Value], box: Box, fill: Callable[[], None]) -> None:
        """Emits a parallel loop over the points of `box`, whose body `fill` emits."""
        if not ids:
            with self.frame(block, self.cursor):
                fill()
            return
        bounds = [[self._index(n) for n in corner] for corner in (box.lower, box.upper, (1,) * len(ids))]
        self._spread(block, ids, bounds, fill)

    def _in_turn(self, op: ir.Operation, fill: Callable[[], None]) -> None:
        """Emits sequential loops for a parallel loop of the hierarchy: its iterations share a channel and need an order."""
        block = op.regions[0].blocks[0]
        if op.name == "scf.parallel":
            rank = len(block.arguments)
            bounds = [[self.value(v) for v in list(op.operands)[k * rank : (k + 1) * rank]] for k in range(3)]
            ivs = list(block.arguments)
        else:
            dims = view(op, "a loop around channels").grid
            bounds = [[self._index(getattr(d, name)) for d in dims] for name in ("lower", "upper", "step")]
            ivs = [d.iv for d in dims]

        def nested(n: int) -> None:
            if n == len(ivs):
                fill()
            else:
                self._loop(block, [b[n] for b in bounds], [ivs[n]], [], [], lambda: nested(n + 1))

        nested(0)

    def _spread(
        self, original: ir.Block, ivs: list[ir.Value], bounds: Sequence[Sequence[ir.Value]], fill: Callable[[], None]
    ) -> None:
        """An scf.parallel whose result is the token of all its iterations."""
        start = self._joined()
        new = scf.ParallelOp([start.type], *bounds, [start], ip=self.cursor.ip)
        index = ir.IndexType.get()
        block = new.operation.regions[0].blocks.append(*[index] * len(ivs), arg_locs=[new.location] * len(ivs))
        self.tokens = [start]
        with self.inside(new.operation, block, original, dict(zip(ivs, block.arguments, strict=True))):
            fill()
            token = self._joined()
            combine_joined(scf.ReduceOp([token], 1, ip=ir.InsertionPoint(block)).operation.regions[0], token)
        self.tokens = [new.results[0]]

    def _for(self, op: AnyOp, fill: Callable[[], None]) -> None:
        block = op.regions[0].blocks[0]
        bounds = [self.value(v) for v in list(op.operands)[:3]]
        carried_positions = [n for n, a in enumerate(list(block.arguments)[1:]) if a in self.carried]
        inits = [self.value(op.operands[n + 3]) for n in carried_positions]
        old = [block.arguments[0], *(block.arguments[n + 1] for n in carried_positions)]
        yields = [list(block.operations)[-1].operands[n] for n in carried_positions]
        new = self._loop(block, bounds, old, inits, yields, fill)
        self.frames[-1].mapping.update(
            {op.results[n]: r for n, r in zip(carried_positions, list(new.results)[1:], strict=True)}
        )

    def compute_loop(self, owner: AnyOp) -> None:
        """Copies the scf.for `owner`, without operations that have effects, to where its results are needed."""
        frames, tokens = self.frames, self.tokens
        self.frames = frames[: frames.index(self.frame_of(owner)) + 1]
        self._for(owner, lambda: None)
        self.frames, self.tokens = frames, tokens

    def _affine_for(self, op: ir.Operation, fill: Callable[[], None]) -> None:
        """Emits a loop for an affine.for. Its bounds must be constant, since affine bounds with operands are invalid inside
        hierarchies.
        """
        dim = dim_of(op)
        if dim is None:
            raise self.error("is in an 'affine.for' with operands; use scf.for")
        self._loop(dim.loop.block, [self._index(n) for n in (dim.lower, dim.upper, dim.step)], [dim.iv], [], [], fill)

    def _loop(
        self,
        original: ir.Block,
        bounds: list[ir.Value],
        old: Sequence[ir.Value],
        inits: Any,
        yields: Any,
        fill: Callable[[], None],
    ) -> AnyOp:
        """An scf.for that carries a token, and the loop-carried values on which offsets depend."""
        start = self._joined()
        new = scf.ForOp(*bounds, [start, *inits], ip=self.cursor.ip)
        if original is not None and original.owner.name == "scf.for":
            for name, attribute in original.owner.attributes.items():
                if name in _OF_LOOPS:
                    new.operation.attributes[name] = attribute
        block = new.operation.regions[0].blocks[0]
        iv, token, *values = block.arguments
        self.tokens = [token]
        with self.inside(new.operation, block, original, dict(zip(old, [iv, *values], strict=True))):
            fill()
            results = [self._joined(), *(self.value(v) for v in yields)]
            scf.YieldOp(results, ip=self.cursor.ip)
        self.tokens = [new.results[0]]
        return new

    def _if(self, op: ir.Operation, externals: list[ExternalOp], depth: int) -> None:
        sides = [[s for s in externals if branch(op, s.path[depth + 1]) == n] for n in range(2)]
        herd = next((p for p in externals[0].path[:depth][::-1] if p.name == "air.herd"), None)
        if herd is not None and not self.guarded and guard_inputs(op, herd) is not None:
            for number, side in enumerate(sides):
                if side:
                    with self.frame(op.regions[number].blocks[0], self.cursor):
                        self._inner(side, depth)
            return
        if op.name == "scf.if":
            holds = self.value(op.operands[0])
        else:
            values = [self.value(v) for v in op.operands]
            holds = conditions.of_set(op.attributes["condition"], values, self.cursor.ip)
        start = self._joined()
        new = scf.IfOp(holds, [start.type], has_else=True, ip=self.cursor.ip)
        for number, side in enumerate(sides):
            self.tokens = [start]
            block = new.operation.regions[number].blocks[0]
            blocks = list(op.regions[number].blocks)
            with self.inside(new.operation, block, blocks[0] if blocks else None, {}):
                if side:
                    self._inner(side, depth)
                scf.YieldOp([self._joined()], ip=self.cursor.ip)
        self.tokens = [new.results[0]]

    def _joined(self) -> Any:
        """A new air.wait_all on the current tokens, also for a single token, as mlir-air emits it."""
        return WaitAllOp(deps=distinct(self.tokens), token=True, ip=self.cursor.ip).token

    def _index(self, number: int) -> Any:
        return index_constant(number, ip=self.cursor.ip)


def _have_same_cores(externals: list[ExternalOp]) -> bool:
    """Whether the same cores execute all of them."""
    return len({(s.source, s.points) for s in externals}) == 1
