"""A matmul after every pass of the GEMM pipelines and of the recipe, run by the interpreter against numpy."""

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from allo_air import Matmul, asm, interp
from allo_air.core import driver, named, pipeline
from allo_air.core.contexts import reused_context
from allo_air.core.registry import Registry
from allo_air.core.walking import walk_named
from allo_air.interp.executors import level_of
from allo_air.interp.inputs import fit_inputs, outputs
from allo_air.interp.structured import structured

TYPES = {"bf16": ml_dtypes.bfloat16, "f32": np.float32, "i8": np.int8, "i16": np.int16, "i32": np.int32}
EXAMPLE = Path(__file__).parents[2] / "examples/matmul.mlir"


class Against:
    """Runs the module after each pass above the AIE dialect that changed it; `stages` counts all of them."""

    def __init__(self, inputs: list[Any], expected: Any) -> None:
        self.inputs, self.expected, self.stages, self.last = inputs, expected, 0, ""
        self.kernels: list[Any] = []
        self.libraries: dict[str, Any] = {}

    def start(self, op: Any) -> None:
        self.check(None, op)

    def check(self, step: Any, op: Any) -> None:
        if level_of(op):
            return
        self.stages += 1
        if (text := str(op)) == self.last:  # it has run
            return
        self.last = text
        if (found := structured(op)) or not self.kernels:
            self.kernels = found
        function = interp.entry(op)
        if step is not None and step.name == "air-linalg-to-func":
            calls = [c.attributes["callee"].value for c in walk_named(op, "func.call")]
            self.libraries = dict(zip(calls, self.kernels, strict=True))
        for seed in range(2):
            given = fit_inputs(function, self.inputs, seed)
            got = outputs(function, self.inputs, interp.run(op, given, seed=seed, libraries=self.libraries))
            found = got.results[0] if got.results else got.arguments[len(self.inputs) - 1]
            np.testing.assert_array_equal(found.astype(np.float64), self.expected, err_msg=str(step and step.name))

    def finish(self) -> None:
        """Each stage was run when it was checked."""


def run_pipeline(text: str, reference: str, against: Against) -> None:
    with reused_context():
        registry = Registry()
        name, given = named.parse_reference(reference)
        whole: pipeline.Pipeline = registry.pipeline(name).instantiate(registry, given)
        module = asm.read(text)
        against.start(module)
        driver.run(whole, module, driver.Settings(verify=asm.verify, checker=against, levels="off"))


@pytest.mark.parametrize(
    ("m", "n", "k", "element", "result", "options"),
    [
        (16, 16, 32, "bf16", "f32", "{herd-m=8 herd-n=8 k-step=16}"),  # four cores, two steps
        pytest.param(
            *(16, 8, 16, "i32", "i32", "{cores-m=2 cores-n=1 herd-m=4 herd-n=8 k-step=8}"),  # two launches
            marks=pytest.mark.slow,
        ),
    ],
)
def test_gemm(m: int, n: int, k: int, element: str, result: str, options: str) -> None:
    rng = np.random.default_rng(m + n + k)
    a, b = (rng.integers(-2, 3, shape).astype(TYPES[element]) for shape in ((m, k), (k, n)))
    against = Against([a, b], a.astype(np.float64) @ b.astype(np.float64))
    run_pipeline(Matmul(m, n, k, element, result).text, f"gemm-{element}{options}", against)
    assert against.stages > 40


def test_recipe() -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-2, 3, (128, 128)).astype(np.float32) for _ in range(2))
    against = Against([a, b, a * 0], a.astype(np.float64) @ b)
    run_pipeline(EXAMPLE.read_text(), "air-recipe", against)
    assert against.stages > 25
