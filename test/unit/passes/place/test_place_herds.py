"""Places on random grids: all cores on the grid, none taken twice, everything placed that greedily fits."""

import random

import pytest

from allo_air import asm
from allo_air.core.constants import constant_of
from allo_air.core.walking import walk_named
from allo_air.dialects.air import HerdOp
from allo_air.errors import PassError
from allo_air.passes.place.air_place_herds import AirPlaceHerds


def text(sizes: list[tuple[int, int]]) -> str:
    numbers = "\n".join(f"%c{n} = arith.constant {n} : index" for n in range(1, 9))
    herds = [f"air.herd @h{i} tile (%x, %y) in (%sx=%c{w}, %sy=%c{h}) {{\n}}" for i, (w, h) in enumerate(sizes)]
    return "\n".join(["func.func @f() {", numbers, *herds, "return", "}"])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.usefixtures("context")
def test_no_core_is_taken_twice(seed: int) -> None:
    rng = random.Random(seed)
    columns, rows = rng.randint(2, 8), rng.randint(2, 6)
    sizes = [(rng.randint(1, min(3, columns)), rng.randint(1, min(3, rows))) for _ in range(rng.randint(1, 8))]
    module = asm.read(text(sizes))
    step = AirPlaceHerds(num_rows=rows, num_cols=columns, row_anchor=2, col_anchor=1)
    try:
        step.run(module)
    except PassError as refused:
        assert sum(w * h for w, h in sizes) * 2 > columns * rows, refused
        return
    taken: list[tuple[int, int]] = []
    for op in walk_named(module, "air.herd"):
        width, height = (constant_of(v) or 0 for v in HerdOp(op).sizes)
        x, y = (op.attributes[name].value for name in ("x_loc", "y_loc"))
        taken += [(x + i, y + j) for i in range(width) for j in range(height)]
    assert len(taken) == len(set(taken))
    assert all(1 <= x < 1 + columns and 2 <= y < 2 + rows for x, y in taken)
