"""GEMM pipelines with functions of math on the result: what compiles runs, in vectors or in scalars, on both devices."""

import math

import ml_dtypes
import numpy as np
import pytest

import allo_air

SOURCE = """func.func @gemm(%a: tensor<16x16xbf16>, %b: tensor<16x16xbf16>) -> tensor<16x16xf32> {{
  %low = arith.constant -1.5 : f32
  %high = arith.constant 1.5 : f32
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x16xf32>) -> tensor<16x16xf32>
  %c = linalg.matmul ins(%a, %b : tensor<16x16xbf16>, tensor<16x16xbf16>) outs(%init : tensor<16x16xf32>) -> tensor<16x16xf32>
  %d = linalg.generic {{indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]}}
      ins(%c : tensor<16x16xf32>) outs(%empty : tensor<16x16xf32>) {{
  ^bb0(%x: f32, %o: f32):
    {body}
    linalg.yield %y : f32
  }} -> tensor<16x16xf32>
  return %d : tensor<16x16xf32>
}}"""

BODIES = {
    "erf": ("%y = math.erf %x : f32", lambda c: np.vectorize(math.erf)(c)),
    "clampf": ("%y = math.clampf %x to [%low, %high] : f32", lambda c: np.clip(c, -1.5, 1.5)),
    "relu6": (
        "%p = arith.maximumf %x, %zero : f32\n%y = arith.minimumf %p, %high : f32",
        lambda c: np.clip(c, 0, 1.5),
    ),
    "scale and shift": ("%p = arith.mulf %x, %half : f32\n%y = arith.addf %p, %low : f32", lambda c: c * 0.5 - 1.5),
    "select": ("%p = arith.cmpf ogt, %x, %low : f32\n%y = arith.select %p, %x, %low : f32", lambda c: np.maximum(c, -1.5)),
}


@pytest.mark.parametrize(
    ("device", "name"), [("npu1", name) for name in BODIES] + [("npu2", "erf"), ("npu2", "scale and shift")]
)
def test_functions_of_the_result(device: str, name: str) -> None:
    body, function = BODIES[name]
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-2, 3, (16, 16)).astype(ml_dtypes.bfloat16) for _ in range(2))
    program = allo_air.compile(SOURCE.format(body=body), "gemm-bf16", device, cache=False)
    exact = function(a.astype(np.float64) @ b.astype(np.float64))
    np.testing.assert_allclose(program(a, b), exact, rtol=1e-5, atol=1e-6)


def test_sums_in_the_type_of_the_result_are_rounded_after_each_step() -> None:
    source = """#id = affine_map<(i, j) -> (i, j)>
func.func @f(%a: tensor<70x200xbf16>, %b: tensor<200x60xbf16>) -> tensor<70x60xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x60xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<70x60xf32>) -> tensor<70x60xf32>
  %c = linalg.matmul ins(%a, %b : tensor<70x200xbf16>, tensor<200x60xbf16>) outs(%f : tensor<70x60xf32>) -> tensor<70x60xf32>
  %g = tensor.empty() : tensor<70x60xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<70x60xf32>) outs(%g : tensor<70x60xbf16>) {
  ^bb0(%x: f32, %u: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<70x60xbf16>
  return %r : tensor<70x60xbf16>
}"""
    program = allo_air.compile(source, "gemm-bf16", narrow_sums=True, k_step=40, cache=False)
    assert program.roundings == 5
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(shape).astype(ml_dtypes.bfloat16) for shape in ((70, 200), (200, 60)))
    wanted = np.zeros((70, 60), ml_dtypes.bfloat16)
    for k in range(0, 200, 40):
        part = a[:, k : k + 40].astype(np.float32) @ b[k : k + 40].astype(np.float32)
        wanted = (wanted.astype(np.float32) + part).astype(ml_dtypes.bfloat16)
    found = program(a, b)
    # Sums in another order may round to the other side.
    assert (np.abs(found.astype(np.float32) - wanted.astype(np.float32)) <= 2.0**-7 * np.abs(wanted).max()).all()
    assert (found == wanted).mean() > 0.99


@pytest.mark.parametrize(
    ("element", "device", "k_step"),
    [("bf16", "npu1", 32), *(pytest.param(*c, marks=pytest.mark.slow) for c in (("i8", "npu1", 64), ("bf16", "npu2", 32)))],
)
def test_a_result_that_does_not_fit_beside_its_sums_leaves_in_strips(element: str, device: str, k_step: int) -> None:
    m, n, k = 64, 128, 2 * k_step
    wide, kind = ("f32", "f") if element == "bf16" else ("i32", "i")
    source = f"""#id = affine_map<(i, j) -> (i, j)>
func.func @f(%a: tensor<{m}x{k}x{element}>, %b: tensor<{k}x{n}x{element}>) -> tensor<{m}x{n}x{element}> {{
  %zero = arith.constant {"0.0" if kind == "f" else "0"} : {wide}
  %e = tensor.empty() : tensor<{m}x{n}x{wide}>
  %f = linalg.fill ins(%zero : {wide}) outs(%e : tensor<{m}x{n}x{wide}>) -> tensor<{m}x{n}x{wide}>
  %c = linalg.matmul ins(%a, %b : tensor<{m}x{k}x{element}>, tensor<{k}x{n}x{element}>)
      outs(%f : tensor<{m}x{n}x{wide}>) -> tensor<{m}x{n}x{wide}>
  %g = tensor.empty() : tensor<{m}x{n}x{element}>
  %r = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}}
      ins(%c : tensor<{m}x{n}x{wide}>) outs(%g : tensor<{m}x{n}x{element}>) {{
  ^bb0(%x: {wide}, %u: {element}):
    %t = arith.trunc{kind} %x : {wide} to {element}
    linalg.yield %t : {element}
  }} -> tensor<{m}x{n}x{element}>
  return %r : tensor<{m}x{n}x{element}>
}}"""
    sizes = {"herd_m": m, "herd_n": n, "cores_m": 1, "cores_n": 1, "k_step": k_step}
    program = allo_air.compile(source, f"gemm-{element}", device, cache=False, **sizes)
    assert "result in 8 strips" in program.explain()
    rng, numbers = np.random.default_rng(0), {"bf16": ml_dtypes.bfloat16, "i8": np.int8}[element]
    a, b = (rng.integers(-9, 10, shape).astype(numbers) for shape in ((m, k), (k, n)))
    exact = a.astype(np.float64) @ b.astype(np.float64)
    np.testing.assert_array_equal(
        program(a, b), exact.astype(np.int64).astype(numbers) if kind == "i" else exact.astype(numbers)
    )
