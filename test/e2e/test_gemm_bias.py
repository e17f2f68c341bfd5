"""GEMM pipelines whose elementwise operations take further tensors, run on the simulator against numpy: biases, C += A B."""

import ml_dtypes
import numpy as np
import pytest

import allo_air

DTYPES = {"bf16": ml_dtypes.bfloat16, "f32": np.float32, "i32": np.int32, "i8": np.int8, "i16": np.int16}


def biased(
    m: int, n: int, k: int, types: str, shape: tuple[int, ...], follows: str, *, relu: bool = False, batch: int = 0
) -> str:
    """A function that adds a tensor of `shape`, whose dimensions follow `follows`, to a product.

    `types` are those of the operands, the sums, the tensor and the result.
    """
    element, wide, side, left = types.split()
    front, loops, kinds = (f"{batch}x", "b, m, n", 3) if batch else ("", "m, n", 2)
    a, b = f"tensor<{front}{m}x{k}x{element}>", f"tensor<{front}{k}x{n}x{element}>"
    c, d = (f"tensor<{front}{m}x{n}x{kind}>" for kind in (wide, left))
    bias = f"tensor<{'x'.join(map(str, shape))}x{side}>"
    suffix, zero = ("f", "0.0") if wide == "f32" else ("i", "0")
    extend = "extf" if wide == "f32" else "extsi"
    y = "%y" if side == wide else "%e"
    body = "" if side == wide else f"%e = arith.{extend} %y : {side} to {wide}\n"
    body += f"%s = arith.add{suffix} %x, {y} : {wide}\n"
    last = "%s"
    if relu:
        body += f"%p = arith.{'maximumf' if wide == 'f32' else 'maxsi'} %s, %zero : {wide}\n"
        last = "%p"
    if left != wide:
        body += f"%t = arith.{'truncf' if wide == 'f32' else 'trunci'} {last} : {wide} to {left}\n"
        last = "%t"
    maps = ", ".join(f"affine_map<({loops}) -> ({r})>" for r in (loops, follows, loops))
    return f"""func.func @gemm(%a: {a}, %b: {b}, %bias: {bias}) -> {d} {{
      %zero = arith.constant {zero} : {wide}
      %empty = tensor.empty() : {c}
      %init = linalg.fill ins(%zero : {wide}) outs(%empty : {c}) -> {c}
      %r = linalg.{"batch_matmul" if batch else "matmul"} ins(%a, %b : {a}, {b}) outs(%init : {c}) -> {c}
      %out = tensor.empty() : {d}
      %d = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{", ".join(['"parallel"'] * kinds)}]}}
          ins(%r, %bias : {c}, {bias}) outs(%out : {d}) {{
      ^bb0(%x: {wide}, %y: {side}, %o: {left}):
        {body}
        linalg.yield {last} : {left}
      }} -> {d}
      return %d : {d}
    }}"""


@pytest.mark.parametrize(
    ("m", "n", "k", "types", "follows", "options"),
    [
        (64, 64, 64, "i32 i32 i32 i32", "n", "{herd-m=8 herd-n=8 k-step=16}"),  # four launches
        (64, 64, 64, "i32 i32 i32 i32", "m, n", "{herd-m=8 herd-n=8 k-step=16}"),
        (4, 4, 4, "i32 i32 i32 i32", "m", ""),  # one core
        (17, 19, 23, "i32 i32 i32 i32", "0, n", ""),  # nothing divides
        (17, 19, 23, "i32 i32 i32 i32", "m, 0", ""),
        (17, 19, 23, "i32 i32 i32 i32", "m, n", ""),
        (1, 40, 24, "i32 i32 i32 i32", "m, n", ""),  # a row, a column
        (33, 1, 9, "i32 i32 i32 i32", "n", ""),
        (20, 24, 20, "i32 i32 i32 i32", "n", "{device=npu1_3col}"),
        (40, 20, 16, "i32 i32 i32 i32", "m, n", "{device=npu2}"),
        pytest.param(64, 64, 1024, "bf16 f32 f32 f32", "n", "", marks=pytest.mark.slow),  # several pieces along k in L2
        (64, 64, 768, "bf16 f32 bf16 bf16", "m, n", ""),
        (30, 20, 64, "i8 i32 i8 i8", "n", ""),
        (30, 20, 16, "i16 i32 i32 i32", "m", "{device=npu2}"),
        (253, 106, 43, "f32 f32 f32 f32", "m, n", "{device=npu2_2col}"),  # the bias comes in a loop, A at once
        (34, 90, 2, "i32 i32 i32 i32", "m", ""),  # k shorter than its unit
        # More steps along k than a core has descriptors: what is added takes turns with them, beside a panel.
        (96, 96, 512, "bf16 f32 f32 bf16", "n", "{panel=b herd-m=32 herd-n=32 k-step=16}"),
        (96, 64, 512, "i8 i32 i32 i32", "m, n", "{panel=b herd-m=32 herd-n=32 k-step=32}"),
        (90, 70, 512, "i8 i32 i32 i8", "m", "{device=npu2 panel=a herd-m=32 herd-n=32 k-step=32}"),
        (128, 90, 256, "bf16 f32 bf16 bf16", "m, n", "{panel=b herd-m=16 herd-n=32 k-step=32}"),  # a step brings a core's tile
        pytest.param(
            200,
            250,
            512,
            "bf16 f32 f32 f32",
            "m, n",
            "{device=npu2 panel=a herd-m=32 herd-n=32 k-step=32}",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            256, 256, 768, "bf16 f32 bf16 bf16", "n", "{panel=b herd-m=32 herd-n=64 k-step=32}", marks=pytest.mark.slow
        ),
        pytest.param(256, 256, 512, "f32 f32 f32 f32", "m, n", "{herd-m=32 herd-n=32 k-step=16}", marks=pytest.mark.slow),
    ],
)
def test_tensors_that_are_added(m: int, n: int, k: int, types: str, follows: str, options: str) -> None:
    extents = {"m": m, "n": n, "0": 1}
    shape = tuple(extents[loop] for loop in follows.split(", "))
    element, _, side, left = types.split()
    rng = np.random.default_rng(m * n * k)
    a, b, bias = (rng.integers(-5, 5, s).astype(DTYPES[t]) for s, t in (((m, k), element), ((k, n), element), (shape, side)))
    program = allo_air.compile(biased(m, n, k, types, shape, follows, relu=True), f"gemm-{element}{options}", cache=False)
    wide = np.reshape(bias, (m, 1)) if follows == "m" else bias
    sums = np.maximum(a.astype(np.int64) @ b.astype(np.int64) + wide.astype(np.int64), 0)
    # Integers, which f32 and i32 hold: only a cast of the result rounds, or wraps.
    want = sums.astype(np.float32).astype(DTYPES[left]) if left == "bf16" else sums.astype(DTYPES[left])
    np.testing.assert_array_equal(program(a, b, bias), want)


@pytest.mark.parametrize(("shape", "follows"), [((3, 24), "b, n"), ((16,), "m"), ((3, 16, 24), "b, m, n")])
def test_tensors_that_are_added_to_a_batch(shape: tuple[int, ...], follows: str) -> None:
    source = biased(16, 24, 40, "i32 i32 i32 i32", shape, follows, batch=3)
    rng = np.random.default_rng(0)
    a, b, bias = (rng.integers(-9, 9, s, dtype=np.int32) for s in ((3, 16, 40), (3, 40, 24), shape))
    wide = {"b, n": bias[..., None, :], "m": bias[:, None], "b, m, n": bias}[follows]
    np.testing.assert_array_equal(allo_air.compile(source, "gemm-i32", cache=False)(a, b, bias), a @ b + wide)


@pytest.mark.parametrize("device", ["npu1", pytest.param("npu2", marks=pytest.mark.slow)])
def test_a_batch_with_a_residual_that_comes_in_several_pieces(device: str) -> None:
    source = biased(100, 130, 96, "i8 i32 i32 i32", (2, 100, 130), "b, m, n", batch=2)
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-9, 9, s, dtype=np.int8) for s in ((2, 100, 96), (2, 96, 130)))
    c = rng.integers(-9, 9, (2, 100, 130), dtype=np.int32)
    program = allo_air.compile(source, f"npu{{device={device}}}", cache=False)
    np.testing.assert_array_equal(program(a, b, c), a.astype(np.int32) @ b.astype(np.int32) + c)


def test_the_channels_of_a_are_the_first_that_are_many() -> None:
    """A bias of three columns of cores in front of A took three of four channels, and A one: 71,859 cycles."""
    sizes = {"herd_m": 64, "herd_n": 8, "k_step": 64, "cores_m": 2, "cores_n": 3}
    source = biased(256, 24, 128, "bf16 f32 f32 f32", (24,), "n", batch=2)
    program = allo_air.compile(source, "gemm-bf16", device="npu1_2col", cache=False, **sizes)
    assert program.estimate().cycles < 45_000


def test_buffers_that_steps_and_a_residual_fill_in_turn_are_two() -> None:
    """Counted as buffers of their own they did not fit a core, and stayed single: 18 transfers had a descriptor each."""
    source = biased(512, 512, 512, "bf16 f32 f32 f32", (512, 512), "m, n")
    program = allo_air.compile(source, "gemm-bf16", device="npu1_3col", cache=False)
    assert program.estimate().cycles < 350_000


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_bytes_of_all_values_are_added_as_vectors(device: str) -> None:
    program = allo_air.compile(biased(32, 64, 16, "i8 i32 i8 i32", (32, 64), "m, n"), "gemm-i8", device=device, cache=False)
    a, b = np.ones((32, 16), np.int8), np.zeros((16, 64), np.int8)
    bias = np.resize(np.arange(-128, 128, dtype=np.int8), (32, 64))
    np.testing.assert_array_equal(program(a, b, bias), bias.astype(np.int32))
    assert "arith.extsi" in program.text("aie") and "i8 has no vector form" not in program.explain()


@pytest.mark.parametrize(
    ("shape", "init"),
    [
        ("20x24", ""),  # C += A B
        ("24", "%init = linalg.broadcast ins(%c : tensor<24xi32>) outs(%empty : tensor<20x24xi32>) dimensions = [0]"),
    ],
)
def test_sums_start_from_a_tensor(shape: str, init: str) -> None:
    source = f"""func.func @gemm(%a: tensor<20x12xi32>, %b: tensor<12x24xi32>, %c: tensor<{shape}xi32>) -> tensor<20x24xi32> {{
      %empty = tensor.empty() : tensor<20x24xi32>
      {init}
      %r = linalg.matmul ins(%a, %b : tensor<20x12xi32>, tensor<12x24xi32>)
          outs({"%init" if init else "%c"} : tensor<20x24xi32>) -> tensor<20x24xi32>
      return %r : tensor<20x24xi32>
    }}"""
    rng = np.random.default_rng(1)
    a, b, c = (rng.integers(-9, 9, s, dtype=np.int32) for s in ((20, 12), (12, 24), tuple(map(int, shape.split("x")))))
    np.testing.assert_array_equal(allo_air.compile(source, "gemm-i32", cache=False)(a, b, c), a @ b + c)


@pytest.mark.slow
def test_a_long_sum_with_a_bias_keeps_large_tiles() -> None:
    """The bias is added by a kernel of its own: beside it each step along k would take a buffer descriptor."""
    m, n, k = 64, 64, 17000
    source = biased(m, n, k, "i8 i32 i32 i32", (n,), "n")
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-9, 9, shape, dtype=np.int8) for shape in ((m, k), (k, n)))
    bias = rng.integers(-9, 9, n, dtype=np.int32)
    program = allo_air.compile(source, "npu", cache=False)
    np.testing.assert_array_equal(program(a, b, bias), a.astype(np.int32) @ b.astype(np.int32) + bias)
    assert program.estimate().cycles < 2_000_000


def test_one_core_takes_a_bias_and_a_scale_on_both_channels() -> None:
    """Each channel has steps along k and a tensor after them, whose buffer descriptors the core must have."""
    source = """func.func @main(%a: tensor<3x400xbf16>, %w: tensor<400x120xbf16>, %bias: tensor<120xbf16>,
        %scale: tensor<120xf32>) -> tensor<3x120xbf16> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<3x120xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x120xf32>) -> tensor<3x120xf32>
      %m = linalg.matmul ins(%a, %w : tensor<3x400xbf16>, tensor<400x120xbf16>) outs(%f : tensor<3x120xf32>)
        -> tensor<3x120xf32>
      %o = tensor.empty() : tensor<3x120xbf16>
      %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
          affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
          ins(%m, %bias, %scale : tensor<3x120xf32>, tensor<120xbf16>, tensor<120xf32>) outs(%o : tensor<3x120xbf16>) {
      ^bb0(%x: f32, %b: bf16, %s: f32, %q: bf16):
        %wide = arith.extf %b : bf16 to f32
        %sum = arith.addf %x, %wide : f32
        %scaled = arith.mulf %sum, %s : f32
        %short = arith.truncf %scaled : f32 to bf16
        linalg.yield %short : bf16
      } -> tensor<3x120xbf16>
      return %r : tensor<3x120xbf16>
    }"""
    program = allo_air.compile(source, "npu", device="npu2_1col", cache=False)
    rng = np.random.default_rng(0)
    a, w, bias, scale = (rng.integers(-3, 4, shape).astype(np.float32) for shape in ((3, 400), (400, 120), 120, 120))
    found = program(*(each.astype(ml_dtypes.bfloat16) for each in (a, w, bias)), scale)
    expected = ((a @ w + bias) * scale).astype(ml_dtypes.bfloat16)
    np.testing.assert_array_equal(found.astype(np.float32), expected.astype(np.float32))
