"""Results whose source rounds on the way, held against float64."""

import numpy as np
from ml_dtypes import bfloat16

from allo_air.program.checks.comparison import Tolerance, compare
from allo_air.program.checks.own_rounding import compared_again, rounding_checks
from allo_air.program.checks.reference import expected
from allo_air.program.host.signature import Argument
from allo_air.program.source import Source

SUM = """
func.func @sum(%a: tensor<8x512xbf16>) -> tensor<8xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<8xbf16>
  %filled = linalg.fill ins(%zero : bf16) outs(%empty : tensor<8xbf16>) -> tensor<8xbf16>
  %sum = linalg.reduce { arith.addf } ins(%a : tensor<8x512xbf16>) outs(%filled : tensor<8xbf16>) dimensions = [1]
  return %sum : tensor<8xbf16>
}
"""
CAST = """
func.func @cast(%a: tensor<64xf32>) -> (tensor<64xi8>, tensor<64xi8>) {
  %empty = tensor.empty() : tensor<64xi8>
  %cast = linalg.map ins(%a : tensor<64xf32>) outs(%empty : tensor<64xi8>) (%in: f32, %out: i8) {
    %rounded = math.roundeven %in : f32
    %integer = arith.fptosi %rounded : f32 to i8
    linalg.yield %integer : i8
  }
  %sign = linalg.map ins(%a : tensor<64xf32>) outs(%empty : tensor<64xi8>) (%in: f32, %out: i8) {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1 : i8
    %none = arith.constant 0 : i8
    %positive = arith.cmpf ogt, %in, %zero : f32
    %picked = arith.select %positive, %one, %none : i8
    linalg.yield %picked : i8
  }
  return %cast, %sign : tensor<64xi8>, tensor<64xi8>
}
"""


def _looked(text, arguments, given, changed):
    """The verdicts before and after the second look at `changed`, a function of the exact results."""
    source = Source(text, "source.mlir")
    wanted = expected(source, arguments, given)
    found = changed(wanted)
    before = [compare(f"result {n}", n, found[n], wanted[n], Tolerance()) for n in sorted(wanted)]
    after = compared_again(before, found, rounding_checks(source, arguments, given, wanted, 0), Tolerance())
    return [c.ok for c in before], [c.ok for c in after], after


ROWS = [Argument("a", (8, 512), "bf16", "in", (8, 512)), Argument("r", (8,), "bf16", "out", (8,))]


def test_sums_better_than_their_source():
    given = [np.abs(np.random.default_rng(0).normal(size=(8, 512))).astype(bfloat16), np.zeros(8, bfloat16)]
    exact = given[0].astype(np.float64).sum(1)
    before, after, [c] = _looked(SUM, ROWS, given, lambda _: {1: exact.astype(bfloat16)})
    assert (before, after) == ([False], [True])
    assert "the source's own roundings" in c.rule
    _, after, _ = _looked(
        SUM, ROWS, given, lambda wanted: {1: (2 * exact - wanted[1].astype(np.float64) + 50).astype(bfloat16)}
    )
    assert after == [False]


def test_few_integers_that_were_floats_may_be_off_by_one():
    arguments = [Argument("a", (64,), "f32", "in", (64,)), *(Argument(n, (64,), "i8", "out", (64,)) for n in "rs")]
    given = [np.linspace(-9, 9, 64, dtype=np.float32), np.zeros(64, np.int8), np.zeros(64, np.int8)]

    def off(by, count):
        return lambda wanted: {n: a + np.int8(by) * (np.arange(64) < count).astype(np.int8) for n, a in wanted.items()}

    before, after, _ = _looked(CAST, arguments, given, off(1, 1))
    assert (before, after) == ([False, False], [True, False])
    assert _looked(CAST, arguments, given, off(1, 2))[1] == [False, False]
    assert _looked(CAST, arguments, given, off(2, 1))[1] == [False, False]


def test_bits_of_floats_have_no_meaning_in_float64():
    text = CAST.replace(
        "arith.fptosi %rounded : f32 to i8", "arith.bitcast %rounded : f32 to i32\n    %x = arith.trunci %integer : i32 to i8"
    )
    text = text.replace("linalg.yield %integer", "linalg.yield %x")
    arguments = [Argument("a", (64,), "f32", "in", (64,)), *(Argument(n, (64,), "i8", "out", (64,)) for n in "rs")]
    given = [np.ones(64, np.float32), np.zeros(64, np.int8), np.zeros(64, np.int8)]
    assert (
        rounding_checks(Source(text, "bits.mlir"), arguments, given, expected(Source(text, "bits.mlir"), arguments, given), 0)
        == {}
    )
