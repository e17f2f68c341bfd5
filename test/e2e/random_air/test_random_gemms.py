"""Plans of drawn matrix multiplications that the planner may take: all compile, compute, and take about as long as is said."""

from collections.abc import Callable
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis.strategies import SearchStrategy

import allo_air
from allo_air.passes.linalg import plan_gemm
from allo_air.passes.linalg._search import Choice, ranked
from bounds import LONG, bounded

from .gemms import Product, products, thin_products

PLANS = 4 if LONG else 2
"""How many of the best plans of a product are compiled."""
OFF = 1.3
"""How far the planner's cycles may be from those of the program, except for a few of those drawn."""


def taken(product: Product) -> list[tuple[Choice, float]]:
    """The planner's best plans, each with the cycles of its program as simulated; what these compute is checked."""
    found: list[Choice] = []
    choose = plan_gemm.cheapest_plan

    def remembered(problem: object, device: object, given: object, bfp16: bool = False) -> Choice | str:
        if not found:
            several = ranked(problem, device, given, bfp16, PLANS)  # type: ignore[arg-type]
            found.extend([] if isinstance(several, str) else several)
        return found[len(cycles)] if found else choose(problem, device, given, bfp16)  # type: ignore[arg-type]

    cycles: list[float] = []
    inputs = product.inputs()
    with patch.object(plan_gemm, "cheapest_plan", remembered):
        while not found or len(cycles) < len(found):
            try:
                program = allo_air.compile(product.text, f"gemm-{product.element}", device=product.device, cache=False)
                result = program(*inputs)
            except allo_air.AlloAirError as error:
                raise AssertionError(found[len(cycles)].plan.shown if found else "has no plan") from error
            np.testing.assert_array_equal(result, product.expected(*inputs))
            cycles.append(program.report().cycles)
    return list(zip(found, cycles, strict=True))


@pytest.mark.parametrize(("drawn", "largest"), [(products, 2**22), (thin_products, 2**24)])
def test_plans_compile_and_take_as_long_as_is_said(drawn: Callable[[int], SearchStrategy[Product]], largest: int) -> None:
    off = []

    @bounded(5)
    @given(drawn(2**27 if LONG else largest))
    def check(product: Product) -> None:
        for choice, cycles in taken(product):
            error = max(choice.cost.cycles / cycles, cycles / choice.cost.cycles)
            event(f"off by {5 * round(20 * (error - 1))} %")
            off.append(error)
            assert error < 3, choice.plan.shown

    check()
    assert sorted(off)[len(off) // 2] < 1.1
    assert sorted(off)[9 * len(off) // 10] < OFF


def test_a_residual_in_steps_as_wide_as_a_tile_fits_a_core() -> None:
    """The tile was copied for each of the two buffers in which it comes: 75,776 bytes of 64,512."""
    for choice, cycles in taken(Product(256, 256, 256, "bf16", "npu1", (False, False), 0, "mn", "f32", "f32")):
        assert 1 / OFF < choice.cost.cycles / cycles < OFF
