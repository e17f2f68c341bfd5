"""The family of attention kernels, softmax(f(Q K^T)) V: the scores never leave the core that computes them."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.core.diagnostics import error_at
from allo_air.core.match import NoMatch
from allo_air.mlir import ir
from allo_air.passes.map._attention import Attention, find_all
from allo_air.passes.map._attention_choice import has_plan
from allo_air.passes.map._attention_kernel import attention_of
from allo_air.passes.map._attention_pad import pad_function
from allo_air.passes.map._attention_plan import AttentionPlan
from allo_air.passes.map._attention_planner import Planner
from allo_air.passes.map._attention_tiles import tiled
from allo_air.passes.map._constant_bands import compute_constant_masks
from allo_air.passes.map._softmax_form import bit_width
from allo_air.plan.family import Family, KernelMatch, Target
from allo_air.plan.plan import Plan


class AttentionFamily(Family):
    """Recognizes, plans, pads and expands attention kernels."""

    name = "attention"
    note = "attention, whose scores stay in the cores"

    def prepare(self, function: ir.Operation) -> None:
        """Computes constant masks from their indices, which cores know."""
        compute_constant_masks(function)

    def find(self, function: ir.Operation) -> Sequence[KernelMatch]:
        """The groups of operations that compute attention, also through reshapes, transpositions and broadcasts of operands.

        Heads may be any dimension, and several heads may share keys and values. Masks may have any form.
        """
        return [KernelMatch(group.ops(), group.operands, group.result, _rounded(group)) for group in find_all(function)]

    def plan(self, kernel: ir.Operation, target: Target) -> Plan | NoMatch:
        """The plan with the fewest cycles: queries per core, keys per step, and cores."""
        device = target.device
        planner = Planner(
            device=device.name,
            cols=device.columns,
            bfp16=target.bfp16,
            plans=target.plans,
            ranking=target.ranking,
        )
        return planner.decide(kernel)

    def refusal(self, kernel: ir.Operation, target: Target) -> NoMatch | None:
        group = attention_of(kernel)
        return None if group is not None and has_plan(group, target.device) else super().refusal(kernel, target)

    def pad(self, kernel: ir.Operation, plan: Plan) -> None:
        """Enlarges arguments and results if queries or keys are padded. Callers, or the host, pass zeros in the added
        elements.
        """
        group, attention_plan = attention_of(kernel), AttentionPlan.of(plan)
        if group is not None and attention_plan is not None:
            pad_function(kernel, group, attention_plan)

    def expand(self, kernel: ir.Operation, plan: Plan) -> None:
        """Tiles the kernel: a launch iteration brings the queries of all cores once, and keys and values to all cores block by
        block.

        For each block, a core updates the maximum of the scores, the sum of their powers and the sum of products (online
        softmax). It divides at the end. Padded queries and keys do not contribute.
        """
        attention_plan = AttentionPlan.of(plan)
        if attention_plan is None:
            return
        group = attention_of(kernel)
        if group is None:
            raise error_at(
                kernel,
                "is planned as attention but computes something else; do not change the function between plan-attention and "
                "expand-families",
            )
        *old, end = [o.operation for o in kernel.regions[0].blocks[0].operations]
        with ir.InsertionPoint(end), group.product.data[0].location:
            end.operands[0] = tiled(group, attention_plan, end.operands[0].type)
        for dead in reversed(old):
            dead.erase()


FAMILY = AttentionFamily()


def _rounded(group: Attention) -> dict[ir.Value, ir.Type]:
    """The operands that are rounded before they are multiplied, each with the narrower type."""
    kind = group.rounded
    if isinstance(kind, ir.IntegerType) or bit_width(kind) >= bit_width(group.element):
        return {}
    return {part.data[0]: kind for part in (group.query, group.key, group.value)}
