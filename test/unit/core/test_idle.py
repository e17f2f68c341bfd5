"""Passes that pipelines skip."""

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from allo_air import asm
from allo_air.core import driver
from allo_air.core.pass_ import Pass
from allo_air.core.pipeline import Pipeline, Step
from allo_air.mlir import ir

RAN: list[str] = []


@dataclass(frozen=True)
class Shifts(Pass):
    """Wants shifts."""

    name: ClassVar[str] = "test-shifts"
    works_on = ("arith.shrsi",)

    def run(self, op: Any, /) -> None:
        RAN.append(self.name)


SHIFT = "func.func @f(%a: i32) -> i32 { %0 = arith.shrsi %a, %a : i32 return %0 : i32 }"
NO_SHIFT = "func.func @f(%a: i32) -> i32 { %0 = arith.addi %a, %a : i32 return %0 : i32 }"


@pytest.mark.parametrize(("text", "stage", "ran"), [(SHIFT, "cores", 1), (NO_SHIFT, "cores", 0), (NO_SHIFT, "", 1)])
def test_a_pipeline_skips_what_has_nothing_to_work_on(context: ir.Context, text: str, stage: str, ran: int) -> None:
    RAN.clear()
    settings = driver.Settings()
    step = Step((), Shifts(), stage=stage)
    driver.run(Pipeline((step,)), asm.read(text), settings)
    assert len(RAN) == len(settings.timings) == ran
