"""Products of short integers that are summed in as few bits, which wrap, against numpy."""

import numpy as np
import pytest

import allo_air

BITS = {"i8": np.int8, "i16": np.int16}


def source(op: str, shapes: tuple[str, str, str], element: str, result: str) -> str:
    a, b, c = (f"tensor<{s}x{t}>" for s, t in zip(shapes, (element, element, result), strict=True))
    return f"""func.func @f(%a: {a}, %b: {b}, %c: {c}) -> {c} {{
  %r = {op} ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}
  return %r : {c}
}}"""


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.parametrize(("element", "result"), [("i8", "i8"), ("i8", "i16"), ("i16", "i16")])
@pytest.mark.parametrize(
    ("op", "shapes"),
    [
        ("linalg.matmul", ((13, 33), (33, 7), (13, 7))),
        ("linalg.matvec", ((21, 40), (40,), (21,))),
        ("linalg.batch_matmul", ((3, 8, 16), (3, 16, 12), (3, 8, 12))),
    ],
)
def test_sums_wrap(op: str, shapes: tuple[tuple[int, ...], ...], element: str, result: str, device: str) -> None:
    texts = tuple("x".join(map(str, shape)) for shape in shapes)
    program = allo_air.compile(source(op, (texts[0], texts[1], texts[2]), element, result), "npu", device=device)
    rng, least = np.random.default_rng(0), np.iinfo(BITS[element])
    a, b = (rng.integers(least.min, least.max + 1, shape, BITS[element]) for shape in shapes[:2])
    c = rng.integers(-100, 100, shapes[2], BITS[result])
    np.testing.assert_array_equal(program(a, b, c), (a.astype(np.int64) @ b.astype(np.int64) + c).astype(BITS[result]))
    assert "no vector form" not in str(program.report())
