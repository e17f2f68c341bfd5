"""GEMM pipelines from tensors to instruction words, run on the simulator against numpy: shapes, operands, epilogues."""

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

import allo_air
from helpers import allo_opt


def gemm(
    m: int, n: int, k: int, element: str, result: str, *, batch: int = 0, turned: str = "", tail: str = "", left: str = ""
) -> str:
    """A function that multiplies; `turned` names transposed operands, `tail` makes %t of type `left` of it."""
    front, loops = (f"{batch}x", "b, m, n, k") if batch else ("", "m, n, k")
    row = "b, " if batch else ""
    a = f"tensor<{front}{k}x{m}x{element}>" if "a" in turned else f"tensor<{front}{m}x{k}x{element}>"
    b = f"tensor<{front}{n}x{k}x{element}>" if "b" in turned else f"tensor<{front}{k}x{n}x{element}>"
    c = f"tensor<{front}{m}x{n}x{result}>"
    results = [row + ("k, m" if "a" in turned else "m, k"), row + ("n, k" if "b" in turned else "k, n"), row + "m, n"]
    maps = ", ".join(f"affine_map<({loops}) -> ({r})>" for r in results)
    zero = "0.0" if result == "f32" else "0"
    name = "batch_matmul" if batch else "matmul"
    last = f"return %t : {left}" if tail else f"return %r : {c}"
    return f"""func.func @gemm(%a: {a}, %b: {b}) -> {left or c} {{
      %zero = arith.constant {zero} : {result}
      %empty = tensor.empty() : {c}
      %init = linalg.fill ins(%zero : {result}) outs(%empty : {c}) -> {c}
      %r = linalg.{name} indexing_maps = [{maps}] ins(%a, %b : {a}, {b}) outs(%init : {c}) -> {c}
      {tail}
      {last}
    }}"""


def check(source: str, m: int, n: int, k: int, options: str, *, batch: int = 0, turned: str = "", after: Any = None) -> None:
    rng = np.random.default_rng(m * n * k + batch)
    front = (batch,) if batch else ()
    a = rng.integers(-9, 9, (*front, m, k), dtype=np.int32)
    b = rng.integers(-9, 9, (*front, k, n), dtype=np.int32)
    want = a @ b if after is None else after(a @ b)
    a, b = (np.ascontiguousarray(np.swapaxes(x, -1, -2)) if name in turned else x for name, x in (("a", a), ("b", b)))
    program = allo_air.compile(source, f"gemm-i32{options}", cache=False)
    np.testing.assert_array_equal(program(a, b), want)


@pytest.mark.parametrize(
    ("m", "n", "k", "options"),
    [
        (32, 32, 32, ""),  # all cores, one launch
        (64, 32, 32, "{herd-m=8 herd-n=8 k-step=16}"),  # two launches, two steps of k
        (16, 48, 64, "{herd-m=4 herd-n=4 k-step=8}"),  # launches along n, many steps
        (16, 16, 56, "{herd-m=4 herd-n=4 k-step=8}"),  # an odd number of steps
        (48, 96, 8, "{herd-m=4 herd-n=4 k-step=8}"),  # launches of both directions in one task
        (1, 1, 1, ""),  # one core, one micro-tile
        pytest.param(*(4, 8, 4, ""), marks=pytest.mark.slow),
        pytest.param(*(8, 8, 16, ""), marks=pytest.mark.slow),  # the walkthrough's first size
        (7, 13, 5, ""),  # nothing divides
        pytest.param(*(17, 19, 23, ""), marks=pytest.mark.slow),
        (1, 40, 24, ""),  # a row, a column
        pytest.param(*(33, 1, 9, ""), marks=pytest.mark.slow),
        (3, 3, 100, ""),
        pytest.param(*(24, 24, 40, "{device=npu1_1col}"), marks=pytest.mark.slow),
        (20, 20, 20, "{device=npu1_2col}"),  # B in fewer parts than there are columns of tiles
        pytest.param(*(40, 40, 20, "{device=npu1_3col}"), marks=pytest.mark.slow),
        (40, 20, 16, "{device=npu2}"),
        (16, 16, 8, "{device=npu2_5col}"),
        (8, 8, 8, "{cores-m=1 cores-n=1 herd-m=4 herd-n=4}"),  # four launches of one core
    ],
)
def test_i32(m: int, n: int, k: int, options: str) -> None:
    check(gemm(m, n, k, "i32", "i32"), m, n, k, options)


@pytest.mark.parametrize(
    ("m", "n", "k", "element", "device"),
    [
        (128, 256, 512, "i8", "npu1_2col"),  # the parts of a panel, which four streams read, divided among two memtiles
        pytest.param(*(128, 256, 512, "i16", "npu1"), marks=pytest.mark.slow),  # pieces in halves, for two pairs of memtiles
    ],
)
def test_pieces_that_come_to_pairs_of_memtiles(m: int, n: int, k: int, element: str, device: str) -> None:
    source = gemm(m, n, k, element, "i32")
    assert "B by pairs of memtiles" in allo_opt(source, f"--plan-gemm=device={device}")
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-99, 99, shape).astype(element.replace("i", "int")) for shape in ((m, k), (k, n)))
    program = allo_air.compile(source, f"gemm-{element}{{device={device}}}", cache=False)
    np.testing.assert_array_equal(program(a, b), a.astype(np.int32) @ b.astype(np.int32))


def test_sequences_of_large_shapes_grow_with_the_rows_of_launches_alone() -> None:
    """On each of 4 channels, A and C have a task for each row of launches, B repeats for 4 of these rows."""
    text = allo_air.compile(shape=(20000, 20000, 20000), cache=False).text()
    tasks = Counter(re.findall(r"aiex\.dma_configure_task_for @(\w+)", text))
    rows = max(tasks.values())
    assert rows < 20000 // 256
    assert sorted(tasks.values()) == 4 * [-(-rows // 4)] + 8 * [rows]


@pytest.mark.parametrize(
    ("batch", "m", "n", "k", "turned"),
    [
        pytest.param(*(0, 16, 16, 16, "a"), marks=pytest.mark.slow),
        pytest.param(*(0, 16, 16, 16, "b"), marks=pytest.mark.slow),
        (0, 20, 12, 23, "ab"),
        (0, 64, 634, 3, "a"),  # a panel of A with one micro-tile along k
        (3, 8, 8, 8, ""),
        (2, 5, 7, 9, ""),
        pytest.param(*(1, 4, 4, 8, ""), marks=pytest.mark.slow),
        (2, 22, 20, 16, "ab"),
    ],
)
def test_batches_and_transposed_operands(batch: int, m: int, n: int, k: int, turned: str) -> None:
    check(gemm(m, n, k, "i32", "i32", batch=batch, turned=turned), m, n, k, "", batch=batch, turned=turned)


def test_elementwise_operations_on_the_result_are_done_in_the_cores() -> None:
    tail = """%three = arith.constant 3 : i32
      %s = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
          iterator_types = ["parallel", "parallel"]} ins(%r : tensor<10x9xi32>) outs(%empty : tensor<10x9xi32>) {
      ^bb0(%x: i32, %o: i32):
        %p = arith.muli %x, %three : i32
        linalg.yield %p : i32
      } -> tensor<10x9xi32>
      %t = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
          iterator_types = ["parallel", "parallel"]} ins(%s : tensor<10x9xi32>) outs(%empty : tensor<10x9xi32>) {
      ^bb0(%x: i32, %o: i32):
        %p = arith.addi %x, %x : i32
        linalg.yield %p : i32
      } -> tensor<10x9xi32>"""
    source = gemm(10, 9, 12, "i32", "i32", tail=tail, left="tensor<10x9xi32>")
    check(source, 10, 9, 12, "", after=lambda c: 6 * c)


@pytest.mark.parametrize(
    ("element", "m", "n", "k", "options"),
    [
        *(("bf16", 1000, 1000, 1000, ""), ("i8", 1, 4096, 512, ""), ("bf16", 299, 1, 4096, "{device=npu2}")),
        pytest.param("i16", 1000, 1000, 1000, "", marks=pytest.mark.slow),
        pytest.param("f32", 1, 4096, 512, "", marks=pytest.mark.slow),
        pytest.param("i8", 299, 1, 4096, "{device=npu2}", marks=pytest.mark.slow),
    ],
)
def test_large_and_thin_shapes_come_out_as_a_device(element: str, m: int, n: int, k: int, options: str) -> None:
    result = "f32" if element in ("bf16", "f32") else "i32"
    device = allo_opt(gemm(m, n, k, element, result), f"--pipeline=gemm-{element}{options}")
    assert "aie.core" in device and "aiex.dma_await_task" in device
    padded = f"allo_air.host_shapes = {{gemm = [array<i64: {m}, {k}>, array<i64: {k}, {n}>, array<i64: {m}, {n}>]}}" in device
    assert padded == (element != "f32")  # whose micro-tiles have a single row here
    assert ("vector.contract" in device or "mac.conf" in device) == (element != "f32")


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.parametrize("element", ["i8", "i16"])
def test_no_contraction_loses_its_signs(element: str, device: str) -> None:
    """Those that mlir-aie takes as they are: i8 on npu2 as signed, i16 on npu2 as unsigned; npu1 has them as instructions."""
    text = allo_opt(gemm(32, 32, 32, element, "i32"), f"--pipeline=gemm-{element}{{device={device}}}")
    assert ("mac.conf" in text, "vector.contract" in text) == (device == "npu1", device == "npu2")
    extended = {name for name in ("arith.extsi", "arith.extui") if f"{name} %" in text}
    assert extended == {("i8", "npu2"): {"arith.extsi"}, ("i16", "npu2"): {"arith.extui"}}.get((element, device), set())


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.parametrize(("element", "k_step"), [("i8", 16), pytest.param("i16", 16, marks=pytest.mark.slow), ("i16", 128)])
def test_extremes_of_any_sign(element: str, k_step: int, device: str) -> None:
    """Sums wrap around; a long step keeps its reduction a loop, a short one is unrolled."""
    limits = np.iinfo(f"int{element[1:]}")
    rng = np.random.default_rng(k_step)
    a, b = (rng.choice([limits.min, -1, 0, 1, limits.max], size).astype(limits.dtype) for size in ((20, 256), (256, 12)))
    program = allo_air.compile(gemm(20, 12, 256, element, "i32"), f"gemm-{element}{{k-step={k_step}}}", device, cache=False)
    np.testing.assert_array_equal(program(a, b), (a.astype(np.int64) @ b.astype(np.int64)).astype(np.int32))


@pytest.mark.parametrize("turned", ["", pytest.param("ab", marks=pytest.mark.slow)])
@pytest.mark.parametrize("device", ["npu1", pytest.param("npu2", marks=pytest.mark.slow)])
def test_products_of_f32_by_parts_have_all_bits_of_f32(device: str, turned: str) -> None:
    m, n, k = 13, 20, 40
    rng = np.random.default_rng(3)
    a, b = ((rng.standard_normal(s) * 10.0 ** rng.integers(-6, 6, s)).astype(np.float32) for s in ((m, k), (k, n)))
    a[2], b[:, 3] = 0.0, 0.0
    a[2, 1] = np.finfo(np.float32).max  # greater than any bf16
    b[1] *= np.float32(1e-3) / np.abs(b[1]).max()
    program = allo_air.compile(gemm(m, n, k, "f32", "f32", turned=turned), f"gemm-f32{{device={device}}}", cache=False)
    assert "allo.partial" in program.text("aie")
    got = program(*(v.T.copy() if name in turned else v for name, v in (("a", a), ("b", b))))
    wide = a.astype(np.float64), b.astype(np.float64)
    # A unit in the last place of each product and each sum.
    assert (np.abs(got - wide[0] @ wide[1]) <= k * 2.0**-23 * (np.abs(wide[0]) @ np.abs(wide[1]))).all()


def test_an_addend_before_the_bias() -> None:
    """The bias comes first all the same: its transfer is outside of the addend's loops, and the two share a channel."""
    result = "tensor<64x640xf32>"
    source = f"""
    #a = affine_map<(i, j) -> (i, j)>
    func.func @main(%w: tensor<64x128xf32>, %x: tensor<128x640xf32>, %y: {result}, %b: tensor<64xf32>) -> {result} {{
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : {result}
      %f = linalg.fill ins(%z : f32) outs(%e : {result}) -> {result}
      %p = linalg.matmul ins(%w, %x : tensor<64x128xf32>, tensor<128x640xf32>) outs(%f : {result}) -> {result}
      %r = linalg.generic {{indexing_maps = [#a, #a, affine_map<(i, j) -> (i)>, #a], iterator_types = ["parallel", "parallel"]}}
          ins(%y, %p, %b : {result}, {result}, tensor<64xf32>) outs(%e : {result}) {{
      ^bb0(%c: f32, %d: f32, %g: f32, %o: f32):
        %s = arith.addf %d, %g : f32
        %t = arith.addf %c, %s : f32
        linalg.yield %t : f32
      }} -> {result}
      return %r : {result}
    }}"""
    program = allo_air.compile(source, "npu{cols=4}", device="npu2", cache=False)
    rng = np.random.default_rng(0)
    w, x, y, b = (rng.standard_normal(s).astype(np.float32) for s in ((64, 128), (128, 640), (64, 640), (64,)))
    np.testing.assert_allclose(program(w, x, y, b), w @ x + y + b[:, None], rtol=1e-5, atol=1e-4)
