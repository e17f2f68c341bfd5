"""Convolutions and poolings, from linalg on tensors to the simulator, against numpy in float64."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import allo_air
from allo_air.dtypes import numpy_dtype
from allo_air.program.checks.blocks import rounded


@dataclass(frozen=True)
class Conv:
    """A convolution of a batch of images, NCHW, with zeros around them."""

    element: str
    total: str
    image: tuple[int, int, int, int]
    filters: int
    window: tuple[int, int]
    stride: int = 1
    dilation: int = 1
    pad: int = 0
    bias: bool = False

    @property
    def result(self) -> tuple[int, ...]:
        n, _, *sizes = self.image
        spans = [(k - 1) * self.dilation + 1 for k in self.window]
        pixels = [(s + 2 * self.pad - k) // self.stride + 1 for s, k in zip(sizes, spans, strict=True)]
        return (n, self.filters, *pixels)

    def text(self) -> str:
        n, c, h, w = self.image
        wide = (n, c, h + 2 * self.pad, w + 2 * self.pad)
        weights = (self.filters, c, *self.window)
        x, p, k, y = tensor(self.image, self.element), tensor(wide, self.element), tensor(weights, self.element), self.result
        zero = {True: "0.0", False: "0"}[self.element in ("f32", "bf16")]
        given, spread = ("", "") if not self.bias else (f", %b: {tensor((self.filters,), self.total)}", "%s")
        begin = f"linalg.fill ins(%z : {self.total}) outs(%e : {tensor(y, self.total)}) -> {tensor(y, self.total)}"
        if spread:
            of = tensor((self.filters,), self.total)
            begin = f"linalg.broadcast ins(%b : {of}) outs(%e : {tensor(y, self.total)}) dimensions = [0, 2, 3]"
        return f"""
func.func @main(%x: {x}, %w: {k}{given}) -> {tensor(y, self.total)} {{
  %z = arith.constant {zero} : {self.total}
  %o = arith.constant {zero} : {self.element}
  %p = tensor.pad %x low[0, 0, {self.pad}, {self.pad}] high[0, 0, {self.pad}, {self.pad}] {{
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %o : {self.element}
  }} : {x} to {p}
  %e = tensor.empty() : {tensor(y, self.total)}
  %f = {begin}
  %r = linalg.conv_2d_nchw_fchw {{dilations = dense<{self.dilation}> : tensor<2xi64>, strides = dense<{self.stride}> :
      tensor<2xi64>}} ins(%p, %w : {p}, {k}) outs(%f : {tensor(y, self.total)}) -> {tensor(y, self.total)}
  return %r : {tensor(y, self.total)}
}}"""

    def arrays(self) -> list[np.ndarray]:
        shapes = [(self.image, self.element), ((self.filters, self.image[1], *self.window), self.element)]
        return [draw(n, *s) for n, s in enumerate([*shapes, *[((self.filters,), self.total)] * self.bias])]

    def expected(self, image: np.ndarray, weights: np.ndarray, *bias: np.ndarray) -> np.ndarray:
        spans = [(k - 1) * self.dilation + 1 for k in self.window]
        edges = [(0, 0), (0, 0), (self.pad, self.pad), (self.pad, self.pad)]
        seen = sliding_window_view(np.pad(image.astype(np.float64), edges), spans, axis=(2, 3))
        seen = seen[:, :, :: self.stride, :: self.stride, :: self.dilation, :: self.dilation]
        total = np.einsum("nchwuv,fcuv->nfhw", seen, weights.astype(np.float64))
        return total + sum(b.astype(np.float64)[None, :, None, None] for b in bias)


def tensor(shape: tuple[int, ...], element: str) -> str:
    return "tensor<" + "".join(f"{n}x" for n in shape) + element + ">"


def draw(seed: int, shape: tuple[int, ...], element: str) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if element.startswith("i"):
        return rng.integers(-100, 100, shape).astype(numpy_dtype(element))
    return rng.standard_normal(shape, np.float32).astype(numpy_dtype(element))


def agree(found: np.ndarray, wanted: np.ndarray, terms: int) -> None:
    """Integers are equal; sums in f32 are off by no more than a rounding for each term."""
    if found.dtype.kind == "i":
        assert (found == wanted.astype(np.int64)).all()
    else:
        assert np.abs(found - wanted).max() <= terms * 2.0**-24 * np.abs(wanted).max()


CONVOLUTIONS = [
    ("npu1", Conv("f32", "f32", (1, 3, 10, 9), 8, (3, 3), pad=1)),
    ("npu1", Conv("f32", "f32", (1, 24, 22, 22), 4, (3, 3), pad=1)),
    ("npu1", Conv("bf16", "f32", (2, 12, 11, 13), 20, (3, 3), stride=2, pad=1, bias=True)),
    ("npu2", Conv("bf16", "f32", (1, 5, 9, 8), 3, (3, 1), dilation=2)),
    ("npu1", Conv("i8", "i32", (1, 3, 17, 15), 10, (7, 7), stride=2, pad=3, bias=True)),
    ("npu2", Conv("i8", "i32", (1, 16, 10, 10), 16, (3, 3), pad=1)),
    ("npu1", Conv("i16", "i32", (1, 6, 8, 8), 9, (3, 3), pad=1)),
    ("npu2", Conv("bf16", "f32", (1, 17, 11, 4), 8, (4, 4), stride=2)),
    ("npu1", Conv("f32", "f32", (1, 3, 9, 112), 20, (7, 7), stride=2, pad=3)),
]


@pytest.mark.parametrize(("device", "conv"), CONVOLUTIONS, ids=str)
def test_convolution(device: str, conv: Conv) -> None:
    arrays = conv.arrays()
    program = allo_air.compile(conv.text(), pipeline="conv2d", device=device, cache=False)
    agree(program(*arrays), conv.expected(*arrays), conv.image[1] * conv.window[0] * conv.window[1])


def depthwise(name: str, given: str, image: tuple[int, ...], weights: str, element: str, stride: int, by: int) -> str:
    """Windows of 3x3 of each channel, one more row and column around the image, with sums shifted, clamped, of that type."""
    n, c, h, w = image
    result = (n, c, (h - 1) // stride + 1, (w - 1) // stride + 1)
    x, p, k = tensor(image, element), tensor((n, c, h + 2, w + 2), element), tensor((c, 3, 3), element)
    wide, y, most = tensor(result, "i32"), tensor(result, element), (1 << (int(element[1:]) - 1)) - 1
    each = "affine_map<(a, b, c, d) -> (a, b, c, d)>"
    return f"""
  %{name}o = arith.constant 0 : {element}
  %{name}z = arith.constant 0 : i32
  %{name}p = tensor.pad {given} low[0, 0, 1, 1] high[0, 0, 1, 1] {{
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %{name}o : {element}
  }} : {x} to {p}
  %{name}e = tensor.empty() : {wide}
  %{name}f = linalg.fill ins(%{name}z : i32) outs(%{name}e : {wide}) -> {wide}
  %{name}r = linalg.depthwise_conv_2d_nchw_chw {{dilations = dense<1> : tensor<2xi64>, strides = dense<{stride}> :
      tensor<2xi64>}} ins(%{name}p, {weights} : {p}, {k}) outs(%{name}f : {wide}) -> {wide}
  %{name}n = tensor.empty() : {y}
  %{name} = linalg.generic {{indexing_maps = [{each}, {each}],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
      ins(%{name}r : {wide}) outs(%{name}n : {y}) {{
  ^bb0(%a: i32, %u: {element}):
    %by = arith.constant {by} : i32
    %low = arith.constant {-most - 1} : i32
    %high = arith.constant {most} : i32
    %b = arith.shrsi %a, %by : i32
    %c = arith.maxsi %b, %low : i32
    %d = arith.minsi %c, %high : i32
    %q = arith.trunci %d : i32 to {element}
    linalg.yield %q : {element}
  }} -> {y}"""


def depthwise_of(image: np.ndarray, weights: np.ndarray, stride: int, by: int) -> np.ndarray:
    seen = sliding_window_view(np.pad(image.astype(np.int64), [(0, 0), (0, 0), (1, 1), (1, 1)]), (3, 3), axis=(2, 3))
    total = np.einsum("nchwuv,cuv->nchw", seen[:, :, ::stride, ::stride], weights.astype(np.int64))
    limits = np.iinfo(image.dtype)
    return np.clip(total >> by, limits.min, limits.max).astype(image.dtype)


@pytest.mark.parametrize(
    ("device", "element", "shape", "stride"),
    [("npu1", "i8", (2, 13, 11, 16), 2), ("npu2", "i8", (1, 24, 9, 12), 1), ("npu1", "i16", (1, 9, 8, 10), 1)],
)
def test_depthwise_integers(device: str, element: str, shape: tuple[int, ...], stride: int) -> None:
    """Of eight channels at a time, by MAC instructions."""
    image, weights = draw(1, shape, element), draw(2, (shape[1], 3, 3), element)
    wanted = depthwise_of(image, weights, stride, 8)
    x, k, y = (tensor(a.shape, element) for a in (image, weights, wanted))
    body = depthwise("s", "%x", shape, "%v", element, stride, 8)
    text = f"func.func @main(%x: {x}, %v: {k}) -> {y} {{{body}\n  return %s : {y}\n}}"
    program = allo_air.compile(text, pipeline="npu", device=device, cache=False)
    assert "micro-tile" in str(program.explain())
    np.testing.assert_array_equal(program(image, weights), wanted)


def test_a_convolution_of_64_channels_reaches_half_of_the_peak() -> None:
    """2048 multiplications a cycle on the 16 cores of npu1, the result rounded to bf16; as Peano compiles it, 45 %."""
    conv = Conv("bf16", "f32", (1, 64, 56, 56), 64, (3, 3), pad=1)
    kind, narrow = tensor(conv.result, "f32"), tensor(conv.result, "bf16")
    head, _, _ = conv.text().rpartition("  return")
    text = head.replace(f"-> {kind} {{\n  %z", f"-> {narrow} {{\n  %z") + f"  %t = arith.truncf %r : {kind} to {narrow}\n"
    image, weights = conv.arrays()
    program = allo_air.compile(f"{text}  return %t : {narrow}\n}}", pipeline="conv2d", cache=False)
    found = program(image, weights).astype(np.float64)
    wanted = conv.expected(image, weights)
    assert np.abs(found - wanted).max() <= 2.0**-8 * np.abs(wanted).max()
    macs = wanted.size * 64 * 9
    assert macs / program.estimate(code="scheduled").cycles >= 1024
    assert macs / program.report().cycles >= 900


@pytest.mark.parametrize("conv", [
    Conv("bf16", "f32", (1, 12, 9, 11), 20, (3, 3), stride=2, pad=1), Conv("bf16", "f32", (1, 24, 8, 8), 9, (1, 1))
], ids=str)  # fmt: skip
def test_block_floating_point(conv: Conv) -> None:
    """Channels of images and weights are rounded by eights; what is off beyond that is the rounding of sums."""
    image, weights = conv.arrays()
    found = allo_air.compile(conv.text(), pipeline="npu", device="npu2", cache=False, bfp16=True)(image, weights)
    terms = conv.image[1] * conv.window[0] * conv.window[1]
    agree(found, conv.expected(rounded(image, 1), rounded(weights, 1)), terms)
    assert np.abs(found - conv.expected(image, weights)).max() > 2.0**-8


def test_npu1_has_no_block_floating_point() -> None:
    with pytest.raises(allo_air.AlloAirError, match=r"in block floating point \(bfp16\), which the cores of npu1 do not have"):
        allo_air.compile(CONVOLUTIONS[2][1].text(), pipeline="npu", device="npu1", cache=False, bfp16=True)


@pytest.mark.parametrize("element", ["f32", "i8"])
@pytest.mark.parametrize("kind", ["max", "sum"])
def test_pooling(element: str, kind: str) -> None:
    image, result = (1, 6, 9, 12), (1, 6, 4, 6)
    least = {"f32": "0xFF800000", "i8": "-128"}[element] if kind == "max" else {"f32": "0.0", "i8": "0"}[element]
    x, y, window = tensor(image, element), tensor(result, element), tensor((2, 2), element)
    text = f"""
func.func @main(%x: {x}) -> {y} {{
  %z = arith.constant {least} : {element}
  %e = tensor.empty() : {y}
  %f = linalg.fill ins(%z : {element}) outs(%e : {y}) -> {y}
  %k = tensor.empty() : {window}
  %r = linalg.pooling_nchw_{kind} {{dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}}
      ins(%x, %k : {x}, {window}) outs(%f : {y}) -> {y}
  return %r : {y}
}}"""
    array = draw(0, image, element) // 8 if element == "i8" else draw(0, image, element)
    array = array.astype(numpy_dtype(element))
    seen = sliding_window_view(array.astype(np.float64), (2, 2), axis=(2, 3))[:, :, ::2, ::2]
    found = allo_air.compile(text, pipeline="pool", cache=False)(array)
    agree(found, seen.max((4, 5)) if kind == "max" else seen.sum((4, 5)), 4)


@pytest.mark.parametrize(("pipeline", "name"), [("conv2d", "convolution"), ("pool", "pooling")])
def test_presets_refuse_other_functions(pipeline: str, name: str) -> None:
    kind = tensor((64,), "f32")
    text = f"""
func.func @main(%x: {kind}) -> {kind} {{
  %e = tensor.empty() : {kind}
  %r = linalg.exp ins(%x : {kind}) outs(%e : {kind}) -> {kind}
  return %r : {kind}
}}"""
    with pytest.raises(allo_air.AlloAirError, match=f"is not a {name}, which pipeline {pipeline} is made for"):
        allo_air.compile(text, pipeline=pipeline, cache=False)


@pytest.mark.parametrize("element", ["f32", "bf16"])
def test_a_patch_embedding_is_one_kernel(element: str) -> None:
    """The host arranges the patches of an argument; the product adds the bias and needs no transposition."""
    conv = Conv(element, "f32", (1, 3, 28, 28), 40, (4, 4), stride=4, bias=True)
    arrays, text = conv.arrays(), conv.text().replace("ins(%p,", "ins(%x,")
    program = allo_air.compile(text, device="npu2", cache=False)
    kernels = program.text("linalg").count("func.func private")
    assert kernels == 1, "moving the image, adding the bias or arranging the result is a kernel of its own"
    assert "loading another configuration" not in program.explain(), "the kernel saves columns for others"
    agree(program(*arrays), conv.expected(*arrays), 2 * 3 * 4 * 4)


@pytest.mark.parametrize("shape", [(1, 3, 8, 8), (2, 3, 8, 8), (2, 3, 2, 2)], ids=["relu", "one channel", "one window"])
def test_patch_embeddings_with_loops_of_one_step_or_a_reader(shape: tuple[int, ...]) -> None:
    """The rewrite replaces the function that reads the convolution, and loops of one step may be anywhere in the order."""
    conv = Conv("f32", "f32", shape, 8 if shape[0] == 1 else 1, (2, 2), stride=2)
    source = conv.text()
    [line] = [line for line in source.splitlines() if line.strip().startswith("return")]
    name, kind = line.replace("return", "").strip().split(" : ")
    relu = f"""  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs({name} : {kind}) -> {kind}
  %relu = linalg.max ins({name}, %fill : {kind}, {kind}) outs({name} : {kind}) -> {kind}
  return %relu : {kind}"""
    arrays = conv.arrays()
    program = allo_air.compile(source.replace(line, relu), cache=False)
    agree(program(*arrays), np.maximum(conv.expected(*arrays), 0), 2 * 3 * 4)


@pytest.mark.parametrize("size", [pytest.param(20, marks=pytest.mark.slow), 21])
def test_convolutions_of_a_network_are_packed(size: int) -> None:
    """A residual block whose weights are constants: what is between its convolutions is packed by kernels, by words."""
    conv = Conv("bf16", "f32", (1, 48, size, size), 48, (3, 3), pad=1)
    narrow, wide = tensor(conv.result, "bf16"), tensor(conv.result, "f32")
    image, first = conv.arrays()
    second = draw(9, first.shape, "bf16")
    first, second = ((w.astype(np.float32) / 16).astype(w.dtype) for w in (first, second))
    spread = "affine_map<(n, f, h, w) -> (n, f, h, w)>"

    def layer(number: int, given: str, weights: np.ndarray, added: bool) -> str:
        inner = conv.text().split("{\n", 1)[1].rpartition("  return")[0]
        for name in "zopefr":
            inner = inner.replace(f"%{name} ", f"%{name}{number} ").replace(f"%{name},", f"%{name}{number},")
        blob = f'dense<"0x{weights.tobytes().hex().upper()}"> : {tensor(weights.shape, "bf16")}'
        inner = inner.replace("%x ", f"{given} ").replace("%w :", f"%w{number} :")
        ins = f"%r{number}, %x : {wide}, {narrow}" if added else f"%r{number} : {wide}"
        maps = ", ".join([spread] * (3 if added else 2))
        add = "%t = arith.extf %b : bf16 to f32\n %v = arith.addf %a, %t : f32" if added else "%v = arith.addf %a, %a : f32"
        return f"""  %w{number} = arith.constant {blob}
{inner.replace("%o :", f"%o{number} :")}  %g{number} = tensor.empty() : {narrow}
  %y{number} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
      ins({ins}) outs(%g{number} : {narrow}) {{
  ^bb0(%a: f32, {"%b: bf16, " if added else ""}%u: bf16):
    {add}
    %q = arith.truncf %v : f32 to bf16
    linalg.yield %q : bf16
  }} -> {narrow}
"""

    layers = layer(1, "%x", first, False) + layer(2, "%y1", second, True)
    text = f"func.func @main(%x: {narrow}) -> {narrow} {{\n{layers}  return %y2 : {narrow}\n}}"
    program = allo_air.compile(text, cache=False)
    assert str(program.explain()).count("micro-tile 4x4x8") == 2
    between = (2 * conv.expected(image, first)).astype(np.float32).astype(image.dtype)
    wanted = conv.expected(between, second) + image.astype(np.float64)
    found = program(image).astype(np.float64)
    # one rounding of the result, and one of each of 9 x 48 products' factors by as much
    assert (
        np.abs(found - wanted).max()
        <= 2.0**-8 * np.abs(wanted).max() + 2.0**-8 * np.abs(conv.expected(abs(between), abs(second))).max() / 2
    )
