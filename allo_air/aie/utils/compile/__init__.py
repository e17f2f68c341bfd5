"""Writers of a design's files, by the names that programs import."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.utils.compile import utils
from allo_air.aie.utils.compile.utils import compile_cxx_core_function

__all__ = ["compile_cxx_core_function", "compile_external_kernel", "compile_mlir_module", "utils"]


def compile_mlir_module(
    mlir_module: object,
    insts_path: object = None,
    pdi_path: object = None,
    xclbin_path: object = None,
    work_dir: object = None,
    options: Sequence[str] | None = None,
    **keywords: object,
) -> None:
    """Writes the files of a module.

    `options` are those of an NPU's tools, and `work_dir` is their folder for what is between: they do nothing here. Object
    files of kernels are looked for in the current folder and beside the program.
    """
    refuse(keywords, "compile_mlir_module", ignored=("verbose", "use_chess"))
    from allo_air.aie.ir import Context, Module
    from allo_air.aie.iron.compiling import compiled

    module = Module.parse(mlir_module, Context()) if isinstance(mlir_module, str) else mlir_module
    paths = {"insts": insts_path, "pdi": pdi_path, "xclbin": xclbin_path}
    compiled(module).write({n: None if p is None else str(p) for n, p in paths.items()})


def compile_external_kernel(func: Any, kernel_dir: Any, target_arch: str = "aie2", **keywords: object) -> None:
    """Writes the object file of an ExternalFunction into a folder."""
    refuse(keywords, "compile_external_kernel", ignored=("verbose",))
    source = func.simulated().path
    target = Path(kernel_dir) / func.object_file_name
    compile_cxx_core_function(source, target_arch, target, func.include_dirs, func.compile_flags)
