"""The passes over loop nests keep what programs compute, whatever the order in which transfers run."""

import pytest

from helpers import agrees, drawn, launch_once, outcome, piped, reference

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


@pytest.mark.parametrize(("case", "order"), RUNS)
def test_reference_programs(case: str, order: str) -> None:
    module = launch_once(reference(case, BEFORE_CHANNELS[case]))
    piped(TO_CHANNELS, module)
    inputs = drawn(module)
    wanted = outcome(module, inputs)
    is_small = case in SMALL
    for passes in ORDERS[order]:
        piped(passes, module)
        if is_small:
            agrees(module, inputs, wanted)
    agrees(piped("canonicalize,cse", module), inputs, wanted, seeds=1)
