"""The passes over loop nests keep what programs compute, whatever the order in which transfers run."""

from typing import Any

import pytest

from allo_air.core.walking import walk_named
from allo_air.mlir import arith, ir

pytestmark = pytest.mark.usefixtures("context")

BEFORE_CHANNELS = {
    "case_study_bf16": "09-air-specialize-dma-broadcast",
    "walkthrough_i32": "08-air-specialize-dma-broadcast",
    "matmul_no_l2_i32": "08-air-specialize-dma-broadcast",
    "matmul_k_outer_i8": "08-air-specialize-dma-broadcast",
    "two_herds_i32": "05-air-dependency",
    "eltwise_add_bf16": "05-air-dependency",
}
TO_CHANNELS = "air-dma-to-channel,canonicalize,cse,air-dependency-canonicalize,canonicalize,cse"
SPLIT, ISOLATE, FUSE = "air-split-l2-memref", "air-isolate-async-dma-loop-nests", "air-loop-fusion"
ORDERS = {
    "recipe": [f"func.func({SPLIT})", f"{ISOLATE},canonicalize,cse", f"func.func({FUSE})"],
    "all split": [
        f"func.func({SPLIT}{{tiles-per-l2-tile=1}})",
        f"{ISOLATE}{{scope=launch}},canonicalize",
        f"func.func({FUSE})",
    ],
    "no split": [ISOLATE, f"canonicalize,cse,func.func({FUSE}{{fusion-scope=all}})"],
    "fused first": [f"func.func({FUSE})", f"canonicalize,cse,func.func({SPLIT}{{tiles-per-l2-tile=1}})", ISOLATE],
}


SMALL = [case for case in BEFORE_CHANNELS if case != "case_study_bf16"]
RUNS = [(case, order) for case in SMALL for order in ORDERS] + [
    ("case_study_bf16", "recipe"),
    ("case_study_bf16", "fused first"),
]


def launch_once(module: Any) -> None:
    """Gives the launch one instance: those of the case study do all the same."""
    [launch] = walk_named(module, "air.launch")
    with module.context, ir.InsertionPoint(launch), launch.location:
        one = arith.ConstantOp(ir.IndexType.get(), 1).result
    deps = len(launch.opview.deps)
    for n in range(len(launch.opview.sizes)):
        launch.operands[deps + n] = one


@pytest.mark.parametrize(("case", "order"), RUNS)
def test_reference_programs(case: str, order: str, tools: Any) -> None:
    module = tools.read(case, BEFORE_CHANNELS[case])
    launch_once(module)
    tools.run(TO_CHANNELS, module)
    wanted = tools.outcome(module, 0)
    is_small = case in SMALL
    for passes in ORDERS[order]:
        tools.run(passes, module)
        if is_small:
            tools.agrees(module, wanted, 2)
    tools.agrees(tools.run("canonicalize,cse", module), wanted, 1)
