"""Buffers that a function allocates between its launches become additional arguments: host arrays that the caller does
not see.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.core.names import set_function_type
from allo_air.dialects.air_values import forwarded_value
from allo_air.mlir import ir

if TYPE_CHECKING:
    import numpy as np

    from allo_air.program.program import Program

TEMPORARIES = "allo.temporaries"
"""Attribute of a function: the number of its last arguments that are temporary: undefined before and after a call."""
_MOVES = ("air.channel.put", "air.channel.get", "air.dma_memcpy_nd", "memref.copy", "linalg.copy")
_VIEWS = ("memref.subview", "memref.collapse_shape", "memref.expand_shape", "memref.cast", "memref.reinterpret_cast")


def hold_temporaries(function: ir.Operation) -> int:
    """Makes arguments of the buffers in which launches of `function` leave results for later launches. Returns their number.

    Before:
        func.func @f(%x: memref<64xi32>, %z: memref<64xi32>) {
          %t = memref.alloc() : memref<64xi32>
          air.herd ... args(%a=%x, %b=%t) ...
          air.herd ... args(%a=%t, %b=%z) ...
    After:
        func.func @f(%x: memref<64xi32>, %z: memref<64xi32>, %t: memref<64xi32>) attributes {allo.temporaries = 1 : i64} {
    """
    block = function.regions[0].blocks[0]
    ops = [o.operation for o in block.operations if o.operation.name == "memref.alloc" and _is_between_launches(o.operation)]
    for alloc in ops:
        argument = block.add_argument(alloc.results[0].type, alloc.location)
        for use in list(alloc.results[0].uses):
            if use.owner.operation.name == "memref.dealloc":
                use.owner.operation.erase()
        alloc.results[0].replace_all_uses_with(argument)
        alloc.erase()
    if ops:
        set_function_type(function)
        count = ir.IntegerAttr.get(ir.IntegerType.get_signless(64, function.context), len(ops))
        function.attributes[TEMPORARIES] = count
        if "arg_attrs" in function.attributes:
            arg_attrs = [*function.attributes["arg_attrs"], *(ir.DictAttr.get({}, function.context) for _ in ops)]
            function.attributes["arg_attrs"] = ir.ArrayAttr.get(arg_attrs, function.context)
    return len(ops)


def _is_between_launches(alloc: ir.Operation) -> bool:
    """Whether a host buffer of static shape is used only by launches, and by transfers and copies next to them."""
    kind = alloc.results[0].type
    space = kind.memory_space
    if not kind.has_static_shape or not (space is None or not getattr(space, "value", 1)):
        return False
    return _is_used_by_device(alloc.results[0])


def _is_used_by_device(value: ir.Value) -> bool:
    """Whether `value` and its views are used, but not by host code."""
    uses = [u for u in value.uses if u.owner.operation.name != "memref.dealloc"]
    return bool(uses) and all(
        u.owner.operation.name in _MOVES
        or forwarded_value(u) is not None
        or (u.owner.operation.name in _VIEWS and _is_used_by_device(u.owner.operation.results[0]))
        for u in uses
    )


def with_temporaries(program: Program, arrays: Sequence[np.ndarray]) -> list[Any]:
    """`arrays`, followed by arrays for the temporaries of the program's function."""
    import numpy as np

    from allo_air.dtypes import numpy_dtype

    if len(arrays) >= len(program.arguments):
        return list(arrays)
    match = re.search(rf"{re.escape(TEMPORARIES)} = (\d+)", program.text(program.levels[0]))
    if match is None or len(arrays) + int(match[1]) != len(program.arguments):
        return list(arrays)
    behind = program.arguments[len(arrays) :]
    return [*arrays, *(np.zeros(prod(a.shape), numpy_dtype(a.element)).reshape(a.shape) for a in behind)]
