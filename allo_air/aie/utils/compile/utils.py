"""Writes the files of designs, and compiles C++ kernels to object files by Peano's compiler or its replacement."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.errors import IronRuntimeError
from allo_air.aie.utils.config import peano_cxx_path

if TYPE_CHECKING:
    import os

__all__ = ["compile_cxx_core_function", "compile_external_kernel", "compile_mlir_module"]


def compile_cxx_core_function(
    source_path: str, target_arch: str, output_path: Path, include_dirs: Sequence[Any] | None = None,
    compile_args: Sequence[str] | None = None, cwd: str | os.PathLike[str] | None = None, **keywords: object,
) -> None:  # fmt: skip
    """Compiles a C++ file; under `allo-env` the object file records the source, which the simulator compiles."""
    refuse(keywords, "compile_cxx_core_function", ignored=("verbose",))
    if not Path(peano_cxx_path()).is_file():
        raise IronRuntimeError("compile_cxx_core_function: there is no compiler; run the program under allo-env")
    folders = [f"-I{folder}" for folder in include_dirs or ()]
    target = f"--target={target_arch}-none-unknown-elf"
    command = [peano_cxx_path(), *folders, *(compile_args or ()), "-O2", target, "-c", str(source_path), "-o", str(output_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    if done.returncode:
        raise IronRuntimeError(f"compile_cxx_core_function: {source_path} does not compile: {done.stderr.strip()}")


def compile_mlir_module(
    mlir_module: object,
    insts_path: object = None,
    pdi_path: object = None,
    xclbin_path: object = None,
    work_dir: object = None,
    options: Sequence[str] | None = None,
    **keywords: object,
) -> None:
    """Writes the files of a module. Object files of kernels are searched in `work_dir`, in the current folder and next to the
    program. `options` are those of an NPU's tools and have no effect.
    """
    refuse(keywords, "compile_mlir_module", ignored=("verbose", "use_chess"))
    from allo_air.aie.ir import Context, Module
    from allo_air.aie.iron.compiling import compiled

    module = Module.parse(mlir_module, Context()) if isinstance(mlir_module, str) else mlir_module
    paths = {"insts": insts_path, "pdi": pdi_path, "xclbin": xclbin_path}
    folder = None if work_dir is None else Path(str(work_dir))
    compiled(module, folder=folder).write({n: None if p is None else str(p) for n, p in paths.items()})


def compile_external_kernel(func: Any, kernel_dir: Any, target_arch: str = "aie2", **keywords: object) -> None:
    """Writes the object file of an ExternalFunction into a folder."""
    refuse(keywords, "compile_external_kernel", ignored=("verbose",))
    source = func.simulated().path
    target = Path(kernel_dir) / func.object_file_name
    compile_cxx_core_function(source, target_arch, target, func.include_dirs, func.compile_flags)
