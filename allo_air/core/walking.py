"""Walking operations: inwards as lists, so that the caller may rewrite while iterating, and outwards."""

from collections.abc import Iterator
from typing import Any

from allo_air.mlir import ir


def walk(op: Any, *kinds: type) -> list[Any]:
    """The operations of `kinds` in `op` (all, without kinds), `op` first."""
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


def walk_pre_order(op: Any) -> list[Any]:
    """All operations in `op`, as `ir.Operation`, each before what it contains; `op` first."""
    return _collect(op, ir.WalkOrder.PRE_ORDER)


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


def parents(op: Any) -> Iterator[Any]:
    """The operations around `op`, as `ir.Operation`, innermost first."""
    while (op := op.parent) is not None:
        op = op.operation
        yield op


def is_inside(op: Any, outer: Any) -> bool:
    """Whether `op` is `outer` or lies in it."""
    return op.operation == outer.operation or any(p == outer.operation for p in parents(op))


def ancestor_in(op: Any, block: Any) -> Any:
    """The operation of `block` that is or holds `op`; None where none does."""
    return next((o for o in (op.operation, *parents(op)) if o.parent is not None and o.block == block), None)


def block_of(value: Any) -> Any:
    """The block that makes `value`, or that it is an argument of."""
    return value.owner if isinstance(value, ir.BlockArgument) else value.owner.operation.block


def is_defined_in(value: Any, op: Any) -> bool:
    """Whether `value` is made inside `op`, block arguments included."""
    return is_inside(block_of(value).owner, op)


def is_unused(value: Any) -> bool:
    """Whether nothing uses `value`."""
    return next(iter(value.uses), None) is None
