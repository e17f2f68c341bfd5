"""Access patterns: their orders, counts, pictures; groups of tiles at the border."""

import numpy as np

from allo_air.aie.helpers.taplib import TensorAccessPattern, TensorAccessSequence, TensorTiler2D


def test_orders_and_counts():
    tap = TensorAccessPattern((2, 4), 0, [2, 1, 2, 2], [0, 0, 4, 1])
    np.testing.assert_array_equal(tap.access_count(), [[2, 2, 0, 0], [2, 2, 0, 0]])
    np.testing.assert_array_equal(tap.access_order(), [[4, 5, -1, -1], [6, 7, -1, -1]])
    assert tap.compare_access_orders(TensorAccessPattern((2, 4), 0, [2, 2, 2], [0, 4, 1]))
    assert not tap.compare_access_orders(TensorAccessPattern((2, 4), 0, [2, 2], [4, 1]))


def test_functions_get_what_the_step_before_had():
    taps = TensorAccessSequence((4, 4), 3, 0, [1, 1], [0, 1], offset_fn=lambda s, p: p + s, sizes_fn=lambda s, p: [1, s + 1])
    assert [(t.offset, t.sizes) for t in taps] == [(0, [1, 1]), (1, [1, 2]), (3, [1, 3])]
    assert taps.access_count().sum() == 6


def test_groups_at_the_border():
    taps = TensorTiler2D.step_tiler((6, 10), (2, 2), (2, 2), (1, 2), allow_partial=True)
    np.testing.assert_array_equal(TensorAccessSequence.from_taps(taps).access_count(), np.ones((6, 10)))
    assert {tuple(t.sizes[:2]) for t in taps} == {(2, 2), (2, 1), (1, 2), (1, 1)}


def test_a_picture(tmp_path):
    TensorTiler2D.simple_tiler((4, 8), (2, 4)).visualize(file_path=tmp_path / "all.png", plot_access_count=True)
    TensorAccessPattern((4, 4), 0, [4], [1]).visualize(file_path=tmp_path / "one.png", show_plot=False)
    assert all((tmp_path / f"{n}.png").read_bytes().startswith(b"\x89PNG") for n in ("all", "one"))
