"""Copies of operations with other operands, and parallel loops written out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.walking import parents, walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.effects import is_pure
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.tokens import is_token, joined

_LOOPS = ("scf.parallel", "scf.reduce", "scf.reduce.return", "scf.for", "scf.yield")
_TRANSFERRING = {"air.channel.put", "air.channel.get", "air.wait_all", *_LOOPS}


def clone_with(op: Any, values: dict[Any, Any], ip: Any) -> Any:
    """A copy of `op` at `ip` that uses `values` instead of their keys, also inside; enters its results into `values`."""
    clone = op.clone(ip=ip)
    for inner in _all(clone):
        for n, value in enumerate(inner.operands):
            if value in values:
                inner.operands[n] = values[value]
    values.update(zip(op.results, clone.results, strict=True))
    return clone


def _all(op: Any) -> list[Any]:
    found = [op]
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                found += _all(inner.operation)
    return found


def unroll_parallel(loop: Any) -> bool:
    """Writes out an `scf.parallel` with constant bounds that returns at most a token; False where it is something else.

    Before:
        %1 = scf.parallel (%i) = (%c0) to (%c2) step (%c1) init (%0) -> !air.async.token {
          %2 = air.channel.put async [%0] @c[%i] (%m[%i] [%c1] [%c1]) : (memref<2xf32, 1>)
          scf.reduce(%2 : !air.async.token) { ... }
        }
    After:
        %2 = air.channel.put async [%0] @c[%c0] (%m[%c0] [%c1] [%c1]) : (memref<2xf32, 1>)
        %3 = air.channel.put async [%0] @c[%c1] (%m[%c1] [%c1] [%c1]) : (memref<2xf32, 1>)
        %1 = air.wait_all async [%0, %2, %3]
    """
    if len(loop.results) > 1 or not all(is_token(r) for r in loop.results):
        return False
    rank = len(loop.regions[0].blocks[0].arguments)
    if any(constant_of(v) is None for v in list(loop.operands)[: 3 * rank]):
        return False
    bounds = [constant_of(v) or 0 for v in list(loop.operands)[: 3 * rank]]
    if any(step < 1 for step in bounds[2 * rank :]):
        return False
    tokens = list(loop.operands)[3 * rank :]
    constants = Indices()
    for point in product(*(range(*(bounds[k * rank + n] for k in range(3))) for n in range(rank))):
        tokens += _write_out(loop, point, constants)
    for result in loop.results:
        result.replace_all_uses_with(joined(tokens, loop))
    loop.erase()
    return True


def unroll_transfers(root: Any) -> None:
    """Writes out the parallel loops in `root`, outside of herds, that hold nothing but transfers, loops of them and joins."""
    for loop in reversed(walk_named(root, "scf.parallel")):
        inside = {o.name for o in _all(loop) if not is_pure(o)}
        if inside <= _TRANSFERRING and not any(p.name == "air.herd" for p in parents(loop)):
            unroll_parallel(loop)


def _write_out(loop: Any, point: Sequence[int], constants: Indices) -> list[Any]:
    """Copies the body for one iteration in front of `loop`; the tokens that it reduces."""
    block = loop.regions[0].blocks[0]
    values = {iv: constants.constant(at, loop) for iv, at in zip(block.arguments, point, strict=True)}
    *body, last = [o.operation for o in block.operations]
    for op in body:
        clone = clone_with(op, values, ir.InsertionPoint(loop))
        if clone.name != "affine.apply":
            continue
        number = IndexValues().constant(clone.results[0])
        if number is not None:
            values[op.results[0]] = constants.constant(number, loop)
            clone.erase()
    return [values.get(v, v) for v in last.operands]
