"""Kernels in C++ as object files, by Peano's compiler or what stands for it."""

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

__all__ = ["compile_cxx_core_function"]


def compile_cxx_core_function(
    source_path: str, target_arch: str, output_path: Path, include_dirs: Sequence[Any] | None = None,
    compile_args: Sequence[str] | None = None, cwd: str | os.PathLike[str] | None = None, **keywords: object,
) -> None:  # fmt: skip
    """Compiles a file of C++; under `allo-env` the object file names the source, which the simulator compiles."""
    refuse(keywords, "compile_cxx_core_function", ignored=("verbose",))
    if not Path(peano_cxx_path()).is_file():
        raise IronRuntimeError("compile_cxx_core_function: there is no compiler; run the program under allo-env")
    folders = [f"-I{folder}" for folder in include_dirs or ()]
    target = f"--target={target_arch}-none-unknown-elf"
    command = [peano_cxx_path(), *folders, *(compile_args or ()), "-O2", target, "-c", str(source_path), "-o", str(output_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    if done.returncode:
        raise IronRuntimeError(f"compile_cxx_core_function: {source_path} does not compile: {done.stderr.strip()}")
