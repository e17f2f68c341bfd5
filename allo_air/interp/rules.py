"""The tables of rules: a rule reads its operation once and returns the code that runs it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from allo_air.interp.values import Frame

Rule = Callable[..., Any]

PURE: dict[str, Rule] = {}
"""Operations on values only: rule `(op) -> (*operands) -> result`, a tuple for several results."""

TASK: dict[str, Rule] = {}
"""Operations that touch memory or run regions: rule `(translator, step) -> (agent, frame, operands) -> generator`."""

LAZY: set[str] = set()
"""Task operations that only forward operands, and get futures unresolved."""

UNREGISTERED = "(unregistered)"
"""The key of the rule for unregistered operations in TASK."""

_TABLES = (
    "_arith",
    "_floats",
    "_control",
    "_affine",
    "_memref",
    "_views",
    "_tensor",
    "_relayout",
    "_places",
    "_hierarchy",
    "_async",
    "_channels",
)


def pure(*names: str) -> Callable[[Rule], Rule]:
    """Registers a rule for operations on values."""

    def register(rule: Rule) -> Rule:
        PURE.update(dict.fromkeys(names, rule))
        return rule

    return register


def task(*names: str, lazy: bool = False) -> Callable[[Rule], Rule]:
    """Registers a rule for operations with effects."""

    def register(rule: Rule) -> Rule:
        TASK.update(dict.fromkeys(names, rule))
        if lazy:
            LAZY.update(names)
        return rule

    return register


def nothing(agent: object, frame: Frame, operands: list[Any]) -> Any:
    """Runs a task operation that has no effect."""
    return ()
    yield


def load() -> None:
    """Fills the tables once."""
    for table in _TABLES:
        importlib.import_module(f"allo_air.interp.{table}")
