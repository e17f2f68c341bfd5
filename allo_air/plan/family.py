"""The interface of a family of kernels. A family matches operations, plans them as one kernel, and carries out the plan.

A family is a file `_family_NAME.py` in a room of the passes, whose `FAMILY` is a Family called NAME. `outline-families` makes
kernels of its matches, `pad-families` pads them to the shapes of their plans, and `expand-families` carries out the plans.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

from allo_air.core.match import NoMatch, no_match
from allo_air.device import Device
from allo_air.mlir import ir
from allo_air.plan.plan import Plan

WITHOUT_FILE = ("none", "move")
"""Families of plans that have no file. "none" means: no plan. "move" is planned by outline-moves and carried out by
bind-moves.
"""


@dataclass(frozen=True)
class Target:
    """The target of planners."""

    device: Device
    """A device, or some of its columns."""
    bfp16: bool = False
    """Whether bf16 may be multiplied in block floating point."""
    plans: str = ""
    """For the tuner: a folder of plans that simulation found best."""
    ranking: int = 0
    """For the tuner: number of best candidates that a plan lists."""


@dataclass(frozen=True)
class KernelMatch:
    """Operations of a function that a family computes as one kernel."""

    ops: Sequence[ir.Operation]
    """The operations, in program order."""
    operands: Sequence[ir.Value]
    """The values that the operations read."""
    result: ir.Value
    rounded: Mapping[ir.Value, ir.Type] = field(default_factory=dict)
    """The element types to which operands are rounded before the kernel."""


Replan: TypeAlias = Callable[[Device], tuple[Plan, float] | None]


class Family:
    """One family of kernels. If a separate pass plans and outlines the kernels, the family overrides only `replan`, `pad`
    and `expand`.
    """

    name: str
    """The family name in its plans."""
    note: str
    """A description of its kernels for the user."""

    def prepare(self, function: ir.Operation) -> None:
        """Rewrites operations of `function` into forms that `find` matches. Functions of other programs stay unchanged."""

    def find(self, function: ir.Operation) -> Sequence[KernelMatch]:
        """The groups of operations in `function` that the family can compute."""
        return ()

    def plan(self, kernel: ir.Operation, target: Target) -> Plan | NoMatch:
        """The cheapest plan within all limits for the kernel of a match, or the reason why there is none."""
        return no_match(kernel, "is planned by a pass")

    def refusal(self, kernel: ir.Operation, target: Target) -> NoMatch | None:
        """The reason why there is no plan for the kernel of a match; None if there is one. A family for which this is faster
        to say than the cheapest plan overrides it.
        """
        plan = self.plan(kernel, target)
        return plan if isinstance(plan, NoMatch) else None

    def replan(self, kernel: ir.Operation, plan: Plan, target: Target) -> Replan:
        """A function that gives, for some of the target's columns, the cheapest plan that can replace `plan` of a padded
        `kernel` without other changes, and its estimated cycles; None if there is none.
        """
        return lambda device: None

    def pad(self, kernel: ir.Operation, plan: Plan) -> None:
        """Pads the kernel's operands and result, and the arguments of its calls, to the shapes of its plan."""

    def expand(self, kernel: ir.Operation, plan: Plan) -> None:
        """Tiles the kernel, or replaces it by kernels that are tiled."""


@cache
def files() -> dict[str, str]:
    """The module of each family that is a file, by name."""
    result = find_spec("allo_air.passes")
    assert result is not None and result.submodule_search_locations, "the package of passes"
    paths = sorted(p for folder in result.submodule_search_locations for p in Path(folder).glob("*/_family_*.py"))
    return {p.stem.removeprefix("_family_"): f"allo_air.passes.{p.parent.name}.{p.stem}" for p in paths}
