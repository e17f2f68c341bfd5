"""`allo-env COMMAND...`: runs a command in an environment where programs of mlir-air and mlir-aie find this project.

Where `air`, `aie`, the peers' tools or the cores' compiler are not installed, this project's replacements are used. Only the
command and the processes that it starts are affected; its exit code and signals are passed on.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from allo_air._version import __version__
from allo_air.errors import AlloAirError, OptionError
from allo_air.tools._parser import Parser

_XRT = "/opt/xilinx/xrt"
"""The default folder of XRT."""
_OF_A_DEVICE = {"npu1": "aie2", "npu2": "aie2p"}


def watched() -> int:
    """Replaces this process by the command."""
    from allo_air.tools._exit import exit_code_of

    return exit_code_of(main)


def main(arguments: Sequence[str] | None = None) -> int:
    """Replaces this process by the command. Returns 2 for an error on the command line, 127 for an unknown command, 126 for a
    command that cannot run.
    """
    values = list(sys.argv[1:] if arguments is None else arguments)
    own = _option_count(values)
    options = parser().parse_args(values[:own])
    command = values[own:][values[own : own + 1] == ["--"] :]
    if not command:
        raise OptionError("there is no command to run, as in allo-env make run")
    environment, summary = environment_for(options, dict(os.environ))
    if not options.quiet:
        print(summary, file=sys.stderr, flush=True)
    try:
        os.execvpe(command[0], command, environment)
    except FileNotFoundError:
        print(f"allo-env: there is no command '{command[0]}'", file=sys.stderr)
        return 127
    except OSError as error:
        print(f"allo-env: cannot run '{command[0]}': {error.strerror}", file=sys.stderr)
        return 126


def _option_count(words: Sequence[str]) -> int:
    """Number of words before the command: options with their values."""
    count = 0
    while count < len(words) and words[count].startswith("-") and words[count] != "--":
        count += 2 if words[count] in ("--device", "--syntax", "--aie-kernels") else 1
    return count


def parser() -> argparse.ArgumentParser:
    """The parser of the command line, where options precede the command."""
    argument_parser = Parser("allo-env", description=__doc__)
    add = argument_parser.add_argument
    add("--device", help="npu1, npu2 or one of their column subsets, for programs that name none")
    add("--syntax", help="the state of the peers' assembly that modules are printed in: 2026-03 or 2026-08")
    add("--aie-kernels", metavar="DIR", help="a checkout of mlir-aie, whose kernels `aie.iron.kernels` takes")
    add("--force", action="store_true", help="replace installed tools and packages as well")
    add("-q", "--quiet", action="store_true", help="do not print the replacements")
    add("--version", action="version", version=f"allo-env {__version__}")
    argument_parser.usage = "allo-env [--device NPU] [--syntax STATE] [--aie-kernels DIR] [--force] [-q] COMMAND..."
    return argument_parser


def environment_for(options: argparse.Namespace, environment: dict[str, str]) -> tuple[dict[str, str], str]:
    """The environment of the command, and a line that lists the replaced tools."""
    from allo_air import compat
    from allo_air.compat import prefix
    from allo_air.compat.xrt.headers import TEST_LIBRARY

    root, force = prefix.folder(), options.force
    path = [p for p in environment.get("PATH", os.defpath).split(os.pathsep) if str(root.parent) not in p]
    before = os.pathsep.join(path)
    names = [n for n in compat.STANDS_FOR if _is_there(compat.STANDS_FOR[n]) and (force or not _installed(n))]
    tools = [t for t in (*prefix.DRIVERS, *prefix.OF_TESTS) if force or shutil.which(t, path=before) is None]
    tools += [
        t
        for t, compiler in prefix.COMPILERS.items()
        if not shutil.which(t, path=before) and shutil.which(compiler, path=before)
    ]
    items = [f"import {', '.join(names)}"] * bool(names) + ["python3", _short(tools)]
    own = str(Path(sys.executable).parent)
    path = [*prefix.paths_of(root, tools), *path, *([own] if own not in path else [])]
    variables = {"ALLO_ENV_ROOT": str(root), "ALLO_ENV_NAMES": ",".join(names), "ALLO_ENV_FORCE": str(int(force))}
    variables["PATH"] = os.pathsep.join(path)
    variables["PYTHONPATH"] = os.pathsep.join([str(root / "site"), *filter(None, [environment.get("PYTHONPATH")])])
    for name, folder in (("PEANO_INSTALL_DIR", root / "peano"), ("MLIR_AIE_INSTALL_DIR", root), ("MLIR_AIR_INSTALL_DIR", root)):
        if force or not Path(environment.get(name) or "/nowhere").is_dir():
            variables[name] = str(folder)
            items += [name] if name == "PEANO_INSTALL_DIR" else []
    if force or not Path(environment.get("XILINX_XRT") or _XRT, "include", "xrt").is_dir():
        variables["XILINX_XRT"] = str(root / "xrt")
        for name, part in (("CPLUS_INCLUDE_PATH", "include"), ("LIBRARY_PATH", "lib")):
            variables[name] = os.pathsep.join([str(root / "xrt" / part), *filter(None, [environment.get(name)])])
            variables[name] += f"{os.pathsep}{root / TEST_LIBRARY / part}"
        prefixes = [str(root / "xrt"), *filter(None, [environment.get("CMAKE_PREFIX_PATH")])]
        variables["CMAKE_PREFIX_PATH"] = os.pathsep.join(prefixes)
        items.append("XRT")
    variables |= _of_device(options.device, environment) | _of_syntax(options.syntax) | _of_kernels(options.aie_kernels)
    device = variables.get("AIR_TARGET_DEVICE") or environment.get("AIR_TARGET_DEVICE") or "npu1"
    return environment | variables, f"allo-env: replaces {', '.join(filter(None, items))}; device {device}"


def _short(tools: list[str]) -> str:
    """The first of the tools, and the number of others."""
    if len(tools) < 3:
        return ", ".join(tools)
    return f"{tools[0]} and {len(tools) - 1} other tools"


def _of_device(name: str | None, environment: dict[str, str]) -> dict[str, str]:
    from allo_air.device import default_npu

    if name is None:
        return {} if environment.get("AIR_TARGET_DEVICE") else {"AIR_TARGET_DEVICE": default_npu()}
    from allo_air.pipelines.tile_options import npu_name

    npu = npu_name(name)
    values = {"AIR_TARGET_DEVICE": npu, "NPU2": str(int(npu.startswith("npu2")))}
    return values | {n: _OF_A_DEVICE[npu[:4]] for n in ("AIE_TARGET",) if n not in environment}


def _of_syntax(state: str | None) -> dict[str, str]:
    if state is None:
        return {}
    from allo_air.asm.syntax import checked_state  # which imports the bindings

    return {"ALLO_AIR_SYNTAX": checked_state(state)}


def _of_kernels(folder: str | None) -> dict[str, str]:
    if folder is None:
        return {}
    path = Path(folder).resolve()
    if not any((path / each / "aie2").is_dir() for each in ("aie_kernels", "include/aie_kernels", ".")):
        raise OptionError(f"--aie-kernels: '{folder}' has no aie_kernels/aie2; give the folder of a checkout of mlir-aie")
    return {"ALLO_AIE_KERNELS": str(path)}


def _installed(name: str) -> bool:
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return False
    return spec is not None and spec.loader is not None and spec.origin is not None


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


if __name__ == "__main__":
    try:
        sys.exit(watched())
    except AlloAirError as error:
        sys.exit(str(error))
