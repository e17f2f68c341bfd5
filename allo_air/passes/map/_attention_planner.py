"""Plans attention: checks the options, looks for a tuned plan, and otherwise chooses the best tiles."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.match import NoMatch, no_match
from allo_air.core.pass_ import Pass
from allo_air.device import Device
from allo_air.errors import counted
from allo_air.mlir import ir
from allo_air.passes._analysis.columns import SURE
from allo_air.passes._analysis.tuned_plans import Search, chosen
from allo_air.passes._ir.device_option import device_option, refuse_blocks
from allo_air.passes.map._attention import Attention, find_all
from allo_air.passes.map._attention_choice import best_plans, priced
from allo_air.passes.map._attention_kernel import attention_of
from allo_air.passes.map._attention_plan import AttentionPlan
from allo_air.plan.plan import Plan


@dataclass(frozen=True)
class Planner(Pass):
    """The planner that pass `plan-attention` and the family `attention` share."""

    name = "plan-attention"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    cols: int = 0
    """Columns of the array that may be used, 0 for all."""
    queries: int = 0
    """Queries of a core, 0 for the best."""
    keys: int = 0
    """Keys of a step, 0 for the best."""
    bfp16: bool = False
    """Multiply bf16 in AIE2p's block floating point, which rounds operands to blocks of 8 with one exponent."""
    strict: bool = False
    """Fail if a function has no plan; otherwise leave it unchanged."""
    plans: str = ""
    """A folder of tuned plans, which are used for their kernels."""
    ranking: int = 0
    """Number of best candidates to list in the plan's attribute, for a tuner."""

    def decide(self, function: ir.Operation) -> Plan | NoMatch:
        """The best plan of `function`."""
        device = device_option(self.name, self.device, cols=self.cols)
        group = attention_of(function)
        if group is None:
            return no_match(function, _reason(function, group))
        if self.bfp16:
            refuse_blocks(function, device)
        result = chosen(self, function, device, self._search(group, device))
        if result.plan is None:
            return no_match(function, _reason(function, group))
        plan, why = result.plan
        return result.noted(plan.to_plan(why))

    def _search(self, group: Attention, device: Device) -> Search[tuple[AttentionPlan, str] | None]:
        def best(part: Device) -> tuple[AttentionPlan, str] | None:
            return next(iter(best_plans(group, part, self.queries, self.keys, 1, self.bfp16)), None)

        def cycles_of(plan: tuple[AttentionPlan, str] | None) -> float | None:
            return None if plan is None else priced(group, plan[0], device)

        def candidate_of(part: Device, plan: Plan) -> tuple[AttentionPlan, str] | None:
            result = best_plans(group, part, self.queries, self.keys, bfp16=self.bfp16)
            return next((p for p in result if p[0].to_plan() == plan), None)

        def ranked(part: Device, count: int) -> list[tuple[AttentionPlan, str] | None]:
            return [*best_plans(group, part, self.queries, self.keys, count, self.bfp16)]

        return Search(best, cycles_of, candidate_of, _described, ranked, sure=SURE)


def _described(plan: tuple[AttentionPlan, str] | None) -> tuple[Plan, str] | None:
    return None if plan is None else (plan[0].to_plan(), plan[1].partition(";")[0])


def _reason(function: ir.Operation, group: Attention | None) -> str:
    if group is not None:
        numbers = (
            f"{counted(group.extent(group.q), 'query')}, {counted(group.extent(group.k), 'key')}, {group.extent(group.d)} and "
        )
        return (
            f"is attention of {numbers}{counted(group.extent(group.v), 'channel')}, for which no tiles fit the "
            "cores, the memtiles, and DMAs of 32-bit words; leave the sizes at 0, use smaller masks, or "
            "run pipeline npu, which makes kernels of its operations"
        )
    if find_all(function):
        return "computes more than one attention, or other operations, too; run pipeline npu, which makes kernels of them"
    return "computes no softmax(f(Q K^T)) V of its arguments; run pipeline npu for other operations"
