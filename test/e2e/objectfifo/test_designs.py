"""Designs with objectFifos, lowered by `aie-prepare`, compute what numpy does, whatever the order in which their agents run."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from allo_air import asm
from allo_air.core import driver, pipeline
from allo_air.core.contexts import reused_context
from allo_air.core.registry import Registry
from allo_air.sim.simulate import simulate

DESIGNS = Path(__file__).parent / "designs"


def add3(a: Any, b: Any, c: Any, out: Any) -> None:
    """The sum of three rows."""
    out[:] = a + b + c


KERNELS = {"add3": add3}


def expected(name: str) -> tuple[list[Any], Any]:
    """Inputs of a design, the output last and empty, and what the output must be."""
    random_ = np.random.default_rng(7)

    def some(*shape: int) -> Any:
        return random_.integers(-50, 50, shape, dtype=np.int32)

    match name:
        case "passthrough_dmas":
            a = some(64)
            return [a], a
        case "vector_scalar_mul":
            a, f = some(160), some(2)
            return [a, f], (a.reshape(2, 80) * f[:, None]).ravel()
        case "matmul_single_core":
            a, b = some(16, 12), some(12, 8)
            return [a.ravel(), b.ravel()], (a @ b).ravel()
        case "join_distribute":
            a = some(96)
            return [a], (a.reshape(4, 24) + np.r_[np.full(16, 10), np.full(8, 100)]).ravel()
        case "sliding_window":
            a = some(96)
            rows = np.pad(a.reshape(2, 6, 8), ((0, 0), (1, 1), (0, 0)), mode="edge")
            return [a], (rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]).ravel()
        case "broadcast_neighbours":
            a = some(80)
            return [a], (3 * a).reshape(5, 4, 4).transpose(0, 2, 1).ravel()
        case "repeat_pad":
            a = some(32)
            padded = np.pad(a.reshape(4, 2, 4), ((0, 0), (1, 0), (0, 4)))
            return [a], np.repeat(padded, 3, axis=0).ravel()
        case "blocks_and_while":
            a = some(13, 4)
            return [a.ravel()], np.where(a[:, :1] < 0, 2 * a, a).ravel()
        case "unknown_trips":
            a = some(10, 4)
            a[0, 0], a[4, 0] = 3, 5
            return [a.ravel()], np.delete(2 * a, (0, 4), axis=0).ravel()
        case "unequal_branches":
            a = some(10, 4)
            a[:, 0], a[:, 1] = [0, 1, 9, 0, 0, 1, 9, 0, 1, 9], [1, 0, 9, 1, 0, 0, 9, 1, 0, 9]
            windows = [(0, True), (1, False), (3, True), (4, False), (5, False), (7, True), (8, False)]
            rows = [row for at, both in windows for row in ([a[at] + a[at + 1]] + [a[at] - a[at + 1]] * both)]
            return [a.ravel()], np.concatenate(rows)
    raise AssertionError(f"no result is known for {name}")


@pytest.fixture(params=sorted(p.stem for p in DESIGNS.glob("*.mlir")))
def design(request: pytest.FixtureRequest) -> Any:
    """A design's name, text, inputs with the output last, and the expected output."""
    name = request.param
    inputs, wanted = expected(name)
    output = np.zeros(wanted.shape, dtype=np.int32)
    return SimpleNamespace(
        name=name,
        text=(DESIGNS / f"{name}.mlir").read_text(),
        arrays=[*inputs, output],
        output=output,
        wanted=wanted,
        kernels=KERNELS,
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("options", ["", "dynamic-objFifos=true", "packet-sw-objFifos=true"])
def test_design(design: Any, options: str, seed: int) -> None:
    with reused_context():
        registry = Registry()
        prepare = registry.pipeline("aie-prepare").instantiate(registry, options)
        module = asm.read(design.text, "design.mlir")
        driver.run(prepare, module, driver.Settings(verify=asm.verify))
    arrays = [np.ascontiguousarray(a, dtype=np.int32) for a in design.arrays]
    report = simulate(module, *arrays, kernels=design.kernels, seed=seed)
    assert report.ok
    np.testing.assert_array_equal(arrays[-1], design.wanted)


@pytest.mark.parametrize("unroll", ["", "aie-objectFifo-unroll,", "aie-objectFifo-unroll{peel-first-iteration=true},"])
def test_design_carried(design: Any, unroll: str) -> None:
    """Cores that choose objects at run time by values that loops carry, as mlir-aie's of August 2026 do, and unrolled ones."""
    passes = (
        f"lower-affine,aie.device(aie-objectFifo-stateful-transform,{unroll}aie-assign-lock-ids,aie-assign-bd-ids,"
        "aie-assign-buffer-addresses)"
    )
    with reused_context():
        module = asm.read(design.text, "design.mlir")
        driver.run(pipeline.parse(f"builtin.module({passes})", Registry()), module, driver.Settings(verify=asm.verify))
    arrays = [np.ascontiguousarray(a, dtype=np.int32) for a in design.arrays]
    assert simulate(module, *arrays, kernels=design.kernels).ok
    np.testing.assert_array_equal(arrays[-1], design.wanted)
