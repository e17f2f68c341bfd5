"""Modules of MLIR on the CPU, under the name that Allo's programs import."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.frontend.cpu import CpuModule, build
from allo_air.frontend.lowered import function_in


def LLVMModule(module: object, top_func_name: str, ext_libs: Sequence[object] = ()) -> CpuModule:
    """Function `top_func_name` of an MLIR module, or its text, as a callable on numpy arrays."""
    del ext_libs
    text = str(module)
    return build(text, function_in(text, top_func_name))
