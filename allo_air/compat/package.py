"""Our replacement of an xclbin or ELF file: it contains a program's MLIR and its compile options, for the simulator."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from allo_air.aie_api.kernel import CppKernel, kernel_of
from allo_air.errors import AlloAirError

MAGIC = "allo_air package 1\n"
_HERE: dict[str, tuple[str, Any]] = {}
"""Programs that this process compiled, by the files that it wrote. They need not be compiled again."""


def write(path: str | os.PathLike[str], text: str, options: Mapping[str, Any], kernel: str, program: object) -> None:
    """Writes the package of `program`, which `allo_air.compile` makes of `text` with `options`. `kernel` is the name of its
    kernel.
    """
    kernels = {n: _described(k) for n, k in (options.get("kernels") or {}).items()}
    about = {"kernel": kernel, "options": {**options, "kernels": kernels}, "text": text}
    data = MAGIC + json.dumps(about, indent=1) + "\n"
    Path(path).write_text(data, encoding="utf-8")
    _HERE[str(Path(path).resolve())] = (data, program)


def read(path: str | os.PathLike[str]) -> tuple[str, Callable[[], Any]]:
    """The name of the kernel, and a function that returns the program. Raises AlloAirError if the file is missing or has
    another format.
    """
    file = Path(path)
    try:
        data = file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise AlloAirError(f"cannot read '{file}': {error.strerror}") from None
    if not data.startswith(MAGIC):
        raise AlloAirError(
            f"'{file}' was not written here: the simulator runs what XRTBackend, aircc or aiecc of allo_air compile, "
            "and no other xclbin"
        )
    about = json.loads(data[len(MAGIC) :])
    entry = _HERE.get(str(file.resolve()))
    return about["kernel"], lambda: entry[1] if entry and entry[0] == data else _program(about)


def _program(about: Mapping[str, Any]) -> Any:
    from allo_air.compat.scalars import compiled

    options = dict(about["options"])
    options["kernels"] = {n: _kernel(n, k) for n, k in options["kernels"].items()} or None
    return compiled(about["text"], options)


def _described(kernel: object) -> dict[str, Any] | None:
    if not isinstance(kernel, CppKernel | str | os.PathLike):
        return None
    result = kernel_of(kernel)
    folders = [str(Path(i).absolute()) for i in result.includes]
    results = {"path": str(Path(result.path).absolute()), "defines": dict(result.defines), "includes": folders}
    return results | {"beside": [_described(k) for k in result.beside]}


def _kernel(name: str, about: Mapping[str, Any] | None) -> Any:
    if about is None:
        raise AlloAirError(f"kernel '{name}' was a Python function of the process that compiled it; compile here again")
    beside = tuple(_kernel(name, k) for k in about["beside"])
    kernel = CppKernel(about["path"], about["defines"], about["includes"], beside=beside)
    return kernel if Path(about["path"]).suffix != ".mlir" else about["path"]
