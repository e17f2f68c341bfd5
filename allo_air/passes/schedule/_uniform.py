"""Finds the dimensions of a herd along which a value may differ between cores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from allo_air.dialects.air_values import is_token
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.effects import is_pure


class Uniformity:
    """Traces values in the body of one herd to the ids from which they are computed."""

    def __init__(self, herd: AnyOp) -> None:
        self._herd = herd.operation
        self._ids = list(herd.opview.ids)

    def of(self, values: Iterable[ir.Value]) -> frozenset[int]:
        """The herd dimensions along which one of `values` may differ between cores; none for values from outside."""
        varying: set[int] = set()
        visited: set[ir.Value] = set()
        todo = list(values)
        while todo:
            value = todo.pop()
            if value in visited or is_token(value):
                continue
            visited.add(value)
            dims, made_of = self._step(value)
            varying |= dims
            todo += made_of
        return frozenset(varying)

    def of_control(self, op: AnyOp) -> frozenset[int]:
        """The dimensions along which cores may differ in whether, and how often, `op` runs."""
        dims: frozenset[int] = frozenset()
        inner = op.operation
        while (outer := inner.parent.operation) != self._herd:
            dims |= self._all if outer.name == "scf.while" else self.of(_deciding(outer))
            inner = outer
        return dims

    @property
    def _all(self) -> frozenset[int]:
        return frozenset(range(len(self._ids)))

    def _step(self, value: Any) -> tuple[frozenset[int], list[Any]]:
        """The herd dimensions whose id `value` itself is, and the values from which it is computed or chosen."""
        nothing: frozenset[int] = frozenset()
        if isinstance(value, ir.BlockArgument):
            op = value.owner.owner.operation
            if op == self._herd:
                return frozenset(n for n, i in enumerate(self._ids) if i == value), []
            if op.name == "scf.for" and value.arg_number:
                return nothing, [op.operands[value.arg_number + 2], op.results[value.arg_number - 1]]
            if op.name in ("scf.for", "scf.parallel", "affine.for", "affine.parallel", "scf.forall"):
                return nothing, _deciding(op)
            return self._all, []
        op = value.owner.operation
        if is_pure(op):
            return nothing, list(op.operands)
        if op.name in ("air.execute", "scf.if", "air.affine_if", "affine.if", "scf.index_switch", "scf.for"):
            number = value.result_number - (op.name == "air.execute")
            initial = [op.operands[3 + number]] if op.name == "scf.for" else []
            return nothing, [*initial, *_deciding(op), *(last.operands[number] for last in _terminators(op))]
        return self._all, []  # each core reads its own memory, so loaded values may differ


def _deciding(op: ir.Operation) -> list[Any]:
    """The operands of a control-flow operation that determine whether and how often its body runs."""
    if op.name == "air.execute":
        return []
    return list(op.operands)[:3] if op.name == "scf.for" else list(op.operands)


def _terminators(op: ir.Operation) -> Iterator[Any]:
    """The terminators of the regions of `op`."""
    for block in (block for region in op.regions for block in region.blocks):
        yield block.operations[-1]
