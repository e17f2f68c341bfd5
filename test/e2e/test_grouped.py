"""Grouped matrix multiplication: groups of rows of any sizes, some empty, each with a weight of its own, against numpy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import allo_air

TYPES = {
    "bf16": (ml_dtypes.bfloat16, "f32", np.float32),
    "f32": (np.float32, "f32", np.float32),
    "i8": (np.int8, "i32", np.int32),
}


def source(sizes: tuple[int, ...], k: int, n: int, element: str, result: str) -> str:
    m, count = sum(sizes), len(sizes)
    lines = [
        f"func.func @main(%x: tensor<{m}x{k}x{element}>, %w: tensor<{count}x{k}x{n}x{element}>) -> tensor<{m}x{n}x{result}> {{",
        f"  %zero = arith.constant {'0' if result[0] == 'i' else '0.0'} : {result}",
        f"  %r0 = tensor.empty() : tensor<{m}x{n}x{result}>",
    ]
    at, last, whole = 0, "%r0", f"tensor<{m}x{n}x{result}>"
    for g, rows in enumerate(sizes):
        if not rows:
            continue
        a, b, c = f"tensor<{rows}x{k}x{element}>", f"tensor<{k}x{n}x{element}>", f"tensor<{rows}x{n}x{result}>"
        lines += [
            f"  %x{g} = tensor.extract_slice %x[{at}, 0] [{rows}, {k}] [1, 1] : tensor<{m}x{k}x{element}> to {a}",
            f"  %w{g} = tensor.extract_slice %w[{g}, 0, 0] [1, {k}, {n}] [1, 1, 1] : tensor<{count}x{k}x{n}x{element}> to {b}",
            f"  %e{g} = tensor.empty() : {c}",
            f"  %f{g} = linalg.fill ins(%zero : {result}) outs(%e{g} : {c}) -> {c}",
            f"  %m{g} = linalg.matmul ins(%x{g}, %w{g} : {a}, {b}) outs(%f{g} : {c}) -> {c}",
            f"  %s{g} = tensor.insert_slice %m{g} into {last}[{at}, 0] [{rows}, {n}] [1, 1] : {c} into {whole}",
        ]
        at, last = at + rows, f"%s{g}"
    return "\n".join([*lines, f"  return {last} : tensor<{m}x{n}x{result}>", "}"])


def numbers(shape: tuple[int, ...], kind: Any, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    return (rng.integers(-100, 100, shape) if kind == np.int8 else rng.standard_normal(shape)).astype(kind)


@pytest.mark.parametrize(
    ("sizes", "k", "n", "element", "device"),
    [
        ((5, 17, 0, 33, 1), 50, 70, "bf16", "npu1"),
        ((0, 17, 5, 33, 0), 64, 48, "i8", "npu2"),
        pytest.param((9, 1, 40), 33, 20, "f32", "npu2", marks=pytest.mark.slow),
        pytest.param((100, 300, 20, 0, 92), 256, 256, "bf16", "npu2", marks=pytest.mark.slow),
        pytest.param((3, 3, 3, 3), 7, 5, "i8", "npu1", marks=pytest.mark.slow),
    ],
)
def test_groups_of_rows_are_one_kernel(sizes: tuple[int, ...], k: int, n: int, element: str, device: str) -> None:
    kind, result, wide = TYPES[element]
    program = allo_air.compile(source(sizes, k, n, element, result), device=device, cache=False, pipeline="npu")
    x, w = numbers((sum(sizes), k), kind, 0), numbers((len(sizes), k, n), kind, 1)
    parts = zip(np.split(x.astype(np.float64), np.cumsum(sizes)[:-1]), w.astype(np.float64), strict=True)
    expected = np.concatenate([rows @ weight for rows, weight in parts])
    assert program.text().count("aiex.configure ") == 1
    np.testing.assert_allclose(np.asarray(program(x, w)).astype(wide), expected, atol=0 if element == "i8" else 1e-4 * k)


EXPERTS = (Path(__file__).parents[1] / "lit/passes/linalg/outline-families/experts.mlir").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_experts_of_two_layers_are_grouped_products(device: str) -> None:
    program = allo_air.compile(EXPERTS, device=device, cache=False, pipeline="npu")
    x, a, b, c = (numbers(shape, np.float32, n) for n, shape in enumerate(((20, 16), (2, 16, 24), (2, 16, 24), (2, 24, 16))))
    parts = [(np.maximum(rows @ a[g], 0) * (rows @ b[g])) @ c[g] for g, rows in enumerate(np.split(x, [7]))]
    np.testing.assert_allclose(program(x, a, b, c), np.concatenate(parts), rtol=1e-4, atol=1e-3)
