"""Kernels that nobody named: the C++ files beside a program from which the object files that it links with are built."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

_OBJECT = re.compile(r'link_with = "([^"]+)"')
_DECLARED = re.compile(r"func\.func private @([\w$.]+)\s*\(")
_ENDINGS = ("", ".cc", ".cpp", ".cxx")


def kernels_beside(text: str) -> dict[str, str]:
    """For the functions that AIR in `text` declares, the file that names them: `rope.cc` in the program's folder for `rope.o`.

    Looks in the folder of the program that runs, then in the current one.
    """
    functions = _DECLARED.findall(text)
    found: dict[str, str] = {}
    for path in dict.fromkeys(p for name in _OBJECT.findall(text) for p in _sources(name)):
        code = path.read_text(encoding="utf-8", errors="replace")
        for function in functions:
            if re.search(rf"\b{re.escape(function)}\s*\(", code):
                found.setdefault(function, str(path))
    return found


def _sources(name: str) -> Iterator[Path]:
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    folders = [Path(main).resolve().parent] if main else []
    stem = Path(name).name.removesuffix(".o")
    for folder in (*folders, Path.cwd()):
        for ending in _ENDINGS:
            if (path := folder / f"{stem}{ending}").suffix in _ENDINGS[1:] and path.is_file():
                yield path
