"""Functions that write a design's files, under the names that programs import."""

from allo_air.aie.utils.compile import utils
from allo_air.aie.utils.compile.utils import compile_cxx_core_function, compile_external_kernel, compile_mlir_module

__all__ = ["compile_cxx_core_function", "compile_external_kernel", "compile_mlir_module", "utils"]
