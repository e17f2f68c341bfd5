"""plan-attention."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.match import NoMatch
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp
from allo_air.passes.map._attention_planner import Planner
from allo_air.passes.map._constant_bands import compute_constant_masks
from allo_air.plan.schema import PLAN, attach


@dataclass(frozen=True)
class PlanAttention(Planner):
    """Plans attention, softmax(f(Q K^T)) V, in each function that computes it: queries per core, keys per step, and cores.

    The pass selects the plan with the fewest estimated cycles and stores it in `allo.plan` for `pad-families` and
    `expand-families`. A function that computes anything else, or for which no plan fits, stays unchanged, or is an error with
    `strict`.

    Before:

        func.func private @attention(%q: tensor<2x256x64xf32>, ...) -> tensor<2x256x64xf32> attributes {allo.kernel}

    After:

        func.func private @attention(%q: tensor<2x256x64xf32>, ...) -> tensor<2x256x64xf32>
            attributes {allo.kernel, allo.plan = {family = "attention", cores = [4, 4], core = [16, 32], chosen = "...", ...}}
    """

    name = "plan-attention"

    def run(self, op: AnyOp, /) -> None:
        for function in walk_named(op, "func.func"):
            if PLAN in function.attributes:
                continue
            compute_constant_masks(function)
            plan = self.decide(function)
            if not isinstance(plan, NoMatch):
                attach(function, plan)
            elif self.strict:
                raise plan.error
