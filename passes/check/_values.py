"""What values stand for while a program is unfolded: numbers, and the events that a token waits for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from allo_air.core.affine import compiled, compiled_set
from allo_air.core.constants import constant_of
from allo_air.core.walking import walk_named
from allo_air.mlir import ir

HIERARCHIES = ("air.launch", "air.segment", "air.herd", "air.rank")
TRANSFERS = ("air.channel.put", "air.channel.get")
FOLLOWED = (*HIERARCHIES, *TRANSFERS, "air.dma_memcpy_nd", "air.execute", "air.wait_all")
"""Operations that make it necessary to follow what holds them."""

SIDES = {"air.channel.put": ("src",), "air.channel.get": ("dst",), "air.dma_memcpy_nd": ("src", "dst")}
"""The memrefs of transfers, by the names of their fields."""


class Values:
    """Numbers and tokens by SSA value; both change as loops go round."""

    def __init__(self, context: Any) -> None:
        self.token = ir.Type.parse("!air.async.token", context)
        self.numbers: dict[Any, int] = {}
        self.tokens: dict[Any, frozenset[int]] = {}
        self._followed: dict[Any, bool] = {}

    def number(self, value: ir.Value) -> int | None:
        known = self.numbers.get(value)
        return constant_of(value) if known is None else known

    def bind(self, name: Any, value: ir.Value) -> None:
        """Lets `name` stand for what `value` stands for."""
        self.bind_all([name], [value])

    def bind_all(self, names: list[Any], values: list[Any]) -> None:
        found = [(self.number(v), self.tokens.get(v)) for v in values]
        for name, (number, token) in zip(names, found, strict=False):
            self.numbers.pop(name, None)
            self.tokens.pop(name, None)
            if number is not None:
                self.numbers[name] = number
            if token is not None:
                self.tokens[name] = token

    def is_followed(self, op: ir.Operation) -> bool:
        if op not in self._followed:
            self._followed[op] = bool(walk_named(op, *FOLLOWED))
        return self._followed[op]

    def decides(self, op: ir.Operation, values: list[Any]) -> bool:
        """Whether what is transferred, and how much, in `op` depends on `values`; only where to in memory does not count."""
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

    def points(self, op: ir.Operation, rank: int) -> list[tuple[int, ...]] | None:
        """The values that a loop's `rank` induction variables take, in order; None where a bound is not known."""
        if op.name == "affine.for":
            return self._affine_points(op)
        if op.name not in ("scf.for", "scf.parallel"):
            return None
        operands = list(op.operands)
        axes = []
        for at in range(rank):
            low, high, step = (self.number(operands[k * rank + at]) for k in range(3))
            if low is None or high is None or step is None or step <= 0:
                return None
            axes.append(range(low, high, step))
        return list(product(*axes))

    def _affine_points(self, op: ir.Operation) -> list[tuple[int, ...]] | None:
        """The values of the induction variable of an `affine.for`."""
        first, second, _ = list(op.attributes["operandSegmentSizes"])
        known = [self.number(v) for v in list(op.operands)[: first + second]]
        if None in known:
            return None
        low = max(compiled(op.attributes["lowerBoundMap"].value)(known[:first]))  # type: ignore[arg-type]
        high = min(compiled(op.attributes["upperBoundMap"].value)(known[first:]))  # type: ignore[arg-type]
        return [(n,) for n in range(low, high, op.attributes["step"].value)]

    def chosen(self, op: ir.Operation) -> Any:
        """The region that a conditional operation runs; None where that is not known, or `op` is of another kind."""
        values = [self.number(v) for v in op.operands]
        if op.name not in ("air.affine_if", "affine.if", "scf.if", "scf.index_switch") or None in values:
            return None
        known = [v for v in values if v is not None]
        if op.name in ("air.affine_if", "affine.if"):
            return op.regions[0 if compiled_set(op.attributes["condition"])(known) else 1]
        if op.name == "scf.if":
            return op.regions[0 if known[0] else 1]
        cases = list(op.attributes["cases"])
        return op.regions[cases.index(known[0]) + 1 if known[0] in cases else 0]


def _walk(op: ir.Operation) -> Iterator[Any]:
    for region in op.regions:
        for block in region.blocks:
            for inner in (o.operation for o in block.operations):
                yield inner
                yield from _walk(inner)
