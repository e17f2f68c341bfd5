"""Command lines of mlir-aie's compiler driver, whose flags changed in July 2026."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from allo_air.asm.syntax import DEFAULT
from allo_air.dialects.states import AUGUST, MARCH
from allo_air.errors import AlloAirError

_ASKS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        MARCH: {"xclbin": "--aie-generate-xclbin", "npu-insts": "--aie-generate-npu-insts", "full-elf": "--generate-full-elf"},
        AUGUST: {"xclbin": "--get-xclbin", "npu-insts": "--get-npu-insts", "full-elf": "--get-full-elf"},
    }
)
"""The flags that request a file, by version of the tool. `--xclbin-name=FILE` and similar flags are the same in both."""

_PEANO: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {MARCH: ("--no-compile-host", "--no-xchesscc", "--no-xbridge"), AUGUST: ()}
)
"""The flags with which the tool compiles cores with Peano and nothing for the host. The version of August does this by default,
and rejects the flags.
"""


def state_of(aiecc: str) -> str:
    """The version, "2026-03" or "2026-08", of the tool at path `aiecc`, from its help; AlloAirError for other tools."""
    try:
        changed = Path(aiecc).stat().st_mtime_ns
    except OSError:
        changed = 0
    return _state_of(aiecc, changed)


@lru_cache(maxsize=16)
def _state_of(aiecc: str, _: int) -> str:
    output = ""
    for flag in ("--help", "--version"):
        try:
            done = subprocess.run([aiecc, flag], capture_output=True, text=True, check=False, timeout=60, errors="replace")
        except (OSError, subprocess.TimeoutExpired) as wrong:
            raise AlloAirError(f"'{aiecc} {flag}' does not run ({wrong}); install mlir_aie, or take it from the path") from None
        output += done.stdout + done.stderr
        if "--aie-generate-xclbin" in output:
            return MARCH
        if any(sign in output for sign in ("--get-xclbin", "declarative driver", "allo_air's stand-in")):
            return AUGUST
    raise AlloAirError(
        f"'{aiecc} --help' names neither --get-xclbin nor --aie-generate-xclbin, so its flags are not known; expected aiecc of"
        " mlir-aie from March 2026 on"
    )


def command(state: str | None, aiecc: str, peano: str, design: Path, temporary: Path, files: Mapping[str, Path]) -> list[str]:
    """The command line that makes `files`, by kind ("xclbin", "npu-insts", "full-elf"), from `design`."""
    asks = _ASKS[state or DEFAULT]
    words = [word for kind, file in files.items() for word in (asks[kind], f"--{kind}-name={file}")]
    return [aiecc, *_PEANO[state or DEFAULT], f"--peano={peano}", *words, f"--tmpdir={temporary}", str(design)]
