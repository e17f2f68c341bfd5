"""`aie.iron.kernels`: factories of external functions, implemented in C++ by this project."""

from typing import Any

from allo_air.aie.building.errors import IronMissing
from allo_air.aie.iron.kernels.bottleneck import (
    bn_avgpool,
    bn_conv2dk1_i8,
    bn_conv2dk1_i8_get,
    bn_conv2dk1_i8_put,
    bn_conv2dk1_relu,
    bn_conv2dk1_relu_get,
    bn_conv2dk1_relu_put,
    bn_conv2dk1_skip,
    bn_conv2dk3,
    bn_conv2dk3_dw,
    bn_conv2dk3_dw_stride1,
    bn_conv2dk3_dw_stride2,
    bn_fc,
)
from allo_air.aie.iron.kernels.checkout import use_sources
from allo_air.aie.iron.kernels.conv import conv2dk1, conv2dk1_i8, conv2dk1_skip, conv2dk1_skip_init, conv2dk3, conv2dk14
from allo_air.aie.iron.kernels.elementwise import add, bf16_exp, gelu, mul, passthrough, relu, scale, silu, softmax, swiglu
from allo_air.aie.iron.kernels.matmul import cascade_mm, mm, mv
from allo_air.aie.iron.kernels.reduce import compute_max, reduce_add, reduce_max, reduce_min
from allo_air.aie.iron.kernels.references import bf16_exp_ref, gelu_ref, relu_ref, silu_ref, softmax_ref
from allo_air.aie.iron.kernels.vision import (
    add_weighted,
    bitwise_and,
    bitwise_or,
    filter2d,
    gray2rgba,
    rgba2gray,
    rgba2hue,
    threshold,
)

__all__ = [
    "add", "add_weighted", "bf16_exp", "bf16_exp_ref", "bitwise_and", "bitwise_or", "cascade_mm", "compute_max",
    "conv2dk1", "conv2dk14", "conv2dk1_i8", "conv2dk1_skip", "conv2dk1_skip_init", "conv2dk3", "filter2d", "gelu", "gelu_ref",
    "bn_avgpool", "bn_conv2dk1_i8", "bn_conv2dk1_i8_get", "bn_conv2dk1_i8_put", "bn_conv2dk1_relu", "bn_conv2dk1_relu_get",
    "bn_conv2dk1_relu_put", "bn_conv2dk1_skip", "bn_conv2dk3",
    "bn_conv2dk3_dw", "bn_conv2dk3_dw_stride1", "bn_conv2dk3_dw_stride2", "bn_fc",
    "gray2rgba", "mm", "mul", "mv", "passthrough", "reduce_add", "reduce_max", "reduce_min", "relu", "relu_ref",
    "rgba2gray", "rgba2hue", "scale", "silu", "silu_ref", "softmax", "softmax_ref", "swiglu", "threshold", "use_sources",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Raises an error that lists the bottleneck kernels, since their names in mlir-aie are not known."""
    if name.startswith("bn_"):
        available = ", ".join(n for n in __all__ if n.startswith("bn_"))
        raise IronMissing(
            f"aie.iron.kernels.{name} does not exist; there are {available}; or give your own source to ExternalFunction"
        )
    raise AttributeError(f"module 'aie.iron.kernels' has no attribute '{name}'")
