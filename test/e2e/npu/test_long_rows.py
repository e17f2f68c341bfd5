"""Softmax over rows and columns that no core holds, one kernel, and norms of long rows: numbers are those of numpy."""

import ml_dtypes
import numpy as np
import pytest

import allo_air

DTYPES = {"bf16": ml_dtypes.bfloat16, "f32": np.float32}


@pytest.mark.parametrize(
    ("device", "element", "shape", "dimension"),
    [
        ("npu1_1col", "f32", (600, 64), 0),
        ("npu1_1col", "f32", (4, 8193), 1),
        ("npu2_2col", "bf16", (999, 130), 0),
        pytest.param("npu1", "f32", (1024, 1024), 0, marks=pytest.mark.slow),
        pytest.param("npu1", "f32", (64, 10007), 1, marks=pytest.mark.slow),
        pytest.param("npu2", "bf16", (1001, 999), 0, marks=pytest.mark.slow),
    ],
)
def test_softmax(device: str, element: str, shape: tuple[int, int], dimension: int) -> None:
    kind = f"tensor<{shape[0]}x{shape[1]}x{element}>"
    source = f"""func.func @main(%x: {kind}) -> {kind} {{
      %e = tensor.empty() : {kind}
      %r = linalg.softmax dimension({dimension}) ins(%x : {kind}) outs(%e : {kind}) -> {kind}
      return %r : {kind}
    }}"""
    program = allo_air.compile(source, "npu", device=device, cache=False)
    text = program.text()
    assert text.count("aie.device(") - ("aiex.configure" in text) == 1
    x = np.random.default_rng(0).standard_normal(shape).astype(DTYPES[element])
    powers = np.exp(x.astype(np.float64) - x.astype(np.float64).max(dimension, keepdims=True))
    wanted = powers / powers.sum(dimension, keepdims=True)
    np.testing.assert_allclose(program(x).astype(np.float64), wanted, rtol=1e-5 if element == "f32" else 4e-2, atol=1e-9)


@pytest.mark.parametrize(("device", "size"), [("npu1", 6144), ("npu2_2col", 4096)])
def test_residual_and_norm(device: str, size: int) -> None:
    """Parts of three long rows that come by two channels take a buffer descriptor each; longer ones are added before."""
    rows, row = f"tensor<4x{size}xf32>", f"tensor<{size}xf32>"
    ij, i, j = "affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (i)>", "affine_map<(i, j) -> (j)>"
    source = f"""func.func @main(%x: {rows}, %y: {rows}, %w: {row}) -> {rows} {{
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : {rows}
      %h = linalg.add ins(%x, %y : {rows}, {rows}) outs(%e : {rows}) -> {rows}
      %e1 = tensor.empty() : tensor<4xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
      %q = linalg.generic {{indexing_maps = [{ij}, {i}], iterator_types = ["parallel", "reduction"]}}
          ins(%h : {rows}) outs(%f : tensor<4xf32>) {{
      ^bb0(%a: f32, %o: f32):
        %s = arith.mulf %a, %a : f32
        %t = arith.addf %o, %s : f32
        linalg.yield %t : f32
      }} -> tensor<4xf32>
      %r = linalg.generic {{indexing_maps = [{ij}, {i}, {j}, {ij}], iterator_types = ["parallel", "parallel"]}}
          ins(%h, %q, %w : {rows}, tensor<4xf32>, {row}) outs(%e : {rows}) {{
      ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
        %k = math.rsqrt %b : f32
        %p = arith.mulf %a, %k : f32
        %t = arith.mulf %p, %c : f32
        linalg.yield %t : f32
      }} -> {rows}
      return %r : {rows}
    }}"""
    rng = np.random.default_rng(0)
    x, y, w = (rng.standard_normal(shape).astype(np.float32) for shape in ((4, size), (4, size), (size,)))
    h = (x + y).astype(np.float64)
    wanted = h / np.sqrt((h * h).sum(1, keepdims=True)) * w
    np.testing.assert_allclose(
        allo_air.compile(source, "npu", device=device, cache=False)(x, y, w), wanted, rtol=1e-4, atol=1e-6
    )


def test_parts_that_no_core_has_room_for_are_put_side_by_side() -> None:
    """As the boxes of a detection head, from maps of several sizes, beside other work."""
    a, b, c = (f"tensor<{n}x4xf32>" for n in (3072, 768, 3840))
    source = f"""func.func @main(%a: {a}, %b: {b}) -> {c} {{
      %ea = tensor.empty() : {a}
      %na = linalg.negf ins(%a : {a}) outs(%ea : {a}) -> {a}
      %eb = tensor.empty() : {b}
      %nb = linalg.negf ins(%b : {b}) outs(%eb : {b}) -> {b}
      %c = tensor.concat dim(0) %na, %nb : ({a}, {b}) -> {c}
      return %c : {c}
    }}"""
    program = allo_air.compile(source, "npu", device="npu1_1col", cache=False)
    x, y = (np.random.default_rng(n).standard_normal((n, 4)).astype(np.float32) for n in (3072, 768))
    np.testing.assert_array_equal(program(x, y), -np.concatenate([x, y]))
