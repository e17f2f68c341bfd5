"""Labels and ping-pong loops against what mlir-air's tools of March 2026 make of the same IR."""

from collections import Counter

import pytest

from allo_air import asm
from allo_air.core.walking import walk_named, walk_post_order
from allo_air.passes._ir.tokens import deps_of
from allo_air.passes.schedule.air_label_scf_for_to_ping_pong import AirLabelScfForToPingPong
from allo_air.passes.schedule.air_ping_pong_transform import AirPingPongTransform
from helpers import apply, reference

LABELLED = ("case_study_bf16", "walkthrough_i32", "matmul_no_l2_i32")
UNLABELLED = ("two_herds_i32",)
ENDS = ("air.channel.put", "air.channel.get")


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("case", [*LABELLED, *UNLABELLED])
def test_labels(case):
    before = reference(case, "air-loop-fusion")
    expected = reference(case, "air-label-scf-for-to-ping-pong") if case in LABELLED else reference(case, "air-loop-fusion")
    once = asm.write(apply(before, AirLabelScfForToPingPong()))
    assert once == asm.write(expected)
    assert asm.write(apply(before, AirLabelScfForToPingPong())) == once


def summary(module):
    """What a module holds, apart from joins, constants and the order that tokens ask for."""
    counts = Counter(op.name for op in walk_post_order(module))
    for name in ("air.wait_all", "arith.constant"):
        counts.pop(name, None)
    ends = Counter()
    for op in walk_named(module, *ENDS):
        view = op.opview
        memref = view.src if op.name.endswith("put") else view.dst
        loop = op.parent
        while loop.name not in ("scf.for", "air.herd", "air.segment", "air.launch"):
            loop = loop.operation.parent
        ends[op.name, view.chan_name, str(memref.type), loop.name, len(loop.results)] += 1
    return counts, ends


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("case", LABELLED)
def test_ping_pong(case):
    ours = apply(reference(case, "air-label-scf-for-to-ping-pong"), AirPingPongTransform(keep_memref_dealloc=True))
    assert summary(ours) == summary(reference(case, "air-ping-pong-transform"))
    loops = [op for op in walk_named(ours, "scf.for") if len(op.results) == 4]
    assert len(loops) == (2 if case == "case_study_bf16" else 1)
    for loop in loops:
        ping, pong, consumers, producers = list(loop.regions[0].blocks[0].arguments)[1:]
        for fill in walk_named(loop, "air.channel.get"):
            deps = deps_of(fill)
            assert (ping in deps and producers in deps) or pong in deps
            assert consumers not in deps
    text = asm.write(ours)
    assert "hoist_alloc" not in text and "unroll" not in text
    assert asm.write(apply(ours, AirPingPongTransform(keep_memref_dealloc=True))) == text


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("case", LABELLED)
def test_deallocation_after_the_loop(case):
    kept = apply(reference(case, "air-label-scf-for-to-ping-pong"), AirPingPongTransform(keep_memref_dealloc=True))
    moved = apply(reference(case, "air-label-scf-for-to-ping-pong"), AirPingPongTransform())
    assert len(walk_named(kept, "memref.dealloc")) == len(walk_named(moved, "memref.dealloc"))
    assert not [op for op in walk_named(moved, "memref.dealloc") if op.parent.operation.parent.name == "scf.for"]


@pytest.mark.usefixtures("context")
def test_one_space_at_a_time():
    both = apply(reference("case_study_bf16", "air-label-scf-for-to-ping-pong"), AirPingPongTransform())
    stepwise = reference("case_study_bf16", "air-label-scf-for-to-ping-pong")
    apply(stepwise, AirPingPongTransform(omit_memory_space="L2"))
    assert [str(b.type).split(", ")[1] for b in _marked(stepwise)] == ["1>"] * 8
    apply(stepwise, AirPingPongTransform(omit_memory_space="L1"))
    assert summary(stepwise) == summary(both)


def _marked(module):
    return [op.results[0] for op in walk_named(module, "memref.alloc") if "hoist_alloc" in op.attributes]
