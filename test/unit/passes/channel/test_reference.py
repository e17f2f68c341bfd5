"""air-dma-to-channel on the IR that mlir-air's tools print before it, against what those print after it, and by execution."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from allo_air import asm
from allo_air.core.constants import constant_of
from allo_air.core.walking import parents, walk_named
from allo_air.passes.canonical.canonicalize import Canonicalize
from allo_air.passes.channel.air_dma_to_channel import AirDmaToChannel

REFERENCE = Path(__file__).parents[3] / "data/reference"
CASES = {
    "case_study_bf16": ("09-air-specialize-dma-broadcast", "11-canonicalize+cse"),
    "eltwise_add_bf16": ("05-air-dependency", "10-canonicalize+cse"),
    "matmul_k_outer_i8": ("08-air-specialize-dma-broadcast", "10-canonicalize+cse"),
    "matmul_no_l2_i32": ("08-air-specialize-dma-broadcast", "10-canonicalize+cse"),
    "two_herds_i32": ("05-air-dependency", "10-canonicalize+cse"),
    "walkthrough_i32": ("08-air-specialize-dma-broadcast", "10-canonicalize+cse"),
}
SHAPES = {
    "case_study_bf16": ([(512, 1024), (1024, 512), (512, 512)], np.float32),
    "eltwise_add_bf16": ([(4096,)] * 3, np.float32),
    "matmul_k_outer_i8": ([(128, 256), (256, 128)], np.int8),
    "matmul_no_l2_i32": ([(64, 64)] * 3, np.int32),
    "two_herds_i32": ([(64, 32)] * 2, np.int32),
    "walkthrough_i32": ([(64, 256), (256, 64), (64, 64)], np.int32),
}


def text(case: str, step: str) -> str:
    return (REFERENCE / case / f"{step}.mlir").read_text()


def transfers(module: Any) -> list[Any]:
    """Each put and get: channel, operands but tokens (None where not constant), the operations around, the set it serves."""
    found = []
    for op in walk_named(module, "air.channel.put", "air.channel.get"):
        operands = [constant_of(v) if str(v.type) == "index" else str(v.type) for v in op.operands]
        around = [p.name for p in parents(op)]
        served = str(op.attributes["broadcast_set"]) if "broadcast_set" in op.attributes else None
        found.append((op.name, op.opview.chan_name, [o for o in operands if o != "!air.async.token"], around, served))
    return found


@pytest.mark.parametrize("case", CASES)
@pytest.mark.usefixtures("context")
def test_channels_and_transfers_are_those_of_the_reference(case: str) -> None:
    ours, theirs = (asm.read(text(case, step)) for step in CASES[case])
    with ours.context, ours.location:
        AirDmaToChannel().run(ours)
        asm.verify(ours)
        Canonicalize().run(ours)
    with theirs.context, theirs.location:
        Canonicalize().run(theirs)
    channels = [[str(o) for o in walk_named(m, "air.channel")] for m in (ours, theirs)]
    assert channels[0] == channels[1]
    assert transfers(ours) == transfers(theirs)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.usefixtures("context")
def test_it_changes_nothing_when_it_runs_again(case: str) -> None:
    module = asm.read(text(case, CASES[case][0]))
    with module.context, module.location:
        AirDmaToChannel().run(module)
        once = asm.write(module)
        AirDmaToChannel().run(module)
    assert asm.write(module) == once


@pytest.mark.parametrize("case", CASES)
@pytest.mark.usefixtures("context")
def test_it_computes_the_same(case: str, check: Callable[..., Any]) -> None:
    rng = np.random.default_rng(1)
    shapes, dtype = SHAPES[case]
    arguments = [rng.integers(-3, 4, shape).astype(dtype) for shape in shapes]
    if case == "matmul_k_outer_i8":
        arguments.append(np.zeros((128, 128), np.int32))
    check(text(case, CASES[case][0]), *arguments, seeds=1 if case == "case_study_bf16" else 3)
