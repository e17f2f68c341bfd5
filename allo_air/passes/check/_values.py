"""The values of an unrolled program: numbers, and the events that a token waits for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from allo_air.core.control_flow import Walker
from allo_air.core.walking import walk_named
from allo_air.dialects.air_values import HIERARCHIES
from allo_air.mlir import ir

TRANSFERS = ("air.channel.put", "air.channel.get")
FOLLOWED = (*HIERARCHIES, *TRANSFERS, "air.dma_memcpy_nd", "air.execute", "air.wait_all")
"""Operations whose parents are unrolled."""

SIDES = {"air.channel.put": ("src",), "air.channel.get": ("dst",), "air.dma_memcpy_nd": ("src", "dst")}
"""The memrefs of transfers, by the names of their fields."""


class Values(Walker):
    """Numbers and tokens by SSA value, which loops update in each iteration."""

    CONTROL = {**Walker.CONTROL, "air.affine_if": "branch", "scf.while": "undecided"}

    def __init__(self, context: ir.Context) -> None:
        super().__init__()
        self.token = ir.Type.parse("!air.async.token", context)
        self._followed: dict[Any, bool] = {}

    def ends(self, token: ir.Value) -> frozenset[int]:
        """The events that `token` waits for."""
        result = self.known.get(token)
        return result if isinstance(result, frozenset) else frozenset()

    def is_followed(self, op: ir.Operation) -> bool:
        if op not in self._followed:
            self._followed[op] = bool(walk_named(op, *FOLLOWED))
        return self._followed[op]

    def decides(self, op: ir.Operation, values: list[ir.Value]) -> bool:
        """Whether the data or the size of a transfer in `op` depends on `values`; addresses in memory do not count."""
        derived = set(values)
        for inner in _walk(op):
            if not any(v in derived for v in inner.operands):
                continue
            if inner.name in SIDES:
                view = inner.opview
                sizes = [v for side in SIDES[inner.name] for v in getattr(view, f"{side}_sizes")]
                if any(v in derived for v in (*sizes, *getattr(view, "indices", ()))):
                    return True
                continue
            if inner.name in HIERARCHIES:
                derived.update(a for a, v in zip(inner.opview.body_args, inner.opview.args, strict=True) if v in derived)
                if any(v in derived for v in inner.opview.sizes):
                    return True
                continue
            if len(inner.regions) and self.is_followed(inner) and inner.name != "air.execute":
                return True
            derived.update(r for r in inner.results if r.type != self.token)
        return False


def _walk(op: ir.Operation) -> Iterator[Any]:
    for region in op.regions:
        for block in region.blocks:
            for inner in (o.operation for o in block.operations):
                yield inner
                yield from _walk(inner)
