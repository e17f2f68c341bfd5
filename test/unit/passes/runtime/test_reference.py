"""air-to-std and airrt-to-npu on the inputs of the real tools: each channel moves the same bytes in the same order."""

from typing import Any

import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.core.walking import walk_named
from allo_air.passes.runtime.affine_loop_opt import AffineLoopOpt
from allo_air.passes.runtime.air_to_std import AirToStd
from allo_air.passes.runtime.air_unroll_outer_affine_loops import AirUnrollOuterAffineLoops
from allo_air.passes.runtime.airrt_to_npu import AirrtToNpu
from allo_air.target.npu_sequence import sequence_words
from helpers import REFERENCE, reference

from .moves import control_moves, sequence_moves

CASES = ("walkthrough_i32", "case_study_bf16", "eltwise_add_bf16", "matmul_no_l2_i32", "two_herds_i32")
REAL = {"walkthrough_i32": ("31", "32"), "case_study_bf16": ("32", "33")}


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("case", REAL)
def test_same_transfers_as_the_real_tools(case: str) -> None:
    ours = reference(case, "30")
    AirToStd().run(ours.operation)
    control, sequence = REAL[case]
    wanted = control_moves(ours)
    assert wanted == control_moves(reference(case, control)) == sequence_moves(reference(case, sequence))
    AirrtToNpu(order="planned").run(ours.operation)
    asm.verify(ours)
    assert sequence_moves(ours) == wanted


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("case", REAL)
def test_takes_the_control_program_of_the_real_tools(case: str) -> None:
    module = reference(case, REAL[case][0])
    AirrtToNpu(order="planned").run(module.operation)
    assert sequence_moves(module) == sequence_moves(reference(case, REAL[case][1]))


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("case", REAL)
def test_the_written_order_is_that_of_the_real_tool(case: str) -> None:
    """Operation by operation: descriptors, tokens, waits, and what is freed."""
    ours, real = (reference(case, step) for step in REAL[case])
    AirrtToNpu().run(ours.operation)
    assert sequences(ours) == sequences(real)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("program", ["locks", "peeled_channels", "two_launches"])
def test_so_it_is_for_programs_of_air(program: str) -> None:
    """The last of several launches, on devices of their own, is the main device's."""
    ours, real = (asm.read(f.read_text(), str(f)) for f in sorted((REFERENCE / "air_programs" / program).glob("*.mlir")))
    AirrtToNpu().run(ours.operation)
    assert sequences(ours) == sequences(real)


def sequences(module: Any) -> list[str]:
    """The text of each runtime sequence and its device's name."""
    return [
        f"{device.attributes['sym_name'].value}: {asm.write(sequence, syntax='2026-03')}"
        for device in walk_named(module, "aie.device")
        for sequence in walk_named(device, "aie.runtime_sequence")
    ]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("form", ["tasks", "dma-memcpy"])
@pytest.mark.parametrize("tiles", [(), (1, 2)])
def test_the_recipe_moves_what_the_launch_does(case: str, form: Any, tiles: Any) -> None:
    with reused_context():
        module = reference(case, "30")
        AirToStd().run(module.operation)
        wanted = control_moves(module)
        for function in [f for f in walk_named(module, "func.func") if f.regions[0].blocks]:
            AffineLoopOpt(affine_opt_tile_sizes=tiles).run(function)
            AirUnrollOuterAffineLoops(depth=2).run(function)
        AirrtToNpu(form=form, order="planned").run(module.operation)
        assert sequence_moves(module) == wanted
        assert sequence_words(module)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("case", CASES)
def test_both_forms_run_the_same_descriptors(case: str) -> None:
    """What the words of tasks and of transfers with ids run on each channel, except the BD's address word, which is patched."""
    found = []
    for form in ("tasks", "dma-memcpy"):
        module = reference(case, "30")
        AirToStd().run(module.operation)
        AirrtToNpu(form=form, order="planned").run(module.operation)
        found.append(runs(sequence_words(module)))
    assert found[0] == found[1]
    assert any(found[0].values())


def runs(stream: list[int]) -> dict[int, list[Any]]:
    """By queue register, the BDs that a stream runs: iteration, what it patches, and words without the address."""
    length = {0: 6, 1: 12, 3: 7, 0x80: 4, 0x81: 12}
    bds: dict[int, list[int]] = {}
    patches: dict[int, tuple[int, int]] = {}
    found: dict[int, list[Any]] = {}
    at = 4
    while at < len(stream):
        op = stream[at : at + length[stream[at] & 0xFF]]
        at += len(op)
        match op[0]:
            case 1:
                bds[op[2]] = op[4:5] + op[6:]
            case 0x81:
                patches[op[6] - 4] = op[8], op[10]
            case 0:
                bd = (op[2] & ~0xFFFFF) + 0x1D000 + 0x20 * (op[4] & 0xF)
                wrap = (bds[bd][5] >> 20 & 0x3F) + 1
                repeats = (op[4] >> 16 & 0xFF) + 1
                found.setdefault(op[2], []).extend((i % wrap, patches[bd], bds[bd]) for i in range(repeats))
    return found
