"""Launches whose blocks the host starts in loops, one configuration after the other."""

from pathlib import Path

import numpy as np
import pytest

import allo_air

TEXT = (Path(__file__).parents[1] / "data/two_launches.mlir").read_text()


@pytest.mark.parametrize(("device", "waves"), [("npu1", (2,)), ("npu2", (4, 4)), ("npu1", None)])
def test_the_second_launch_has_all_descriptors_again(device: str, waves: tuple[int, ...] | None) -> None:
    options = {} if waves is None else {"runtime_loop_tiling_sizes": waves}
    program = allo_air.compile(TEXT, pipeline="air-npu", device=device, cache=False, **options)
    a = np.random.default_rng(0).integers(-100, 100, (1024, 64)).astype(np.int32)
    c, o = np.zeros_like(a), np.zeros_like(a)
    program(a, c, o)
    assert np.array_equal(c, a + 1) and np.array_equal(o, (a + 1) ** 2)
