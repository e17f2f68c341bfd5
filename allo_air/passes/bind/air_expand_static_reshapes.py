"""air-expand-static-reshapes."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.core.cloning import replace
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir, memref


@dataclass(frozen=True)
class AirExpandStaticReshapes(Pass):
    """Rewrites each `memref.reshape` to a static shape as collapse_shape and expand_shape, which need no shape operand.

    A reshape to a dynamic shape stays.

    Before:

        %r = memref.reshape %m(%shape) : (memref<64xi32, 2>, memref<2xindex>) -> memref<8x8xi32, 2>

    After:

        %r = memref.expand_shape %m [[0, 1]] output_shape [8, 8] : memref<64xi32, 2> into memref<8x8xi32, 2>
    """

    name = "air-expand-static-reshapes"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        for reshape in walk_named(op, "memref.reshape"):
            source, result = reshape.operands[0], reshape.results[0].type
            if not all(isinstance(t, ir.MemRefType) and t.has_static_shape and t.rank for t in (source.type, result)):
                continue
            flat = source if source.type.rank == 1 else _collapsed(source, reshape)
            replace(reshape, [flat if result.rank == 1 else _expanded(flat, result, reshape)])


def _collapsed(source: ir.Value, user: ir.Operation) -> Any:
    kind = source.type
    flat = ir.MemRefType.get([prod(kind.shape)], kind.element_type, None, kind.memory_space)
    return memref.collapse_shape(flat, source, [range(kind.rank)], loc=user.location, ip=ir.InsertionPoint(user))


def _expanded(flat: ir.Value, result: ir.MemRefType, user: ir.Operation) -> Any:
    where: dict[str, Any] = {"loc": user.location, "ip": ir.InsertionPoint(user)}
    return memref.expand_shape(result, flat, [range(result.rank)], [], list(result.shape), **where)
