"""Contractions with producers and consumers through pipeline npu: fused in the cores where that is known, else beside them."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import allo_air

DTYPES = {"bf16": ml_dtypes.bfloat16, "f32": np.float32, "i32": np.int32, "i8": np.int8}
PRODUCT = """%empty = tensor.empty() : tensor<{m}x{n}x{wide}>
  %zero = arith.constant {zero} : {wide}
  %init = linalg.fill ins(%zero : {wide}) outs(%empty : tensor<{m}x{n}x{wide}>) -> tensor<{m}x{n}x{wide}>
  %c = linalg.matmul ins({ins} : tensor<{m}x{k}x{element}>, tensor<{k}x{n}x{element}>)
      outs(%init : tensor<{m}x{n}x{wide}>) -> tensor<{m}x{n}x{wide}>"""


def elementwise(name: str, ins: list[tuple[str, str, str, str]], out: tuple[str, str, str], body: str) -> str:
    """A linalg.generic on (m, n): value, shape, element and map of each input; shape, element and value of the result."""
    shape, element, result = out
    maps = ", ".join(f"affine_map<(m, n) -> ({where})>" for *_, where in [*ins, ("", "", "", "m, n")])
    types = ", ".join(f"tensor<{s}{e}>" for _, s, e, _ in ins)
    arguments = ", ".join(f"%x{number}: {e}" for number, (_, _, e, _) in enumerate(ins))
    return f"""%{name}_empty = tensor.empty() : tensor<{shape}{element}>
  %{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]}}
      ins({", ".join(v for v, *_ in ins)} : {types}) outs(%{name}_empty : tensor<{shape}{element}>) {{
  ^bb0({arguments}, %o: {element}):
    {body}
    linalg.yield %{result} : {element}
  }} -> tensor<{shape}{element}>"""


def source(arguments: str, body: str, result: str, kind: str) -> str:
    """A function of these arguments that returns value `result`."""
    return f"func.func @f({arguments}) -> {kind} {{\n  {body}\n  return %{result} : {kind}\n}}"


@pytest.mark.parametrize("device", [pytest.param("npu1", marks=pytest.mark.slow), "npu2"])
def test_gate_and_two_residuals(device: str) -> None:
    m, n, k = 64, 64, 72  # large enough to be a kernel of its own
    shape = f"{m}x{n}x"
    product = PRODUCT.format(m=m, n=n, k=k, wide="f32", zero="0.0", element="bf16", ins="%a, %b")
    whole = ("m, n",)
    gate = elementwise(
        "g", [("%c", shape, "f32", *whole), ("%r", shape, "f32", *whole)], (shape, "f32", "y"), "%y = arith.mulf %x0, %x1 : f32"
    )
    last = elementwise(
        "d",
        [("%c", shape, "f32", *whole), ("%g", shape, "f32", *whole), ("%s", shape, "f32", *whole)],
        (shape, "f32", "z"),
        "%y = arith.addf %x0, %x1 : f32\n%z = arith.addf %y, %x2 : f32",
    )
    arguments = f"%a: tensor<{m}x{k}xbf16>, %b: tensor<{k}x{n}xbf16>, %r: tensor<{m}x{n}xf32>, %s: tensor<{m}x{n}xf32>"
    text = source(arguments, f"{product}\n  {gate}\n  {last}", "d", f"tensor<{m}x{n}xf32>")
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-3, 4, s).astype(ml_dtypes.bfloat16) for s in ((m, k), (k, n)))
    r, s = (rng.integers(-3, 4, (m, n)).astype(np.float32) for _ in range(2))
    c = a.astype(np.float64) @ b.astype(np.float64)
    found = allo_air.compile(text, f"npu{{device={device}}}", cache=False)(a, b, r, s)
    np.testing.assert_array_equal(np.asarray(found, np.float64), c + c * r + s)


def test_operands_that_are_made_narrower_first() -> None:
    m, n, k = 32, 48, 40
    casts = [
        elementwise(
            name, [(value, f"{rows}x{columns}x", "f32", "m, n")], (f"{rows}x{columns}x", "bf16", "y"),
            "%y = arith.truncf %x0 : f32 to bf16",
        )
        for name, value, rows, columns in (("p", "%a", m, k), ("q", "%b", k, n))
    ]  # fmt: skip
    product = PRODUCT.format(m=m, n=n, k=k, wide="f32", zero="0.0", element="bf16", ins="%p, %q")
    text = source(
        f"%a: tensor<{m}x{k}xf32>, %b: tensor<{k}x{n}xf32>", "\n  ".join([*casts, product]), "c", f"tensor<{m}x{n}xf32>"
    )
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(s).astype(np.float32) for s in ((m, k), (k, n)))
    low, high = (x.astype(ml_dtypes.bfloat16).astype(np.float64) for x in (a, b))
    found = np.asarray(allo_air.compile(text, "npu", cache=False)(a, b), np.float64)
    unit = k * 2.0**-24
    assert (abs(found - low @ high) <= unit / (1 - unit) * (abs(low) @ abs(high))).all()


@pytest.mark.parametrize("device", ["npu1", pytest.param("npu2", marks=pytest.mark.slow)])
def test_requantization(device: str) -> None:
    m, n, k = 40, 24, 64
    product = PRODUCT.format(m=m, n=n, k=k, wide="i32", zero="0", element="i8", ins="%a, %b")
    body = """%half = arith.constant 64 : i32
    %seven = arith.constant 7 : i32
    %low = arith.constant -128 : i32
    %high = arith.constant 127 : i32
    %y = arith.addi %x0, %x1 : i32
    %r = arith.addi %y, %half : i32
    %s = arith.shrsi %r, %seven : i32
    %t = arith.maxsi %s, %low : i32
    %u = arith.minsi %t, %high : i32
    %z = arith.trunci %u : i32 to i8"""
    last = elementwise(
        "d", [("%c", f"{m}x{n}x", "i32", "m, n"), ("%bias", f"{n}x", "i32", "n")], (f"{m}x{n}x", "i8", "z"), body
    )
    arguments = f"%a: tensor<{m}x{k}xi8>, %b: tensor<{k}x{n}xi8>, %bias: tensor<{n}xi32>"
    text = source(arguments, f"{product}\n  {last}", "d", f"tensor<{m}x{n}xi8>")
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-128, 128, s).astype(np.int8) for s in ((m, k), (k, n)))
    bias = rng.integers(-10000, 10000, n).astype(np.int32)
    exact = np.clip((a.astype(np.int64) @ b.astype(np.int64) + bias + 64) >> 7, -128, 127)
    np.testing.assert_array_equal(allo_air.compile(text, f"npu{{device={device}}}", cache=False)(a, b, bias), exact)


def test_bias_behind_a_long_sum() -> None:
    m, n, k = 8, 8, 20480
    product = PRODUCT.format(m=m, n=n, k=k, wide="f32", zero="0.0", element="bf16", ins="%a, %b")
    last = elementwise(
        "d", [("%c", f"{m}x{n}x", "f32", "m, n"), ("%bias", f"{n}x", "f32", "n")], (f"{m}x{n}x", "f32", "y"),
        "%y = arith.addf %x0, %x1 : f32",
    )  # fmt: skip
    arguments = f"%a: tensor<{m}x{k}xbf16>, %b: tensor<{k}x{n}xbf16>, %bias: tensor<{n}xf32>"
    text = source(arguments, f"{product}\n  {last}", "d", f"tensor<{m}x{n}xf32>")
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-3, 4, s).astype(ml_dtypes.bfloat16) for s in ((m, k), (k, n)))
    bias = rng.integers(-3, 4, n).astype(np.float32)
    found = allo_air.compile(text, "npu", cache=False)(a, b, bias)
    np.testing.assert_array_equal(np.asarray(found, np.float64), a.astype(np.float64) @ b.astype(np.float64) + bias)
