"""Kernels without an explicit source: the object files that a program links with, or the C++ files next to it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from allo_air.aie_api import objects

_OBJECT = re.compile(r'link_(?:with|files) = (?:"([^"]+)"|\[([^\]]*)\])')
_DECLARED = re.compile(r"func\.func private @([\w$.]+)\s*\(")
_ENDINGS = (".cc", ".cpp", ".cxx")


def kernels_near_program(text: str, linked: Iterable[str] = (), folder: Path | None = None) -> dict[str, Any]:
    """The sources of each function that the AIR in `text` declares, from the object files with which the program links.

    An object file that our tool chain (`allo-env`) made names its source and macros, and provides all its functions, since
    later passes may add calls of them. Without an object file, source `rope.cc` replaces `rope.o`. Files are searched in the
    `folder`, the current folder, then in that of the running program, and in `build` of each. `linked` are additional object
    files.
    """
    functions = _DECLARED.findall(text)
    results: dict[str, Any] = {}
    for name in dict.fromkeys([*_names(text), *linked]):
        notes = _noted(name, folder)
        if notes is not None:
            for function, kernel in objects.kernels_in(notes).items():
                results.setdefault(function, kernel)
            continue
        for path in dict.fromkeys(_sources(name, folder)):
            code = path.read_text(encoding="utf-8", errors="replace")
            for function in functions:
                if re.search(rf"\b{re.escape(function)}\s*\(", code):
                    results.setdefault(function, str(path))
    return results


def _names(text: str) -> Iterator[str]:
    for object_file, several in _OBJECT.findall(text):
        yield from [object_file] if object_file else re.findall(r'"([^"]+)"', several)


def _noted(name: str, first: Path | None) -> list[objects.ObjectNote] | None:
    for folder in _folders(first):
        if (notes := objects.read(folder / name)) is not None:
            return notes
    return None


def _folders(first: Path | None) -> Iterator[Path]:
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    for folder in (*([first] if first else []), Path.cwd(), *([Path(main).resolve().parent] if main else [])):
        yield from (folder, folder / "build")


def _sources(name: str, first: Path | None) -> Iterator[Path]:
    stem = Path(name).name
    for ending in (".o", ".a", ".obj"):
        stem = stem.removesuffix(ending)
    for folder in reversed([*_folders(first)]):
        named = folder / stem
        if named.suffix in _ENDINGS and named.is_file():  # "scale.cc.o"
            yield named
        for ending in _ENDINGS:
            if (path := folder / f"{stem}{ending}").is_file():
                yield path
