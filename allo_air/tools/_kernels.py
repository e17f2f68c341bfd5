"""Kernels named on the command line: files of MLIR, or Python files with a function of the kernel's name."""

from __future__ import annotations

import re
import traceback
from collections.abc import Sequence
from functools import wraps
from pathlib import Path
from typing import Any

from allo_air.errors import AlloAirError, OptionError


def read(texts: Sequence[str]) -> dict[str, Any]:
    """What stands for each external function, from `NAME=FILE` texts: a function of a `.py` file, the path of any other."""
    found: dict[str, Any] = {}
    for text in texts:
        if not re.match(r"[\w.$-]+=.", text):
            raise OptionError(f"--kernel is '{text}', wanted NAME=FILE as in scale=scale.mlir or scale=kernels.py")
        name, _, file = text.partition("=")
        path = Path(file)
        if not path.is_file():
            raise OptionError(f"--kernel {name}: there is no file '{file}'")
        found[name] = _function(name, path) if path.suffix == ".py" else path
    return found


def _function(name: str, path: Path) -> Any:
    """Function `name` of a Python file."""
    import runpy

    try:
        defined = runpy.run_path(str(path))
    except (Exception, SystemExit) as why:  # whatever the user's file raises
        raise AlloAirError(f"--kernel {name}: '{path}' raises {type(why).__name__}: {why}") from why
    if not callable(defined.get(name)):
        there = [n for n, v in defined.items() if callable(v) and not n.startswith("_")]
        raise OptionError(
            f"--kernel {name}: '{path}' has no function '{name}'" + (f"; it has {', '.join(there)}" if there else "")
        )
    return _told(name, path, defined[name])


def _told(name: str, path: Path, function: Any) -> Any:
    """`function` of the user's, whose exceptions are told as what they are: not ours."""

    @wraps(function)
    def call(*arguments: Any, **ports: Any) -> Any:
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
