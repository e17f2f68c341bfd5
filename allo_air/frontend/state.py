"""The state while a kernel's body is compiled: names, functions of the module, and typing rules."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from allo_air.errors import nearest, suggestion
from allo_air.frontend.rules import RuleSet
from allo_air.frontend.source import Source
from allo_air.mlir import ir


@dataclass
class Module:
    """The MLIR module under construction, and data that its functions share."""

    module: Any
    compile: Callable[..., Any]
    """Compiles a Python function, with values for its template parameters, to a function of the module."""
    rule_set: RuleSet = "default"
    functions: dict[Any, Any] = field(default_factory=dict)
    """Compiled functions by Python function and template values."""
    instances: dict[Any, dict[Any, Any]] = field(default_factory=dict)
    """For functions with untyped parameters: their instances, by the types of the arguments."""
    origins: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    """For each function of the module: the place of its definition, and its template values."""
    names: set[str] = field(default_factory=set)
    bands: dict[tuple[str, str], int] = field(default_factory=dict)
    """How many loop nests of a name each function has."""
    labels: dict[tuple[str, str], int] | None = None
    """The number of calls of an operation in each function, used in loop names; None if loops are not named."""
    prints: bool = False
    """Whether `print` prints (on the CPU only)."""
    rebinds: bool = False
    """Whether `x = value` rebinds x, as in Python, instead of storing to its elements; true in untyped functions."""
    decisions: Any = None
    """Records decisions that depend on a core's number."""

    def unique(self, name: str) -> str:
        """A symbol that no other operation of the module has."""
        result, count = name, 0
        while result in self.names:
            result, count = f"{name}_{count}", count + 1
        self.names.add(result)
        return result


@dataclass
class State:
    """One function under construction: `names` are its variables, innermost scope last; `body` is the function's entry
    block.
    """

    shared: Module
    source: Source
    symbol: str
    names: list[dict[str, Any]]
    body: Any = None
    results: Any = None
    """The declared types of the function's results, if any."""
    returned: Any = None
    branch_taken: bool | None = None
    """Whether a branch of the preceding `meta_if` was taken; None if no `meta_if` precedes."""
    declared: set[str] = field(default_factory=set)
    """Variables with a written type."""
    ended: dict[str, str] = field(default_factory=dict)
    """For names whose block has ended: the reason why they have no value now."""
    hooks: dict[str, Any] = field(default_factory=dict)
    """Names with a special meaning in this kind of function, such as `get_pid` in kernels of a region."""

    @property
    def rules(self) -> RuleSet:
        return self.shared.rule_set

    def error(self, node: ast.AST, message: str) -> Exception:
        """An error at a line of the function."""
        return self.source.error(node, message)

    def find(self, name: str) -> Any:
        """The variable `name`, or its value around the function; raises KeyError."""
        for names in reversed(self.names):
            if name in names:
                return names[name]
        return self.source.lookup(name)

    def offered(self, name: str) -> str:
        """The end of a message about undefined `name`: why it is undefined, or a suggestion."""
        if name in self.ended:
            return f" here: {self.ended[name]}; give it a value of one type and shape before that"
        return suggestion(nearest(name, {*(n for names in self.names for n in names), *self.source.around}))

    def variable(self, name: str) -> Any | None:
        """The variable `name` of this function, or None."""
        return next((names[name] for names in reversed(self.names) if name in names), None)

    def rebinds(self, name: str) -> bool:
        """Whether an assignment makes `name` a new variable. Not in loops, whose iterations share it."""
        return self.shared.rebinds and len(self.names) == 1 and name not in self.declared

    @contextmanager
    def scope(self) -> Iterator[dict[str, Any]]:
        """A scope: names that are bound in it end with it."""
        self.names.append({})
        try:
            yield self.names[-1]
        finally:
            self.ended |= dict.fromkeys(self.names.pop(), "its first value is given inside of a loop or of one branch")

    def at(self, node: ast.AST) -> Any:
        """The MLIR location of `node`."""
        return ir.Location.file(self.source.file, getattr(node, "lineno", 0), getattr(node, "col_offset", -1) + 1)
