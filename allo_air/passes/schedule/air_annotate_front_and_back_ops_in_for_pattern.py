"""air-annotate-front-and-back-ops-in-for-pattern."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import body_of, walk_named
from allo_air.dialects.air_values import ASYNC, is_join
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.tokens import deps_of, token_of, without_joins
from allo_air.passes.schedule._ping_pong_buffers import UNROLL

FRONT, BACK = "async_front", "async_back"


@dataclass(frozen=True)
class AirAnnotateFrontAndBackOpsInForPattern(Pass):
    """In loops with an `unroll` label, marks the operations that wait for no other operation, and those for which no other one
    waits.

    Before:

        %1 = air.channel.get async [%t] @in[] (%m[] [] []) : (memref<16xi32, 2>)
        %2 = air.channel.put async [%1] @out[] (%m[] [] []) : (memref<16xi32, 2>)
        scf.yield %2 : !air.async.token

    After:

        %1 = air.channel.get async [%t] @in[] (%m[] [] []) {async_front = true} : (memref<16xi32, 2>)
        %2 = air.channel.put async [%1] @out[] (%m[] [] []) {async_back = true} : (memref<16xi32, 2>)
        scf.yield %2 : !air.async.token
    """

    name = "air-annotate-front-and-back-ops-in-for-pattern"

    def run(self, op: AnyOp, /) -> None:
        for loop in walk_named(op, "scf.for"):
            if UNROLL in loop.attributes:
                _mark(loop)


def _mark(loop: ir.Operation) -> None:
    ops = [o for o in body_of(loop)[:-1] if o.name in ASYNC and token_of(o) is not None and not is_join(o)]
    own = {token_of(o): o for o in ops}
    awaited = {t for o in ops for t in without_joins(deps_of(o))}
    for o in ops:
        if not any(t in own for t in without_joins(deps_of(o))):
            o.attributes[FRONT] = ir.BoolAttr.get(True)
        if token_of(o) not in awaited:
            o.attributes[BACK] = ir.BoolAttr.get(True)
