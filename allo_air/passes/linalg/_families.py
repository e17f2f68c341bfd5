"""Lists the families of kernels (one file each), and inlines a kernel into its callers."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from allo_air.core.cloning import clone
from allo_air.mlir import ir
from allo_air.passes._analysis.kernels import calls_of
from allo_air.plan.family import Family, files


@cache
def family_of(name: str) -> Family | None:
    """The family called `name`; None if no file defines it."""
    module = files().get(name)
    family: Family | None = None if module is None else import_module(module).FAMILY
    return family


def inline(kernel: ir.Operation) -> None:
    """Puts the operations of a kernel where it is called, and removes it."""
    [block] = kernel.regions[0].blocks
    *body, end = [o.operation for o in block.operations]
    for call in calls_of(kernel):
        mapping: dict[Any, Any] = dict(zip(block.arguments, call.operands, strict=True))
        for op in body:
            clone(op, mapping, ir.InsertionPoint(call))
        for old, new in zip(call.results, end.operands, strict=True):
            old.replace_all_uses_with(mapping.get(new, new))
        call.erase()
    kernel.erase()
