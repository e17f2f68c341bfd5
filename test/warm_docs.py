"""Runs the commands of the pages in forks of one process, as `lit/warm.py` does those of lit tests: `warm_docs.py FOLDER`.

The server has compiled a small product and run it, which imports what takes half the time of most commands.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).with_name("lit")))
import warm

import allo_air
from allo_air.tools import allo_import, allo_opt, allo_run, allo_translate, allo_tune


def python() -> int:
    """`python -c TEXT ...` and `python FILE ...`, as a Python that has just started runs them."""
    words = sys.argv[1:]
    if words[0] == "-c":
        text, file, sys.argv = words[1], "<string>", ["-c", *words[2:]]
        sys.path.insert(0, "")
    else:
        text, file, sys.argv = Path(words[0]).read_text(), words[0], words
        sys.path.insert(0, str(Path(file).resolve().parent))
    main = sys.modules["__main__"] = ModuleType("__main__")
    if file != "<string>":
        main.__file__ = file
    try:
        exec(compile(text, file, "exec"), main.__dict__)
    except SystemExit:
        raise
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__ and error.__traceback__.tb_next)
        return 1
    finally:
        threading._shutdown()  # type: ignore[attr-defined]  # as Python ends: pools of processes are told to end
    return 0


def seeing(tool: Callable[[], Any]) -> Callable[[], Any]:
    """The tool, with the client's PYTHONPATH instead of the server's own folder."""

    def run() -> Any:
        sys.path[:1] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
        return tool()

    return run


def prepare(folder: Path) -> None:
    """Compiles and runs a product, without a trace in the user's cache."""
    program = allo_air.compile(shape=(16, 16, 16), dtype="i32", cache_dir=folder / "cache")
    program(np.ones((16, 16), np.int32), np.ones((16, 16), np.int32))


TOOLS = {
    "allo-opt": allo_opt.watched,
    "allo-run": allo_run.watched,
    "allo-import": allo_import.watched,
    "allo-translate": allo_translate.watched,
    "allo-tune": allo_tune.watched,
    "python": python,
}

if __name__ == "__main__":
    del sys.path[0]  # of `warm`
    code = warm.main(Path(sys.argv[1]), {name: seeing(tool) for name, tool in TOOLS.items()}, prepare)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
