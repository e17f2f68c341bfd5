"""The option `--kernel`: implementations of external functions in MLIR, C++ or Python files."""

from __future__ import annotations

import re
import traceback
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.aie_api.kernel import CppKernel, is_cpp
from allo_air.errors import AlloAirError, OptionError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable


def read(options: Namespace) -> dict[str, Any]:
    """The implementation of each external function, from `--kernel`: NAME=FILE, or FILE for all functions of a C++ file."""
    by_name: dict[str, Any] = {}
    for text in options.kernel:
        name, _, file = text.rpartition("=")
        path = Path(file)
        if (name and not re.fullmatch(r"[\w.$-]+", name)) or not (name or is_cpp(file)):
            raise OptionError(
                f"--kernel is '{text}', expected NAME=FILE as in scale=scale.mlir or scale=kernels.py, or a C++ file"
            )
        if not path.is_file():
            raise OptionError(f"--kernel {name}: there is no file '{file}'" if name else f"--kernel: there is no file '{file}'")
        if is_cpp(file):
            limit = {} if options.kernel_seconds is None else {"seconds": options.kernel_seconds}
            kernel = CppKernel(path, dict(map(_define, options.define)), options.include, **limit)
            if not (names := [name] if name else kernel.names()):
                raise OptionError(f"--kernel: '{file}' defines no extern \"C\" function")
            by_name |= dict.fromkeys(names, kernel)
        else:
            by_name[name] = _function(name, path) if path.suffix == ".py" else path
    is_set = options.define or options.include or options.kernel_seconds is not None
    if is_set and not any(isinstance(k, CppKernel) for k in by_name.values()):
        raise OptionError("-D, -I and --kernel-seconds are for kernels in C++, and no --kernel names one")
    return by_name


def _define(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    if not name.isidentifier():
        raise OptionError(f"-D is '{text}', expected NAME or NAME=VALUE")
    return name, value


def _function(name: str, path: Path) -> Any:
    """Function `name` of a Python file."""
    import runpy

    try:
        defined = runpy.run_path(str(path))
    except (Exception, SystemExit) as why:  # any exception of the user's file
        raise AlloAirError(f"--kernel {name}: '{path}' raises {type(why).__name__}: {why}") from why
    if not callable(defined.get(name)):
        there = [n for n, v in defined.items() if callable(v) and not n.startswith("_")]
        raise OptionError(
            f"--kernel {name}: '{path}' has no function '{name}'" + (f"; it has {', '.join(there)}" if there else "")
        )
    return _with_user_errors(name, path, defined[name])


def _with_user_errors(name: str, path: Path, function: Callable[..., object]) -> Any:
    """Wraps the user's `function` so that its exceptions become errors of the user's kernel."""

    @wraps(function)
    def call(*arguments: object, **ports: object) -> Any:
        try:
            return function(*arguments, **ports)
        except AlloAirError:
            raise
        except Exception as why:
            line = traceback.extract_tb(why.__traceback__)[-1]
            raise AlloAirError(
                f"--kernel {name}: '{path}' raises {type(why).__name__}: {why} ({line.filename}:{line.lineno})"
            ) from why

    return call
