"""Runtime sequences and declarations as designs of others have them give numpy's numbers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air import asm
from allo_air.core import driver, pipeline
from allo_air.core.registry import Registry
from allo_air.errors import AlloAirError
from allo_air.mlir import new_context
from allo_air.target.npu_sequence import sequence_words

DESIGNS = Path(__file__).parent / "sequences"
RNG = np.random.default_rng(909)
Case = tuple[list[np.ndarray], dict[int, np.ndarray]]
"""Host arrays in the order of the arguments, and what is wanted of those that are results."""


def ints(*shape: int, low: int = -100, high: int = 100) -> np.ndarray:
    return RNG.integers(low, high, shape).astype(np.int32)


def zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, np.int32)


def declared_inside() -> Case:
    a = ints(64)
    return [a, zeros(64)], {1: a + np.tile(np.arange(1, 17), 4)}


def declared_in_loop() -> Case:
    a = ints(64)
    return [a, zeros(64)], {1: np.cumsum(a.reshape(4, 16), axis=0).reshape(64)}


def loops() -> Case:
    a = ints(8, 64)
    return [a, zeros(8, 64)], {1: a}


def loose_ends() -> Case:
    a, b, c = ints(50), zeros(80), zeros(48)
    moved = a[16:48]
    return [a, b, c], {1: np.r_[zeros(32), moved, zeros(16)], 2: np.r_[zeros(16), moved]}


def views() -> Case:
    a = (np.arange(1024) % 100).astype(np.int8)
    return [a, np.zeros(64, np.int8), np.zeros(8, np.int8)], {1: np.r_[np.zeros(16), a[16:32], np.zeros(32)]}


def configurations() -> Case:
    a, b = ints(128), zeros(4, 64)
    wanted = zeros(4, 64)
    wanted[1, :32], wanted[2, :32] = 2 * a[32:64], a[64:96]
    wanted[3] = np.r_[2 * a[96:], a[:32]]
    return [a, b], {1: wanted}


def configures_itself() -> Case:
    a = ints(8)
    return [a, zeros(8)], {1: 3 * (a + 100)}


def main_runs_others() -> Case:
    a = ints(16)
    return [a, zeros(16)], {1: a + 5}


CASES: dict[str, Callable[[], Case]] = {
    "declared_inside": declared_inside,
    "declared_in_loop": declared_in_loop,
    "loops": loops,
    "configurations": configurations,
    "views": views,
    "configures_itself": configures_itself,
    "loose_ends": loose_ends,
    "main_runs_others": main_runs_others,
}
OPTIONS: dict[str, dict[str, Any]] = {
    "configurations": {"sequence": "seq"},
    "configures_itself": {"sequence": "thrice"},
}
LOOSE = DESIGNS / "loose_ends.mlir"


def test_every_design_is_run() -> None:
    assert {path.stem for path in DESIGNS.glob("*.mlir")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_design(name: str) -> None:
    check(name, DESIGNS / f"{name}.mlir")


@pytest.mark.parametrize("name", ["configurations", "configures_itself", "loops"])
def test_lowered_design(name: str) -> None:
    """Our passes make instructions of the sequence that do the same."""
    passes = (
        "builtin.module(aie.device(aie-objectFifo-stateful-transform,aie-assign-lock-ids,aie-assign-buffer-addresses),"
        "aie-materialize-runtime-sequences,aie.device(aie-substitute-shim-dma-allocations,"
        "aie-assign-runtime-sequence-bd-ids,aie-dma-tasks-to-npu,aie-dma-to-npu))"
    )
    with new_context():
        text = asm.write(lowered(asm.read((DESIGNS / f"{name}.mlir").read_text(), name), passes))
    for gone in ("aiex.configure", "aiex.run", "scf.for", "dma_memcpy_nd"):
        assert gone not in text.split("aie.runtime_sequence")[-1]
    check(name, text)


def lowered(module: Any, passes: str) -> Any:
    driver.run(pipeline.parse(passes, Registry()), module, driver.Settings(verify=asm.verify, write=asm.write))
    return module


def check(name: str, source: Any) -> None:
    arrays, wanted = CASES[name]()
    report = allo_air.simulate(source, *arrays, **OPTIONS.get(name, {}))
    assert report.ok and report.cycles > 0
    for index, expected in wanted.items():
        np.testing.assert_array_equal(arrays[index], expected.astype(arrays[index].dtype))


def test_a_task_that_goes_nowhere_is_a_warning(capfd: pytest.CaptureFixture[str]) -> None:
    arrays, _ = loose_ends()
    assert allo_air.simulate(LOOSE, *arrays).ok
    told = capfd.readouterr().err
    assert "loose_ends.mlir:48:7: warning: a task is queued on MM2S 1 of shim (0, 0), and no flow leads out of it" in told


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("issue_token = true, metadata = @unused", "issue_token = true, metadata = @unused", ""),
        ("{symbol = @out}", "{symbol = @unused}", "no flow leads out of it"),
        ("arg_idx = 2", "arg_idx = 4", "moves host argument 4, and no array was given for it"),
        ("arg_plus = 64", "arg_plus = 68", "byte 196 of a host buffer of 192 bytes (argument 2)"),
    ],
)
def test_loose_ends_that_matter(old: str, new: str, wanted: str) -> None:
    text = LOOSE.read_text().replace("metadata = @unused}", "issue_token = true, metadata = @unused}")
    assert old in text
    arrays, _ = loose_ends()
    try:
        allo_air.simulate(text.replace(old, new), *arrays)
    except AlloAirError as error:
        assert wanted and wanted in str(error)
    else:
        assert not wanted


def test_programs_of_designs_take_longer_arrays() -> None:
    text = (DESIGNS / "declared_inside.mlir").read_text()
    program = allo_air.compile(text.replace("aiex.npu.rtp_write(@scratch, 0, 5)", ""))
    a, out = ints(5, 20), np.full((3, 30), 7, np.int32)
    program(a, out=out)
    table = np.tile(np.arange(1, 17), 4)
    np.testing.assert_array_equal(out.reshape(90), np.r_[a.reshape(100)[:64] + table, np.full(26, 7)])
    with pytest.raises(AlloAirError, match="byte 256 of a host buffer of 240 bytes"):
        program(ints(60))


def test_words_of_loops_are_those_of_their_rounds() -> None:
    with new_context():
        text = (DESIGNS / "loops.mlir").read_text()
        module = asm.read(text, "loops.mlir")
        pipe = "builtin.module(aie.device(aie-objectFifo-stateful-transform,aie-unroll-runtime-sequence-loops))"
        before = sequence_words(
            asm.read(asm.write(lowered(module, pipe.replace(",aie-unroll-runtime-sequence-loops", ""))), "x")
        )
        assert before == sequence_words(lowered(module, pipe)) and before[2] == 2 * 4 * 7 + 2 * 7


def test_arrays_that_nothing_names_are_refused() -> None:
    arrays, _ = loose_ends()
    with pytest.raises(AlloAirError, match=r"7 arrays given; @seq takes 2 .*, and patches addresses of 6"):
        allo_air.simulate(LOOSE, *arrays, *arrays, zeros(1))


AGAIN = "aiex.configure @main { aiex.run @seq(%a, %b) : (memref<128xi32>, memref<4x64xi32>) }\n"
MAIN = "      aiex.configure @drain {\n"
CONFIGURATIONS = (DESIGNS / "configurations.mlir").read_text()


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("        aiex.run @both(%f, %k) : (!view, !view)\n", "", "uninitialized-read"),
        ("aiex.run @both(", "aiex.run @count(", "No such runtime sequence for device 'fill': 'count'"),
        ("load_pdi {device_ref = @fill}", "load_pdi {device_ref = @gone}", "loads @gone, which is not an aie.device of the"),
        ("load_pdi {device_ref = @fill}", "load_pdi {id = 3 : i32}", "name it by device_ref"),
        (MAIN, AGAIN + MAIN, "runs @main::@seq inside of itself (@main::@seq > @main::@seq)"),
    ],
)  # fmt: skip
def test_configurations_that_cannot_run(old: str, new: str, wanted: str) -> None:
    text = CONFIGURATIONS.replace("memref.subview %a", "memref.subview %m")
    text = text.replace("%front =", "%m = memref.alloc() : memref<128xi32>\n        %front =")
    with pytest.raises(AlloAirError, match="moves a buffer that is not an argument of the runtime sequence"):
        allo_air.simulate(text, *configurations()[0], sequence="seq")
