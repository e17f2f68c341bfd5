"""allo-run: what it prints, writes and returns."""

import json
import re
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError
from allo_air.program.source import source_of
from allo_air.tools import allo_run
from allo_air.tools._run_program import _check

from .conftest import channel


class Result(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], simulator: Any) -> Callable[..., Result]:
    """`run("gemm-i32", "--shape", ...)` with the tests' cache and the quick simulator."""

    def call(*arguments: object) -> Result:
        status = allo_run.main([*map(str, arguments)])
        return Result(status, *capfd.readouterr())

    return call


Run = Callable[..., Result]


def test_a_shape_is_compiled_run_checked_and_reported(run: Run) -> None:
    done = run("gemm-i32", "--shape", "16x32x8")
    assert done.status == 0
    assert done.err == ""
    assert "gemm-i32 on npu1: (16x8xi32, 8x32xi32) -> 16x32xi32" in done.out
    assert "correct: equal to numpy, all 512 elements (integers, exact, wrapping at i32)" in done.out
    assert "compute: core (0, 2) at work 75 % of the time" in done.out


def test_the_summary_is_short_and_verbose_has_tables(run: Run) -> None:
    short = run("gemm-i32", "--shape", "16x32x8").out
    assert len(short.splitlines()) <= 14 and not any(line.endswith(" ") for line in short.splitlines())
    assert "done: 1,000 cycles, 4.1 MACs/cycle" in short
    assert "DMA channels" not in short
    long = run("gemm-i32", "--shape", "16x32x8", "--verbose").out
    assert all(title in long for title in ("Busiest unit of each part", "Cores", "DMA channels", "Tiles"))
    assert long.splitlines()[-1] == short.splitlines()[-1]


def test_the_picture_shows_each_tile_s_share(run: Run, simulator: Any) -> None:
    simulator.channels += [channel((2, 1), "S2MM", busy=1000)]
    drawn = run("gemm-i32", "--shape", "16x32x8", "--picture").out.split("\n\n")[0].splitlines()
    assert drawn == [
        "cores, row 2     ████░░  70 %  ......        ......",
        "memtiles, row 1  ......        ......        ██████ 100 %",
        "shims, row 0     ██░░░░  30 %  ......        ......",
        "column                0             1             2",
        "share of the run in which a core computes; of other tiles, in which the busiest DMA channel moves words",
    ]


@pytest.mark.parametrize(
    ("option", "file", "message"),
    [
        ("--plot", "nowhere/roofline.png", "cannot write '.*roofline.png': there is no folder"),
        ("--plot", "roofline.xyz", "'.*roofline.xyz' is not a picture that can be drawn; its name may end in .*png"),
        ("--trace", "nowhere/t.json", "cannot write '.*t.json': there is no folder"),
        ("--output", "nowhere/c.npy", "cannot write '.*c.npy': there is no folder"),
        ("--output", "", "cannot write '.*': it is a folder"),
        ("--input", "nowhere/a.npy", "cannot read '.*a.npy': there is no such file"),
        ("--expect", "nowhere/c.npy", "cannot read '.*c.npy': there is no such file"),
    ],
)
def test_files_that_cannot_be_read_or_written_are_told_before_the_run(
    run: Run, simulator: Any, tmp_path: Path, option: str, file: str, message: str
) -> None:
    done = run("gemm-i32", "--shape", "16x32x8", option, tmp_path / file)
    assert done.status != 0
    assert re.search(message, done.err)
    assert not simulator.calls


@pytest.mark.parametrize(
    ("text", "function", "message"),
    [
        ("import absent_module", ":f", "error: 'k.py:1' raises ModuleNotFoundError: No module named 'absent_module'"),
        ("import air.api", ":f", "k.py:1: error: there is no module 'air'; run it under allo-env, which"),
        ("def f(:", ":f", "error: 'k.py:1' raises SyntaxError: invalid syntax"),
        ("def f(a): ...", ":g", "error: unknown function 'g' ('k.py' has f)"),
        ("def f(a): ...", "", "error: 'k.py' is a file in Python: name a function of it, as k.py:f (there is f)"),
    ],
)
def test_mistakes_with_files_in_python(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, function: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.py").write_text(f"{text}\n")
    done = run(f"k.py{function}")
    assert done.status != 0
    assert done.err.startswith(message)


def test_matplotlib_missing_is_told_before_the_run(run: Run, simulator: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = run("gemm-i32", "--shape", "16x32x8", "--plot", "roofline.png")
    assert (done.status, done.err) == (1, "error: plots need matplotlib: pip install 'allo-air[plot]'\n")
    assert not simulator.calls


def test_a_wrong_result_is_exit_code_1(run: Run, simulator: Any) -> None:
    simulator.off_by = 1
    done = run("gemm-i32", "--shape", "16x32x8")
    assert done.status == 1
    assert "WRONG: 512 of 512 elements differ from numpy" in done.out
    assert run("gemm-i32", "--shape", "16x32x8", "--no-check").status == 0


def test_bf16_states_its_bound(run: Run) -> None:
    done = run("gemm-bf16", "--shape", "16x32x8")
    assert done.status == 0
    assert "g = K u / (1 - K u), K = 8, u =" in " ".join(done.out.split())


def test_json_is_all_that_is_printed(run: Run, tmp_path: Path) -> None:
    done = run("gemm-i32", "--shape", "16x32x8", "--json", "--trace", tmp_path / "t.json", "--option", "cols=2")
    body = json.loads(done.out)
    assert body["check"]["ok"] is True
    assert body["report"]["cycles"] == 1000
    assert json.loads((tmp_path / "t.json").read_text())[0]["name"] == "process_name"


def test_files_in_and_out_also_of_bf16(run: Run, tmp_path: Path) -> None:
    a = np.arange(128).reshape(16, 8).astype(ml_dtypes.bfloat16)
    np.save(tmp_path / "a.npy", a)
    done = run("gemm-bf16", "--shape", "16x32x8", "--input", tmp_path / "a.npy", "--output", tmp_path / "c.npy", "--seed", 7)
    assert done.status == 0
    program = allo_air.compile(shape=(16, 32, 8))
    b = allo_run_inputs(program, 7)[1]
    np.testing.assert_array_equal(np.load(tmp_path / "c.npy"), a.astype(np.float32) @ b.astype(np.float32))


def allo_run_inputs(program: allo_air.Program, seed: int) -> list[Any]:
    from allo_air.program.host.arrays import random_inputs

    return random_inputs(program.arguments, seed)


def test_a_file_with_a_pipeline_and_a_saved_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gemm.mlir").write_text(allo_air.Matmul(16, 32, 8, "i32").text)
    done = run(tmp_path / "gemm.mlir", "--pipeline", "gemm-i32", "--save", tmp_path / "saved")
    assert done.status == 0
    assert "correct: equal to numpy" in done.out
    assert (tmp_path / "saved/insts.bin").exists()
    again = run(tmp_path / "saved")
    assert again.status == 0
    assert "correct: equal to numpy" in again.out


def test_a_source_that_is_no_plain_matmul_is_checked_on_the_interpreter(run: Run, tmp_path: Path, simulator: Any) -> None:
    text = allo_air.Matmul(16, 32, 8, "i32").text.replace("  return", "  %unused = arith.constant 7 : i32\n  return")
    (tmp_path / "gemm.mlir").write_text(text)
    arguments = (tmp_path / "gemm.mlir", "--pipeline", "gemm-i32")
    done = run(*arguments)
    assert done.status == 0
    assert (
        "correct: against the source on the interpreter: result 0 is as expected, all 512 elements (integers, exact)"
        in done.out
    )
    simulator.off_by = 1
    done = run(*arguments)
    assert done.status == 1
    assert "512 of 512 elements are wrong (integers, exact)" in done.out


def test_without_a_result_nothing_is_called_correct(run: Run) -> None:
    done = run(Path(__file__).parents[2] / "data/air_programs/label_siblings.mlir")
    assert done.status == 0, done.err
    assert done.out.endswith("not checked\n")


def test_stages(run: Run, tmp_path: Path) -> None:
    program = allo_air.compile(shape=(16, 32, 8), dtype="i32", cache=False)
    a, b = np.ones((16, 8), np.int32), np.full((8, 32), 3, np.int32)
    for name, array in (("a", a), ("b", b)):
        np.save(tmp_path / f"{name}.npy", array)
    inputs = ("--input", tmp_path / "a.npy", "--input", tmp_path / "b.npy", "--output", tmp_path / "c.npy")
    for level in ("air", "npu"):
        (tmp_path / f"{level}.mlir").write_text(program.text(level))
        done = run(tmp_path / f"{level}.mlir", "--at", level, *inputs)
        assert done.status == 0, done.err
        assert f"ran at level '{level}', seed 0" in done.out
        np.testing.assert_array_equal(np.load(tmp_path / "c.npy"), a @ b)
    assert "compute: core (0, 2)" in done.out


def test_dry_run_prints_commands(run: Run) -> None:
    done = run("gemm-i32", "--shape", "16x32x8", "--dry-run")
    assert done.status == 0
    assert "--get-xclbin" in done.out
    assert "--aie-generate-xclbin" in run("gemm-i32", "--shape", "16x32x8", "--dry-run", "--syntax=2026-03").out


def test_the_cache_is_shown_and_cleared(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    allo_air.compile(shape=(16, 32, 8), dtype="i32", cache_dir=tmp_path)
    for arguments, said in (((), "1 program"), (("--clear",), "removed 1 program"), ((), "0 programs and 0 kernels")):
        assert allo_run.main(["cache", "--cache-dir", str(tmp_path), *arguments]) == 0
        assert said in capfd.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (
            ("gemm-i32",),
            2,
            "error: 'gemm-i32' is not a file; for the pipeline of that name give a shape, as in --shape 512x512x512",
        ),
        (("gemm-i33",), 2, "error: 'gemm-i33' is not a file, and no pipeline; did you mean 'gemm-i32'"),
        (("gemm-i33", "--shape", "4x4x4"), 2, "unknown pipeline 'gemm-i33'; did you mean 'gemm-i32'"),
        (("gemm-i32", "--shape", "4x4"), 2, "--shape is '4x4', expected MxNxK as in 512x512x512"),
        (("gemm-i32", "--shape", "0x4x4"), 1, "m of a matmul is 0, expected a positive int"),
        (("gemm-i32", "--shape", "4x4x4", "--option", "cols"), 2, "--option is 'cols', expected NAME=VALUE"),
        (("gemm-i32", "--shape", "4x4x4", "--option", "colz=1"), 2, "has no option 'colz'; did you mean 'cols'"),
        (("gemm-i32", "--shape", "4x4x4", "--option", "cols=5"), 2, "option 'cols' is 5, and npu1 has 4 columns: give 1 to 4"),
        (("gemm-i32", "--shape", "4x4x4", "--option", "shim-channels=-1"), 2, "is -1, and 4 columns have 8 channels: give 1"),
        (("gemm-i32", "--shape", "4x4x4", "--device", "npu3"), 2, "unknown device 'npu3'"),
        (("gemm-i32", "--shape", "4x4x4", "--device", "npu1_5col"), 2, "unknown device 'npu1_5col'; did you mean 'npu2_5col'"),
        (("gemm-i32", "--shape", "4x4x4", "--plot", "x.png"), 2, "call it roofline.png or timeline.png"),
        (("gemm-i32", "--shape", "4x4x4", "--input", "absent.npy"), 1, "cannot read 'absent.npy'"),
        (("gemm-i32", "--shape", "4x4x4", "--clear"), 2, "--clear goes with 'allo-run cache'"),
        (("gemm-i32", "--shape", "4x4x4", "--at", "air"), 2, "--at does not go with a pipeline's name as the target"),
        (("gemm-i32", "--shape", "4x4x4", "--syntax", "2025-01"), 2, "there is no syntax '2025-01'"),
        (("gemm-i32", "--shape", "4x4x4", "--device-name", "d"), 2, "--device-name does not go with a pipeline's name"),
        (
            ("examples/gemm.mlir", "--pipeline", "gemm-bf16", "--device-name", "f"),
            2,
            "--device-name does not go with a file that is compiled",
        ),
        (
            ("examples/gemm.mlir", "--at", "linalg", "--device", "npu2"),
            2,
            "--device does not go with a file that runs as it is; --pipeline compiles it",
        ),
        (
            ("examples/gemm.mlir", "--at", "linalg", "--cache-dir", "x"),
            2,
            "--cache-dir does not go with a file that runs as it is",
        ),
        (("gemm-i32", "--shape", "4x4x4", "--no-cache", "--cache-dir", "x"), 2, "--cache-dir does not go with --no-cache"),
        (
            ("gemm-i32", "--shape", "4x4x4", "--output", "a.npy", "--output", "b.npy"),
            2,
            "--output names 2 files",
        ),
        (("absent",), 2, "'absent' is not a file, and no pipeline"),
        (("absent.mlir",), 1, "cannot read 'absent.mlir': No such file"),
    ],
)
def test_errors(arguments: tuple[str, ...], status: int, message: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[3])
    done = run(*arguments)
    assert done.status == status
    assert message in done.err
    assert "Traceback" not in done.err


def test_an_error_in_a_file_is_quoted(run: Run, tmp_path: Path) -> None:
    (tmp_path / "wrong.mlir").write_text("func.func @f() {\n  retrun\n}\n")
    done = run(tmp_path / "wrong.mlir")
    assert done.status == 1
    assert "wrong.mlir:2:3: error" in done.err
    assert "  retrun\n  ^" in done.err


def test_random_numbers_choose_no_rows() -> None:
    source = source_of(
        """func.func @f(%t: tensor<4x8xf32>, %i: tensor<2xi32>) -> tensor<2x8xf32> {
      %e = tensor.empty() : tensor<2x8xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]} ins(%i : tensor<2xi32>) outs(%e : tensor<2x8xf32>) {
      ^bb0(%x: i32, %o: f32):
        %j = linalg.index 1 : index
        %n = arith.index_cast %x : i32 to index
        %v = tensor.extract %t[%n, %j] : tensor<4x8xf32>
        linalg.yield %v : f32
      } -> tensor<2x8xf32>
      return %r : tensor<2x8xf32>
    }"""
    )
    inputs, results = [np.ones((4, 8), np.float32), np.array([1, 999], np.int32)], [np.ones((2, 8), np.float32)]
    program, options = allo_air.compile(source.text), Namespace(no_check=False, seed=0, input=[])
    with pytest.raises(
        AlloAirError, match=r"outside of its buffer\nnote: inputs that no --input gives are random numbers; give"
    ):
        _check(program, source, inputs, results, options)
