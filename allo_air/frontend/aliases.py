"""Decides when an assignment must copy a tensor: after `y = x`, both names mean the same elements, and a later assignment may
change them.
"""

from __future__ import annotations

import ast
import itertools
from typing import Any

from allo_air.frontend import tensors
from allo_air.frontend.state import State
from allo_air.frontend.values import Buffer, allocate

_BLOCKS = (ast.For, ast.While, ast.If, ast.With)


def alias_or_copy(state: State, target: ast.Name | ast.arg, buffer: Buffer) -> Buffer:
    """The value of `target` after `target = buffer`, or of a parameter `target`: the buffer itself, or a copy of it.

    A later assignment in a loop or a branch (in typed functions: any later assignment) stores to the elements of the name. In
    Python it would bind the name to other elements, and other names of the old elements would keep their values. A copy keeps
    them apart. Raises an error if the elements are also changed in place, since other names must then see the change.
    """
    names = {n for scope in state.names for n, v in scope.items() if isinstance(v, Buffer) and v.origin == buffer.origin}
    if not names and isinstance(target, ast.Name):
        return buffer
    names.add(target.arg if isinstance(target, ast.arg) else target.id)
    body = state.source.tree.body
    if isinstance(target, ast.arg):
        body = list(itertools.takewhile(lambda statement: target.arg not in _rebound_names(statement), body))
    nodes = [n for statement in body for n in ast.walk(statement)]
    if not state.shared.rebinds:
        nodes = _later_nodes(nodes, target)
    augmented: set[ast.AST] = {n.target for n in nodes if isinstance(n, ast.AugAssign)}
    inside = (n for block in nodes if isinstance(block, _BLOCKS) for n in ast.walk(block)) if state.shared.rebinds else nodes
    if not any(_stored(n) in names and n not in augmented and n is not target for n in inside):
        return buffer
    for node in nodes:
        if _changed(node, augmented) in names:
            where = " in a loop or a branch" if state.shared.rebinds else ""
            names_text = " and ".join(f"'{n}'" for n in sorted(names))
            raise state.error(
                target,
                f"{names_text}: the elements are changed in place (line {getattr(node, 'lineno', 0)}), and a name of them is "
                f"assigned again{where}; change a copy in place, such as y = x + 0",
            )
    fresh = allocate(buffer.element, buffer.shape)
    tensors.copy(buffer, fresh)
    return fresh


def _later_nodes(nodes: list[ast.AST], target: ast.AST) -> list[ast.AST]:
    """The nodes of `nodes` that may run after `target`: later ones, and those in loops around it."""
    rerun = {
        n
        for loop in nodes
        if isinstance(loop, (ast.For, ast.While, ast.With)) and target in (w := set(ast.walk(loop)))
        for n in w
    }
    return [n for n in nodes if n in rerun or (hasattr(n, "lineno") and _place_key(n) > _place_key(target))]


def _place_key(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _rebound_names(statement: ast.stmt) -> set[str | None]:
    """The names to which an assignment assigns; none for other statements."""
    return {_stored(t) for t in statement.targets} if isinstance(statement, ast.Assign) else set()


def _stored(node: ast.AST) -> str | None:
    return node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else None


def _changed(node: ast.AST, augmented: set[ast.AST]) -> str | None:
    """The name whose elements this target changes: `x[i]` or, in an augmented assignment, `x`."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        place: ast.expr = node.value
        while isinstance(place, ast.Subscript):
            place = place.value
        return place.id if isinstance(place, ast.Name) else None
    return node.id if isinstance(node, ast.Name) and node in augmented else None
