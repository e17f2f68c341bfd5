"""What the devices of air-to-aie compute, run under many schedules, against numpy."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from allo_air import asm
from allo_air.passes.to_aie.air_to_aie import AirToAie

from .conftest import Machine

REFERENCE = Path(__file__).parents[3] / "data/reference"
NPU1 = AirToAie(device="npu1", row_offset=2, col_offset=0, emit_while_loop=True)


def lowered(text: str, step: AirToAie = NPU1) -> Any:
    module = asm.read(text)
    step.run(module.opview)
    asm.verify(module)
    return module


def smaller(text: str, sizes: dict[int, int]) -> str:
    """The same program with other numbers for constants, shapes and scales."""
    pattern = re.compile(r"(?<=arith\.constant )\d+|(?<=s0 \* )\d+|(?<=memref<)[\dx]+(?=x[ib])")

    def change(match: re.Match[str]) -> str:
        return "x".join(str(sizes.get(int(n), int(n))) for n in match[0].split("x"))

    return pattern.sub(change, text)


def numbers(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).integers(-9, 9, shape)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.usefixtures("context")
def test_matmul_through_l2(seed: int) -> None:
    text = next((REFERENCE / "walkthrough_i32").glob("27-*")).read_text()
    module = lowered(smaller(text, {16: 4, 32: 8, 64: 16, 256: 16}))
    a, b, c = numbers(16, 16), numbers(16, 16, seed=1), np.zeros((16, 16), dtype=np.int64)
    Machine(module, seed=seed).run(a.reshape(-1), b.reshape(-1), c.reshape(-1))
    np.testing.assert_array_equal(c, a @ b)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.usefixtures("context")
def test_matmul_from_l3(seed: int) -> None:
    text = next((REFERENCE / "matmul_no_l2_i32").glob("27-*")).read_text()
    module = lowered(smaller(text, {16: 4, 32: 8, 64: 16}))
    a, b, c = numbers(16, 16), numbers(16, 16, seed=1), np.zeros((16, 16), dtype=np.int64)
    Machine(module, seed=seed).run(a, b, c)
    np.testing.assert_array_equal(c, a @ b)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.usefixtures("context")
def test_elementwise(seed: int) -> None:
    text = next((REFERENCE / "eltwise_add_bf16").glob("27-*")).read_text()
    a, b, c = numbers(4096), numbers(4096, seed=1), np.zeros(4096, dtype=np.int64)
    Machine(lowered(text), seed=seed).run(a, b, c)
    np.testing.assert_array_equal(c, a + b)
