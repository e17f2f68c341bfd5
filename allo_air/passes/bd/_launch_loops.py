"""Turns a launch of many iterations into one launch that runs them in a loop, tile by tile."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.dialects.air import LaunchOp, WaitAllOp
from allo_air.dialects.air_values import ASYNC
from allo_air.mlir import affine, ir, scf
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.serial import nest_over
from allo_air.passes._ir.tokens import add_deps, deps_of
from allo_air.passes.bd._end_waits import open_tokens

ONE = "dummyLaunch"
"""Mark of a launch that runs its iterations itself; mlir-air's name."""


def sizes_of(launch: LaunchOp) -> list[int]:
    """The constant sizes of `launch`."""
    constants = [constant_of(size) for size in launch.sizes]
    constant_sizes = [size for size in constants if size is not None]
    if len(constant_sizes) < len(constants):
        raise error_at(launch, "has a size that is not constant; a control program runs a fixed number of launches")
    return constant_sizes


def run_in_loops(launch: LaunchOp, tiles: Sequence[int]) -> tuple[LaunchOp, list[ir.Operation]]:
    """Replaces `launch` by one of a single iteration with a nest of `scf.for` for each tile of the grid, `tiles` in size.

    Returns the new launch, and the first operation in it for each tile.

    Before (`tiles` = 2):

        %1 = air.launch async (%i) in (%n=%c4) args(%x=%a) : memref<32xi32> {
          %2 = air.channel.put async @c[] (%x[%i] [%c8] [%c1]) : (memref<32xi32>)
        }

    After:

        %1 = air.launch async () in () args(%x=%a) : memref<32xi32> attributes {dummyLaunch = true} {
          %2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %0) -> (!air.async.token) {
            %3 = air.channel.put async [%t] @c[] (%x[%i] [%c8] [%c1]) : (memref<32xi32>)
            scf.yield %3 : !air.async.token
          }
          %4 = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %2) -> (!air.async.token) { ... %i + 2 ... }
        }
    """
    sizes = sizes_of(launch)
    attributes = {k: v for k, v in launch.attributes.items() if k not in ("operandSegmentSizes", "sym_name")}
    result = LaunchOp.build(
        [],
        list(launch.args),
        deps=list(launch.deps),
        token=len(launch.operation.results) == 1,
        loc=launch.location,
        ip=ir.InsertionPoint(launch.operation),
        sym_name=launch.sym_name,
        attributes={**attributes, ONE: ir.BoolAttr.get(True)},
    )
    end = list(result.block.operations)[-1].operation
    indices = Indices()
    values: dict[ir.Value, ir.Value] = dict(zip(launch.body_args, result.body_args, strict=True))
    values |= {arg: indices.constant(size, end) for arg, size in zip(launch.size_args, sizes, strict=True)}
    body = [o.operation for o in launch.block.operations][:-1]
    starts: list[ir.Operation] = []
    for first in product(*(range(0, size, tile) for size, tile in zip(sizes, tiles, strict=True))):
        starts += _copy_in_loops(body, dict(zip(launch.ids, first, strict=True)), tiles, dict(values), end)[:1]
    for old, new in zip(launch.operation.results, result.operation.results, strict=True):
        old.replace_all_uses_with(new)
    launch.operation.erase()
    return result, starts


def _copy_in_loops(
    body: list[ir.Operation],
    first: dict[ir.Value, int],
    tile: Sequence[int],
    values: dict[ir.Value, ir.Value],
    end: ir.Operation,
) -> list[ir.Operation]:
    """Copies `body` before `end`, in loops over `tile` iterations that start with ids `first`; returns the copies."""
    location, indices = end.location, Indices()
    looped = {id_: size for id_, size in zip(first, tile, strict=True) if size > 1}
    values |= {id_: indices.constant(value, end) for id_, value in first.items() if id_ not in looped}
    if not looped:
        return _copy(body, values, [], end)
    is_async = any(op.name in ASYNC and len(op.results) for op in body)
    with ir.InsertionPoint(end), location:
        start = [WaitAllOp(deps=[], token=True).token] if is_async else []
        loops = nest_over([indices.constant(size, end) for size in looped.values()], location, start)
    inner = loops[-1]
    last = scf.YieldOp(list(inner.inner_iter_args), loc=location, ip=ir.InsertionPoint(inner.body)).operation
    for id_, loop in zip(looped, loops, strict=True):
        values[id_] = _offset_by(loop.induction_variable, first[id_], last)
    copies = _copy(body, values, list(inner.inner_iter_args), last)
    if is_async:
        done = WaitAllOp(deps=open_tokens(copies), token=True, loc=location, ip=ir.InsertionPoint(last))
        last.operands[0] = done.token
    return [*(token.owner.operation for token in start), loops[0].operation]


def _copy(body: list[ir.Operation], values: dict[ir.Value, ir.Value], after: list[ir.Value], before: ir.Operation) -> list[Any]:
    """Copies `body` before `before`; operations without dependences wait for tokens `after`."""
    copies = [clone(op, values, ir.InsertionPoint(before)) for op in body]
    return [add_deps(op, after) if op.name in ASYNC and not deps_of(op) else op for op in copies]


def _offset_by(iv: ir.Value, by: int, before: ir.Operation) -> ir.Value:
    if not by:
        return iv
    sum_ = ir.AffineMap.get(1, 0, [ir.AffineDimExpr.get(0, before.context) + by])
    return affine.AffineApplyOp(sum_, [iv], loc=before.location, ip=ir.InsertionPoint(before)).result
