"""Rewrite patterns that say when they changed something, and walking."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from allo_air.mlir import ir, rewrite

Rewrite = Callable[[Any, Any], bool]


@dataclass(frozen=True)
class Pattern:
    """A rewrite of operations of kinds `roots`: `(op, rewriter) -> whether it changed the IR`."""

    rewrite: Rewrite
    roots: tuple[Any, ...]
    benefit: int

    def __call__(self, op: Any, rewriter: Any) -> bool:
        return self.rewrite(op, rewriter)


def pattern(*roots: Any, benefit: int = 1) -> Callable[[Rewrite], Pattern]:
    """Makes a function `(op, rewriter) -> bool` a pattern for operations of kinds `roots` (classes or names)."""
    return lambda fn: Pattern(fn, roots, benefit)


def apply_greedily(op: Any, *patterns: Pattern) -> None:
    """Applies `patterns`, and MLIR's folding, inside `op` until nothing changes."""
    chosen = rewrite.RewritePatternSet()
    failed: list[BaseException] = []
    for p in patterns:
        for root in p.roots:
            chosen.add(root, lambda o, rw, p=p: _attempt(p, o, rw, failed), p.benefit)
    try:
        rewrite.apply_patterns_and_fold_greedily(op.operation, chosen.freeze())
    except ir.MLIRError:
        raise failed[0] if failed else AssertionError("the greedy rewriter gave up: two patterns undo each other") from None
    if failed:
        raise failed[0]


def _attempt(p: Pattern, op: Any, rewriter: Any, failed: list[BaseException]) -> bool:
    """MLIR's convention: a falsy value is success. An exception cannot cross C++, so it is kept and later patterns rest."""
    if failed:
        return True
    try:
        return not p(op, rewriter)
    except Exception as error:
        failed.append(error)
        return True


def walk(op: Any, *kinds: type) -> list[Any]:
    """The operations of `kinds` in `op` (all, without kinds), `op` first; a list, so the caller may rewrite while iterating."""
    views = [o.opview for o in _collect(op, ir.WalkOrder.PRE_ORDER)]
    return [view for view in views if not kinds or isinstance(view, kinds)]


def walk_named(op: Any, *names: str) -> list[Any]:
    """The operations called one of `names` in `op`, as `ir.Operation`, `op` first; cheaper than `walk` as it makes no views."""
    found: list[Any] = []
    go_on = ir.WalkResult.ADVANCE

    def visit(o: Any) -> Any:
        if o.name in names:
            found.append(o)
        return go_on

    op.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


def walk_post_order(op: Any) -> list[Any]:
    """All operations in `op`, as `ir.Operation`, each after what it contains; `op` last."""
    return _collect(op, ir.WalkOrder.POST_ORDER)


def _collect(op: Any, order: Any) -> list[Any]:
    """Collects only: an exception raised inside MLIR's walk would lose its type."""
    found: list[Any] = []
    go_on = ir.WalkResult.ADVANCE

    def visit(o: Any) -> Any:
        found.append(o)
        return go_on

    op.operation.walk(visit, order)
    return found
