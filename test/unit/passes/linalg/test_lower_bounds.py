"""Lower bounds that prune plans, against the costs and limits of the plans themselves."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from allo_air.device import DEVICES, Device
from allo_air.passes.linalg import _lower_bounds as lower_bounds
from allo_air.passes.linalg import _search
from allo_air.passes.linalg._candidates import candidates, could_use_more_channels, multiplexed_choices
from allo_air.passes.linalg._cost import cost
from allo_air.passes.linalg._limits import exceeds_capacity, exceeds_dma, lacks_descriptors
from allo_air.passes.linalg._plan import GemmPlan, Panel
from allo_air.passes.linalg._problem import EpilogueOperand, Problem
from allo_air.passes.linalg._ranking import penalized, unpadding_cycles
from allo_air.passes.linalg._rates import Kernel, kernels
from allo_air.passes.linalg._search import Choice, cheapest_plan
from allo_air.passes.linalg._shapes import Shape, shapes
from allo_air.passes.linalg._sizes import Sizes

C, BIAS = EpilogueOperand("mn", 32), EpilogueOperand("n", 32)


def _matmul(m: int, k: int, n: int, element: str = "bf16", bits: int = 16, **other: object) -> Problem:
    return Problem(m, n, k, element, bits, 32, 32, **other)  # type: ignore[arg-type]


PROBLEMS = [
    ("npu1", _matmul(4096, 4096, 4096)),
    ("npu1", _matmul(4096, 4096, 4096, epilogue=(C,))),
    ("npu1", _matmul(1001, 333, 2000, "i8", 8, epilogue=(BIAS,))),
    ("npu2", _matmul(777, 9000, 555, "f32", 32, epilogue=(C,))),
    ("npu1_2col", _matmul(227, 65, 409, "f32", 32, epilogue=(BIAS,))),
    ("npu1", _matmul(2580, 12, 70, epilogue=(C,))),
    ("npu2", _matmul(100, 24, 64, "i16", 16, epilogue=(BIAS, C))),
    ("npu2", _matmul(16, 4096, 4096)),
    ("npu2", replace(_matmul(33, 101, 75), unpad_result=True)),
    ("npu1", replace(_matmul(69, 10, 2653, epilogue=(BIAS,)), unpad_result=True)),
    ("npu1", _matmul(69, 10, 2653)),
    ("npu2", _matmul(512, 128, 1024, transposed_b=True)),
    ("npu1_1col", _matmul(512, 512, 512, transposed_b=True, batch=3)),
    ("npu2", replace(_matmul(500, 700, 900, transposed_a=True, epilogue=(BIAS,)), result_bits=16)),
]


def _ranks(plan: GemmPlan, pieces: tuple[int, ...], problem: Problem, device: Device, kernel: Kernel) -> Iterator[float]:
    for one in (replace(plan, k_piece=k_piece) for k_piece in pieces):
        if not (exceeds_capacity(one, problem, device) or exceeds_dma(one, problem, device)):
            padded = one.padded(problem) != (problem.m, problem.n, problem.k)
            cycles = cost(one, problem, device, kernel, 1.0).cycles
            fewer = could_use_more_channels(one, problem, device)
            yield penalized(cycles, one, fewer_channels=fewer, padded=padded) + unpadding_cycles(one, problem, device)


@pytest.mark.parametrize(("name", "problem"), PROBLEMS, ids=str)
def test_no_plan_has_fewer_cycles_than_its_lower_bounds(name: str, problem: Problem) -> None:
    device = DEVICES[name]
    seen = 0
    for kernel in kernels(device.arch, problem.element):
        all_shapes = list(shapes(problem, device, kernel, Sizes()))
        for shape in random.Random(0).sample(all_shapes, min(25, len(all_shapes))):
            for multiplexed in multiplexed_choices(problem):
                seen += _holds(shape, multiplexed, problem, device, kernel)
    assert seen


def _holds(shape: Shape, multiplexed: Panel, problem: Problem, device: Device, kernel: Kernel) -> int:
    """Checks the plans of `shape`; how many keep the limits."""
    seen = 0
    bounds = lower_bounds.ShapeBounds(problem, device, kernel)
    of_shape, of_cores = bounds.of_shape(shape), bounds.of_cores(shape, multiplexed)
    of_traffic = bounds.of_traffic(shape, multiplexed)
    plans = lower_bounds.PlanBounds(problem, device, kernel)
    for plan, pieces in candidates(shape, problem, device, kernel, Sizes(), multiplexed):
        ranks = list(_ranks(plan, pieces, problem, device, kernel))
        if not ranks:
            continue
        seen += len(ranks)
        assert of_traffic is not None and not lacks_descriptors(plan, problem, device), plan
        higher = [*plans.of(plan, pieces)]
        assert higher == sorted(higher)
        assert max(of_shape, of_cores, of_traffic, *higher) <= min(ranks), plan
    return seen


def _looked_at(monkeypatch: pytest.MonkeyPatch, problem: Problem, device: Device) -> int:
    """How many plans the choice among those for `problem` looks at the limits of."""
    looked = 0

    def counted(plan: GemmPlan, problem: Problem, device: Device) -> str | None:
        nonlocal looked
        looked += 1
        return exceeds_capacity(plan, problem, device)

    monkeypatch.setattr("allo_air.passes.linalg._search.exceeds_capacity", counted)
    assert not isinstance(cheapest_plan(problem, device, Sizes()), str)
    return looked


def test_an_accumulator_that_is_read_is_planned_as_soon_as_zeros(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 20,000^3 with an accumulator 160,000 plans were looked at, of which 30 keep the limits."""
    assert _looked_at(monkeypatch, _matmul(20000, 20000, 20001, epilogue=(C,)), DEVICES["npu1"]) < 1000


@pytest.mark.parametrize("epilogue", [(), (BIAS,)], ids=str)
def test_small_products_are_planned_soon(monkeypatch: pytest.MonkeyPatch, epilogue: tuple[EpilogueOperand, ...]) -> None:
    """Of 35 x 77 x 103 4,498 plans were priced, with a bias 671: no floor had the start of channels and the first operands."""
    assert _looked_at(monkeypatch, _matmul(35, 103, 77, epilogue=epilogue), DEVICES["npu2"]) < 50


def test_herds_that_one_column_does_not_have_are_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A layer of MobileNet on one column: 2,698 plans were looked at, nearly all with more cores than it has."""
    problem = _matmul(576, 96, 196, "f32", 32, epilogue=(EpilogueOperand("m", 32),))
    assert _looked_at(monkeypatch, problem, replace(DEVICES["npu2"], columns=1)) < 10


@pytest.mark.parametrize("problem", [_matmul(96, 384, 196, "f32", 32, epilogue=(BIAS,)), _matmul(33, 101, 75)], ids=str)
def test_a_search_within_a_limit_gives_the_same_plan_or_none(problem: Problem) -> None:
    device = replace(DEVICES["npu2"], columns=2)
    best = cheapest_plan(problem, device, Sizes())
    assert not isinstance(best, str)
    assert cheapest_plan(problem, device, Sizes(), within=best.cost.cycles) == best
    assert isinstance(cheapest_plan(problem, device, Sizes(), within=best.cost.cycles / 1.1), str)


def test_small_products_take_few_channels() -> None:
    """64^3 on npu2 took 18 channels, which are programmed one after another: 27,995 cycles, 17,265 with fewer."""
    found = cheapest_plan(_matmul(64, 64, 64), DEVICES["npu2"], Sizes())
    assert not isinstance(found, str)
    assert found.plan.cores <= 8


def test_tensors_that_come_in_turns_are_not_said_to_come_beside_products() -> None:
    """Tiles of 32 x 64, which were thought best, take 269,761 cycles as simulated, those of 64 x 64 take 249,228."""
    found = cheapest_plan(_matmul(1024, 1024, 256, "i8", 8, epilogue=(C,)), DEVICES["npu1"], Sizes())
    assert not isinstance(found, str) and (found.plan.herd_m, found.plan.herd_n) == (64, 64)


def test_what_comes_in_turns_leaves_b_to_come_ahead_where_its_buffers_hold_all_steps() -> None:
    """Scheduled by hand, tiles of 16 x 128 take 446,171 cycles, those of 32 x 128 454,341, those of 64 x 128 475,624."""
    found = cheapest_plan(_matmul(1024, 256, 1024, "i8", 8, epilogue=(C,)), DEVICES["npu1"], Sizes())
    assert not isinstance(found, str) and (found.plan.herd_m, found.plan.herd_n) == (16, 128)


def test_b_comes_over_more_channels_where_both_operands_stream() -> None:
    """Scheduled by hand, 15,948,253 cycles by pairs of memtiles, 17,682,196 without, which was thought to be less."""
    problem = replace(_matmul(4096, 4096, 4096, transposed_b=True), result_bits=16)
    found = cheapest_plan(problem, DEVICES["npu2"], Sizes(), bfp16=True)
    assert not isinstance(found, str) and found.plan.paired


def test_a_problem_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, device, sizes = _matmul(100, 60, 90), DEVICES["npu1"], Sizes()
    near = cheapest_plan(problem, device, sizes, within=1e4)
    best = cheapest_plan(problem, device, sizes)
    assert isinstance(best, Choice)
    monkeypatch.setattr(_search, "_search", lambda *_: pytest.fail("searched again"))
    assert cheapest_plan(problem, device, sizes) == cheapest_plan(problem, device, sizes, within=1e9) == best
    assert isinstance(near, str) and cheapest_plan(problem, device, sizes, within=1e4) == near
    assert cheapest_plan(problem, device, sizes, within=1e3) == "no plan takes at most 1e+03 cycles"
