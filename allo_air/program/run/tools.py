"""Finds AMD's tools, if they are installed: aiecc, Peano, pyxrt."""

from __future__ import annotations

import importlib.util
import os
import shutil
from dataclasses import dataclass

from allo_air.program.run.aiecc import state_of


@dataclass(frozen=True)
class Tools:
    """The paths of the tools, None for missing ones."""

    aiecc: str | None
    peano: str | None
    pyxrt: bool

    @property
    def state(self) -> str | None:
        """The version of aiecc, which determines its flags and its assembly; None if it is missing."""
        return None if self.aiecc is None else state_of(self.aiecc)

    @property
    def missing(self) -> list[str]:
        """A sentence for each missing tool, with how to install it."""
        results = []
        if self.aiecc is None:
            results.append("aiecc (mlir-aie): pip install mlir_aie from the wheels of github.com/Xilinx/mlir-aie/releases")
        if self.peano is None:
            results.append(
                "Peano (llvm-aie), the cores' compiler: pip install llvm-aie from the wheels of"
                " github.com/Xilinx/llvm-aie/releases, or set PEANO_INSTALL_DIR to where it is"
            )
        if not self.pyxrt:
            results.append("pyxrt: install XRT and the NPU driver (github.com/amd/xdna-driver) and source its setup.sh")
        return results


def find_tools(peano: str | None = None) -> Tools:
    """Looks for aiecc on the path, for Peano in its wheel or PEANO_INSTALL_DIR, and for pyxrt."""
    spec = importlib.util.find_spec("llvm-aie")
    wheel = next(iter(spec.submodule_search_locations or ()), None) if spec is not None else None
    return Tools(
        shutil.which("aiecc") or shutil.which("aiecc.py"),
        peano or os.environ.get("PEANO_INSTALL_DIR") or wheel,
        importlib.util.find_spec("pyxrt") is not None,
    )
