"""Compiles designs to programs for the simulator: places tiles, lowers objectFifos, and assigns addresses."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from allo_air.aie.building.errors import IronTypeError


@dataclass(frozen=True)
class Compiled:
    """A program, its placed design, and the options of `allo_air.compile` that created it."""

    program: Any
    text: str
    options: Mapping[str, Any]

    def write(self, paths: Mapping[str, str | None]) -> None:
        """Writes the files that have a path: `xclbin`, `elf`, `full_elf` (which our replacement of XRT runs), `insts`,
        `pdi`."""
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


def compiled(
    module: Any,
    kernels: Mapping[str, object] | None = None,
    numbers: Mapping[int, int] | None = None,
    folder: Path | None = None,
) -> Compiled:
    """The program of `module`. `kernels` implement external functions; sources of others are searched in `folder` and next to
    the program.

    `numbers` are the values of the sequence's scalar arguments, which become constants of the instructions.
    """
    import allo_air
    from allo_air import asm
    from allo_air.air.backend.sources import kernels_near_program
    from allo_air.air.compiler.devices import prepared
    from allo_air.air.compiler.events import with_events

    text = asm.write(module.operation, debug_info=True)
    results = {**kernels_near_program(str(module), folder=folder), **(kernels or {})}
    text = prepared(with_events(_with_numbers(text, numbers) if numbers else text, results))
    options: dict[str, Any] = {"pipeline": "aie-prepare", "kernels": results or None}
    return Compiled(allo_air.compile(text, **options), text, options)


def _with_numbers(text: str, numbers: Mapping[int, int]) -> str:
    """The design of `text` with these arguments of its sequence replaced by constants."""
    from allo_air import asm
    from allo_air.aie.ir import Context, Module
    from allo_air.core.walking import walk_named
    from allo_air.mlir import arith, ir

    module = Module.parse(text, Context())
    with module.context, ir.Location.unknown():
        for sequence in walk_named(module.operation, "aie.runtime_sequence"):
            block = sequence.regions[0].blocks[0]
            for place, number in sorted(numbers.items(), reverse=True):
                argument = block.arguments[place]
                if str(argument.type).startswith("memref"):
                    raise IronTypeError(f"argument {place} of the sequence is {argument.type}, and {number} was given for it")
                with ir.InsertionPoint.at_block_begin(block):
                    argument.replace_all_uses_with(arith.ConstantOp(argument.type, number).result)
                block.erase_argument(place)
        return asm.write(module.operation, debug_info=True)
