"""Drawn programs compute the same before and after every pass; a pass may refuse one with a clear error."""

from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from allo_air import asm
from allo_air.core import driver
from allo_air.core.contexts import reused_context
from allo_air.core.pipeline import Pipeline, parse
from allo_air.core.registry import Registry
from allo_air.interp.verify import Execution
from bounds import bounded

from .channels import channels
from .herds import herds
from .tiled import tiled

CLEAN = "canonicalize,cse"
BIND = f"air-par-to-herd{{depth=1}},air-par-to-launch{{has-air-segment=true}},air-copy-to-dma,{CLEAN}"
TO_CHANNELS = (
    "air-dependency,air-hoist-dma-in-accum-pattern,air-broadcast-detection,air-specialize-dma-broadcast,"
    f"air-dma-to-channel,{CLEAN}"
)
MAP = (
    f"air-dependency-canonicalize,{CLEAN},func.func(air-split-l2-memref{{tiles-per-l2-tile=1}}),"
    f"air-isolate-async-dma-loop-nests,{CLEAN},func.func(air-loop-fusion),air-label-scf-for-to-ping-pong,"
    f"air-ping-pong-transform{{keep-memref-dealloc=true}},{CLEAN},air-specialize-channel-wrap-and-stride,{CLEAN},"
    f"func.func(air-collapse-herd{{max-col-size=4}}),{CLEAN},"
    f"air-place-herds{{num-rows=4 num-cols=4 row-anchor=2 col-anchor=0}},{CLEAN},func.func(air-renumber-dma),{CLEAN}"
)
"""The stages of air-recipe down to placed herds; L2 buffers are split in segments of more than one core already."""

KINDS = {
    "tiled": (tiled(), f"{BIND},{TO_CHANNELS},{MAP}"),
    "herds": (herds(), f"{TO_CHANNELS},{MAP}"),
    "channels": (channels(), f"air-dependency,{MAP}"),
}
ALONE = {
    "tiled": (
        *("air-par-to-herd", "air-par-to-herd{depth=0 first-dim=1}", "air-par-to-herd{depth=-1}", "air-copy-to-dma"),
        *("air-par-to-launch", "air-par-to-launch{depth=0 has-air-segment=true}", "pipeline", "canonicalize", "cse"),
        "air-linalg-to-func{derive-library-call=true}",
    ),
    "herds": (
        *("air-dependency", "air-dma-to-channel", "air-broadcast-detection,air-specialize-dma-broadcast", "canonicalize"),
        *("air-hoist-dma-in-accum-pattern", "air-dependency-schedule-opt", "func.func(air-collapse-herd)", "air-place-herds"),
        *("func.func(air-renumber-dma)", "air-linalg-to-func{derive-library-call=true}", "cse"),
    ),
    "channels": (
        *("air-dependency", "air-dependency,air-dependency-canonicalize", "air-dependency,air-isolate-async-dma-loop-nests"),
        *("air-specialize-channel-wrap-and-stride", "air-dependency,air-specialize-channel-wrap-and-stride", "canonicalize"),
        *("func.func(air-split-l2-memref{tiles-per-l2-tile=0})", "air-dependency,func.func(air-loop-fusion)", "cse"),
        "air-dependency,air-label-scf-for-to-ping-pong,air-ping-pong-transform",
        *("func.func(air-collapse-herd)", "air-place-herds"),
    ),
}


def run(text: str, passes: str) -> None:
    """Runs `passes` on a program, and the program before and after each."""
    said: list[str] = []
    with reused_context():
        registry = Registry()
        pipeline: Pipeline = (
            registry.pipeline("air-bind").instantiate(registry, {})
            if passes == "pipeline"
            else parse(f"builtin.module({passes})", registry)
        )
        module = asm.read(text, "drawn.mlir")
        execution = Execution(asm.write, say=said.append)
        checked = driver.Settings(verify=asm.verify, write=asm.write, checker=execution, levels="off")
        try:
            driver.run(pipeline, module, checked)
        except driver.InternalError:
            raise
        except driver.PassFailure as refused:
            if refused.diagnostics and refused.summary.split("' ")[1].startswith("failed"):
                event(f"refused by {refused.step.name}")
                return
            raise
        finally:
            assert execution.executed, f"the program does not run: {said}"
        event("agrees" if not said else f"agrees, with notes: {said}")


@pytest.mark.parametrize("kind", KINDS)
def test_the_recipe_keeps_what_a_program_computes(kind: str) -> None:
    programs, passes = KINDS[kind]

    @bounded(1)
    @given(programs)
    def check(text: str) -> None:
        run(text, passes)

    check()


@pytest.mark.parametrize(("kind", "passes"), [(kind, p) for kind, some in ALONE.items() for p in some])
def test_a_pass_alone_keeps_what_a_program_computes(kind: str, passes: str) -> None:
    @bounded(1)
    @given(KINDS[kind][0])
    def check(text: str) -> None:
        run(text, passes)

    check()


@bounded(2)
@given(st.data())
def test_passes_in_any_order(data: Any) -> None:
    """Passes need not come in the order of the recipe: each keeps what it gets, or refuses it."""
    kind = data.draw(st.sampled_from(list(KINDS)))
    steps = KINDS[kind][1].split(",")
    start = data.draw(st.integers(0, len(steps) // 2))
    later = data.draw(st.lists(st.sampled_from(steps[start:]), min_size=1, max_size=6))
    run(data.draw(KINDS[kind][0]), ",".join([*steps[:start], *later]))
