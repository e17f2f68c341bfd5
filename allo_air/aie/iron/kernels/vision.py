"""Lines of images."""

from __future__ import annotations

import numpy as np

from allo_air.aie.iron.kernel import ExternalFunction
from allo_air.aie.iron.kernels.library import array, kernel


def _line(symbol: str, macro: str, sizes: list[int], *more: object) -> ExternalFunction:
    return kernel(symbol, "vision.cc", {macro: None}, [*(array("ui8", n) for n in sizes), np.int32, *more])


def rgba2hue(line_width: int = 1920) -> ExternalFunction:
    """(in, out, width): the hue, from 0 to 255."""
    return _line("rgba2hueLine", "RGBA2HUE", [4 * line_width, line_width])


def rgba2gray(line_width: int = 1920) -> ExternalFunction:
    """(in, out, width): four channels to gray."""
    return _line("rgba2grayLine", "RGBA2GRAY", [4 * line_width, line_width])


def gray2rgba(line_width: int = 1920) -> ExternalFunction:
    """(in, out, width): gray to four channels."""
    return _line("gray2rgbaLine", "GRAY2RGBA", [line_width, 4 * line_width])


def threshold(line_width: int = 1920, dtype: object = np.uint8) -> ExternalFunction:
    """(in, out, width, limit, high, kind): a threshold, with OpenCV's kinds (0 is binary)."""
    return _line("thresholdLine", "THRESHOLD", [line_width] * 2, np.int16, np.int16, np.uint8)


def bitwise_or(line_width: int = 1920, dtype: object = np.uint8) -> ExternalFunction:
    """(a, b, out, width): a | b."""
    return _line("bitwiseORLine", "BITWISE_OR", [line_width] * 3)


def bitwise_and(line_width: int = 1920, dtype: object = np.uint8) -> ExternalFunction:
    """(a, b, out, width): a & b."""
    return _line("bitwiseANDLine", "BITWISE_AND", [line_width] * 3)


def add_weighted(line_width: int = 1920, dtype: object = np.uint8) -> ExternalFunction:
    """(a, b, out, width, alpha, beta, gamma): (a alpha + b beta) / 2^14 + gamma."""
    return _line("addWeightedLine", "ADD_WEIGHTED", [line_width] * 3, np.int16, np.int16, np.uint8)


def filter2d(line_width: int = 1920) -> ExternalFunction:
    """(above, line, below, out, width, weights[3, 3]): a 3x3 filter; weights are in units of 2^-12."""
    return _line("filter2dLine", "FILTER2D", [line_width] * 4, array("i16", 3, 3))
