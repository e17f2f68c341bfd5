"""AIE2's MAC instruction on integers, by configuration word: signs of both factors, and the accumulator zeroed or not."""

import numpy as np
import pytest

from allo_air.errors import DiagnosticError

SHAPES = {8: (4, 8, 8), 16: (4, 2, 8)}
WORDS = {776: (8, 1, 1, 0), 264: (8, 0, 1, 0), 520: (8, 1, 0, 0), 8: (8, 0, 0, 0), 777: (8, 1, 1, 1), 792: (16, 1, 1, 0)}
WORDS |= {280: (16, 0, 1, 0), 24: (16, 0, 0, 0), 793: (16, 1, 1, 1)}
ARGUMENTS = ("a : memref<64xi8>", "b : memref<16xi32>", "c : memref<16xi64>")


def body(conf: str) -> str:
    return f"""
        %c0 = arith.constant 0 : index
        {conf}
        %x = vector.load %a[%c0] : memref<64xi8>, vector<64xi8>
        %y = vector.load %b[%c0] : memref<16xi32>, vector<16xi32>
        %z = vector.load %c[%c0] : memref<16xi64>, vector<16xi64>
        %r = "xllvm.intr.aie2.I512.I512.ACC1024.acc32.mac.conf"(%x, %y, %z, %conf)
          : (vector<64xi8>, vector<16xi32>, vector<16xi64>, i32) -> vector<16xi64>
        vector.store %r, %c[%c0] : memref<16xi64>, vector<16xi64>
        """


@pytest.mark.parametrize("word", WORDS)
def test_lanes(run, word):
    bits, signed_a, signed_b, zero = WORDS[word]
    m, k, n = SHAPES[bits]
    rng = np.random.default_rng(word)
    a, b = rng.integers(-128, 128, 64).astype(np.int8), rng.integers(-(2**31), 2**31, 16).astype(np.int32)
    c = rng.integers(-(2**31), 2**31, 32).astype(np.int32)
    kinds = [np.dtype(f"{'' if s else 'u'}int{bits}") for s in (signed_a, signed_b)]
    x = a.view(kinds[0])[: m * k].reshape(m, k).astype(np.int64)
    y = b.view(kinds[1])[: k * n].reshape(k, n).astype(np.int64)
    wanted = (x @ y + (0 if zero else c.reshape(m, n))).astype(np.int32)
    ran = run(body(f"%conf = arith.constant {word} : i32"), ARGUMENTS, (a, b, c.view(np.int64)))
    assert (ran.view(2, np.int32, m * n).reshape(m, n) == wanted).all()


@pytest.mark.parametrize(
    ("conf", "said"),
    [
        ("%conf = arith.constant 784 : i32", "has configuration word 784, which is not simulated; known are 776, 792"),
        ("%conf = arith.constant 2824 : i32", "has configuration word 2824"),
        ("%w = memref.load %b[%c0] : memref<16xi32>\n%conf = arith.addi %w, %w : i32", "that is not a constant"),
    ],
)
def test_unknown_words_are_refused(run, conf, said):
    with pytest.raises(DiagnosticError, match=said):
        run(body(conf), ARGUMENTS, (np.zeros(64, np.int8), np.zeros(16, np.int32), np.zeros(16, np.int64)))
