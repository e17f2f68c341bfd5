"""Families of kernels that a file each adds: how a family finds its operations, plans them, and carries the plan out.

A family is a file `_family_NAME.py` in any room whose `FAMILY` is a Family. `outline-families` makes kernels of what it finds,
`pad-families` gives them the shapes of their plans, and `expand-families` carries the plans out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from allo_air.core.cloning import clone
from allo_air.core.match import NoMatch
from allo_air.device import Device
from allo_air.mlir import ir
from allo_air.passes._analysis.kernels import calls_of
from allo_air.plan.plan import Plan


@dataclass(frozen=True)
class Target:
    """What kernels are planned for: a device, or some of its columns, and whether bf16 may be multiplied in blocks."""

    device: Device
    bfp16: bool = False


@dataclass(frozen=True)
class Found:
    """Operations of a function that a family computes as one kernel, in order; the values that they take, and their result."""

    ops: Sequence[ir.Operation]
    operands: Sequence[ir.Value]
    result: ir.Value


class Family(Protocol):
    """What one kind of kernels needs to be compiled."""

    name: str
    """The family of its plans."""
    note: str
    """What its kernels are, for the user."""

    def find(self, function: ir.Operation) -> list[Found]:
        """What `function` has of this family."""

    def plan(self, kernel: ir.Operation, target: Target) -> Plan | NoMatch:
        """The best plan of a kernel of what was found: the cheapest candidate that respects all limits."""

    def pad(self, kernel: ir.Operation, plan: Plan) -> None:
        """Gives the kernel, and what its calls pass, the shapes of its plan."""

    def expand(self, kernel: ir.Operation, plan: Plan) -> None:
        """Replaces the kernel, or its body, by what tiling passes work on."""


@cache
def families() -> dict[str, Family]:
    """All families by name."""
    room = find_spec("allo_air.passes")
    assert room is not None and room.submodule_search_locations, "the package of passes"
    files = sorted(p for where in room.submodule_search_locations for p in Path(where).glob("*/_family_*.py"))
    found = [import_module(f"allo_air.passes.{path.parent.name}.{path.stem}").FAMILY for path in files]
    return {family.name: family for family in found}


def inline(kernel: ir.Operation) -> None:
    """Puts the operations of a kernel where it is called, and removes it."""
    [block] = kernel.regions[0].blocks
    *body, end = [o.operation for o in block.operations]
    for call in calls_of(kernel):
        known: dict[Any, Any] = dict(zip(block.arguments, call.operands, strict=True))
        for op in body:
            clone(op, known, ir.InsertionPoint(call))
        for old, new in zip(call.results, end.operands, strict=True):
            old.replace_all_uses_with(known.get(new, new))
        call.erase()
    kernel.erase()
