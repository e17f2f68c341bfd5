"""Compiles cores with Peano: LLVM IR to an object file, and to an ELF with our linker script (docs/packaging.md)."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate
from allo_air.dialects.declarations import declarations, device_of, place_of
from allo_air.errors import OptionError
from allo_air.program.run.tools import find_tools
from allo_air.target.formats.linking import bcf, link_files, linker_script, peano_commands

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_TOOLS = ("opt", "llc", "clang", "ld.lld")
_SHOWN = 20
"""Number of lines of a tool's output in an error."""

Runner = Callable[[Sequence[str], Path], "subprocess.CompletedProcess[str]"]

_NEWER = (
    (re.compile(r"(getelementptr(?: inbounds)?(?: nusw)?) nuw\b"), r"\1"),
    (re.compile(r"\bnocreateundeforpoison ?"), ""),
    (re.compile(r", align \d+\b"), ""),
)
"""Attributes that MLIR prints and Peano's LLVM cannot read, or would read as promises that buffers do not keep."""


def lacking(peano: Path) -> list[str]:
    """The tools that are missing in a folder of Peano."""
    return [tool for tool in _TOOLS if not (peano / "bin" / tool).exists()]


def find_peano(value: str | None = None) -> Path | None:
    """The folder of Peano: `value`, or PEANO_INSTALL_DIR, its wheel, or the path. `value` must be such a folder."""
    if value is not None:
        if absent := lacking(Path(value)):
            raise OptionError(f"peano is '{value}', which has no {', no '.join(f'bin/{tool}' for tool in absent)}")
        return Path(value)
    paths = [Path(p) for p in (find_tools().peano,) if p]
    if (llc := shutil.which("llc")) and _targets_cores(llc):
        paths.append(Path(llc).resolve().parent.parent)
    return next((folder for folder in paths if not lacking(folder)), None)


def _targets_cores(llc: str) -> bool:
    """Whether an llc on the path is Peano's; other builds do not know the cores."""
    try:
        done = subprocess.run([llc, "--version"], capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return "aie2" in done.stdout


def compile_cores(
    device_op: AnyOp,
    folder: Path,
    core_ir: Path,
    peano: Path | None = None,
    elfs: Path | None = None,
    run: Runner | None = None,
) -> list[Coordinate]:
    """Makes the ELFs in `folder` for cores that name none and whose LLVM IR, `core_C_R.ll`, is in `core_ir`.

    Returns these cores, with `elf_file` set. Object files are searched in `elfs`, or in the current folder. If a tool fails,
    raises DiagnosticError at the core, with the tool's last lines.
    """
    coordinates = []
    for core in declarations(device_op, "aie.core"):
        tile = place_of(core, core.tile)
        if core.elf_file or (source := _source(core_ir, device_op.opview.sym_name, tile)) is None:
            continue
        if peano is None:
            raise error_at(
                core,
                f"of tile {tile} is to be compiled from '{source}', and there is no Peano: name its folder (--peano, "
                "PEANO_INSTALL_DIR), or pip install llvm-aie from the wheels of github.com/Xilinx/llvm-aie/releases",
            )
        _compile(device_op, core, tile, source, folder, peano, elfs or Path(), run or _run)
        core.elf_file = str((folder / f"core_{tile[0]}_{tile[1]}.elf").absolute())
        coordinates.append(tile)
    return coordinates


def _source(core_ir: Path, device: str, tile: Coordinate) -> Path | None:
    """The LLVM IR of a core, by our file name or aiecc's."""
    name = f"core_{tile[0]}_{tile[1]}.ll"
    return next((p for p in (core_ir / name, core_ir / f"{device}_{name}") if p.exists()), None)


def _compile(
    device_op: AnyOp, core: Any, tile: Coordinate, source: Path, folder: Path, peano: Path, elfs: Path, run: Runner
) -> None:
    stem = f"core_{tile[0]}_{tile[1]}"
    folder.mkdir(parents=True, exist_ok=True)
    text = source.read_text()
    for pattern, instead in _NEWER:
        text = pattern.sub(instead, text)
    (folder / f"{stem}.ll").write_text(text)
    (folder / f"{stem}.ld.script").write_text(linker_script(device_op, tile))
    (folder / f"{stem}.bcf").write_text(bcf(device_op, tile))
    for file in link_files(core):
        if not (elfs / file).exists():
            raise error_at(core, f"of tile {tile} is linked with '{elfs / file}', which does not exist; compile it first")
        if not (folder / Path(file).name).exists() or not os.path.samefile(elfs / file, folder / Path(file).name):
            shutil.copy(elfs / file, folder)
    elf = folder / f"{stem}.elf"
    elf.unlink(missing_ok=True)
    for command in peano_commands(device_of(device_op), tile, str(peano.absolute()), folder.absolute()):
        try:
            done = run(command, folder)
        except OSError as error:
            raise error_at(core, f"of tile {tile}: '{command[0]}' does not run: {error.strerror or error}") from None
        output = "\n".join((done.stderr or done.stdout).splitlines()[-_SHOWN:])
        if done.returncode:
            raise error_at(core, f"of tile {tile}: '{shlex.join(command)}' failed with code {done.returncode}:\n{output}")
    if not elf.exists():
        raise error_at(core, f"of tile {tile}: '{shlex.join(command)}' ended without an error and made no '{elf}':\n{output}")


def _run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
