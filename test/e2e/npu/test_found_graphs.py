"""The smallest functions of those that drawn graphs found to be wrong, to crash or to be refused."""

import numpy as np
import pytest

import allo_air
from allo_air.dtypes import numpy_dtype

ADD = """
func.func @main(%x: tensor<13x255xi32>) -> tensor<13x255xi32> {
  %two = arith.constant dense<2> : tensor<13x255xi32>
  %r = arith.addi %x, %two : tensor<13x255xi32>
  return %r : tensor<13x255xi32>
}"""

CONVOLUTIONS = """
func.func @main(%x: tensor<1x1x4xf32>, %w: tensor<4x1x1xf32>, %v: tensor<2x4x1xf32>) -> tensor<1x3x1xf32> {
  %zero = arith.constant 0.0 : f32
  %a = tensor.empty() : tensor<1x4x4xf32>
  %b = linalg.fill ins(%zero : f32) outs(%a : tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %y = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%x, %w : tensor<1x1x4xf32>, tensor<4x1x1xf32>) outs(%b : tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %c = tensor.empty() : tensor<1x3x1xf32>
  %d = linalg.fill ins(%zero : f32) outs(%c : tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%y, %v : tensor<1x4x4xf32>, tensor<2x4x1xf32>) outs(%d : tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
  return %r : tensor<1x3x1xf32>
}"""

TABLE = """
func.func @main(%x: tensor<511xi8>, %i: tensor<2xi32>) -> tensor<2xi8> {
  %e = tensor.empty() : tensor<511xi8>
  %t = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<511xi8>) outs(%e : tensor<511xi8>) {
  ^bb0(%a: i8, %o: i8):
    %two = arith.constant 2 : i8
    %r = arith.andi %a, %two : i8
    linalg.yield %r : i8
  } -> tensor<511xi8>
  %f = tensor.empty() : tensor<2xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%i : tensor<2xi32>) outs(%f : tensor<2xi8>) {
  ^bb0(%n: i32, %o: i8):
    %p = arith.index_cast %n : i32 to index
    %v = tensor.extract %t[%p] : tensor<511xi8>
    linalg.yield %v : i8
  } -> tensor<2xi8>
  return %r : tensor<2xi8>
}"""

DISTANCES = """
func.func @main(%x: tensor<8x126xf32>, %w: tensor<128x64xf32>) -> tensor<8x64xf32> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<8x126xf32> to tensor<8x128xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %w : tensor<8x128xf32>, tensor<128x64xf32>) outs(%f : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %m = math.absf %d : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}"""

NOTHING = """
func.func @main(%x: tensor<13x5x5x5xi32>) -> tensor<13x5x5x5xi32> {
  %e = tensor.empty() : tensor<13x5x5x5xi32>
  %r = linalg.sub ins(%x, %x : tensor<13x5x5x5xi32>, tensor<13x5x5x5xi32>)
      outs(%e : tensor<13x5x5x5xi32>) -> tensor<13x5x5x5xi32>
  return %r : tensor<13x5x5x5xi32>
}"""

ADJACENT = """
func.func @main(%x: tensor<4x13x200xf32>) -> tensor<5x203x16xi32> {
  %one = arith.constant 1 : i32
  %e = tensor.empty() : tensor<4x200x13xi32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k, j)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x13x200xf32>) outs(%e : tensor<4x200x13xi32>) {
  ^bb0(%a: f32, %o: i32):
    %n = arith.fptosi %a : f32 to i32
    linalg.yield %n : i32
  } -> tensor<4x200x13xi32>
  %p = tensor.pad %t low[1, 1, 1] high[0, 2, 2] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %one : i32
  } : tensor<4x200x13xi32> to tensor<5x203x16xi32>
  return %p : tensor<5x203x16xi32>
}"""

PAIRS = """
func.func @main(%x: tensor<8x128x64xbf16>, %c: tensor<128x32xbf16>) -> tensor<8x128x32xbf16> {
  %e = tensor.empty() : tensor<8x128x32xbf16>
  %a = tensor.extract_slice %x[0, 0, 0] [8, 128, 32] [1, 1, 2] : tensor<8x128x64xbf16> to tensor<8x128x32xbf16>
  %b = tensor.extract_slice %x[0, 0, 1] [8, 128, 32] [1, 1, 2] : tensor<8x128x64xbf16> to tensor<8x128x32xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h, i, j)>, affine_map<(h, i, j) -> (h, i, j)>,
      affine_map<(h, i, j) -> (i, j)>, affine_map<(h, i, j) -> (h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %b, %c : tensor<8x128x32xbf16>, tensor<8x128x32xbf16>, tensor<128x32xbf16>) outs(%e : tensor<8x128x32xbf16>) {
  ^bb0(%p: bf16, %q: bf16, %s: bf16, %o: bf16):
    %m = arith.mulf %q, %s : bf16
    %d = arith.subf %p, %m : bf16
    linalg.yield %d : bf16
  } -> tensor<8x128x32xbf16>
  return %r : tensor<8x128x32xbf16>
}"""

RESIDUAL = """
func.func @main(%x: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>, %w: tensor<1024xf32>) -> tensor<1024x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %a = arith.addf %x, %y : tensor<1024x1024xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%a : tensor<1024x1024xf32>) outs(%f : tensor<1024xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.mulf %p, %p : f32
    %r = arith.addf %q, %o : f32
    linalg.yield %r : f32
  } -> tensor<1024xf32>
  %g = tensor.empty() : tensor<1024x1024xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %s, %w : tensor<1024x1024xf32>, tensor<1024xf32>, tensor<1024xf32>) outs(%g : tensor<1024x1024xf32>) {
  ^bb0(%p: f32, %q: f32, %v: f32, %o: f32):
    %d = arith.mulf %p, %q : f32
    %t = arith.mulf %d, %v : f32
    linalg.yield %t : f32
  } -> tensor<1024x1024xf32>
  return %r : tensor<1024x1024xf32>
}"""

HALVES = """
func.func @main(%x: tensor<512x2048xbf16>) -> tensor<512x1024xbf16> {
  %e = tensor.empty() : tensor<512x1024xbf16>
  %a = tensor.extract_slice %x[0, 0] [512, 1024] [1, 1] : tensor<512x2048xbf16> to tensor<512x1024xbf16>
  %b = tensor.extract_slice %x[0, 1024] [512, 1024] [1, 1] : tensor<512x2048xbf16> to tensor<512x1024xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<512x1024xbf16>, tensor<512x1024xbf16>) outs(%e : tensor<512x1024xbf16>) {
  ^bb0(%p: bf16, %q: bf16, %o: bf16):
    %s = arith.mulf %p, %q : bf16
    linalg.yield %s : bf16
  } -> tensor<512x1024xbf16>
  return %r : tensor<512x1024xbf16>
}"""

TURNED = """
func.func @main(%x: tensor<5x7x9xi64>) -> tensor<9x5x7xi64> {
  %e = tensor.empty() : tensor<9x5x7xi64>
  %r = linalg.transpose ins(%x : tensor<5x7x9xi64>) outs(%e : tensor<9x5x7xi64>) permutation = [2, 0, 1]
  return %r : tensor<9x5x7xi64>
}"""


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_every_second_element_and_those_between_are_of_whole_words(device: str) -> None:
    rng = np.random.default_rng(0)
    x, c = (rng.integers(-8, 9, shape).astype(numpy_dtype("bf16")) for shape in ((8, 128, 64), (128, 32)))
    wanted = x[..., ::2].astype(np.float32) - x[..., 1::2].astype(np.float32) * c.astype(np.float32)
    found = allo_air.compile(PAIRS, "npu", device=device, cache=False)(x, c)
    assert np.array_equal(found.astype(np.float32), wanted)


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_sums_over_what_is_padded_are_not_cut(device: str) -> None:
    """A part of the padding crashed MLIR, and with it the process."""
    rng = np.random.default_rng(0)
    x, w = (rng.integers(-8, 9, shape).astype(np.float32) for shape in ((8, 126), (128, 64)))
    wanted = np.abs(np.pad(x, ((0, 0), (1, 1)), constant_values=1)[:, :, None] - w).sum(1)
    assert np.array_equal(allo_air.compile(DISTANCES, "npu", device=device, cache=False)(x, w), wanted)


def test_one_core_makes_what_takes_nothing_in_several_launches() -> None:
    x = np.arange(1625, dtype=np.int32).reshape(13, 5, 5, 5)
    assert not allo_air.compile(NOTHING, "npu", device="npu2", cache=False)(x).any()


def test_what_no_tiles_fit_is_done_one_operation_after_another() -> None:
    x = np.random.default_rng(0).integers(-8, 9, (4, 13, 200)).astype(np.float32)
    wanted = np.pad(x.transpose(0, 2, 1).astype(np.int32), ((1, 0), (1, 2), (1, 2)), constant_values=1)
    assert np.array_equal(allo_air.compile(ADJACENT, "npu", cache=False)(x), wanted)


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_two_operands_that_are_read_twice_take_turns_on_one_channel(device: str) -> None:
    rng = np.random.default_rng(0)
    x, y, w = (rng.integers(-2, 3, shape).astype(np.float32) for shape in ((1024, 1024), (1024, 1024), (1024,)))
    wanted = (x + y) * ((x + y) ** 2).sum(1, keepdims=True) * w
    assert np.array_equal(allo_air.compile(RESIDUAL, "npu", device=device, cache=False)(x, y, w), wanted)


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_halves_of_an_argument_come_by_channels_that_memtiles_have(device: str) -> None:
    x = np.random.default_rng(0).integers(-8, 9, (512, 2048)).astype(numpy_dtype("bf16"))
    found = allo_air.compile(HALVES, "npu", device=device, cache=False)(x)
    assert np.array_equal(found, x[:, :1024] * x[:, 1024:])


def test_transposes_of_i64_are_of_the_words_that_the_caller_gives() -> None:
    x = np.arange(5 * 7 * 9, dtype=np.int64).reshape(5, 7, 9) - 100
    assert np.array_equal(allo_air.compile(TURNED, "npu", cache=False)(x), x.transpose(2, 0, 1))


@pytest.mark.parametrize("device", ["npu1_1col", "npu2_1col", "npu1"])
def test_tiles_of_one_row_lie_on_the_columns_there_are(device: str) -> None:
    x = np.arange(13 * 255, dtype=np.int32).reshape(13, 255)
    assert (allo_air.compile(ADD, "npu", device=device)(x) == x + 2).all()


def test_a_product_that_sums_read_is_not_added_up_itself() -> None:
    """The first convolution sums nothing: each of its numbers is one product."""
    rng = np.random.default_rng(0)
    x, w, v = (rng.integers(-4, 5, shape).astype(np.float32) for shape in ((1, 1, 4), (4, 1, 1), (2, 4, 1)))
    y = w[:, 0] * x[0]
    right = (y[:3] @ v[0] + y[1:] @ v[1])[None]
    assert (allo_air.compile(CONVOLUTIONS, "npu")(x, w, v) == right).all()


def test_a_table_of_odd_length_is_made_in_the_kernel_that_reads_it() -> None:
    x = np.arange(511).astype(np.int8)
    assert (allo_air.compile(TABLE, "npu")(x, np.array([510, 3], np.int32)) == (x & 2)[[510, 3]]).all()
