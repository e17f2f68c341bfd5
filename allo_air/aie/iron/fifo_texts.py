"""What `ObjectFifo` is given, checked and written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.aie.iron.errors import IronMissing, IronTypeError, IronValueError

_MISSING = ("delegate_tile", "aie_stream", "consumer_obj_type")


def numbers(given: Any, element: str) -> str:
    """Nested lists of numbers as MLIR writes them."""
    if isinstance(given, list):
        return f"[{', '.join(numbers(v, element) for v in given)}]"
    return f"{float(given):.9e}" if element.lstrip("b").startswith("f") else str(int(given))


def depth_of(given: Any, name: str) -> int:
    """A depth, of at least 1."""
    depth = int(given)
    if depth < 1:
        raise IronValueError(f"ObjectFifo '{name}': depth is {depth}, wanted at least 1")
    return depth


def dims_of(given: Any) -> tuple[tuple[int, int], ...]:
    """Pairs (size, stride)."""
    if given is None:
        return ()
    if not all(len(tuple(pair)) == 2 for pair in given):
        raise IronTypeError(f"dimensions are {given!r}, wanted pairs (size, stride)")
    return tuple((int(a), int(b)) for a, b in given)


def shown(keyword: str, dims: Sequence[tuple[int, int]]) -> str:
    """A list of dimensions behind its keyword."""
    if not dims:
        return ""
    return f" {keyword} [{', '.join(f'<size = {a}, stride = {b}>' for a, b in dims)}]"


def refuse(others: dict[str, Any], who: str) -> None:
    """Refuses arguments that are not there yet, and those that nobody has."""
    for name, value in others.items():
        if name not in (*_MISSING, "pad_dimensions", "pad_value", "dims_from_stream", "repeat_counts"):
            raise IronTypeError(f"{who} has no argument '{name}'")
        if value:
            raise IronMissing(f"{who}: {name} is not there yet")
