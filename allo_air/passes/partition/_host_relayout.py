"""Finds copies of data with rows that are not whole words and that no tile can move. The caller makes these copies."""

from __future__ import annotations

from allo_air.dialects.memrefs import element_bits, total_bits
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.kernels import MOVED_BY_HOST
from allo_air.passes._ir.packing import layout_of
from allo_air.passes.partition._constants import is_constant
from allo_air.passes.partition._kinds import has_channels
from allo_air.passes.partition._roles import base

_WORD = 32


def is_host_relayout(source: ir.Value, kind: ir.RankedTensorType, memory: int) -> bool:
    """Whether the caller should move the data that is copied from `source` into a tensor of type `kind`.

    This applies to parts of arguments and constants whose rows, before or after, are not whole words, and that are together
    larger than `memory` bytes.
    """
    is_known = isinstance(base(source).owner, ir.Block) or is_constant(base(source))
    bits = [total_bits(t) for t in (source.type, kind)]
    if not is_known or None in bits or sum(b for b in bits if b) <= 8 * memory:
        return False
    rows = [t.shape[-1] if t.shape else 1 for t in (source.type, kind)]
    return any(n * (element_bits(kind) or _WORD) % _WORD for n in rows)


def mark_for_caller(op: AnyOp, memory: int) -> None:
    """Marks a `tensor.pad` that the caller should do. Pads of convolutions are left out, since these are packed as a whole."""
    users = [u.owner.operation for u in op.results[0].uses]
    if len(op.operands) != 1 or layout_of(op) is None or any(map(has_channels, users)):
        return
    if is_host_relayout(op.operands[0], op.results[0].type, memory):
        op.attributes[MOVED_BY_HOST] = ir.UnitAttr.get()
