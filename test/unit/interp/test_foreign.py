"""AIR programs as other people write them: every pass keeps what they compute, or says what it cannot do.

The files in `foreign/` are in the style of mlir-air's own tests: synchronous and asynchronous, fragments that read what nothing
writes or have one side of a channel only, older spellings. `python test/unit/interp/test_foreign.py` runs every AIR pass alone
on each, which takes some minutes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from allo_air import asm
from allo_air.core import driver
from allo_air.core.contexts import reused_context
from allo_air.core.pipeline import parse
from allo_air.core.registry import Registry
from allo_air.errors import AlloAirError
from allo_air.interp.verify import Execution
from allo_air.mlir import new_context
from allo_air.program.run import executors

executors.register()

FOLDER = Path(__file__).parent / "foreign"
FILES = sorted(FOLDER.glob("*.mlir"))
CHANNELS = (
    "air-copy-to-dma,canonicalize,cse,air-dependency,air-hoist-dma-in-accum-pattern,air-broadcast-detection,"
    "air-specialize-dma-broadcast,air-dma-to-channel,canonicalize,cse,air-dependency-canonicalize,canonicalize,cse"
)
MAP = (
    "func.func(air-split-l2-memref),air-isolate-async-dma-loop-nests,canonicalize,cse,func.func(air-loop-fusion),"
    "air-label-scf-for-to-ping-pong,air-ping-pong-transform{keep-memref-dealloc=true},canonicalize,cse,"
    "air-specialize-channel-wrap-and-stride,canonicalize,cse,func.func(air-collapse-herd{max-col-size=4}),"
    "air-place-herds{num-rows=4 num-cols=4 row-anchor=2 col-anchor=0},func.func(air-renumber-dma)"
)
TO_NPU = (
    "air-to-aie{logical-tiles=false device=npu1 row-offset=2 col-offset=0 emit-while-loop=true"
    " use-lock-race-condition-fix=true},"
    "canonicalize,air-to-std,canonicalize,"
    "airrt-to-npu{unroll-loops=true},aie-substitute-shim-dma-allocations,aie-assign-runtime-sequence-bd-ids,aie-dma-tasks-to-npu"
)
ALONE = (
    *(
        "air-dependency",
        "air-dma-to-channel",
        "air-par-to-herd",
        "air-par-to-herd{depth=1}",
        "air-par-to-launch",
        "canonicalize",
    ),
    *("air-copy-to-dma", "air-broadcast-detection", "air-specialize-dma-broadcast", "air-hoist-dma-in-accum-pattern"),
    *(
        "air-dependency-canonicalize",
        "air-insert-launch-around-herd",
        "air-isolate-async-dma-loop-nests",
        "func.func(air-loop-fusion)",
    ),
    *(
        "air-label-scf-for-to-ping-pong,air-ping-pong-transform",
        "air-specialize-channel-wrap-and-stride",
        "air-split-l2-pieces",
    ),
    *("func.func(air-split-l2-memref)", "func.func(air-collapse-herd)", "air-place-herds", "func.func(air-renumber-dma)"),
    *(
        "air-linalg-to-func{derive-library-call=true}",
        "air-to-std",
        "air-to-aie{logical-tiles=false device=npu1 row-offset=2 col-offset=0 emit-while-loop=true"
        " use-lock-race-condition-fix=true}",
    ),
    *("air-check-channels", "air-check-deadlock", "air-check-locality", "wrap-l1-with-parallel", "chunk-l2-copies"),
    *(
        "affine-loop-opt",
        "air-unroll-outer-affine-loops{depth=1}",
        "normalize-matmul",
        "block-contractions",
        "legalize-contractions",
    ),
)


def run(file: Path, passes: str) -> tuple[list[str], str]:
    """Runs `passes` on a file, and what it computes around each; returns what runs, and the pass that refused, if one did.

    Raises DiagnosticError where a pass changes what is computed, or leaves wrong IR, and InternalError where one crashes.
    """
    with new_context(allow_unregistered=True):
        module = asm.read(file.read_text(), str(file), allow_unregistered=True)
        execution = Execution(asm.write, schedules=1)
        checked = driver.Settings(verify=asm.verify, write=asm.write, checker=execution, levels="off")
        refused = ""
        try:
            driver.run(parse(f"builtin.module({passes})", Registry()), module, checked)
        except driver.InternalError:
            raise
        except driver.PassFailure as failure:
            if not failure.summary.split("' ")[1].startswith("failed"):
                raise
            refused = failure.step.name
        return execution.executed, refused


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_the_recipe_keeps_what_a_file_computes(file: Path) -> None:
    executed, refused = run(file, f"{CHANNELS},{MAP}")
    assert executed
    assert refused in ("", "air-place-herds")


@pytest.mark.parametrize("name", ["pingpong", "two_herds", "chains"])
def test_the_device_computes_the_same(name: str) -> None:
    said: list[str] = []
    with reused_context():
        module = asm.read((FOLDER / f"{name}.mlir").read_text(), name)
        execution = Execution(asm.write, schedules=3, say=said.append)
        checked = driver.Settings(verify=asm.verify, write=asm.write, checker=execution, levels="off")
        driver.run(parse(f"builtin.module({TO_NPU})", Registry()), module, checked)
    assert execution.executed == [name]
    assert not said


if __name__ == "__main__":
    for each in FILES:
        for passes in ALONE:
            try:
                executed, refused = run(each, passes)
                print(
                    f"{each.stem}: {passes}: {f'refused by {refused}' if refused else 'agrees' if executed else 'not executed'}"
                )
            except AlloAirError as wrong:
                print(f"{each.stem}: {passes}: WRONG: {wrong}", file=sys.stderr)
