"""Numbers of 64 bits, which the array computes in two words: whole programs against numpy."""

from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError, ArgumentError

SHAPE = (3, 37)
MAP = "affine_map<(d0, d1) -> (d0, d1)>"


def elementwise(body: str, result: str = "i64") -> str:
    """A function of two tensors of i64; the body makes %r of %a and %b."""
    kind, out = "tensor<3x37xi64>", f"tensor<3x37x{result}>"
    return f"""func.func @main(%x: {kind}, %y: {kind}) -> {out} {{
  %e = tensor.empty() : {out}
  %z = linalg.generic {{indexing_maps = [{MAP}, {MAP}, {MAP}], iterator_types = ["parallel", "parallel"]}}
      ins(%x, %y : {kind}, {kind}) outs(%e : {out}) {{
  ^bb0(%a: i64, %b: i64, %o: {result}):
    {body}
    linalg.yield %r : {result}
  }} -> {out}
  return %z : {out}
}}
"""


def numbers(seed: int, bits: int = 64) -> Any:
    """Of any size, and the ends."""
    rng = np.random.default_rng(seed)
    made = rng.integers(-(2**63), 2**63 - 1, SHAPE) >> rng.integers(64 - bits, 64, SHAPE)
    made[0, :4] = -1, 0, -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    return made


CASES: dict[str, tuple[str, Any]] = {
    "add": ("%r = arith.addi %a, %b : i64", lambda a, b: a + b),
    "sub": ("%r = arith.subi %a, %b : i64", lambda a, b: a - b),
    "mul": ("%r = arith.muli %a, %b : i64", lambda a, b: a * b),
    "bits": (
        "%c = arith.andi %a, %b : i64\n%d = arith.ori %a, %c : i64\n%r = arith.xori %d, %b : i64",
        lambda a, b: (a | (a & b)) ^ b,
    ),
    "largest": ("%c = arith.addi %a, %b : i64\n%r = arith.maxsi %c, %b : i64", lambda a, b: np.maximum(a + b, b)),
    "below": (
        "%k = arith.constant 3 : i64\n%d = arith.muli %a, %k : i64\n"
        "%c = arith.cmpi ule, %d, %b : i64\n%r = arith.select %c, %d, %b : i64",
        lambda a, b: np.minimum((a * 3).view(np.uint64), b.view(np.uint64)).view(np.int64),
    ),
    "left": (
        "%m = arith.constant 63 : i64\n%n = arith.andi %b, %m : i64\n%r = arith.shli %a, %n : i64",
        lambda a, b: a << (b & 63),
    ),
    "right": (
        "%m = arith.constant 63 : i64\n%n = arith.andi %b, %m : i64\n%r = arith.shrsi %a, %n : i64",
        lambda a, b: a >> (b & 63),
    ),
    "absolute": ("%c = math.absi %a : i64\n%r = arith.subi %c, %b : i64", lambda a, b: abs(a) - b),
}


@pytest.mark.parametrize("name", CASES)
def test_every_bit_is_right(name: str) -> None:
    body, exact = CASES[name]
    a, b = numbers(1), numbers(2)
    with np.errstate(over="ignore"):
        assert np.array_equal(allo_air.compile(elementwise(body), "npu", device="npu2", cache=False)(a, b), exact(a, b))


def test_floats_round_once_or_twice() -> None:
    text = elementwise("%c = arith.addi %a, %b : i64\n%r = arith.sitofp %c : i64 to f32", "f32")
    a, b = numbers(1), numbers(2) >> 1
    with np.errstate(over="ignore"):
        exact = (a + b).astype(np.float64)
    found = allo_air.compile(text, "npu", device="npu1", cache=False)(a, b)
    assert (abs(found - exact) <= 2.0**-23 * abs(exact)).all()


def test_sums_of_more_than_a_word_holds() -> None:
    text = """func.func @main(%x: tensor<3x40000xi32>) -> tensor<3xi64> {
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<3xi64>
  %f = linalg.fill ins(%zero : i64) outs(%e : tensor<3xi64>) -> tensor<3xi64>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x40000xi32>) outs(%f : tensor<3xi64>) {
  ^bb0(%in: i32, %o: i64):
    %w = arith.extsi %in : i32 to i64
    %n = arith.addi %w, %o : i64
    linalg.yield %n : i64
  } -> tensor<3xi64>
  return %s : tensor<3xi64>
}
"""
    x = np.random.default_rng(0).integers(-(2**31), 2**31, (3, 40000)).astype(np.int32)
    x[0], x[1] = 2**31 - 1, -(2**31)
    assert np.array_equal(allo_air.compile(text, "npu", cache=False)(x), x.sum(1, dtype=np.int64))


def test_what_has_to_be_words_is_checked() -> None:
    program = allo_air.compile(elementwise("%r = arith.divsi %a, %b : i64"), "npu", cache=False)
    a, b = numbers(1, 32), np.abs(numbers(2, 16)) + 1
    a[0, 2], b[0, 2] = -(2**31), -1
    assert np.array_equal(program(a, b), np.trunc(a / b).astype(np.int64))
    a[1, 5] = 2**31
    with pytest.raises(ArgumentError, match="argument 0 holds 2147483648, and the program computes with words of 32 bits"):
        program(a, b)


def test_what_has_no_form_in_words_says_so() -> None:
    with pytest.raises(AlloAirError, match=r"'arith.divsi' op of i64.*cast to i32 first"):
        allo_air.compile(elementwise("%c = arith.muli %a, %b : i64\n%r = arith.divsi %c, %b : i64"), "npu", cache=False)


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_results_that_no_argument_decides(device: str) -> None:
    """Counts, one number everywhere, and a product by the pipeline that is chosen."""
    text = """func.func @f() -> (tensor<9xi64>, tensor<2x3xi64>) {
  %e = tensor.empty() : tensor<9xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<9xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    linalg.yield %n : i64
  } -> tensor<9xi64>
  %seven = arith.constant -7 : i64
  %g = tensor.empty() : tensor<2x3xi64>
  %f = linalg.fill ins(%seven : i64) outs(%g : tensor<2x3xi64>) -> tensor<2x3xi64>
  return %r, %f : tensor<9xi64>, tensor<2x3xi64>
}
"""
    counts, sevens = allo_air.compile(text, device=device, cache=False)()
    assert np.array_equal(counts, np.arange(9)) and np.array_equal(sevens, np.full((2, 3), -7))
    product = """func.func @main(%a: tensor<5x16xi8>, %b: tensor<16x12xi8>) -> tensor<5x12xi64> {
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<5x12xi64>
  %f = linalg.fill ins(%zero : i64) outs(%e : tensor<5x12xi64>) -> tensor<5x12xi64>
  %c = linalg.matmul ins(%a, %b : tensor<5x16xi8>, tensor<16x12xi8>) outs(%f : tensor<5x12xi64>) -> tensor<5x12xi64>
  return %c : tensor<5x12xi64>
}
"""
    a, b = (np.random.default_rng(n).integers(-128, 128, s).astype(np.int8) for n, s in enumerate([(5, 16), (16, 12)]))
    assert np.array_equal(allo_air.compile(product, device=device, cache=False)(a, b), a.astype(np.int64) @ b.astype(np.int64))
