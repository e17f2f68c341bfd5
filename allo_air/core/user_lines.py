"""Which line of the user's a location comes from, behind lines of libraries."""

from __future__ import annotations

import re
from pathlib import Path

from allo_air.mlir import ir

_LIBRARY = re.compile(rf"(site|dist)-packages|^{re.escape(str(Path(__file__).parents[1]))}/")


def line_of(location: ir.Location) -> str:
    """`model.py:12` for the user's line that `location` comes from: the innermost that is in no installed package nor here."""
    found = [place for place in _places(location) if not is_library(place)]
    return found[0] if found else ""


def is_library(path: str) -> bool:
    """Whether the file `path` is of an installed package, or of this one."""
    return _LIBRARY.search(path) is not None


def _places(location: object) -> list[str]:
    """Files with lines, the innermost call first; names where there are no files."""
    if type(location) is ir.Location:
        location = ir.Location.from_attr(location.attr, location.context)
    match location:
        case ir.FileLineColLoc():
            return [f"{location.filename}:{location.start_line}"]
        case ir.NameLoc():
            return _places(location.child_loc) or [location.name_str]
        case ir.CallSiteLoc():
            return _places(location.callee) + _places(location.caller)
        case ir.FusedLoc():
            return [place for each in location.locations for place in _places(each)]
    return []
