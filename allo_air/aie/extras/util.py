"""Helpers for blocks and operations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from allo_air.aie.building.arguments import refuse
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

__all__ = ["bb", "find_ops", "find_parent_of_type", "get_user_code_loc"]


@contextmanager
def bb(*predecessors: object) -> Iterator[tuple[Any, list[Any]]]:
    """A new block without arguments after the current one."""
    block = ir.InsertionPoint.current.block.create_after()
    with ir.InsertionPoint(block):
        yield block, list(block.arguments)


def find_ops(op: AnyOp, pred: Callable[[AnyOp], bool], single: bool = False) -> Any:
    """The operations in `op` for which `pred` is true; with `single` the first one, or None."""
    results: list[Any] = []

    def visit(each: AnyOp) -> ir.WalkResult:
        if pred(each.opview):
            results.append(each.opview)
        return ir.WalkResult.ADVANCE

    op.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return (results[0] if results else None) if single else results


def find_parent_of_type(test: Callable[[AnyOp], bool]) -> Any:
    """The innermost operation around the insertion point for which `test` is true."""
    op: Any = ir.InsertionPoint.current.block.owner
    while op is not None and not test(op):
        op = op.operation.parent
    return op


def get_user_code_loc(**keywords: object) -> Any:
    """The location of the program's line, which operations get by default."""
    refuse(keywords, "get_user_code_loc", ignored=("user_base",))
    return ir.Location.unknown()
