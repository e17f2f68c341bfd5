"""Creates a folder whose `bin` has our replacements of tools: Python with the import hook, the tool chain, tools of the peers.

The folder is in the user's cache folder, one for each Python and each version of this library. It is written once.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import sys
import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from allo_air._version import __version__
from allo_air.aie_api import build
from allo_air.compat.toolchain import TOOLS
from allo_air.compat.xrt import headers

_COMPILER = "allo_air.air.compiler.aircc.main"
DRIVERS = {
    **dict.fromkeys(("aie-opt", "air-opt"), "allo_air.tools.allo_opt"),
    **dict.fromkeys(("aie-translate", "air-translate"), "allo_air.tools.allo_translate"),
    **dict.fromkeys(("aiecc", "aiecc.py", "aircc", "aircc.py"), _COMPILER),
    "air-runner": "allo_air.air.compiler.runner",
    **dict.fromkeys(("xrt-smi", "xbutil"), "allo_air.compat.xrt_smi"),
    "FileCheck": "allo_air.compat.file_check",
}
"""The tools of the peers, each with the module that replaces it."""

COMPILERS = {f"{name}-{version}": name for version in (13, 14) for name in ("gcc", "g++")} | {"clang": "gcc", "clang++": "g++"}
"""Names of the C++ compiler in the peers' makefiles, each with its replacement."""

OF_TESTS = {
    "not": """crash=
if [ "$1" = --crash ]; then crash=1; shift; fi
"$@"
code=$?
case $code in 126|127) exit 1;; esac
if [ -n "$crash" ]; then [ $code -gt 128 ]; else [ $code -ne 0 ] && [ $code -le 128 ]; fi
""",
    "count": """exec awk -v n="$1" 'END { if (NR != n) { print "count: wanted " n " lines, got " NR > "/dev/stderr"; exit 1 } }'
""",
}
"""Test programs of LLVM, as shell scripts: `not` (a command must fail) and `count` (a number of lines)."""

_OF_PYTHON = {"pytest": "pytest", "lit": "allo_air.compat.lit_program"}
"""Tools that import user code, and therefore must run in the Python with the import hook."""

_SITE = """import os, sys
sys.path[:] = [p for p in sys.path if p != os.path.dirname(os.path.abspath(__file__))]
try:
    import allo_air.compat as _compat
except ImportError:
    pass
else:
    _compat.install(os.environ.get("ALLO_ENV_NAMES", "").split(","), force=os.environ.get("ALLO_ENV_FORCE") == "1")
    _compat.tell_errors()
from importlib.machinery import PathFinder as _finder
from importlib.util import module_from_spec as _module
_next = _finder.find_spec("sitecustomize")
if _next is not None and _next.loader is not None:
    _next.loader.exec_module(_module(_next))
"""


def folder() -> Path:
    """The folder; it is created if it does not exist."""
    import platformdirs

    files = _files()
    digest = hashlib.sha256(repr((sys.executable, __version__, sorted(files.items()))).encode()).hexdigest()[:16]
    base = Path(platformdirs.user_cache_dir("allo_air", appauthor=False)) / "env"
    try:
        base.mkdir(parents=True, exist_ok=True)
    except OSError:
        base = Path(tempfile.gettempdir()) / f"allo-env-{os.getuid()}"
        base.mkdir(exist_ok=True)
    place = base / digest
    if not (place / "complete").exists():
        _write(place, base, files)
    return place


def _write(place: Path, base: Path, files: dict[str, str]) -> None:
    path = Path(tempfile.mkdtemp(dir=base))
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text)
        if text.startswith("#!"):
            (path / name).chmod(0o755)
    (path / "include").symlink_to(build.HEADERS)
    (path / "peano" / "include").symlink_to(build.HEADERS)
    (path / "complete").write_text("")
    try:
        path.rename(place)
    except OSError:  # another process was faster
        import shutil

        shutil.rmtree(path, ignore_errors=True)


def _files() -> dict[str, str]:
    """The text of each file of the prefix."""
    python = shlex.quote(sys.executable)
    site = 'export PYTHONPATH="$ALLO_ENV_ROOT/site${PYTHONPATH:+:$PYTHONPATH}"\n'
    skip = 'case ":$PYTHONPATH:" in *":$ALLO_ENV_ROOT/site:"*) ;; *) ' + site.rstrip() + ";; esac\n"
    files = {"site/sitecustomize.py": _SITE}
    for name in ("python", "python3", f"python3.{sys.version_info.minor}"):
        files[f"python/{name}"] = f'#!/bin/sh\n{skip}exec {python} "$@"\n'
    for name, module in _OF_PYTHON.items():
        if find_spec(name) is not None:
            files[f"python/{name}"] = f'#!/bin/sh\n{skip}exec {python} -m {module} "$@"\n'
    for name, module in DRIVERS.items():
        files[f"tools/{name}/{name}"] = _start(name, python, module)
    for name, text in OF_TESTS.items():
        files[f"tools/{name}/{name}"] = files[f"bin/{name}"] = f"#!/bin/sh\n{text}"
    for name, compiler in COMPILERS.items():
        files[f"tools/{name}/{name}"] = f'#!/bin/sh\nexec {compiler} "$@"\n'
    for name in TOOLS:
        files[f"peano/bin/{name}"] = f'#!/bin/sh\nexec {python} -m allo_air.compat.toolchain {name} "$@"\n'
    for name, module in DRIVERS.items():  # files that a makefile expects next to aie-opt, or in the folder of an installation
        files[f"bin/{name}"] = _start(name, python, module)
    files["bin/allo-xrt-helper"] = f'#!/bin/sh\nexec {python} -m allo_air.compat.xrt.helper "$@"\n'
    files |= {f"xrt/{name}": text for name, text in headers.texts().items()}
    files |= {f"{headers.TEST_LIBRARY}/{name}": text for name, text in headers.test_library().items()}
    for generation in ("AIE2", "AIE2P"):  # tables of functions, which the emulation's header computes
        files[f"aie_runtime_lib/{generation}/lut_based_ops.h"] = "#include_next <lut_based_ops.h>\n"
        files[f"aie_runtime_lib/{generation}/lut_based_ops.cpp"] = "// lut_based_ops.h holds the functions.\n"
    return files


def _start(name: str, python: str, module: str) -> str:
    """The script that runs a module. If its name is that of a Python file, Python can run it, too."""
    if not name.endswith(".py"):
        return f'#!/bin/sh\nexec {python} -m {module} "$@"\n'
    run = f'import runpy\n\nrunpy.run_module("{module}", run_name="__main__", alter_sys=True)\n'
    return f"#!/bin/sh\n''':'\nexec {python} -m {module} \"$@\"\n'''\n{run}"


def paths_of(root: Path, tools: Iterable[str]) -> list[str]:
    """Folders for PATH: the Python with the hook, and those of the named tools.

    If all of the peers' tools are named, one folder has them all.
    """
    tool_names, common = set(tools), []
    if tool_names >= {*DRIVERS, *OF_TESTS}:
        tool_names, common = tool_names - {*DRIVERS, *OF_TESTS}, [str(root / "bin")]
    return [str(root / "python"), *common, *(str(root / "tools" / name) for name in sorted(tool_names))]
