"""Modules from PyTorch through pipeline npu: compiled, run on the simulator, held against torch's answers in float64."""

import pytest

import allo_air
from torch_modules import APPROXIMATION, load

QUICK = [
    ("relu", "npu1"),
    ("sum_rows", "npu2"),
    ("softmax", "npu2"),
    ("layer_norm", "npu1"),
    ("linear", "npu2"),
    ("tril", "npu1"),
]
"""One of each kind; `make torch-modules` shows all of them on both devices."""


@pytest.mark.parametrize(("name", "device"), QUICK)
def test_meets_float64(name: str, device: str) -> None:
    case = load(name)
    program = allo_air.compile(case.text, pipeline="npu", device=device, cache=False)
    results = program(*case.inputs)
    case.check(results if isinstance(results, list | tuple) else [results], APPROXIMATION)
