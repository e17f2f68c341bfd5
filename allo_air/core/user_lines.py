"""Finds the line of the user's code for a location, skipping lines of libraries, and the module of a model."""

from __future__ import annotations

import re
from pathlib import Path

from allo_air.mlir import ir

_OWN = rf"^{re.escape(str(Path(__file__).parents[1]))}/"
_LIBRARY = re.compile(rf"(site|dist)-packages|{_OWN}")
_FRAMEWORK = re.compile(rf"(site|dist)-packages/(torch|torch_mlir)/|{_OWN}")


def line_of(location: ir.Location) -> str:
    """The user's line for `location`, such as `model.py:12`: the innermost one outside of this project and of installed
    packages.

    For a model in an installed package, it is the package's line, unless that is PyTorch's own code.
    """
    places = _file_lines(location)
    result = [p for p in places if not is_library(p)] or [p for p in places if not _FRAMEWORK.search(p)]
    return result[0] if result else ""


def modules_of(location: ir.Location) -> list[str]:
    """The modules (`layers.3.attn`) or nodes of the user's model to which the operations at `location` belong, each once."""
    if type(location) is ir.Location:
        location = ir.Location.from_attr(location.attr, location.context)
    names = list[str]()
    match location:
        case ir.NameLoc():
            names = [location.name_str]
        case ir.CallSiteLoc():
            names = modules_of(location.callee) + modules_of(location.caller)
        case ir.FusedLoc():
            names = [name for each in location.locations for name in modules_of(each)]
    return list(dict.fromkeys(names))


def numbers_of(location: ir.Location) -> tuple[int, ...]:
    """The numbers of all lines in `location`, in any file."""
    numbers = (place.rpartition(":")[2] for place in _file_lines(location))
    return tuple(dict.fromkeys(int(n) for n in numbers if n.isdigit()))


def is_library(path: str) -> bool:
    """Whether the file `path` is of an installed package, or of this one."""
    return _LIBRARY.search(path) is not None


def _file_lines(location: object) -> list[str]:
    """Files with lines, the innermost call first; names for locations without files."""
    if type(location) is ir.Location:
        location = ir.Location.from_attr(location.attr, location.context)
    match location:
        case ir.FileLineColLoc():
            return [f"{location.filename}:{location.start_line}"]
        case ir.NameLoc():
            return _file_lines(location.child_loc) or [location.name_str]
        case ir.CallSiteLoc():
            return _file_lines(location.callee) + _file_lines(location.caller)
        case ir.FusedLoc():
            return [place for each in location.locations for place in _file_lines(each)]
    return []
