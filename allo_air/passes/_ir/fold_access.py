"""Access lists of `air.dma_memcpy_nd`, `air.channel.put` and `air.channel.get`: folds views, and empties lists of whole
buffers.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from allo_air.access.pattern import AccessPattern
from allo_air.core.walking import accesses_of, is_unused, walk_named
from allo_air.dialects.air import WaitAllOp
from allo_air.dialects.operands import MEMREFS, lists_of, operands_of, with_lists
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.access import explicit_lists, whole_of
from allo_air.passes._analysis.views import VIEWS, chain, patterns_of
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.operands import with_operands

_NAMES = ("id", "chan_name")
"""Attributes of transfers that do not affect the access pattern."""

_kept: tuple[weakref.ref[ir.Context], set[bytes | None]] | None = None
"""The access patterns of transfers that this pass left unchanged, with the context whose objects they hold."""


def fold_access_patterns(root: AnyOp) -> bool:
    """Folds the access lists of all transfers under `root`; returns whether any changed."""
    return fold_transfers(root, list(walk_named(root, *MEMREFS)))


def fold_transfers(root: AnyOp, ops: list[ir.Operation]) -> bool:
    """Folds the access lists of the transfers among `ops`, which are all of `root` in order; returns whether any changed.

    An erased transfer is replaced in the list by its wait_all, or None.
    """
    places = [i for i, op in enumerate(ops) if op.name in MEMREFS]
    accesses, seen_accesses, indices = (
        accesses_of(root, tuple(MEMREFS), VIEWS, _NAMES),
        _unchanged_patterns(root.context),
        Indices(),
    )
    changed = False
    for n, i in enumerate(places):
        access = accesses[n] if accesses is not None else None
        if access in seen_accesses:
            continue
        new = _folded_op(ops[i], indices)
        if new is not ops[i]:
            ops[i] = new
            changed = True
        elif access is not None:
            seen_accesses.add(access)
    return changed


def _unchanged_patterns(context: ir.Context) -> set[bytes | None]:
    """The patterns of the context's transfers that stayed unchanged."""
    global _kept
    if _kept is None or _kept[0]() is not context:
        _kept = weakref.ref(context), set()
    return _kept[1]


def _folded_op(op: ir.Operation, indices: Indices) -> ir.Operation:
    """Rewrites the access of a transfer in terms of the base memrefs; erases a copy of elements onto themselves.

    Before:

        %v = memref.subview %m[%i, 0] [32, 32] [1, 1] : memref<64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
        %t = memref.transpose %v (d0, d1) -> (d1, d0) : ...
        air.channel.put @c[] (%t[] [] []) : (memref<32x32xf32, strided<[1, 64], offset: ?>>)
        air.channel.put @c[] (%m[%c0, %c0] [%c64, %c64] [%c64, %c1]) : (memref<64x64xf32>)

    After:

        air.channel.put @c[] (%m[%c0, %i] [%c32, %c32] [%c1, %c64]) : (memref<64x64xf32>)
        air.channel.put @c[] (%m[] [] []) : (memref<64x64xf32>)
    """
    operands = operands_of(op)
    changed: dict[str, Any] = {}
    for field in MEMREFS[op.name]:
        folded = _folded(op, operands[field][0], *lists_of(op, field))
        if folded is None:
            continue
        dims = () if folded.covers(whole_of(folded.base)) and not _padding(op) else folded.dims
        parts = zip(*((d.offset, d.size, d.stride) for d in dims), strict=True) if dims else ((), (), ())
        lists = [[indices.value(part, op) for part in several if part is not None] for several in parts]
        changed |= {field: [folded.base], **with_lists(field, lists)}
    views_left = [operands[field][0] for field in changed if field in MEMREFS[op.name]]
    if op.name == "air.dma_memcpy_nd" and _is_self_copy(op, operands | changed):
        new = _erase_transfer(op, operands["deps"])
    elif changed:
        new = with_operands(op, changed)
    else:
        return op
    for memref in views_left:
        _erase_unused_views(memref)
    return new


def _folded(op: ir.Operation, memref: ir.Value, *lists: list[ir.Value]) -> AccessPattern | None:
    """The pattern that should replace `lists` on `memref`; None if there is no gain or no such pattern."""
    explicit = explicit_lists(lists)
    if explicit is None:
        return None
    named = any(lists)
    rank = _padding(op)
    for pattern in patterns_of(memref):
        resolved = (pattern.with_lists(explicit) if named else pattern).resolved()
        if resolved and rank in (0, len(resolved.dims)):
            return resolved
    if not named or rank:
        return None
    own = AccessPattern(memref, explicit.dims)
    return own if own.covers(whole_of(memref)) else None


def _padding(op: ir.Operation) -> int:
    """The number of dimensions that the transfer pads; its lists must keep that many."""
    return max((len(op.attributes[name]) for name in ("pad_before", "pad_after") if name in op.attributes), default=0)


def _is_self_copy(op: ir.Operation, operands: dict[str, list[ir.Value]]) -> bool:
    if operands["src"] != operands["dst"] or _padding(op) or {"src_rank", "dst_rank"} & set(op.attributes.keys()):
        return False
    src, dst = ([operands[f"{field}_{name}"] for name in ("offsets", "sizes", "strides")] for field in ("src", "dst"))
    return explicit_lists(src) == explicit_lists(dst)


def _erase_transfer(op: ir.Operation, deps: Sequence[ir.Value]) -> Any:
    """Erases a transfer without effect; a wait on its dependences replaces its token."""
    is_async = bool(op.results)
    wait = None
    if is_async or deps:
        wait = WaitAllOp(deps=deps, token=is_async, loc=op.location, ip=ir.InsertionPoint(op)).operation
    if wait and is_async:
        op.results[0].replace_all_uses_with(wait.results[0])
    op.erase()
    return wait


def _erase_unused_views(memref: ir.Value) -> None:
    for view in reversed(chain(memref)):
        if not is_unused(view.result):
            return
        view.erase()
