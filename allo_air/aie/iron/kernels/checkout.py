"""Kernels from a checkout of mlir-aie that the user names, instead of this project's implementations."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from allo_air.aie.building.arrays import ArrayType
from allo_air.aie.building.errors import IronValueError
from allo_air.aie.iron.current import get_current_device

_GIVEN: ContextVar[Path | None] = ContextVar("allo_air_iron_sources", default=None)
_BITS = {"ui8": 8, "i8": 8, "i16": 16, "i32": 32, "bf16": 16, "f32": 32}
_FILES = {
    "passThroughLine": "passThrough.cc", "vector_scalar_mul_vector": "scale.cc", "vector_scalar_mul_scalar": "scale.cc",
    "eltwise_add_bf16_vector": "add.cc", "eltwise_mul_bf16_vector": "mul.cc", "bf16_relu": "relu.cc",
    "softmax_bf16": "softmax.cc", "gelu_bf16": "gelu.cc", "silu_bf16": "silu.cc", "exp_bf16_1024": "bf16_exp.cc",
    "swiglu_bf16": "swiglu.cc", "reduce_add_vector": "reduce_add.cc", "reduce_min_vector": "reduce_min.cc",
    "reduce_max_vector": "reduce_max.cc", "reduce_max_vector_bfloat16": "reduce_max.cc",
    "compute_max": "reduce_max.cc", "matvec_vectorized_i16_i32": "mv.cc",
    "matvec_scalar_i16_i32": "mv.cc", "rgba2hueLine": "rgba2hue.cc", "rgba2grayLine": "rgba2gray.cc",
    "gray2rgbaLine": "gray2rgba.cc", "thresholdLine": "threshold.cc", "bitwiseORLine": "bitwiseOR.cc",
    "bitwiseANDLine": "bitwiseAND.cc", "addWeightedLine": "addWeighted.cc", "filter2dLine": "filter2d.cc",
    "conv2dk14_i8": "conv2dk14.cc",
}  # fmt: skip
_FAMILIES = {
    "matmul_scalar_cascade_": "cascade_mm.cc", "matmul_": "mm.cc", "conv2dk1_skip_init_": "conv2dk1_skip_init.cc",
    "conv2dk1_skip_": "conv2dk1_skip.cc", "conv2dk1_": "conv2dk1.cc", "conv2dk3_": "conv2dk3.cc",
}  # fmt: skip
"""Source files by the symbol's name without the types at its end."""
_ACTIVATIONS = {"i8": "INT8_ACT", "ui8": "UINT8_ACT"}


def use_sources(folder: str | os.PathLike[str] | None) -> None:
    """Makes factories use the sources in a checkout of mlir-aie, if they exist there; None restores this project's own.

    `folder` contains `aie_kernels`. `allo-env --aie-kernels=DIR` does this for a command.
    """
    _GIVEN.set(None if folder is None else checked(folder))


def checked(folder: str | os.PathLike[str]) -> Path:
    """The folder with `aie2`, `aie2p`, `generic` in a checkout."""
    path = Path(folder).resolve()
    for each in (path / "aie_kernels", path / "include/aie_kernels", path):
        if (each / "aie2").is_dir():
            return each
    raise IronValueError(f"'{folder}' has no aie_kernels/aie2; give the folder of a checkout of mlir-aie")


def file_with(symbol: str, macros: Mapping[str, object], arg_types: Sequence[object]) -> tuple[Path, list[str]] | None:
    """The file in the user's checkout that defines `symbol`, and its flags; None without a checkout or such a file."""
    named = os.environ.get("ALLO_AIE_KERNELS")
    folder = _GIVEN.get() or (checked(named) if named else None)
    name = _FILES.get(symbol) or next((file for start, file in _FAMILIES.items() if symbol.startswith(start)), None)
    if folder is None or name is None:
        return None
    if name == "conv2dk1.cc" and macros.get("OF_OUT") == "int8_t":
        name = "conv2dk1_i8.cc"
    generations = {"AIE2": ("aie2",), "AIE2p": ("aie2p",)}[get_current_device().arch]
    for each in (*generations, "generic"):
        if (path := folder / each / name).is_file():
            return path, _flags(symbol, name, macros, arg_types)
    return None


def _flags(symbol: str, file: str, macros: Mapping[str, object], arg_types: Sequence[Any]) -> list[str]:
    first = next(t.element for t in arg_types if isinstance(t, ArrayType))
    shared = [f"-D{n}" if v is None else f"-D{n}={v}" for n, v in macros.items() if n.startswith("DIM_") or n.endswith("_MAJ")]
    if file in ("mm.cc", "cascade_mm.cc"):
        return [*shared, f"-D{'_'.join(symbol.split('_')[-2:])}_ONLY"]
    if file.startswith("conv2d"):
        kind = arg_types[4].element if "skip" in file else first
        return [f"-D{_ACTIVATIONS[kind]}"]
    return [*shared, f"-DBIT_WIDTH={_BITS[first]}"]
