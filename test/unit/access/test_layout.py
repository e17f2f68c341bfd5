"""Layouts of host arrays: windows that overlap, what is outside, and results back in place."""

import numpy as np

from allo_air.access.layout import Layout


def test_windows_overlap_and_begin_outside():
    image = np.arange(1, 7)
    rows = Layout.of([[-1, 2, 1]], outside=9)  # tiles of 4 that begin each 2, one before the first
    assert rows.pack(image, (3, 4)).tolist() == [[9, 1, 2, 3], [2, 3, 4, 5], [4, 5, 6, 9]]


def test_channels_become_innermost():
    image = np.arange(3 * 2).reshape(3, 2)
    blocks = Layout.of([[0, 2, 0, 1], [0, 0, 1, 0]])  # (block, pixel, channel of two)
    packed = blocks.pack(image, (2, 2, 2))
    assert packed.tolist() == [[[0, 2], [1, 3]], [[4, 0], [5, 0]]]
    back = np.zeros_like(image)
    blocks.unpack(packed, back)
    assert (back == image).all()


def test_what_is_outside_has_the_type_of_the_array():
    packed = Layout.of([[-1, 1]], outside=-128).pack(np.zeros(2, np.int8), (4,))
    assert packed.dtype == np.int8 and packed.tolist() == [-128, 0, 0, -128]
