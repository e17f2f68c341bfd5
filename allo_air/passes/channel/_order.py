"""The dependences of a transfer that leaves its hierarchy: the tokens that it waits for and the operations that wait for it,
found by the buffers that they access.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.walking import walk_post_order
from allo_air.dialects.air_values import ASYNC, HIERARCHIES, dep_count
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import are_distinct, root_of
from allo_air.passes._analysis.effects import accesses
from allo_air.passes._analysis.memory import buffer
from allo_air.passes._ir.tokens import joined


@dataclass(frozen=True)
class BufferAccess:
    """An access to a buffer: a read or a write. Allocation and deallocation count as writes."""

    root: ir.Value
    writes: bool

    def conflicts(self, other: BufferAccess) -> bool:
        """Whether the order of the two matters."""
        return (self.writes or other.writes) and not _distinct(self.root, other.root)


def accesses_of(op: AnyOp) -> list[BufferAccess]:
    """The buffers that `op` and the operations in it allocate, read or write."""
    results: dict[BufferAccess, None] = {}
    for inner in walk_post_order(op):
        if inner.name == "memref.alloc":
            results[BufferAccess(root_of(inner.results[0]), True)] = None
        elif inner.name.startswith("linalg.") or not len(inner.regions):
            for access in accesses(inner):
                results[BufferAccess(access.root, access.kind != "read")] = None
    return list(results)


def conflict(ones: list[BufferAccess], rest: list[BufferAccess]) -> bool:
    """Whether an access of one list conflicts with one of the other."""
    return any(a.conflicts(b) for a in ones for b in rest)


def of_arguments(ones: list[BufferAccess], rest: list[BufferAccess]) -> bool:
    """Whether one access of a pair writes, one is to a function argument, and nothing proves the two buffers distinct."""
    pairs = [(a, b) for a in ones for b in rest if a.writes or b.writes]
    return any((_is_argument(a.root) or _is_argument(b.root)) and not are_distinct(a.root, b.root) for a, b in pairs)


def needed(tokens: list[ir.Value], accesses: list[BufferAccess]) -> list[ir.OpResult]:
    """The tokens that operations with `accesses` must wait for, among `tokens` and their transitive dependences."""
    results: dict[Any, None] = {}
    visited: set[ir.Value] = set()
    todo = list(tokens)
    while todo:
        token = todo.pop(0)
        if token in visited:
            continue
        visited.add(token)
        if isinstance(token, ir.BlockArgument) or conflict(accesses_of(token.owner), accesses):
            results[token] = None
        else:
            todo += _awaited(token)
    return [t for t in results if not any(t in _completed_tokens(later) for later in results if later != t)]


def _awaited(token: ir.Value) -> list[ir.OpResult]:
    """The tokens that the operation that defines `token` waits for."""
    if isinstance(token, ir.BlockArgument):
        return []
    return [v for v in token.owner.operands if v.type == token.type]


def _completed_tokens(token: ir.Value) -> set[Any]:
    """The tokens that are ready when `token` is: its transitive dependences."""
    results: set[Any] = set()
    todo = _awaited(token)
    while todo:
        earlier = todo.pop()
        if earlier not in results:
            results.add(earlier)
            todo += _awaited(earlier)
    return results


def followers(token: ir.Value, done: list[BufferAccess]) -> list[tuple[ir.Operation, int]]:
    """The first uses of `token`, directly or through other tokens, by operations that must also wait for `done`: (operation,
    operand number).
    """
    results: list[tuple[ir.Operation, int]] = []
    visited: set[ir.Value] = set()
    todo = [token]
    while todo:
        current = todo.pop(0)
        if current in visited:
            continue
        visited.add(current)
        for use in current.uses:
            user = use.owner.operation
            if _must_wait(user, done):
                results.append((user, use.operand_number))
            else:
                todo += [r for r in user.results if r.type == token.type]
    return results


def append_deps(op: ir.Operation, number: int, tokens: list[ir.Value]) -> None:
    """Makes `op` wait for `tokens`, too, by joining them with its operand `number`."""
    token_type = op.operands[number].type
    with op.location:
        op.operands[number] = joined([op.operands[number], *(t for t in tokens if t.type == token_type)], ir.InsertionPoint(op))


def _must_wait(user: ir.Operation, done: list[BufferAccess]) -> bool:
    """Whether the operation `user` of a token must itself wait for the accesses `done`: it accesses the same buffers, or its
    successors are unknown.
    """
    if user.name not in ASYNC and not len(user.results):
        return True  # a terminator: the token leaves the block
    if user.name == "air.wait_all" and not len(user.results):
        return True  # all later operations of the block wait for it
    if user.name in ASYNC and not dep_count(user):
        return True
    return conflict(accesses_of(user), done)


def _distinct(a: ir.Value, b: ir.Value) -> bool:
    if a == b:
        return False
    return are_distinct(a, b) or (_is_named(a) and _is_named(b))


def _is_named(root: ir.Value) -> bool:
    """Whether `root` is a distinct buffer: an allocation, or an argument of a function, which AIR assumes not to overlap."""
    if isinstance(root, ir.BlockArgument):
        return _is_argument(root) or root.owner.owner.operation.name in HIERARCHIES
    return buffer(root).owner.name in ("memref.alloc", "memref.alloca")


def _is_argument(root: ir.Value) -> bool:
    return isinstance(root, ir.BlockArgument) and root.owner.owner.operation.name == "func.func"
