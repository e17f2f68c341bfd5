"""allo_air.compile: sources, pipelines, options, and the errors of each."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import allo_air
from allo_air import asm
from allo_air.errors import AlloAirError
from allo_air.mlir import new_context
from allo_air.program.program import Program

Compiled = Callable[..., Program]
I32 = allo_air.Matmul(16, 32, 8, "i32").text


def test_shape_and_type(compiled: Compiled) -> None:
    program = compiled(shape=(16, 32, 8), dtype="int32")
    assert str(program) == "gemm-i32 on npu1: (16x8xi32, 8x32xi32) -> 16x32xi32"
    assert program.macs == 16 * 32 * 8
    assert [a.role for a in program.arguments] == ["in", "in", "out"]
    assert list(program.levels)[-2:] == ["aie", "npu"]
    assert {"tiled", "air", "channel"} < set(program.levels)


def test_text_path_module_and_description_give_the_same_program(compiled: Compiled, tmp_path: Path) -> None:
    (tmp_path / "gemm.mlir").write_text(I32)
    with new_context():
        module = asm.read(I32)
    sources = [I32, tmp_path / "gemm.mlir", str(tmp_path / "gemm.mlir"), module, allo_air.Matmul(16, 32, 8, "i32"), (16, 32, 8)]
    programs = [compiled(s, "gemm-i32") for s in sources]
    assert len({tuple(p.words.tolist()) for p in programs}) == 1
    assert len({p.text() for p in programs}) == 1
    assert len({p.macs for p in programs}) == 1


def test_pipeline_by_the_type_of_the_operands(compiled: Compiled) -> None:
    assert compiled(I32).pipeline == "gemm-i32"
    assert compiled(shape=(16, 32, 16), pipeline="gemm-i8").arguments[0].element == "i8"


def test_options_as_keywords_and_in_the_name_are_the_same(compiled: Compiled) -> None:
    by_keyword = compiled(I32, "gemm-i32", cols=2)
    by_name = compiled(I32, "gemm-i32{cols=2}")
    assert by_keyword.text() == by_name.text() != compiled(I32).text()


def test_device_reaches_the_pipeline(compiled: Compiled) -> None:
    assert "aie.device(npu1_2col)" in compiled(I32, device="npu1_2col", cols=2).text()
    assert compiled(I32, device="npu1_2col", cols=2).device == "npu1_2col"


def test_a_device_with_a_runtime_sequence_needs_no_pipeline(compiled: Compiled) -> None:
    program = compiled(I32)
    again = compiled(program.text())
    assert again.pipeline == ""
    assert again.words.tolist() == program.words.tolist()
    assert [(a.shape, a.role) for a in again.arguments] == [(a.shape, a.role) for a in program.arguments]


def test_the_user_s_shapes_survive_in_a_padded_device(compiled: Compiled) -> None:
    program = compiled(shape=(7, 5, 3), dtype="i32")
    again = compiled(program.text())
    assert [(a.shape, a.padded) for a in again.arguments] == [(a.shape, a.padded) for a in program.arguments]
    assert again.arguments[0].shape == (7, 3)


def test_other_pipelines_of_the_family_take_shapes(compiled: Compiled) -> None:
    program = compiled(shape=(16, 32, 8), pipeline="gemm-bf16-recipe")
    assert program.arguments[0].element == "bf16"


def test_pipeline_text(compiled: Compiled) -> None:
    program = compiled(I32)
    again = compiled(program.text(), "builtin.module(canonicalize)")
    assert again.words.tolist() == program.words.tolist()


def test_padding_is_the_device_s_business(compiled: Compiled) -> None:
    a, b, c = compiled(shape=(7, 5, 3), dtype="i32").arguments
    assert (a.shape, b.shape, c.shape) == ((7, 3), (3, 5), (7, 5))
    assert all(x <= y for argument in (a, b, c) for x, y in zip(argument.shape, argument.padded, strict=True))


def test_passes_can_be_executed_while_they_run(monkeypatch: pytest.MonkeyPatch) -> None:
    from allo_air.interp.verify import Execution

    seen: list[str] = []
    check = Execution.check
    monkeypatch.setattr(Execution, "check", lambda self, step, op: (seen.append(step.name), check(self, step, op))[1])
    allo_air.compile(shape=(4, 4, 8), dtype="i32", cache=False, verify_each="execute")
    assert "air-dma-to-channel" in seen
    with pytest.raises(
        AlloAirError, match="verify_each is 'run', expected True, False, 'none', 'stage', 'verify', 'level', 'execute'"
    ):
        allo_air.compile(I32, verify_each="run")


def test_progress_names_each_pass() -> None:
    seen: list[tuple[str, int, int]] = []
    allo_air.compile(I32, cache=False, progress=lambda *step: seen.append(step))
    assert [done for _, done, _ in seen] == list(range(seen[0][2]))
    assert "air-to-aie" in [name for name, _, _ in seen]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, r"nothing to compile: give a file, MLIR text, a module, or shape=\(M, N, K\)"),
        ({"shape": (64, 64)}, r"a matmul has the shape \(M, N, K\), found \(64, 64\)"),
        ({"shape": (64, 0, 64)}, "n of a matmul is 0, expected a positive int"),
        ({"shape": (64, 64, 64), "dtype": "f16"}, "no pipeline multiplies matrices of f16; there are bf16, f32"),
        ({"shape": (64, 64, 64), "dtype": "u8"}, "no pipeline multiplies matrices of ui8; there are bf16"),
        ({"shape": (64, 64, 64), "dtype": "u1"}, r"'u1': digits count bits \(1 bytes, as numpy counts, are 'ui8'\)"),
        ({"shape": (64, 64, 64), "dtype": "complex64"}, "no element type is called 'complex64'"),
        ({"source": I32, "shape": (4, 4, 4)}, "shape and dtype describe a matmul"),
        ({"source": "absent.mlir"}, "cannot read 'absent.mlir': No such file"),
        ({"source": 3.5}, "cannot compile a float"),
        ({"source": I32, "pipeline": "gemm-i31"}, "unknown pipeline 'gemm-i31'; did you mean"),
        ({"shape": (4, 4, 4), "pipeline": "gemm-i31"}, "unknown pipeline 'gemm-i31'; did you mean"),
        ({"shape": (4, 4, 4), "pipeline": "air-bind"}, "pipeline 'air-bind' needs a file to compile"),
        ({"source": I32, "device": "npu3"}, "unknown device 'npu3'"),
        ({"source": I32, "device": "xcvc1902"}, "unknown device 'xcvc1902'"),
        ({"source": I32, "colz": 2}, "pipeline 'gemm-i32' has no option 'colz'; did you mean 'cols'"),
        ({"source": I32, "cols": "two"}, "option 'cols' is 'two', expected an int"),
        ({"source": I32, "pipeline": "gemm-i32{cols=2}", "cols": 3}, "option 'cols' is given twice"),
        ({"source": I32, "backend": "fpga"}, "unknown backend 'fpga'"),
        ({"source": "func.func @f() {\n  return\n}\n"}, "<text>: there is nothing to compile"),
        (
            {"source": I32 + I32.replace("@", "@other_")},
            "is one of the functions @.*, @other_.*, and one is compiled; make the",
        ),
        ({"source": allo_air.Matmul(4, 4, 4), "pipeline": "gemm-i8"}, "'gemm-i8' multiplies i8, the matmul is of bf16"),
        ({"source": "func.func @f() {\n  retrun\n}\n", "pipeline": "air-bind"}, r"<text>:2:3: error: "),
        ({"source": "func.func @f() {\n  retrun\n}\n"}, r"<text>:2:3: error: "),
    ],
)
def test_errors_say_what_is_wrong(given: dict[str, object], message: str, compiled: Compiled) -> None:
    with pytest.raises(AlloAirError, match=message):
        compiled(**given)


def test_a_failing_pass_is_named_with_its_place() -> None:
    text = I32.replace("linalg.matmul", "linalg.matmul {indexing_maps = [affine_map<(a, b, c) -> (a, c)>]}")
    with pytest.raises(AlloAirError, match=r"<text>:\d+"):
        allo_air.compile(text, "gemm-i32", cache=False)


def test_import_alone_loads_neither_numpy_nor_mlir() -> None:
    code = "import allo_air, sys; print([m for m in ('numpy', 'torch_mlir', 'allo_air.program') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_names_that_are_not_exported_are_attribute_errors() -> None:
    assert {"compile", "load", "matmul", "simulate", "Program"} <= set(dir(allo_air))
    with pytest.raises(AttributeError, match="no attribute 'comple'"):
        _ = allo_air.comple  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("given", "name"), [("npu1_4col", "npu1"), ("NPU2_8col", "npu2"), ("ipu", "npu1"), ("Npu2_3col", "npu2_3col")]
)
def test_devices_have_other_names(given: str, name: str) -> None:
    from allo_air.program.compile import npu_name

    assert npu_name(given) == name
