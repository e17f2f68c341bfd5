"""A generation that only data describe: no code outside allo_air/arch knows of it."""

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

import ml_dtypes
import numpy as np
import pytest

import allo_air
from allo_air import arch, device
from allo_air.arch.memory import ExternalMemory
from allo_air.errors import AlloAirError
from allo_air.program.storage.digest import versions

MATMUL = """func.func @f(%a: tensor<256x256xbf16>, %b: tensor<256x256xbf16>) -> tensor<256x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x256xbf16>, tensor<256x256xbf16>)
    outs(%i : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}"""
SOFTMAX = """func.func @f(%a: tensor<256x512xf32>) -> tensor<256x512xf32> {
  %e = tensor.empty() : tensor<256x512xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<256x512xf32>) outs(%e : tensor<256x512xf32>) -> tensor<256x512xf32>
  return %r : tensor<256x512xf32>
}"""
CONVOLUTION = """func.func @f(%a: tensor<1x18x18x32xbf16>, %w: tensor<3x3x32x64xbf16>) -> tensor<1x16x16x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x64xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x16x16x64xf32>) -> tensor<1x16x16x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%a, %w : tensor<1x18x18x32xbf16>, tensor<3x3x32x64xbf16>) outs(%i : tensor<1x16x16x64xf32>) -> tensor<1x16x16x64xf32>
  return %r : tensor<1x16x16x64xf32>
}"""


@pytest.fixture
def npu3() -> Iterator[device.Device]:
    """Six columns of smaller memories at 2 GHz, with faster external memory."""
    core = replace(device.CORE_TILE, memory=48 * 1024)
    mem = replace(device.MEM_TILE, memory=256 * 1024)
    tiles = MappingProxyType({**device.DEVICES["npu2"].tiles, "core": core, "mem": mem})
    made = replace(device.DEVICES["npu2"], name="npu3", columns=6, tiles=tiles)
    arch.define(made, replace(arch.ARCHITECTURES["AIE2p"], mhz=2000, memory=ExternalMemory(peak=120.0, run_ns=0.4)))
    yield made
    del device._BY_NAME["npu3"], arch._GENERATIONS["npu3"]


def drawn(*shape: int, dtype: type = ml_dtypes.bfloat16) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(dtype)


def test_its_products_come_out_right(npu3: device.Device) -> None:
    a, b = drawn(256, 256), drawn(256, 256)
    program = allo_air.compile(MATMUL, device="npu3", pipeline="npu")
    np.testing.assert_allclose(program(a, b), a.astype(float) @ b.astype(float), atol=1e-3)


def test_its_softmax_comes_out_right(npu3: device.Device) -> None:
    a = drawn(256, 512, dtype=np.float32)
    found = allo_air.compile(SOFTMAX, device="npu3", pipeline="npu")(a)
    powers = np.exp(a.astype(float) - a.max(1, keepdims=True))
    np.testing.assert_allclose(found, powers / powers.sum(1, keepdims=True), atol=1e-6)


def test_its_convolutions_come_out_right(npu3: device.Device) -> None:
    a, w = drawn(1, 18, 18, 32), drawn(3, 3, 32, 64)
    found = allo_air.compile(CONVOLUTION, device="npu3", pipeline="npu")(a, w)
    taps = [(i, j) for i in range(3) for j in range(3)]
    wide = a.astype(float), w.astype(float)
    wanted = sum(np.einsum("nhwc,cf->nhwf", wide[0][:, i : i + 16, j : j + 16], wide[1][i, j]) for i, j in taps)
    np.testing.assert_allclose(found, wanted, atol=1e-3)


def test_planners_count_with_its_figures(npu3: device.Device) -> None:
    machine = arch.machine_of(npu3)
    assert (machine.columns, machine.l2) == (6, 256 * 1024)
    assert machine.push == pytest.approx(2150)
    assert machine.memory_bytes > arch.machine_of(device.DEVICES["npu2"]).memory_bytes


def test_a_stored_program_is_that_of_the_same_figures(npu3: device.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    before = versions()
    monkeypatch.setitem(device._BY_NAME, "npu3", replace(npu3, columns=5))
    assert versions() != before


def test_cores_of_another_instruction_set_are_refused(npu3: device.Device) -> None:
    with pytest.raises(AlloAirError, match="cores of npu3 are AIE2p"):
        arch.define(npu3, arch.ARCHITECTURES["AIE2"])


def test_a_name_stands_for_one_device(npu3: device.Device) -> None:
    faster = replace(arch.arch_of(npu3), mhz=3000)
    with pytest.raises(AlloAirError, match="there is another device npu3; give this one a name of its own"):
        arch.define(npu3, faster)
    with pytest.raises(AlloAirError, match="another device npu3"):
        arch.define(replace(npu3, columns=5), arch.arch_of(npu3))
    arch.define(npu3, arch.arch_of(npu3))
    npu2 = device.DEVICES["npu2"]
    with pytest.raises(AlloAirError, match="another device npu2"):
        arch.define(npu2, faster)
    with pytest.raises(AlloAirError, match="another device npu4"):
        arch.define(replace(npu2, name="npu4"), faster)
    assert arch.arch_of(npu2).mhz != 3000
