"""Replaces loop indices in bodies by tables of numbers, if the loop is divided among launches. Each launch gets its part of a
table.
"""

from __future__ import annotations

from math import prod

import numpy as np

from allo_air.arch.limits import core_room
from allo_air.core.elements import elements_attr
from allo_air.device import Device
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._ir.generic import Generic, extents, generics, rewrite

_SHARE = 0.25
"""Share of the cores' memory that an operation's tensors may use along the loops whose indices it uses; the rest is for other
tensors and double buffers.
"""


def hold_positions(function: AnyOp, device: Device) -> None:
    """Reads loop indices of elementwise operations from tables if no launch contains the whole loop: code does not know its
    launch.

    Before: `%m = linalg.generic ins(%x : tensor<512x512xf32>) { ... arith.index_cast (linalg.index 1) : index to i32 ... }`;
    after: `%m = linalg.generic ins(%x, %positions : tensor<512x512xf32>, tensor<512xi32>) { ... }`, where `%positions` is the
    constant 0, 1, 2 and so on, with map `(d0, d1) -> (d1)`.
    """
    room = device.columns * len(device.core_rows) * core_room(device) * _SHARE
    for generic in generics(function):
        used = sorted({int(o.attributes["dim"].value) for o in generic.body if o.name == "linalg.index"})
        if used and generic.is_elementwise and _bytes(generic, used) > room:
            _keep_loops(generic, used)


def _bytes(generic: Generic, loops: list[int]) -> int:
    """Bytes of all operands along `loops`."""
    shape = extents(generic)
    size = 0
    for value, map_ in zip((*generic.inputs, *generic.outs), generic.maps, strict=True):
        if isinstance(value.type, ir.RankedTensorType):
            along = [shape[d] for d in loops if any(e == ir.AffineDimExpr.get(d) for e in map_.results)]
            size += prod(along) * _bits(value.type.element_type) // 8
    return size


def _bits(element: ir.Type) -> int:
    return max(element.width, 8) if isinstance(element, ir.IntegerType | ir.FloatType) else 32


def _keep_loops(generic: Generic, loops: list[int]) -> None:
    shape, count, word = extents(generic), len(generic.inputs), ir.IntegerType.get_signless(32)
    with ir.InsertionPoint(generic.op), generic.op.location:
        kinds = [ir.RankedTensorType.get([shape[d]], word) for d in loops]
        tables = [arith.constant(k, elements_attr(np.arange(shape[d]), k)) for d, k in zip(loops, kinds, strict=True)]
    maps = [ir.AffineMap.get(len(shape), 0, [ir.AffineDimExpr.get(d)]) for d in loops]
    inputs = [*zip(generic.inputs, generic.maps, strict=False), *zip(tables, maps, strict=True)]
    places = [*range(count), *range(count + len(loops), count + len(loops) + len(generic.outs))]
    result = Generic.of(rewrite(generic, inputs, places))
    for op in [o for o in result.body if o.name == "linalg.index"]:
        _replace(op, result.arguments[count + loops.index(int(op.attributes["dim"].value))])


def _replace(index: AnyOp, position: ir.Value) -> None:
    """Makes the users of `index` use `position`, an i32, cast to their type."""
    uses = [(use.owner.operation, use.operand_number) for use in index.results[0].uses]
    for user, operand in uses:
        with ir.InsertionPoint(user), user.location:
            if user.name not in ("arith.index_cast", "arith.index_castui"):
                user.operands[operand] = arith.index_cast(index.results[0].type, position)
                continue
            kind = user.results[0].type
            wide = position if kind.width == 32 else (arith.extsi if kind.width > 32 else arith.trunci)(kind, position)
            user.results[0].replace_all_uses_with(wide)
        user.erase()
    index.erase()
