"""Convolutions of inverted bottlenecks, as MobileNet has them: 1x1, 3x3, depthwise, sums by the cascade, mean, last layer.

Names, types and the order of arguments are our own, since mlir-aie's were not available.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from allo_air.aie.building.errors import IronValueError
from allo_air.aie.iron.kernel import ExternalFunction
from allo_air.aie.iron.kernels.conv import checked
from allo_air.aie.iron.kernels.library import array, c_type, element, kernel

_SOURCE = "bottleneck.cc"


def _macros(kind: str, of_in: str, of_out: str, **more: object) -> dict[str, Any]:
    return {kind: None, "OF_IN": c_type(of_in), "OF_OUT": c_type(of_out), **more}


def _k1(who: str, width: int, ci: int, co: int, of_in: str, of_out: str) -> ExternalFunction:
    checked(who, input_channels=ci, output_channels=co)
    types = [array(of_in, width, 1, ci), array("i8", ci * co), array(of_out, width, 1, co)]
    return kernel(who, _SOURCE, _macros("K1", of_in, of_out), [*types, *[np.int32] * 4])


def bn_conv2dk1_relu(
    input_width: int = 32, input_channels: int = 64, output_channels: int = 64, act_dtype: object = np.int8
) -> ExternalFunction:
    """(in, weights, out, width, ci, co, scale): 1x1, int8 or uint8 to uint8."""
    kind = element(act_dtype, ("i8", "ui8"), "bn_conv2dk1_relu")
    return _k1("bn_conv2dk1_relu", input_width, input_channels, output_channels, kind, "ui8")


def bn_conv2dk1_i8(input_width: int = 32, input_channels: int = 64, output_channels: int = 64) -> ExternalFunction:
    """(in, weights, out, width, ci, co, scale): 1x1, uint8 to int8."""
    return _k1("bn_conv2dk1_i8", input_width, input_channels, output_channels, "ui8", "i8")


def bn_conv2dk1_skip(
    input_width: int = 32, input_channels: int = 64, output_channels: int = 64, skip_dtype: object = np.int8
) -> ExternalFunction:
    """(in, weights, out, skip, width, ci, co, scale, skip_scale): 1x1 of uint8, and a sum, to int8."""
    checked("bn_conv2dk1_skip", input_channels=input_channels, output_channels=output_channels)
    skip = element(skip_dtype, ("i8", "ui8"), "bn_conv2dk1_skip")
    types = [array("ui8", input_width, 1, input_channels), array("i8", input_channels * output_channels)]
    types += [array(kind, input_width, 1, output_channels) for kind in ("i8", skip)]
    return kernel("bn_conv2dk1_skip", _SOURCE, _macros("K1_SKIP", "ui8", "i8", OF_SKIP=c_type(skip)), [*types, *[np.int32] * 5])


def _k3(who: str, macro: str, width: int, ci: int, co: int, kind: str, stride: int, weights: int) -> ExternalFunction:
    if stride < 1:
        raise IronValueError(f"kernels.{who}: stride is {stride}, expected 1 or more")
    macros = _macros(macro, kind, "ui8", STRIDE=stride)
    types = [*[array(kind, width, 1, ci)] * 3, array("i8", weights), array("ui8", -(-width // stride), 1, co)]
    return kernel(who, _SOURCE, macros, [*types, *[np.int32] * 8])


def bn_conv2dk3(
    input_width: int = 32, input_channels: int = 8, output_channels: int = 16, act_dtype: object = np.int8, stride: int = 2
) -> ExternalFunction:
    """(above, line, below, weights, out, width, ci, co, kw, kh, check, scale, offset): 3x3 to uint8, each `stride`-th pixel."""
    checked("bn_conv2dk3", input_channels=input_channels, output_channels=output_channels)
    kind = element(act_dtype, ("i8", "ui8"), "bn_conv2dk3")
    weights = 9 * input_channels * output_channels
    return _k3("bn_conv2dk3", "K3", input_width, input_channels, output_channels, kind, stride, weights)


def bn_conv2dk3_dw(
    input_width: int = 32, input_channels: int = 64, output_channels: int | None = None, stride: int = 1
) -> ExternalFunction:
    """(above, line, below, weights, out, width, ci, co, kw, kh, check, scale, offset): depthwise 3x3 of uint8."""
    co = output_channels or input_channels
    checked("bn_conv2dk3_dw", input_channels=input_channels, output_channels=co)
    if co > input_channels:
        raise IronValueError(
            f"kernels.bn_conv2dk3_dw: output_channels is {co}, more than input_channels, {input_channels}; a depthwise"
            " convolution makes each channel of one of the input"
        )
    return _k3("bn_conv2dk3_dw", "DW", input_width, input_channels, co, "ui8", stride, 9 * input_channels)


def bn_conv2dk3_dw_stride1(
    input_width: int = 32, input_channels: int = 64, output_channels: int | None = None
) -> ExternalFunction:
    """`bn_conv2dk3_dw` with stride 1."""
    return bn_conv2dk3_dw(input_width, input_channels, output_channels, 1)


def bn_conv2dk3_dw_stride2(
    input_width: int = 32, input_channels: int = 64, output_channels: int | None = None
) -> ExternalFunction:
    """`bn_conv2dk3_dw` with stride 2."""
    return bn_conv2dk3_dw(input_width, input_channels, output_channels, 2)


def _sending_kernel(who: str, width: int, ci: int, co: int, kind: str) -> ExternalFunction:
    checked(who, input_channels=ci, output_channels=co)
    macros = _macros("K1", kind, "ui8", PUT=None)
    return kernel(who, _SOURCE, macros, [array(kind, width, 1, ci), array("i8", ci * co), *[np.int32] * 3])


def _get(who: str, width: int, ci: int, co: int, of_in: str, of_out: str) -> ExternalFunction:
    checked(who, input_channels=ci, output_channels=co)
    types = [array(of_in, width, 1, ci), array("i8", ci * co), array(of_out, width, 1, co)]
    return kernel(who, _SOURCE, _macros("K1", of_in, of_out, GET=None), [*types, *[np.int32] * 4])


def bn_conv2dk1_relu_put(
    input_width: int = 32, input_channels: int = 64, output_channels: int = 64, act_dtype: object = np.int8
) -> ExternalFunction:
    """(in, weights, width, ci, co): sums over a part of the channels, sent to the neighbour by the cascade."""
    kind = element(act_dtype, ("i8", "ui8"), "bn_conv2dk1_relu_put")
    return _sending_kernel("bn_conv2dk1_relu_put", input_width, input_channels, output_channels, kind)


def bn_conv2dk1_relu_get(
    input_width: int = 32, input_channels: int = 64, output_channels: int = 64, act_dtype: object = np.int8
) -> ExternalFunction:
    """(in, weights, out, width, ci, co, scale): the other part, added to the received sums; to uint8."""
    kind = element(act_dtype, ("i8", "ui8"), "bn_conv2dk1_relu_get")
    return _get("bn_conv2dk1_relu_get", input_width, input_channels, output_channels, kind, "ui8")


def bn_conv2dk1_i8_put(input_width: int = 32, input_channels: int = 64, output_channels: int = 64) -> ExternalFunction:
    """Like `bn_conv2dk1_relu_put`, for uint8."""
    return _sending_kernel("bn_conv2dk1_i8_put", input_width, input_channels, output_channels, "ui8")


def bn_conv2dk1_i8_get(input_width: int = 32, input_channels: int = 64, output_channels: int = 64) -> ExternalFunction:
    """Like `bn_conv2dk1_relu_get`, for uint8 to int8."""
    return _get("bn_conv2dk1_i8_get", input_width, input_channels, output_channels, "ui8", "i8")


def bn_avgpool(input_width: int = 7, channels: int = 64, act_dtype: object = np.uint8) -> ExternalFunction:
    """(in, sums, out, width, height, channels, row): adds a line to `sums`; after the last row `out` are the means."""
    checked("bn_avgpool", channels=channels)
    kind = element(act_dtype, ("i8", "ui8"), "bn_avgpool")
    types = [array(kind, input_width, 1, channels), array("i32", channels), array(kind, channels)]
    return kernel("bn_avgpool", _SOURCE, _macros("POOL", kind, kind), [*types, *[np.int32] * 4])


def bn_fc(
    input_channels: int = 64, output_channels: int = 64, act_dtype: object = np.uint8, output_dtype: object = np.int8
) -> ExternalFunction:
    """(in, weights, out, ci, co, scale): a fully connected layer."""
    checked("bn_fc", input_channels=input_channels, output_channels=output_channels)
    kinds = [element(k, ("i8", "ui8"), "bn_fc") for k in (act_dtype, output_dtype)]
    types = [array(kinds[0], input_channels), array("i8", input_channels * output_channels), array(kinds[1], output_channels)]
    return kernel("bn_fc", _SOURCE, _macros("FC", *kinds), [*types, *[np.int32] * 3])
