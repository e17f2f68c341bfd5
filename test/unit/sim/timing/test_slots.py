"""Issue slots: what shares a unit waits, what does not goes in parallel."""

import pytest

from allo_air.core_model.figures import Issue
from allo_air.core_model.machine import machine_of
from allo_air.core_model.slots import Slots, busiest, issues_by_unit
from allo_air.sim.cores.library_matmul import vectorized_cycles

AIE2 = machine_of("AIE2")


def test_two_loads_issue_in_a_cycle_but_one_into_an_accumulator() -> None:
    slots = Slots(AIE2)
    assert [slots.place(Issue(load=1), 0) for _ in range(4)] == [0, 0, 1, 1]
    slots = Slots(AIE2)
    assert [slots.place(Issue(load=1, unit_a=True), 0) for _ in range(3)] == [0, 1, 2]
    assert [slots.place(Issue(load=1), 0) for _ in range(3)] == [0, 1, 2]  # the other unit is free


def test_units_do_not_wait_for_each_other() -> None:
    slots = Slots(AIE2)
    ops = (Issue(vector=1), Issue(move=1), Issue(store=1), Issue(scalar=1), Issue(load=2))
    assert [slots.place(op, 3) for op in ops] == [3] * 5
    assert slots.place(Issue(vector=1), 3) == 4


def test_a_loop_takes_its_slots_in_every_iteration() -> None:
    slots = Slots(AIE2, interval=2)
    assert [slots.place(Issue(vector=1), at) for at in (0, 2)] == [0, 3]


def test_an_operation_of_several_instructions_is_late_by_what_it_waits() -> None:
    slots = Slots(AIE2)
    assert slots.place(Issue(store=2), 0) == 0
    assert slots.place(Issue(store=2), 0) == 2


@pytest.mark.parametrize(
    ("issues", "cycles", "unit"),
    [
        ([Issue(load=1)] * 5 + [Issue(vector=2)], 3, "load"),
        ([Issue(load=1, unit_a=True)] * 5, 5, "load"),
        ([Issue(vector=1, move=3)] * 2, 6, "move"),
    ],
)
def test_the_busiest_unit_sets_the_interval(issues: list[Issue], cycles: int, unit: str) -> None:
    assert busiest(issues_by_unit(issues), AIE2) == (cycles, unit)


def test_wide_results_cost_accumulator_loads_and_stores() -> None:
    narrow, wide = (vectorized_cycles(AIE2, "i8", (64, 128, 64), size) for size in (1, 4))
    peak = 64 * 128 * 64 // 256
    # 16 blocks of 8 accumulators: 3 more loads and 3 more stores of each, 5 cycles of the loads hidden
    assert wide - narrow == 16 * (8 * 3 - 5 + 8 * 3)
    assert narrow > peak
    # the same work in one long product pays its blocks once
    assert vectorized_cycles(AIE2, "i8", (64, 1280, 64), 4) - 10 * peak == wide - peak
