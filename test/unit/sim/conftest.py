"""Devices from text."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.mlir import ir
from allo_air.sim.layout import Layout, lay_out


@pytest.fixture
def device() -> Iterator[Callable[..., Any]]:
    """Reads the body of an `aie.device`; lines count from 1 at the body's first."""

    def read(body: str, name: str = "npu1") -> Any:
        module = asm.read(f"module {{ aie.device({name}) {{ {body.strip()} }} }}", "d.mlir")
        kept.append(module)
        return module.regions[0].blocks[0].operations[0].opview

    kept: list[Any] = []
    with reused_context(), ir.Location.unknown():
        yield read


@pytest.fixture
def laid_out(device: Callable[..., Any]) -> Callable[..., Layout]:
    """The layout of such a device."""
    return lambda body, name="npu1": lay_out(device(body, name))
