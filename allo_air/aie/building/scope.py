"""The operation around the insertion point: a core, the sequence, or the device."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from allo_air.aie.building.errors import IronRuntimeError
from allo_air.mlir import cext, ir

_PLACES = {"aie.core": "core", "func.func": "core", "aie.runtime_sequence": "sequence"}
_WORDS = {"core": "a core's function", "sequence": "the runtime's sequence function", "device": "a device"}


def enclosing(*names: str) -> Any:
    """The innermost operation with one of these names around the insertion point; None if there is none."""
    try:
        op: Any = ir.InsertionPoint.current.block.owner
    except ValueError:  # no insertion point
        return None
    while op is not None:
        if op.operation.name in names:
            return op.operation.opview
        op = op.operation.parent
    return None


def place() -> str:
    """The kind of the enclosing operation: "core", "sequence", "device", or "" if there is none."""
    result = enclosing(*_PLACES, "aie.device")
    return "" if result is None else _PLACES.get(result.operation.name, "device")


def require(who: str, where: str) -> None:
    """IronRuntimeError, with `who` as the subject, unless the insertion point is in a `where`."""
    here = place()
    if here == "core" and where == "sequence" and enclosing("func.func") is not None:
        return  # the sequence of programs before 2025
    if here != where:
        raise IronRuntimeError(f"{who} is outside of {_WORDS[where]}")


def require_any(who: str) -> None:
    """IronRuntimeError, with `who` as the subject, if there is no insertion point."""
    try:
        _ = ir.InsertionPoint.current
    except ValueError:
        raise IronRuntimeError(f"{who} is outside of a core's function and of the runtime's sequence") from None


def device_block() -> Any:
    """The block of the device around the insertion point; IronRuntimeError if there is none."""
    result = enclosing("aie.device")
    if result is None:
        raise IronRuntimeError("this is outside of a device; put it into the function under @device")
    return result.block


def before_here() -> Any:
    """The insertion point in the device before the operation that encloses the current insertion point."""
    block = device_block()
    owner = ir.InsertionPoint.current.block.owner.operation
    while owner.parent is not None and owner.parent != block.owner.operation:
        owner = owner.parent
    return ir.InsertionPoint(owner) if owner.parent is not None else ir.InsertionPoint.current


@contextmanager
def users_lines() -> Iterator[None]:
    """Gives operations built inside the `with` block the locations of the user's lines that build them."""
    for path in (str(Path(__file__).parents[2]), str(Path(ir.__file__).parent), contextlib.__file__):
        cext.globals.register_traceback_file_exclusion(path)
    with ir.Location.unknown(), ir.loc_tracebacks(max_depth=1):
        yield


def located(place: tuple[str, int]) -> Any:
    """The location of a file and line."""
    return ir.Location.file(place[0], place[1], 0) if place[0] else ir.Location.unknown()
