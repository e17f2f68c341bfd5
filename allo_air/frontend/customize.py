"""`allo_air.customize`: a Python function as a schedule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.frontend.functions import Compiled, compile_function
from allo_air.frontend.rules import RuleSet
from allo_air.frontend.source import Source, callers
from allo_air.frontend.state import Module
from allo_air.mlir import ir, new_context


def lower(source: Source, template: tuple[Any, ...] = (), rule_set: RuleSet = "default") -> tuple[Any, Any, Compiled]:
    """The context, the module and the function that a Python function becomes."""
    context = new_context()
    with context, ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            compiled = compile_function(Module(module, rule_set), source, template)
        module.operation.verify()
    return context, module, compiled


def source_of(function: Callable[..., Any], depth: int = 2) -> Source:
    """The source of a function, with the variables of those who call."""
    return Source(function, callers(depth))
