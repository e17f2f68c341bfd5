"""Loops around transfers: folds them into the transfer's access list, or unrolls them into chains of transfers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product as every
from typing import Any

from allo_air.access.fit import Limits, split
from allo_air.access.linear import ZERO, Linear
from allo_air.access.pattern import AccessPattern, Dim
from allo_air.core.diagnostics import error_at
from allo_air.core.names import channel_of
from allo_air.core.walking import is_unused, walk_named, walk_post_order
from allo_air.device import MEM_TILE, SHIM_BD
from allo_air.dialects.air import WaitAllOp
from allo_air.dialects.air_values import HIERARCHIES, is_wait
from allo_air.dialects.operands import lists_of, memref_of
from allo_air.errors import counted
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._analysis.effects import is_pure
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.memory import is_in
from allo_air.passes._ir.constants import Indices
from allo_air.passes.bd._limits import allows, limits_of
from allo_air.passes.bd._lists import CHANNEL_ENDS, is_padded, pattern_of, shortest, with_outer_dim

_LOOPS = ("scf.for", "affine.for")
_TOKEN = "!air.async.token"


@dataclass(frozen=True)
class Rules:
    """The allowed rewrites: `unroll` loops that cannot be folded, fold loops that only `repeat`, enter other `hierarchies`."""

    unroll: bool = True
    repeat: bool = True
    hierarchies: bool = True


def specialize(block: ir.Block, rules: Rules = Rules(), *, is_core: bool = False) -> None:
    """Folds or unrolls the loops in `block` that only move data, inner ones first.

    A core runs its loops itself: inside a herd loops are folded if possible, and never unrolled.
    """
    is_core = is_core or not rules.unroll
    for op in [o.operation for o in block.operations]:
        if op.name in HIERARCHIES and not rules.hierarchies:
            continue
        for region in op.regions:
            for inner in region.blocks:
                specialize(inner, rules, is_core=is_core or op.name == "air.herd")
        if op.name in _LOOPS:
            if not _fold(op, rules) and not is_core and not is_unused(block_of(op).arguments[0]) and _only_moves_data(op):
                _unroll(op)
        elif op.name == "scf.parallel" and not is_core and _only_moves_data(op):
            _unroll_parallel(op)


def block_of(loop: AnyOp) -> ir.Block:
    return loop.regions[0].blocks[0]


def _fold(loop: ir.Operation, rules: Rules) -> bool:
    """Folds a loop around one put or get into a leading dimension of its access list; returns False if that is impossible.

    Before:

        %0 = scf.for %i = %c0 to %c64 step %c16 iter_args(%t = %s) -> (!air.async.token) {
          %1 = air.channel.put async [%t] @c[] (%m[%c0, %i] [%c16, %c16] [%c64, %c1]) : (memref<16x64xi32, 1>)
          scf.yield %1 : !air.async.token
        }

    After:

        %0 = air.channel.put async [%s] @c[] (%m[%c0, %c0, %c0] [%c4, %c16, %c16] [%c16, %c64, %c1]) : (memref<16x64xi32, 1>)
    """
    body = _body(loop)
    moves = [op for op in body if op.name in CHANNEL_ENDS]
    if len(moves) != 1 or not all(op in moves or is_pure(op) or is_wait(op) for op in body):
        return False
    values = IndexValues()
    range_ = values.range_of(block_of(loop).arguments[0])
    if range_ is None or range_[1] == 0:
        return False
    lower, count, step = range_
    dim = _as_dimension(moves[0], loop, count, step, values)
    if dim is None or (count > 1 and dim.stride == ZERO and not rules.repeat):
        return False

    def widen(op: ir.OpView) -> AnyOp:
        return with_outer_dim(op, dim) if op.name in CHANNEL_ENDS and count > 1 else op

    named = dict(zip(block_of(loop).arguments, [_constant(loop, lower), *_inits(loop)], strict=True))
    _replace(loop, _copied(loop, named, widen))
    return True


def folds(loop: ir.Operation, shared: Collection[str]) -> bool:
    """Whether `loop` contains only several transfers, each of which can become one transfer for all iterations.

    Transfers on channels that may be `shared` (packets) cannot: the first one would block the others in the DMA channel.
    """
    body, values = _body(loop), IndexValues()
    moves = [op for op in body if op.name in CHANNEL_ENDS]
    range_ = values.range_of(block_of(loop).arguments[0])
    if range_ is None or range_[1] < 2 or not all(op in moves or is_pure(op) or is_wait(op) for op in body):
        return False
    if any(channel_of(move) in shared for move in moves):
        return False
    return all(_as_dimension(move, loop, range_[1], range_[2], values) is not None for move in moves)


def _as_dimension(move: ir.Operation, loop: ir.Operation, count: int, step: int, values: IndexValues) -> Dim | None:
    """The dimension that `loop` adds to the pattern of `move` in its first iteration; None if no BD supports it."""
    _, sizes, strides = lists_of(move)
    fixed = [*move.opview.indices, memref_of(move), *sizes, *strides]
    pattern = pattern_of(move, values)
    if pattern is None or (
        count > 1 and (is_padded(move) or any(values.constant(v) is None and _is_made_in(v, loop) for v in fixed))
    ):
        return None
    stride = _stride_per_iteration(pattern, loop, step, values)
    if count == 1:
        return Dim(ZERO, Linear(1), ZERO)
    if stride is None or stride < 0 or not isinstance(pattern.base.type, ir.MemRefType):
        return None
    dim = Dim(ZERO, Linear(count), Linear(stride))
    limits = limits_of(pattern.base.type)
    short = shortest(replace(pattern, dims=(dim, *pattern.dims)))
    return dim if short and limits and (allows(limits, short.dims) or _divides(limits, short.dims)) else None


def _divides(limits: Limits, dims: Sequence[Dim]) -> bool:
    """Whether one descriptor of a shim walks `dims` once sizes that its fields cannot hold are divided."""
    constant_dims = [(d.size.constant, d.stride.constant) for d in dims if d.size and d.stride and d.size.is_constant]
    if limits.form is not SHIM_BD or len(constant_dims) != len(dims) or any(stride <= 0 for _, stride in constant_dims):
        return False
    outer, inner = split(constant_dims, limits)
    return not outer and allows(limits, [Dim(ZERO, Linear(size), Linear(stride)) for size, stride in inner])


def _stride_per_iteration(pattern: AccessPattern, loop: ir.Operation, step: int, values: IndexValues) -> int | None:
    """The distance in elements from one iteration of `loop` to the next; None if it varies."""
    total = 0
    for dim in pattern.dims:
        offset = values.resolved(dim.offset) or ZERO
        factor = sum(c for v, c in offset.terms if v == block_of(loop).arguments[0])
        if any(v != block_of(loop).arguments[0] and _is_made_in(v, loop) for v, _ in offset.terms):
            return None
        if factor and (dim.stride is None or not dim.stride.is_constant):
            return None
        total += factor * step * dim.stride.constant if factor and dim.stride else 0
    return total


def _unroll(loop: ir.Operation) -> None:
    """Unrolls a loop with constant bounds; leaves any other loop unchanged."""
    range_ = IndexValues().range_of(block_of(loop).arguments[0])
    if range_ is None:
        return
    lower, count, step = range_
    _check_chain(loop, count)
    carried = _inits(loop)
    for i in range(count):
        named = dict(zip(block_of(loop).arguments, [_constant(loop, lower + i * step), *carried], strict=True))
        carried = _copied(loop, named)
    _replace(loop, carried)


def _unroll_parallel(loop: AnyOp) -> None:
    """Unrolls a parallel loop with constant bounds. Its token becomes a join of the tokens of all iterations."""
    block = block_of(loop)
    values = IndexValues()
    ranges_of_ivs = [values.range_of(iv) for iv in block.arguments]
    if any(k is None for k in ranges_of_ivs) or any(str(r.type) != _TOKEN for r in loop.results):
        return
    ranges = [range(k[0], k[0] + k[1] * k[2], k[2]) for k in ranges_of_ivs if k is not None]
    inits = list(loop.operands)[3 * len(ranges_of_ivs) :]
    joined: list[list[Any]] = [[v] for v in inits]
    for point in every(*ranges):
        named = {iv: _constant(loop, number) for iv, number in zip(block.arguments, point, strict=True)}
        for tokens, token in zip(joined, _copied(loop, named), strict=True):
            tokens.append(token)
    _replace(loop, [WaitAllOp(deps=t, token=True, ip=ir.InsertionPoint(loop), loc=loop.location).token for t in joined])


def _check_chain(loop: ir.Operation, count: int) -> None:
    """Raises an error if the chain of a memtile's transfers would be longer than it has buffer descriptors."""
    moves = [op for op in walk_named(loop, *CHANNEL_ENDS) if is_in(memref_of(op).type, 1)]
    if count * len(moves) > MEM_TILE.bds:
        raise error_at(
            loop,
            f"cannot become a dimension of its access lists, and unrolled it takes "
            f"{counted(count * len(moves), 'buffer descriptor')} of a"
            f" memtile, which has {MEM_TILE.bds}; make its transfers larger, or the walk simpler",
        )


def _copied(loop: AnyOp, named: Mapping[Any, Any], change: Callable[[Any], Any] = lambda op: op) -> list[Any]:
    """Copies the body before `loop`, with values for its block arguments, and changes each copy; returns the yielded
    values.
    """
    ip, values = ir.InsertionPoint(loop), dict(named)
    for op in _body(loop):
        new = op.clone(ip=ip)
        for inner in walk_post_order(new):
            for i, operand in enumerate(inner.operands):
                if operand in values:
                    inner.operands[i] = values[operand]
        values.update(zip(op.results, change(new).results, strict=True))
    terminator = list(block_of(loop).operations)[-1]
    return [values.get(v, v) for v in terminator.operands]


def _replace(loop: AnyOp, results: Sequence[ir.Value]) -> None:
    for old, new in zip(loop.results, results, strict=True):
        old.replace_all_uses_with(new)
    loop.erase()


def _inits(loop: ir.Operation) -> list[ir.Value]:
    return list(loop.operands)[len(loop.operands) - len(loop.results) :]


def _body(loop: AnyOp) -> list[ir.Operation]:
    return [o.operation for o in block_of(loop).operations][:-1]


def _constant(loop: AnyOp, number: int) -> Any:
    kind = block_of(loop).arguments[0].type
    if isinstance(kind, ir.IndexType):
        return Indices().constant(number, loop)
    return arith.constant(kind, number, loc=loop.location, ip=ir.InsertionPoint(loop))


def _only_moves_data(op: ir.Operation) -> bool:
    """Whether loop `op` contains only puts, gets, joins of tokens, values and such loops."""
    inner = [o.operation for region in op.regions for block in region.blocks for o in list(block.operations)]
    return all(
        o.name in CHANNEL_ENDS
        or is_pure(o)
        or is_wait(o)
        or o.name in ("scf.yield", "affine.yield", "scf.reduce.return")
        or (o.name in (*_LOOPS, "scf.parallel", "scf.reduce") and _only_moves_data(o))
        for o in inner
    )


def _is_made_in(value: ir.Value, loop: ir.Operation) -> bool:
    """Whether the body of `loop` defines `value`."""
    block = value.owner if isinstance(value, ir.BlockArgument) else value.owner.operation.block
    return bool(block == block_of(loop))
