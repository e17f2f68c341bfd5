"""air-to-std and airrt-to-npu on the inputs of the real tools: each channel moves the same bytes in the same order."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from allo_air import asm
from allo_air.mlir import new_context
from allo_air.passes.affine_loop_opt import AffineLoopOpt
from allo_air.passes.air_to_std import AirToStd
from allo_air.passes.air_unroll_outer_affine_loops import AirUnrollOuterAffineLoops
from allo_air.passes.airrt_to_npu import AirrtToNpu
from allo_air.target.npu_sequence import words

DATA = Path(__file__).parents[2] / "data" / "reference"
CASES = ("walkthrough_i32", "case_study_bf16", "eltwise_add_bf16", "matmul_no_l2_i32", "two_herds_i32")
REAL = {"walkthrough_i32": ("31", "32"), "case_study_bf16": ("32", "33")}
Moves = Callable[[Any], Any]


def read(case: str, step: str) -> Any:
    [path] = (DATA / case).glob(f"{step}-*.mlir")
    return asm.read(path.read_text(), str(path))


def functions(module: Any) -> list[Any]:
    return [o for o in module.operation.regions[0].blocks[0].operations if o.operation.name == "func.func"]


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("case", REAL)
def test_same_transfers_as_the_real_tools(case: str, host: Moves, device: Moves) -> None:
    ours = read(case, "30")
    AirToStd().run(ours.operation)
    for function in [f for f in functions(ours) if not len(f.regions[0].blocks)]:
        function.operation.erase()
    control, sequence = REAL[case]
    wanted = host(ours)
    assert wanted == host(read(case, control)) == device(read(case, sequence))
    AirrtToNpu().run(ours.operation)
    assert asm.verify(ours) in (None, [], True)
    assert device(ours) == wanted


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("case", REAL)
def test_takes_the_control_program_of_the_real_tools(case: str, device: Moves) -> None:
    module = read(case, REAL[case][0])
    AirrtToNpu().run(module.operation)
    assert device(module) == device(read(case, REAL[case][1]))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("form", ["tasks", "dma-memcpy"])
@pytest.mark.parametrize("tiles", [(), (1, 2)])
def test_the_recipe_moves_what_the_launch_does(case: str, form: Any, tiles: Any, host: Moves, device: Moves) -> None:
    with new_context():
        module = read(case, "30")
        AirToStd().run(module.operation)
        for function in functions(module):
            if not len(function.regions[0].blocks):
                function.operation.erase()
                continue
            AffineLoopOpt(affine_opt_tile_sizes=tiles).run(function.operation)
            AirUnrollOuterAffineLoops(depth=2).run(function.operation)
        wanted = host(module)
        AirrtToNpu(form=form).run(module.operation)
        assert device(module) == wanted
        assert words(module)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("case", CASES)
def test_both_forms_give_one_stream_of_descriptors(case: str) -> None:
    """The words of tasks and of transfers with ids, except the BD's address word, which the patch sets in any case."""
    found = []
    for form in ("tasks", "dma-memcpy"):
        module = read(case, "30")
        AirToStd().run(module.operation)
        AirrtToNpu(form=form).run(module.operation)
        found.append(words(module))
    assert without_addresses(found[0]) == without_addresses(found[1])


def without_addresses(stream: list[int]) -> list[list[int]]:
    """The stream's operations after the header, the address word of BDs set to 0."""
    length = {0: 6, 1: 12, 3: 7, 0x80: 4, 0x81: 12}
    found, at = [], 4
    while at < len(stream):
        words_ = stream[at : at + length[stream[at] & 0xFF]]
        if words_[0] == 1:
            words_[5] = 0
        found.append(words_)
        at += len(words_)
    return found
