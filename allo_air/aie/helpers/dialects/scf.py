"""`if_`, `else_`, `_for`: branches and loops of cores."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allo_air.aie.iron.controlflow import range_, yield_
from allo_air.aie.iron.errors import IronRuntimeError
from allo_air.aie.iron.values import cast
from allo_air.aie.iron.writing import any_writer

__all__ = ["_for", "else_", "if_", "range_", "yield_"]

_for = range_


class Branch:
    """An `if_` that is written; `else_` takes it."""

    def __init__(self, end: int):
        self.end = end  # the line that closes it


@contextmanager
def if_(condition: Any, hasElse: bool = True) -> Iterator[Branch]:
    """`with if_(a > b) as branch:`: what is written inside runs where the condition holds."""
    writer = any_writer("if_ stands")
    made = Branch(0)
    with writer.region(f"scf.if {cast(condition, 'i1').name} {{"):
        yield made
    made.end = len(writer.lines)


@contextmanager
def else_(branch: Branch) -> Iterator[None]:
    """`with else_(branch):` right behind the `if_`."""
    writer = any_writer("else_ stands")
    if branch.end != len(writer.lines):
        raise IronRuntimeError("else_ stands apart from its if_; write it right behind")
    writer.lines.pop()
    with writer.region("} else {"):
        yield
