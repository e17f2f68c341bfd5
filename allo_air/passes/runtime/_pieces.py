"""Splits a control program that drives several devices into functions with one device each."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.mlir import ir


def pieces(function: ir.Operation, control: tuple[str, ...], device_of: Callable[[ir.Operation], object]) -> list[Any]:
    """Copies of `function` with the operations of one device each, in order; `function` itself if it drives one device.
    Operations with a name in `control` belong to a device, with the loops around them. The copies precede the function, are
    called `f_0`, `f_1`, ..., and take all of its arguments. A wait stays with the operation before it.
    """
    block = function.regions[0].blocks[0]
    tops = [n for n, o in enumerate(block.operations) if walk_named(o.operation, *control)]
    ops = [o.operation for o in block.operations]
    owners: dict[int, Any] = {}
    for before, n in zip([None, *tops], tops, strict=False):
        waits = before is not None and not walk_named(ops[n], *(name for name in control if name != "airrt.wait_all"))
        owners[n] = owners[before] if waits and before is not None else device_of(ops[n])
    groups = [list(group) for _, group in groupby(tops, key=lambda n: owners[n].sym_name)]
    if len(groups) <= 1:
        return [function]
    results = []
    name = sym_name_of(function)
    for number, group in enumerate(groups):
        copy = function.clone(ip=ir.InsertionPoint(function)).operation
        copy.attributes["sym_name"] = ir.StringAttr.get(f"{name}_{number}")
        inner = [o.operation for o in copy.regions[0].blocks[0].operations]
        for n in reversed(tops):
            if n not in group:
                inner[n].erase()
        results.append(copy)
    return results
