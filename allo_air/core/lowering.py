"""A lowering as a table: one rule per operation, which looks at its own operation and returns the values that replace it."""

from collections.abc import Callable, Sequence
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.rewrite import walk_post_order
from allo_air.mlir import ir

Rule = Callable[[Any, Any], Sequence[Any]]


class Lowering:
    """Rules for the operations of `dialects` (by namespace); an operation of theirs without a rule is an error."""

    def __init__(self, *dialects: str):
        self._prefixes = tuple(f"{d}." for d in dialects)
        self._rules: dict[str, Rule] = {}

    def of(self, *kinds: Any) -> Callable[[Rule], Rule]:
        """Registers the decorated `rule(context, op) -> values` for operation classes or names `kinds`."""

        def register(rule: Rule) -> Rule:
            self._rules |= {k if isinstance(k, str) else k.OPERATION_NAME: rule for k in kinds}
            return rule

        return register

    def apply(self, op: Any, context: Any = None) -> None:
        """Lowers the operations inside `op`, innermost first; `context` is handed to every rule."""
        inside = walk_post_order(op)[:-1]
        todo = [o for o in inside if o.name in self._rules or o.name.startswith(self._prefixes)]
        for old in todo:
            if old.name not in self._rules:
                raise error_at(old, f"has no lowering here; there are rules for {', '.join(sorted(self._rules)) or 'nothing'}")
        for old in todo:
            self._lower(old, context)

    def _lower(self, old: Any, context: Any) -> None:
        with ir.InsertionPoint(old), old.location:
            values = self._rules[old.name](context, old.opview)
        for result, value in zip(old.results, values, strict=True):
            result.replace_all_uses_with(value)
        old.erase()
