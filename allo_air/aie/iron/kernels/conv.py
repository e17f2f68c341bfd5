"""Convolutions of lines of images, whose channels are in groups of eight."""

from __future__ import annotations

import numpy as np

from allo_air.aie.building.errors import IronValueError
from allo_air.aie.iron.kernel import ExternalFunction
from allo_air.aie.iron.kernels.library import array, c_type, element, kernel


def checked(who: str, **channels: int) -> None:
    """Raises an error for a number of channels that is not a multiple of 8."""
    for name, number in channels.items():
        if number % 8:
            raise IronValueError(f"kernels.{who}: {name} is {number}, not a multiple of 8")


def conv2dk1(
    input_width: int = 32, input_channels: int = 64, output_channels: int = 64, act_dtype: object = np.int8
) -> ExternalFunction:
    """(in, weights, out, width, ci, co, scale): 1x1, int8 or uint8 to uint8."""
    return _k1("conv2dk1", input_width, input_channels, output_channels, element(act_dtype, ("i8", "ui8"), "conv2dk1"), "ui8")


def conv2dk1_i8(input_width: int = 32, input_channels: int = 64, output_channels: int = 64) -> ExternalFunction:
    """(in, weights, out, width, ci, co, scale): 1x1, int8 to int8."""
    return _k1("conv2dk1", input_width, input_channels, output_channels, "i8", "i8")


def _k1(who: str, width: int, ci: int, co: int, of_in: str, of_out: str) -> ExternalFunction:
    checked(who, input_channels=ci, output_channels=co)
    macros = {"K1": None, "OF_IN": c_type(of_in), "OF_OUT": c_type(of_out)}
    types = [array(of_in, width, 1, ci), array("i8", ci * co), array(of_out, width, 1, co)]
    return kernel(f"{who}_{of_in}", "conv.cc", macros, [*types, *[np.int32] * 4])


def conv2dk3(
    input_width: int = 32, input_channels: int = 64, output_channels: int = 64, act_dtype: object = np.uint8,
    weight_channels: int | None = None,
) -> ExternalFunction:  # fmt: skip
    """(above, line, below, weights, out, width, ci, co, kw, kh, check, scale, offset): 3x3 to uint8, with zero padding.

    `check` is 0 in the first line, 2 in the last, else 1; `offset` is the first output channel of `weight_channels`.
    """
    checked("conv2dk3", input_channels=input_channels, output_channels=output_channels)
    kind = element(act_dtype, ("i8", "ui8"), "conv2dk3")
    macros = {"K3": None, "OF_IN": c_type(kind), "OF_OUT": "uint8_t"}
    weights = 9 * input_channels * (weight_channels or output_channels)
    types = [*[array(kind, input_width, 1, input_channels)] * 3, array("i8", weights)]
    types.append(array("ui8", input_width, 1, output_channels))
    return kernel(f"conv2dk3_{kind}", "conv.cc", macros, [*types, *[np.int32] * 8])


def conv2dk1_skip(
    input_width: int = 32, input_channels: int = 64, output_channels: int = 256, skip_dtype: object = np.int8
) -> ExternalFunction:
    """(first, second, weights, out, skip, width, ci, co, scale, skip_scale): 1x1 of two halves of channels, and a sum."""
    checked("conv2dk1_skip", input_channels=input_channels // 2, output_channels=output_channels)
    kind = element(skip_dtype, ("i8", "ui8"), "conv2dk1_skip")
    macros = {"K1_SKIP": None, "OF_IN": "uint8_t", "OF_OUT": "uint8_t", "OF_SKIP": c_type(kind)}
    types = [*[array("ui8", input_width, 1, input_channels // 2)] * 2, array("i8", input_channels * output_channels)]
    types += [array("ui8", input_width, 1, output_channels), array(kind, input_width, 1, output_channels)]
    return kernel(f"conv2dk1_skip_{kind}", "conv.cc", macros, [*types, *[np.int32] * 5])


def conv2dk1_skip_init(
    input_width: int = 32, input_channels: int = 64, output_channels: int = 256, skip_input_channels: int = 64,
    skip_dtype: object = np.int8,
) -> ExternalFunction:  # fmt: skip
    """(first, second, weights, out, skip, width, ci, co, cs, scale, skip_scale, conv_scale): `skip` goes through a 1x1, too.

    The weights of both convolutions come one after another.
    """
    checked(
        "conv2dk1_skip_init", input_channels=input_channels // 2, output_channels=output_channels,
        skip_input_channels=skip_input_channels,
    )  # fmt: skip
    kind = element(skip_dtype, ("i8", "ui8"), "conv2dk1_skip_init")
    macros = {"K1_SKIP_INIT": None, "OF_IN": "uint8_t", "OF_OUT": "uint8_t", "OF_SKIP": c_type(kind)}
    weights = array("i8", (input_channels + skip_input_channels) * output_channels)
    types = [*[array("ui8", input_width, 1, input_channels // 2)] * 2, weights]
    types += [array("ui8", input_width, 1, output_channels), array(kind, input_width, 1, skip_input_channels)]
    return kernel(f"conv2dk1_skip_init_{kind}", "conv.cc", macros, [*types, *[np.int32] * 7])


def conv2dk14(
    input_width: int = 224,
    input_channels: int = 4,
    output_channels: int = 16,
    kernel_width: int = 14,
    act_dtype: object = np.uint8,
) -> ExternalFunction:
    """(in, weights, out, width, ci, co, kernel_width, scale): patches of 14 x 14 pixels, without overlap, to int8.

    `in` are 14 lines, [y][x][ci]; weights are [co / 8][y][x][ci][8], the output [co / 8][patch][8].
    """
    checked("conv2dk14", output_channels=output_channels)
    if kernel_width < 1:
        raise IronValueError(f"kernels.conv2dk14: kernel_width is {kernel_width}, expected 1 or more")
    if input_width % kernel_width:
        raise IronValueError(f"kernels.conv2dk14: input_width is {input_width}, not a multiple of kernel_width, {kernel_width}")
    kind = element(act_dtype, ("i8", "ui8"), "conv2dk14")
    pixels = kernel_width * kernel_width * input_channels
    types = [array(kind, kernel_width * input_width * input_channels), array("i8", pixels * output_channels)]
    types.append(array("i8", input_width // kernel_width * output_channels))
    macros = {"K14": None, "OF_IN": c_type(kind), "OF_OUT": "int8_t"}
    return kernel("conv2dk14_i8", "conv.cc", macros, [*types, *[np.int32] * 5])
