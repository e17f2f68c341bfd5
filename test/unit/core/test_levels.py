"""Levels: the rules as data, and their check where a stage of a pipeline ends."""

import pytest

from allo_air import asm
from allo_air.core import driver, levels
from allo_air.core.driver import PassFailure, Settings
from allo_air.core.named import NamedPipeline, Stage
from allo_air.core.registry import Registry
from allo_air.errors import DiagnosticError, OptionError, UnknownNameError

COPIES = """func.func @f(%a: memref<8xi32, 1>, %b: memref<8xi32, 2>) {
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
  return
}"""


def pipeline(*stages: Stage) -> NamedPipeline:
    return NamedPipeline("test", "A test", stages)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(("level", "legal"), [("tiled", True), ("air", True), ("channel", False), ("npu", False)])
def test_an_operation_is_legal_at_some_levels(level: str, legal: bool) -> None:
    found = levels.violations(asm.read(COPIES), level)
    assert [o.name for o in found] == ([] if legal else ["air.dma_memcpy_nd"])


@pytest.mark.usefixtures("context")
def test_a_stage_under_way_may_hold_what_was_legal_before() -> None:
    module = asm.read(COPIES)
    levels.check(module, "channel", above="air")
    with pytest.raises(DiagnosticError, match="not legal at level 'channel', where stage 's' left it"):
        levels.check(module, "channel", left_by="stage 's'")


@pytest.mark.usefixtures("context")
def test_the_border_of_a_stage_names_stage_and_pass(registry: Registry) -> None:
    module = asm.read(COPIES)
    made = pipeline(Stage("bind", "air", ("cse",)), Stage("split", "channel", ("canonicalize", "cse"))).instantiate(registry)
    with pytest.raises(PassFailure, match="where stage 'split' left it") as failure:
        driver.run(made, module)
    assert failure.value.summary == "pass 'cse' left operations that are not legal at level 'channel' (pass 3 of 3)"


@pytest.mark.usefixtures("context")
def test_what_was_illegal_at_the_level_before_fails_in_the_middle_with_each(registry: Registry) -> None:
    module = asm.read(COPIES)
    made = pipeline(Stage("c", "channel", ()), Stage("d", "aie", ("cse",)), Stage("e", "npu", ("cse", "cse"))).instantiate(
        registry
    )
    driver.run(made, module, Settings(levels="off"))
    with pytest.raises(PassFailure) as failure:
        driver.run(made, module, Settings(levels="each"))
    assert failure.value.step.stage == "d"


def test_a_stage_has_a_level_that_exists() -> None:
    with pytest.raises(OptionError, match="pipeline 'test', stage 's': unknown level 'chanel'; did you mean 'channel'"):
        pipeline(Stage("s", "chanel", ()))
    with pytest.raises(UnknownNameError):
        levels.find("tiles")
