"""bf16 that only moves: as integers early, and in the LLVM dialect where a table or a sum keeps it a number until then."""

import ml_dtypes
import numpy as np
import pytest

from allo_air.sim.cores import lower

GLOBAL = "memref.global constant @table : memref<4xbf16> = dense<[1.5, -2.0, 0.0, 3.0e38]>"
TABLE = "%t0 = memref.get_global @table : memref<4xbf16>\n%y = vector.load %t0[%c0] : memref<4xbf16>, vector<4xbf16>"
CONSTANT = "%y = arith.constant dense<[1.5, -2.0, 0.0, 3.0e38]> : vector<4xbf16>"


@pytest.mark.parametrize(
    ("source", "outside", "early"), [(CONSTANT, "", True), (TABLE, GLOBAL, False)], ids=["constant", "table"]
)
def test_moves(run, monkeypatch, source, outside, early):
    told, first = [], lower.moves_as_bits
    monkeypatch.setattr(lower, "moves_as_bits", lambda module: told.append(first(module)) or told[-1])
    x = np.array([1, -0.0, np.inf, np.nan], ml_dtypes.bfloat16)
    ran = run(
        f"""
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %none = arith.constant -3.0 : bf16
        {source}
        %x = vector.load %a[%c0] : memref<4xbf16>, vector<4xbf16>
        %m = arith.constant dense<[true, false, true, false]> : vector<4xi1>
        %s = arith.select %m, %x, %y : vector<4xi1>, vector<4xbf16>
        %w = vector.interleave %s, %y : vector<4xbf16> -> vector<8xbf16>
        vector.store %w, %b[%c0] : memref<12xbf16>, vector<8xbf16>
        %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%v = %none) -> bf16 {{
          %j = arith.addi %i, %c4 : index
          %k = arith.addi %j, %c4 : index
          memref.store %v, %b[%k] : memref<12xbf16>
          %n = memref.load %a[%i] : memref<4xbf16>
          scf.yield %n : bf16
        }}
        """,
        ("a : memref<4xbf16>", "b : memref<12xbf16>"),
        (x,),
        outside=outside,
    )
    y = np.array([1.5, -2, 0, 3.0e38], ml_dtypes.bfloat16)
    picked = np.where([True, False, True, False], x, y)
    wanted = np.concatenate([np.stack([picked, y], 1).ravel(), np.array([-3], ml_dtypes.bfloat16), x[:3]])
    assert told == [early]
    assert (ran.view(1, np.uint16, 12) == wanted.view(np.uint16)).all()


def test_sums_of_bf16(run):
    x, y = (np.array(v, ml_dtypes.bfloat16) for v in ([1, 256, -0.5, 3], [1.5, 1, 0.25, -3]))
    ran = run(
        """
        %c0 = arith.constant 0 : index
        %x = vector.load %a[%c0] : memref<4xbf16>, vector<4xbf16>
        %y = vector.load %b[%c0] : memref<4xbf16>, vector<4xbf16>
        %s = arith.addf %x, %y : vector<4xbf16>
        vector.store %s, %c[%c0] : memref<4xbf16>, vector<4xbf16>
        """,
        ("a : memref<4xbf16>", "b : memref<4xbf16>", "c : memref<4xbf16>"),
        (x, y),
    )
    assert (ran.view(2, ml_dtypes.bfloat16, 4) == x + y).all()
