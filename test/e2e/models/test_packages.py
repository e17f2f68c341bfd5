"""Programs packaged, and run from the package: what would be loaded gives the numbers of the direct run, and takes as long."""

from pathlib import Path

import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError
from allo_air.program.program import Program
from allo_air.program.source import Source
from allo_air.program.stage import run_stage
from allo_air.target.formats.read import instructions_in
from allo_air.tools import allo_run

SOFTMAX = """func.func @f(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  %s = linalg.softmax dimension(1) ins(%x : tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %s : tensor<32x64xf32>
}"""
CONVOLUTION = """func.func @f(%x: tensor<1x10x10x16xi8>, %w: tensor<3x3x16x16xi8>) -> tensor<1x8x8x16xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x8x8x16xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<1x8x8x16xi32>) -> tensor<1x8x8x16xi32>
  %s = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x10x10x16xi8>, tensor<3x3x16x16xi8>)
    outs(%i : tensor<1x8x8x16xi32>) -> tensor<1x8x8x16xi32>
  return %s : tensor<1x8x8x16xi32>
}"""
DEVICES = ["npu1", pytest.param("npu2", marks=pytest.mark.slow)]


def agree(program: Program, folder: Path) -> None:
    """Runs `program`'s device and its package on the same drawn arrays."""
    want = run_stage(Source(program.text(), "direct.mlir"), seed=1)
    for form in ("elf", "full-elf") if program.device.startswith("npu2") else ("elf",):
        made = program.package(folder / form, format=form)
        assert made.missing and not made.complete
        package = made.files["full ELF" if form == "full-elf" else "xclbin"].read_bytes()
        words = instructions_in(package if form == "full-elf" else made.files["instructions"].read_bytes())
        routed = Source(made.files["routed design"].read_text(), "routed.mlir")
        got = run_stage(routed, seed=1, package=package, words=words)
        assert want.report.status == got.report.status == "done"
        results = [(a, b) for (_, a), (_, b) in zip(want.outputs, got.outputs, strict=True)]
        assert results and all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in results)
        assert any(np.any(a) for a, _ in results)


@pytest.mark.parametrize("device", DEVICES)
def test_onnx_file_to_xclbin(tmp_path: Path, device: str) -> None:
    """In one command; what is packaged gives the same array."""
    onnx = pytest.importorskip("onnx")
    helper = onnx.helper
    weight = np.random.default_rng(0).standard_normal((32, 16), np.float32)
    values = [helper.make_tensor_value_info(n, onnx.TensorProto.FLOAT, s) for n, s in (("x", [8, 32]), ("y", [8, 16]))]
    held = [onnx.numpy_helper.from_array(weight, "w")]
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"])], "g", values[:1], values[1:], held)
    file = tmp_path / "m.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), file)
    direct, again, x = tmp_path / "direct.npy", tmp_path / "again.npy", tmp_path / "x.npy"
    np.save(x, np.random.default_rng(1).standard_normal((8, 32), np.float32))
    asked = [
        str(file),
        "--input",
        str(x),
        "--device",
        device,
        "--save",
        str(tmp_path / "s"),
        "--package",
        "xclbin",
        "--output",
        str(direct),
    ]
    assert allo_run.main(asked) == 0
    made = tmp_path / "s/package"
    files = [str(made / "final.xclbin"), "--insts", str(made / "insts.bin"), "--design", str(made / "routed.mlir")]
    weights = str(made / "buffer_1.npy")
    assert allo_run.main([*files, "--input", str(x), "--input", weights, "--output", str(again)]) == 0
    assert np.array_equal(np.load(direct), np.load(again)) and np.any(np.load(direct))


@pytest.mark.parametrize("device", DEVICES)
def test_gemm(tmp_path: Path, device: str) -> None:
    agree(allo_air.compile(pipeline="gemm-i8", device=device, shape=(64, 64, 64)), tmp_path / "p")


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.slow
def test_softmax(tmp_path: Path, device: str) -> None:
    agree(allo_air.compile(SOFTMAX, device=device), tmp_path / "p")


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.slow
def test_convolution(tmp_path: Path, device: str) -> None:
    agree(allo_air.compile(CONVOLUTION, device=device), tmp_path / "p")


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.slow
def test_block_of_gpt2(tmp_path: Path, device: str) -> None:
    """Every program of the block that PyTorch's model becomes."""
    torch = pytest.importorskip("torch")
    import allo_air.torch

    from . import blocks

    model = allo_air.torch.compile(blocks.made(blocks.Decoder), (torch.zeros(1, 11, 32),), device=device).model
    assert model.programs
    for number, program in enumerate(model.programs):
        agree(program, tmp_path / str(number))


def test_package_of_another_design(tmp_path: Path) -> None:
    made = allo_air.compile(pipeline="gemm-i8", device="npu1", shape=(64, 64, 64)).package(tmp_path / "p")
    other = "aie.device(npu1) { %t = aie.tile(0, 2)\n aie.runtime_sequence() { } }"
    with pytest.raises(AlloAirError, match="it is of another design"):
        allo_air.simulate(other, package=made.files["xclbin"].read_bytes())


def test_unknown_format(tmp_path: Path) -> None:
    program = allo_air.compile(pipeline="gemm-i8", device="npu1", shape=(64, 64, 64))
    with pytest.raises(AlloAirError, match="format is 'bit', expected one of xclbin, elf"):
        program.package(tmp_path, format="bit")
