"""What a plan counts on, beside what the simulator finds: the cycles of a core's step, and those of a whole run."""

import re

import ml_dtypes
import numpy as np
import pytest

from allo_air import Matmul
from allo_air.device import DEVICES
from allo_air.passes.linalg._cost import _step_cycles
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._rates import kernels
from allo_air.passes.linalg._search import cheapest_plan
from allo_air.passes.linalg._sizes import Sizes
from allo_air.sim.simulate import simulate
from helpers import allo_opt

SLOW = pytest.mark.slow
_RESULT = {"bf16": ("f32", ml_dtypes.bfloat16, np.float32), "i8": ("i32", np.int8, np.int32)}


def run(m: int, n: int, k: int, element: str, options: str = "") -> object:
    """The simulator's report on `gemm-<element>`, which pads none of these shapes."""
    result, given, made = _RESULT[element]
    text = allo_opt(Matmul(m, n, k, element, result).text, f"--pipeline=gemm-{element}{options}")
    assert re.search(r"allo_air.host_shapes", text) is None
    return simulate(text, np.ones((m, k), given), np.ones((k, n), given), np.zeros((m, n), made))


def problem(m: int, n: int, k: int, element: str) -> Problem:
    return Problem(m, n, k, element, {"bf16": 16, "i8": 8}[element], 32, 32)


@pytest.mark.parametrize(
    ("element", "tile", "step"),
    [("bf16", (96, 96), 32), *(pytest.param(*c, marks=SLOW) for c in (("bf16", (64, 88), 64), ("i8", (64, 128), 64)))],
)
def test_a_step_takes_the_cycles_that_the_plan_counts_on(element: str, tile: tuple[int, int], step: int) -> None:
    (herd_m, herd_n), k = tile, 512
    report = run(4 * herd_m, 4 * herd_n, k, element, f"{{herd-m={herd_m} herd-n={herd_n} k-step={step}}}")
    core = next(c for c in report.cores if c.macs)
    found = [report.regions[number].cycles for number in core.regions if report.regions[number].macs]
    [best] = kernels("AIE2", element)
    of = problem(4 * herd_m, 4 * herd_n, k, element)
    assert _step_cycles(herd_m, herd_n, step, best.micro, of, "AIE2", best) == pytest.approx(max(found), rel=0.1)


@pytest.mark.parametrize("tile", [(64, 128), pytest.param((56, 96), marks=SLOW)])
def test_a_step_in_blocks_takes_the_cycles_that_the_plan_counts_on(tile: tuple[int, int]) -> None:
    (herd_m, herd_n), step = tile, 32
    sizes = f"herd-m={herd_m} herd-n={herd_n} k-step={step} cores-m=8 cores-n=4"
    report = run(8 * herd_m, 4 * herd_n, 512, "bf16", f"{{device=npu2 bfp16 {sizes}}}")
    core = next(c for c in report.cores if c.macs)
    found = [report.regions[number].cycles for number in core.regions if report.regions[number].macs]
    [best] = kernels("AIE2p", "bf16", bfp16=True)
    of = problem(8 * herd_m, 4 * herd_n, 512, "bf16")
    assert _step_cycles(herd_m, herd_n, step, best.micro, of, "AIE2p", best) == pytest.approx(max(found), rel=0.1)


@pytest.mark.parametrize(
    ("m", "n", "k", "element", "device"),
    [
        (1024, 512, 512, "bf16", "npu1"),
        (256, 256, 256, "i8", "npu2"),  # bound by the start of its channels
        (512, 512, 512, "bf16", "npu1"),  # which would be bound by a panel's short runs
        pytest.param(1024, 512, 512, "i8", "npu1", marks=SLOW),
        pytest.param(512, 512, 512, "bf16", "npu2", marks=SLOW),
    ],
)
def test_a_run_takes_the_cycles_of_the_estimate(m: int, n: int, k: int, element: str, device: str) -> None:
    chosen = cheapest_plan(problem(m, n, k, element), DEVICES[device], Sizes())
    assert not isinstance(chosen, str)
    assert chosen.cost.cycles == pytest.approx(run(m, n, k, element, f"{{device={device}}}").cycles, rel=0.12)
