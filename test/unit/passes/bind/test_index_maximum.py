"""The extremes of indices are those over all iterations, through remainders and quotients too."""

from itertools import product

import pytest

from allo_air import asm
from allo_air.core.affine import compiled
from allo_air.core.walking import walk_named
from allo_air.mlir import new_context
from allo_air.passes.bind._index_maximum import bounds_of

MAPS = [
    "(d0, d1) -> (d0 mod 4 + d1 * 8)",
    "(d0, d1) -> ((d0 + 2) mod 16)",
    "(d0, d1) -> (d0 floordiv 3 + d1 ceildiv 2)",
    "(d0, d1) -> (d0 * 5 - d1 + 4)",
    "(d0, d1) -> ((d0 floordiv 4) mod 2 + d1)",
]


@pytest.mark.parametrize("written", MAPS)
def test_bounds_of_a_map(written: str) -> None:
    with new_context():
        module = asm.read(f"""func.func @f() {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c2 {{
    scf.for %j = %c1 to %c4 step %c1 {{
      %k = affine.apply affine_map<{written}>(%i, %j)
    }}
  }}
  return
}}""")
        [op] = walk_named(module.operation, "affine.apply")
        evaluate = compiled(op.attributes["map"].value)
        every = [evaluate(point)[0] for point in product(range(0, 10, 2), range(1, 4))]
        first, last = bounds_of(op.results[0]) or (0, -1)
        assert first <= min(every) and last >= max(every)
        assert last - max(every) <= 1 and min(every) - first <= 2
