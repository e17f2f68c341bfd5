"""Plans of attention: which MAC instructions and how many launches."""

import re

import pytest

import allo_air
from allo_air.arch import machine_of
from allo_air.device import DEVICES, Device
from allo_air.mlir import ir, new_context
from allo_air.passes.map._attention import find_all
from allo_air.passes.map._attention_choice import WAIT, best_plans, priced
from allo_air.passes.map._attention_costs import cycles
from allo_air.passes.map._attention_plan import AttentionPlan
from attention_sources import Case

BLOCKS, PLAIN = (8, 8, 8), (8, 8, 4)
"""Micro-tiles of npu2's products in block floating point, and of others of bf16."""


def best(case: Case, device: Device, m: int, bfp16: bool) -> tuple[AttentionPlan, float, float]:
    """The best plan with `m` queries per core, its cycles, and these without waits."""
    with new_context(), ir.Location.unknown():
        module = ir.Module.parse(case.source())
        [group] = find_all(module.body.operations[0].operation)
        [(plan, _)] = best_plans(group, device, m, count=1, bfp16=bfp16)
        return plan, priced(group, plan, device), cycles(group, plan, device)


CAUSAL = Case(1, 512, 2048, 64, 64, "bf16", mask="causal")


def test_plans_without_blocks_where_none_with_blocks_fit() -> None:
    """36 queries are no whole blocks; elements one by one would take 30 times as long."""
    device = DEVICES["npu2_2col"]
    plan, *_ = best(CAUSAL, device, 36, True)
    assert plan.micro == PLAIN and plan == best(CAUSAL, device, 36, False)[0]


@pytest.mark.parametrize("mask", ["causal", None])
def test_launches_that_count_their_queries_are_waited_for(mask: str | None) -> None:
    plan, whole, alone = best(Case(1, 512, 2048, 64, 64, "bf16", mask=mask), DEVICES["npu2_2col"], 32, True)
    assert plan.launches == 2
    starts = (2 * plan.columns + 2) * machine_of(DEVICES["npu2_2col"]).push
    assert whole - alone == (WAIT + starts if mask else 0)


def test_one_launch_wins_where_the_wait_and_the_starts_of_a_second_take_longer() -> None:
    """Without the starts, two launches of 1,024 queries were 3 % cheaper; they run 17 % longer."""
    plan, *_ = best(Case(1, 2048, 2048, 64, 64, "bf16", mask="causal"), DEVICES["npu2"], 0, False)
    assert plan.launches == 1


def test_a_causal_mask_divides_few_queries_into_parts() -> None:
    """All 32 cores hold 16 of 512 queries. In four parts, no core computes all blocks of keys for all of its queries."""
    plan, *_ = best(Case(4, 512, 512, 64, 64, "bf16", mask="causal"), DEVICES["npu2"], 0, False)
    assert (plan.parts, plan.queries_per_part) == (4, 4)


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_a_mask_of_keys_leaves_all_cores(device: str) -> None:
    plan, *_ = best(Case(4, 256, 256, 64, 64, mask=(1, 1, 256)), DEVICES[device], 0, False)
    assert (plan.columns, plan.rows) == (DEVICES[device].columns, 4)


@pytest.mark.parametrize(
    ("case", "device", "bfp16"),
    [
        (Case(2, 77, 77, 32, 32, "bf16"), "npu1", False),
        (Case(2, 100, 100, 32, 32, "bf16", mask="causal"), "npu2", True),
        pytest.param(Case(1, 256, 256, 64, 64), "npu1", False, marks=pytest.mark.slow),
        pytest.param(Case(1, 512, 512, 64, 64), "npu2", False, marks=pytest.mark.slow),
        pytest.param(Case(8, 128, 128, 32, 32, "bf16"), "npu2", False, marks=pytest.mark.slow),
        pytest.param(Case(2, 197, 197, 64, 64, "bf16"), "npu1", False, marks=pytest.mark.slow),
        pytest.param(Case(4, 512, 512, 64, 64, "bf16", mask="causal"), "npu2", True, marks=pytest.mark.slow),
        pytest.param(Case(1, 2048, 2048, 64, 64, "bf16", mask="causal"), "npu2", True, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_price_is_that_of_the_run(case: Case, device: str, bfp16: bool) -> None:
    program = allo_air.compile(case.source(), "attention", device, cache=False, bfp16=bfp16)
    [price] = [float(m[1]) for note in program.lowered.notes.values() if (m := re.search(r"about ([\d.e+]+) cycles", note))]
    assert 0.8 <= price / program.estimate().cycles <= 1.25


def test_long_blocks_of_keys_hide_the_latency_of_products() -> None:
    plan, *_ = best(Case(1, 2048, 2048, 64, 64, "bf16"), DEVICES["npu1"], 0, False)
    assert (plan.m, plan.keys) == (32, 64)


def test_sizes_are_multiples_of_micro_tiles() -> None:
    """16 cores hold 584 queries as 37 each, which are 40 in micro-tiles of 4."""
    plan, *_ = best(Case(1, 584, 584, 64, 64, "bf16"), DEVICES["npu1"], 0, False)
    assert plan.m == 40
