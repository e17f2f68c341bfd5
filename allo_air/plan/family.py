"""What a family of kernels is: how it finds its operations, plans them, and carries the plan out.

A family is a file `_family_NAME.py` in any room of the passes, whose `FAMILY` is a Family called NAME. `outline-families` makes
kernels of what it finds, `pad-families` gives them the shapes of their plans, and `expand-families` carries these out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from allo_air.core.match import NoMatch, no_match
from allo_air.device import Device
from allo_air.mlir import ir
from allo_air.plan.plan import Plan

OTHERS = ("none", "move")
"""The families of plans that are no file: none for no plan; what outline-moves plans, and bind-moves carries out."""


@dataclass(frozen=True)
class Target:
    """What kernels are planned for: a device, or some of its columns, and whether bf16 may be multiplied in blocks.

    For the tuner: a folder of plans that simulation found best, and how many of the best candidates a plan lists.
    """

    device: Device
    bfp16: bool = False
    plans: str = ""
    ranking: int = 0


@dataclass(frozen=True)
class Found:
    """Operations of a function that a family computes as one kernel, in order; the values that they take, and their result.

    Operands in `rounded` are rounded to these types by their producers, before the kernel.
    """

    ops: Sequence[ir.Operation]
    operands: Sequence[ir.Value]
    result: ir.Value
    rounded: Mapping[ir.Value, ir.Type] = field(default_factory=dict)


class Family:
    """What one kind of kernels needs to be compiled; a family that a planner of its own plans finds nothing."""

    name: str
    """The family of its plans."""
    note: str
    """A description of its kernels for the user."""

    def find(self, function: ir.Operation) -> Sequence[Found]:
        """What `function` has of this family."""
        return ()

    def plan(self, kernel: ir.Operation, target: Target) -> Plan | NoMatch:
        """The best plan of a kernel of what was found: the cheapest candidate that respects all limits."""
        return no_match(kernel, "is planned by a pass")

    def pad(self, kernel: ir.Operation, plan: Plan) -> None:
        """Pads the kernel's operands and result, and the arguments of its calls, to the shapes of its plan."""

    def expand(self, kernel: ir.Operation, plan: Plan) -> None:
        """Tiles the kernel, or replaces it by kernels that are tiled."""


@cache
def files() -> dict[str, str]:
    """The module of each family that is a file, by name."""
    result = find_spec("allo_air.passes")
    assert result is not None and result.submodule_search_locations, "the package of passes"
    paths = sorted(p for where in result.submodule_search_locations for p in Path(where).glob("*/_family_*.py"))
    return {p.stem.removeprefix("_family_"): f"allo_air.passes.{p.parent.name}.{p.stem}" for p in paths}
