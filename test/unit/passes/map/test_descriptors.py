"""How many launches a descriptor serves where operands take turns on a channel."""

from types import SimpleNamespace
from typing import Any

import pytest

from allo_air.passes.map._descriptors import launches_served
from allo_air.passes.map._plan import SplitDimension, Tiles
from allo_air.passes.map._space import Tensor

TABLE = (Tensor(0, 32, (0, 1), (16, 4096)), Tensor(1, 32, (1,), (4096,)))


@pytest.mark.parametrize(
    ("launch", "cut", "inputs", "served"),
    [
        ((8, 512), None, TABLE, 8),  # the table begins again after each 8 launches
        ((16, 512), None, TABLE, 8),
        ((2, 0), None, TABLE, 8),  # and comes as a whole each time
        ((1, 512), None, TABLE[:1] * 2, 64),  # one walk of 128 launches, of which an iteration counts 64
        ((0, 1, 512), SplitDimension(1, 4096, 1024), TABLE, 8),  # of a dimension in two both parts go on
        ((16, 4096), None, TABLE, 1),
    ],
)
def test_launches_that_a_descriptor_serves(launch: Any, cut: Any, inputs: Any, served: int) -> None:
    found: Any = SimpleNamespace(loops=(0, 1), extents=(16, 4096), inputs=inputs)
    assert launches_served(found, Tiles(launch, launch, (4, 2), 1, cut)) == served
