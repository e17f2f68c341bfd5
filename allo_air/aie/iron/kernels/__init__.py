"""`aie.iron.kernels`: factories of external functions, with bodies of this project's own in C++."""

from allo_air.aie.iron.kernels.elementwise import add, bf16_exp, gelu, mul, passthrough, relu, scale, silu, softmax, swiglu
from allo_air.aie.iron.kernels.matmul import mm, mv
from allo_air.aie.iron.kernels.reduce import compute_max, reduce_add, reduce_max, reduce_min
from allo_air.aie.iron.kernels.references import bf16_exp_ref, gelu_ref, relu_ref, silu_ref, softmax_ref

__all__ = [
    "add", "bf16_exp", "bf16_exp_ref", "compute_max", "gelu", "gelu_ref", "mm", "mul", "mv", "passthrough", "reduce_add",
    "reduce_max", "reduce_min", "relu", "relu_ref", "scale", "silu", "silu_ref", "softmax", "softmax_ref", "swiglu",
]  # fmt: skip
