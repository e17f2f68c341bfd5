"""Unrolls parallel loops completely."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from allo_air.core.cloning import clone, replace
from allo_air.core.loops import Loop
from allo_air.core.walking import parents, walk_named, walk_pre_order
from allo_air.dialects.air_values import is_token
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.effects import is_pure
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.tokens import deps_of, distinct, joined, waits, with_deps

_LOOPS = ("scf.parallel", "scf.reduce", "scf.reduce.return", "scf.for", "scf.yield")
_TRANSFERRING = {"air.channel.put", "air.channel.get", "air.wait_all", *_LOOPS}


def unroll_parallel(loop: ir.Operation) -> bool:
    """Unrolls an `scf.parallel` with constant bounds that returns at most a token; returns False for any other loop.

    Before:

        %1 = scf.parallel (%i) = (%c0) to (%c2) step (%c1) init (%0) -> !air.async.token {
          %2 = air.channel.put async [%0] @c[%i] (%m[%i] [%c1] [%c1]) : (memref<2xf32, 1>)
          scf.reduce(%2 : !air.async.token) { ... }
        }

    After:

        %2 = air.channel.put async [%0] @c[%c0] (%m[%c0] [%c1] [%c1]) : (memref<2xf32, 1>)
        %3 = air.channel.put async [%0] @c[%c1] (%m[%c1] [%c1] [%c1]) : (memref<2xf32, 1>)
        %1 = air.wait_all async [%2, %3]

    Operations that waited for the loop wait for the copies.
    """
    if len(loop.results) > 1 or not all(is_token(r) for r in loop.results):
        return False
    dims = Loop(loop).dims()
    if dims is None:
        return False
    inits, constants = Loop(loop).inits, Indices()
    tokens: list[ir.Value] = []
    for point in product(*(dim.values for dim in dims)):
        tokens += _iteration_tokens(loop, point, constants)
    if not any(set(inits) <= set(token.owner.operands) for token in tokens if isinstance(token, ir.OpResult)):
        tokens = [*inits, *tokens]
    ends = [joined(tokens, loop) for _ in loop.results]
    replace(loop, ends)
    for waiting in distinct(use.owner.operation for end in ends for use in end.uses if waits(use)):
        with_deps(waiting, distinct(t for dep in deps_of(waiting) for t in (tokens if dep in ends else [dep])))
    return True


def unroll_transfers(root: ir.Operation) -> None:
    """Unrolls the parallel loops in `root`, outside of herds, that contain only transfers, loops of transfers and waits."""
    for loop in reversed(walk_named(root, "scf.parallel")):
        inside = {o.name for o in walk_pre_order(loop) if not is_pure(o)}
        if inside <= _TRANSFERRING and not any(p.name == "air.herd" for p in parents(loop)):
            unroll_parallel(loop)


def _iteration_tokens(loop: AnyOp, point: Sequence[int], constants: Indices) -> list[ir.Value]:
    """Copies the body for one iteration before `loop`; returns the tokens that it reduces."""
    values = {iv: constants.constant(number, loop) for iv, number in zip(Loop(loop).ivs, point, strict=True)}
    for op in Loop(loop).body:
        copy = clone(op, values, ir.InsertionPoint(loop))
        if copy.name != "affine.apply":
            continue
        number = IndexValues().constant(copy.results[0])
        if number is not None:
            values[op.results[0]] = constants.constant(number, loop)
            copy.erase()
    return [values.get(v, v) for v in Loop(loop).yielded]
