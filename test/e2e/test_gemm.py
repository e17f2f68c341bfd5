"""GEMM pipelines from tensors to the AIE device, the device then run under random schedules against numpy.

The machine (of the tests of air-to-aie) runs cores, BD programs and locks, and the host's transfers as they stand before
`air-to-std`; vectors it does not know, so these are the pipelines with scalar kernels.
"""

import importlib.util
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from allo_air import asm
from allo_air.mlir import new_context

_CONFTEST = Path(__file__).parents[1] / "unit/air_to_aie/conftest.py"


def machine_class() -> Any:
    spec = importlib.util.spec_from_file_location("aie_machine", _CONFTEST)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Machine


def gemm(m: int, n: int, k: int, element: str, result: str, zero: str) -> str:
    a, b, c = f"tensor<{m}x{k}x{element}>", f"tensor<{k}x{n}x{element}>", f"tensor<{m}x{n}x{result}>"
    return f"""func.func @gemm(%a: {a}, %b: {b}) -> {c} {{
      %zero = arith.constant {zero} : {result}
      %empty = tensor.empty() : {c}
      %init = linalg.fill ins(%zero : {result}) outs(%empty : {c}) -> {c}
      %r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%init : {c}) -> {c}
      return %r : {c}
    }}"""


@pytest.mark.parametrize(
    ("m", "n", "k", "options"),
    [
        (32, 32, 32, ""),  # all cores, one launch
        (64, 32, 32, "{herd-m=8 herd-n=8 k-step=16}"),  # two launches, two steps of k
        (16, 48, 64, "{herd-m=4 herd-n=4 k-step=8}"),  # launches along n, many steps
        (12, 20, 24, ""),  # few cores
        (8, 4, 16, ""),  # fewer still
    ],
)
def test_i32(m: int, n: int, k: int, options: str) -> None:
    command = ["allo-opt", "-", f"--pipeline=gemm-i32{options}", "--stop-after=to-aie"]
    done = subprocess.run(command, input=gemm(m, n, k, "i32", "i32", "0"), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rng = np.random.default_rng(m * n * k)
    a, b = rng.integers(-9, 9, (m, k)), rng.integers(-9, 9, (k, n))
    for seed in range(2):
        with new_context():
            c = np.zeros((m, n), dtype=np.int64)
            machine_class()(asm.read(done.stdout), seed=seed).run(a.reshape(-1), b.reshape(-1), c.reshape(-1))
        np.testing.assert_array_equal(c, a @ b)
