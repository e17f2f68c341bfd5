"""Runs the passes over loop nests of transfers on the reference programs and on written ones."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from allo_air import asm
from allo_air.core import driver, pipeline
from allo_air.core.registry import Registry
from allo_air.core.walking import walk_named

DATA = Path(__file__).parents[3] / "data/reference"


def _load_machine() -> Any:
    """The interpreter of tokens and channels that air-dma-to-channel is tested with: random order, freed memory is garbage."""
    path = Path(__file__).parents[1] / "channel/conftest.py"
    spec = importlib.util.spec_from_file_location("allo_air_channel_machine", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MACHINE = _load_machine()


def run(text: str, module: Any) -> Any:
    """Runs pipeline `text` on `module`, which must verify after each pass."""
    with module.context, module.location:
        driver.run(pipeline.parse(text, Registry()), module, driver.Settings(verify=asm.verify))
    return module


def read(case: str, step: str) -> Any:
    return asm.read((DATA / case / f"{step}.mlir").read_text())


def arguments_of(module: Any) -> list[Any]:
    """Small whole numbers for each argument of the function."""
    [function] = [f for f in walk_named(module, "func.func") if len(f.regions[0].blocks)]
    random = np.random.default_rng(0)
    kinds = [v.type for v in function.regions[0].blocks[0].arguments]
    return [random.integers(-3, 4, k.shape).astype(MACHINE.DTYPES[str(k.element_type)]) for k in kinds]


def outcome(module: Any, seed: int, *, early: bool = True) -> list[Any]:
    """The arguments after one run, in an order that `seed` picks."""
    copies = [np.array(a) for a in arguments_of(module)]
    MACHINE.Machine(module, seed, early=early).run(copies)
    return copies


def agrees(module: Any, wanted: list[Any], seeds: int = 3) -> None:
    """Checks that whatever the order of the tasks, `module` computes `wanted`."""
    for seed in range(seeds):
        for early in (True, False):
            for ours, theirs in zip(outcome(module, seed, early=early), wanted, strict=True):
                np.testing.assert_array_equal(ours, theirs, err_msg=f"seed {seed}, early {early}")


@pytest.fixture
def tools() -> Any:
    """The functions above, for tests that cannot import this file."""
    return SimpleNamespace(run=run, read=read, outcome=outcome, agrees=agrees, deadlock=MACHINE.Deadlock)
