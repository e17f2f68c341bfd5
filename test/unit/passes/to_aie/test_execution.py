"""What the devices of air-to-aie compute, run under many schedules, against numpy."""

import re

import numpy as np
import pytest
from ml_dtypes import bfloat16

from allo_air import asm
from allo_air.passes.to_aie.air_to_aie import AirToAie
from allo_air.program.run.executors import execute
from helpers import LIT, REFERENCE, apply, integers

from .devices import AS_MLIR_AIR, NPU1, executed, lowered


def smaller(text: str, sizes: dict[int, int]) -> str:
    """The same program with other numbers for constants, shapes and scales."""
    pattern = re.compile(r"(?<=arith\.constant )\d+|(?<=s0 \* )\d+|(?<=memref<)[\dx]+(?=x[ib])")

    def change(match: re.Match[str]) -> str:
        return "x".join(str(sizes.get(int(n), int(n))) for n in match[0].split("x"))

    return pattern.sub(change, text)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.usefixtures("context")
def test_matmul_through_l2(seed: int) -> None:
    text = next((REFERENCE / "walkthrough_i32").glob("27-*")).read_text()
    module = lowered(smaller(text, {16: 4, 32: 8, 64: 16, 256: 16}))
    a, b = integers(16, 16), integers(16, 16, seed=1)
    np.testing.assert_array_equal(executed(module, [a, b, a * 0], seed), a @ b)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.usefixtures("context")
def test_matmul_from_l3(seed: int) -> None:
    text = next((REFERENCE / "matmul_no_l2_i32").glob("27-*")).read_text()
    module = lowered(smaller(text, {16: 4, 32: 8, 64: 16}))
    a, b = integers(16, 16), integers(16, 16, seed=1)
    np.testing.assert_array_equal(executed(module, [a, b, a * 0], seed), a @ b)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.usefixtures("context")
def test_elementwise(seed: int) -> None:
    text = next((REFERENCE / "eltwise_add_bf16").glob("27-*")).read_text()
    a, b = integers(4096, dtype=bfloat16), integers(4096, seed=1, dtype=bfloat16)
    np.testing.assert_array_equal(executed(lowered(text), [a, b, a * 0], seed), a + b)


@pytest.mark.parametrize("settings", [NPU1, AS_MLIR_AIR], ids=["order", "as-mlir-air"])
@pytest.mark.usefixtures("context")
def test_circuits_of_the_host_by_turns(settings: AirToAie) -> None:
    text = (LIT / "passes/to_aie/air-to-aie/circuits-in-turn.mlir").read_text()
    a, b, c, d = (integers(16, seed=seed) for seed in range(4))
    module = apply(asm.read(text), settings)
    result = execute(module, [a, b, c, d, a * 0], "f", 0, {})[-1]
    np.testing.assert_array_equal(result, (a - b) * c - d)
