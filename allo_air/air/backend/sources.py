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


def kernels_beside(text: str, linked: Iterable[str] = ()) -> dict[str, Any]:
    """What builds each function that AIR in `text` declares, from the files that it links with.

    An object of the stand-in tool chain (`allo-env`) tells its source and macros, and gives all its functions: operations
    become calls of them later. Where there is none, `rope.cc` does for `rope.o`. Looks in the current folder, then in that of
    the program that runs, and in `build` of both. `linked` are more object files.
    """
    functions = _DECLARED.findall(text)
    results: dict[str, Any] = {}
    for name in dict.fromkeys([*_names(text), *linked]):
        notes = _noted(name)
        if notes is not None:
            for function, kernel in objects.kernels_in(notes).items():
                results.setdefault(function, kernel)
            continue
        for path in dict.fromkeys(_sources(name)):
            code = path.read_text(encoding="utf-8", errors="replace")
            for function in functions:
                if re.search(rf"\b{re.escape(function)}\s*\(", code):
                    results.setdefault(function, str(path))
    return results


def _names(text: str) -> Iterator[str]:
    for one, several in _OBJECT.findall(text):
        yield from [one] if one else re.findall(r'"([^"]+)"', several)


def _noted(name: str) -> list[objects.ObjectNote] | None:
    for folder in _folders():
        if (notes := objects.read(folder / name)) is not None:
            return notes
    return None


def _folders() -> Iterator[Path]:
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    for folder in (Path.cwd(), *([Path(main).resolve().parent] if main else [])):
        yield from (folder, folder / "build")


def _sources(name: str) -> Iterator[Path]:
    stem = Path(name).name
    for ending in (".o", ".a", ".obj"):
        stem = stem.removesuffix(ending)
    for folder in reversed([*_folders()]):
        named = folder / stem
        if named.suffix in _ENDINGS and named.is_file():  # "scale.cc.o"
            yield named
        for ending in _ENDINGS:
            if (path := folder / f"{stem}{ending}").is_file():
                yield path
