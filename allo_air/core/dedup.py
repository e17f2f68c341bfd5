"""Applies a change once to operations that are equal except for the outside values that they use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from allo_air.core.walking import copy_as, outline_of, own_attributes
from allo_air.mlir import ir


def change_equal(ops: Sequence[ir.Operation], change: Callable[[ir.Operation], bool]) -> None:
    """Applies `change` to each of `ops`; no operation contains another. Operations that are equal to an earlier one are
    replaced by a copy of its result.

    `change` returns whether it changed the operation. It must not change or erase anything outside.
    """
    outlines = [outline_of(op) for op in ops]
    first: dict[bytes, tuple[Any, Any, bool]] = {}
    for op, outline in zip(ops, outlines, strict=True):
        if outline is None:
            change(op)
            continue
        key, outer = outline
        if key not in first:
            first[key] = op, outer, change(op)
            continue
        changed, instead_of, has_changed = first[key]
        if has_changed:
            copy = copy_as(changed, instead_of, outer, ir.InsertionPoint(op))
            for name in own_attributes(copy):
                del copy.attributes[name]
            for name, value in own_attributes(op).items():
                copy.attributes[name] = value
            for old, new in zip(op.results, copy.results, strict=True):
                old.replace_all_uses_with(new)
            op.erase()
