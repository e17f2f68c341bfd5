"""Concatenations that no kernel performs: the kernels of the parts write them; others read parts and the whole."""

import numpy as np
import pytest

import allo_air

COLUMNS, PARTS = 16, 7


def chain(rows: int) -> str:
    """Products one after another, their concatenation, and a product with all of it; results: the product and its input."""
    part, whole, square = (f"tensor<{n}x{COLUMNS}xf32>" for n in (rows, PARTS * rows, COLUMNS))
    product = "%{0} = linalg.matmul ins(%{1}, %w : {2}, {3}) outs(%{4} : {2}) -> {2}"
    names = [f"y{n}" for n in range(PARTS)]
    products = [product.format(name, before, part, square, "f") for name, before in zip(names, ["x", *names], strict=False)]
    lines = [
        "%z = arith.constant 0.0 : f32",
        f"%e = tensor.empty() : {part}",
        f"%g = tensor.empty() : {whole}",
        f"%f = linalg.fill ins(%z : f32) outs(%e : {part}) -> {part}",
        f"%h = linalg.fill ins(%z : f32) outs(%g : {whole}) -> {whole}",
        *products,
        f"%c = tensor.concat dim(0) {', '.join(f'%{n}' for n in names)} : ({', '.join([part] * PARTS)}) -> {whole}",
        product.format("r", "c", whole, square, "h"),
        f"return %r, %c : {whole}, {whole}",
    ]
    return f"func.func @main(%x: {part}, %w: {square}) -> ({whole}, {whole}) {{\n  " + "\n  ".join(lines) + "\n}"


@pytest.mark.slow
@pytest.mark.parametrize(("device", "rows"), [("npu1", 8), ("npu2", 5)])
def test_products_write_their_parts(device: str, rows: int) -> None:
    """With 5 rows, the products that read a part take it longer than it is, in a buffer of its own."""
    rng = np.random.default_rng(0)
    x, w = (rng.standard_normal(shape).astype(np.float32) / 4 for shape in ((rows, COLUMNS), (COLUMNS, COLUMNS)))
    parts = [x.astype(np.float64)]
    for _ in range(PARTS):
        parts.append(parts[-1] @ w)
    program = allo_air.compile(chain(rows), "npu", device=device, cache=False)
    product, whole = program(x, w)
    np.testing.assert_allclose(whole, np.concatenate(parts[1:]), atol=1e-5)
    np.testing.assert_allclose(product, np.concatenate(parts[1:]) @ w, atol=1e-5)
