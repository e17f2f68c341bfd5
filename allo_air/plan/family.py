"""What a family of kernels is: how it finds its operations, plans them, and carries the plan out.

A family of its own is a file `_family_NAME.py` in any room of the passes, whose `FAMILY` is a Family called NAME.
`outline-families` makes kernels of what it finds, `pad-families` gives them the shapes of their plans, and `expand-families`
carries these out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from allo_air.core.match import NoMatch
from allo_air.device import Device
from allo_air.mlir import ir
from allo_air.plan.plan import Plan

PLANNERS = ("none", "matmul", "tiles", "window", "attention", "move")
"""The families of plans that built-in passes make: no plan ("none"), then plan-gemm, plan-tiles, pack-convolutions,
plan-attention, outline-moves.
"""


@dataclass(frozen=True)
class Target:
    """The target of a plan: a device, or some of its columns, and whether bf16 may be multiplied in block floating point."""

    device: Device
    bfp16: bool = False


@dataclass(frozen=True)
class Found:
    """Operations of a function that a family computes as one kernel, in order; their operands, and their result."""

    ops: Sequence[ir.Operation]
    operands: Sequence[ir.Value]
    result: ir.Value


class Family(Protocol):
    """A kind of kernels: how its operations are found, planned, padded and tiled."""

    name: str
    """The family of its plans."""
    note: str
    """A description of its kernels for the user."""

    def find(self, function: ir.Operation) -> list[Found]:
        """The groups of operations in `function` that this family can compute."""

    def plan(self, kernel: ir.Operation, target: Target) -> Plan | NoMatch:
        """The best plan of a kernel: the candidate with the fewest estimated cycles that respects all limits."""

    def pad(self, kernel: ir.Operation, plan: Plan) -> None:
        """Pads the kernel's operands and result, and the arguments of its calls, to the shapes of its plan."""

    def expand(self, kernel: ir.Operation, plan: Plan) -> None:
        """Replaces the kernel, or its body, by what tiling passes work on."""


@cache
def files() -> dict[str, str]:
    """The families of their own: the module of each, by name."""
    result = find_spec("allo_air.passes")
    assert result is not None and result.submodule_search_locations, "the package of passes"
    paths = sorted(p for where in result.submodule_search_locations for p in Path(where).glob("*/_family_*.py"))
    return {p.stem.removeprefix("_family_"): f"allo_air.passes.{p.parent.name}.{p.stem}" for p in paths}
