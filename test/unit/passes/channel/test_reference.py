"""air-dma-to-channel on the IR that mlir-air's tools print before it, against what those print after it, and by execution."""

from typing import Any

import pytest

from allo_air import asm
from allo_air.core.constants import constant_of
from allo_air.core.walking import parents, walk_named
from allo_air.passes.canonical.canonicalize import Canonicalize
from allo_air.passes.channel.air_dma_to_channel import AirDmaToChannel
from helpers import apply, drawn, keeps, launch_once, reference

CASES = {
    "case_study_bf16": ("09-air-specialize-dma-broadcast", "11-canonicalize+cse"),
    "eltwise_add_bf16": ("05-air-dependency", "10-canonicalize+cse"),
    "matmul_k_outer_i8": ("08-air-specialize-dma-broadcast", "10-canonicalize+cse"),
    "matmul_no_l2_i32": ("08-air-specialize-dma-broadcast", "10-canonicalize+cse"),
    "two_herds_i32": ("05-air-dependency", "10-canonicalize+cse"),
    "walkthrough_i32": ("08-air-specialize-dma-broadcast", "10-canonicalize+cse"),
}


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
    ours, theirs = (reference(case, step) for step in CASES[case])
    apply(ours, AirDmaToChannel(shim_dma_channels_per_col=16), Canonicalize())  # March's chooses no packets
    apply(theirs, Canonicalize())
    channels = [[str(o) for o in walk_named(m, "air.channel")] for m in (ours, theirs)]
    assert channels[0] == channels[1]
    assert transfers(ours) == transfers(theirs)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.usefixtures("context")
def test_it_changes_nothing_when_it_runs_again(case: str) -> None:
    module = apply(reference(case, CASES[case][0]), AirDmaToChannel())
    once = asm.write(module)
    assert asm.write(apply(module, AirDmaToChannel())) == once


@pytest.mark.parametrize("case", CASES)
@pytest.mark.usefixtures("context")
def test_it_computes_the_same(case: str) -> None:
    module = launch_once(reference(case, CASES[case][0]))
    keeps(module, [AirDmaToChannel()], *drawn(module), seeds=1 if case == "case_study_bf16" else 3)
    assert not walk_named(module, "air.dma_memcpy_nd")
