"""Designs as programs for the simulator: tiles are placed, queues become buffers, and everything gets its address."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any


@dataclass(frozen=True)
class Compiled:
    """A program, the placed design that it is made of, and the options of `allo_air.compile` that make it."""

    program: Any
    text: str
    options: Mapping[str, Any]

    def write(self, paths: Mapping[str, str | None]) -> None:
        """Writes what is asked for: `xclbin`, `elf`, `full_elf` (which the stand-in of XRT runs), `insts`, `pdi`."""
        from allo_air.compat import package

        for name in ("xclbin", "elf", "full_elf"):
            if path := paths.get(name):
                package.write(path, self.text, self.options, "MLIR_AIE", self.program)
        if path := paths.get("insts"):
            Path(path).write_bytes(b"".join(int(w).to_bytes(4, "little") for w in self.program.lowered.words))
        if path := paths.get("pdi"):
            with TemporaryDirectory() as folder:
                self.program.package(folder, format="pdi")
                shutil.copy(next(Path(folder).glob("*.pdi")), path)


def compiled(module: Any, kernels: Mapping[str, object] | None = None) -> Compiled:
    """The program of `module`; `kernels` stand for external functions, others are looked for beside the program."""
    import allo_air
    from allo_air import asm
    from allo_air.air.backend.sources import kernels_beside
    from allo_air.air.compiler.devices import prepared

    text = prepared(asm.write(module.operation, debug_info=True))
    found = {**kernels_beside(str(module)), **(kernels or {})}
    options: dict[str, Any] = {"pipeline": "aie-prepare", "kernels": found or None}
    return Compiled(allo_air.compile(text, **options), text, options)
