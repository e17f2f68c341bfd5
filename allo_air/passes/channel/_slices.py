"""Makes values from inside a hierarchy available outside of it, by cloning the operations that compute them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from allo_air.core.walking import parents, walk_post_order
from allo_air.dialects.air_values import is_token
from allo_air.errors import PassError
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.effects import is_pure
from allo_air.passes.channel._places import passed_for

if TYPE_CHECKING:
    from allo_air.passes.channel._split import ExternalOp

_STATELESS = ("memref.get_global", "scf.if", "scf.yield", "scf.for", "air.affine_if", "air.affine_yield")


@dataclass
class Cursor:
    """An insertion point: before operation `before`, or at the end of `block` if that is None."""

    block: Any
    before: Any = None

    @property
    def ip(self) -> Any:
        return ir.InsertionPoint(self.block) if self.before is None else ir.InsertionPoint(self.before)


@dataclass(eq=False)
class Frame:
    """The values of a block under construction: `mapping` has the copies of values of block `original` (None outside of the
    hierarchy).
    """

    original: ir.Block | None
    cursor: Cursor
    mapping: dict[Any, Any] = field(default_factory=dict)


class Slice:
    """Finds the copies of values from inside hierarchy `top`, and creates them if necessary."""

    def __init__(self, top: AnyOp, frame: Frame, culprit: ExternalOp) -> None:
        self.top = top
        self.frames = [frame]
        self.culprit = culprit  # the copy that error messages name

    def is_inside(self, op: AnyOp) -> bool:
        """Whether `op` is the hierarchy, or is inside of it."""
        return op == self.top or any(p == self.top for p in parents(op))

    def value(self, value: Any) -> Any:
        """The copy of `value` at the end of the innermost frame."""
        for frame in reversed(self.frames):
            if value in frame.mapping:
                return frame.mapping[value]
        if isinstance(value, ir.BlockArgument):
            return self._argument(value)
        owner = value.owner.operation
        if not self.is_inside(owner) or owner == self.top:
            return value
        if owner.name == "air.execute":
            inner = list(owner.regions[0].blocks[0].operations)[-1]
            return self.value(inner.operands[value.result_number - 1])
        if owner.name == "scf.for":
            self.compute_loop(owner)
            return self.value(value)
        return self._clone(owner).results[value.result_number]

    def compute_loop(self, owner: AnyOp) -> None:
        """Makes the results of scf.for `owner` available. Subclasses emit the loop."""
        raise NotImplementedError

    def _argument(self, value: ir.BlockArgument) -> Any:
        owner = value.owner.owner.operation
        if not self.is_inside(owner):
            return value
        passed = passed_for(value)
        if passed is not None:
            return self.value(passed)
        if owner.name in ("air.herd", "air.segment"):
            raise self.error(
                f"depends on id {value.arg_number} of '{owner.name}', which differs between the cores of its broadcast_set"
            )
        raise self.error(f"depends on a value that '{owner.name}' carries, which is not known outside of '{self.top.name}'")

    def _clone(self, owner: ir.Operation) -> Any:
        for op in walk_post_order(owner):
            if not is_pure(op) and op.name not in _STATELESS:
                raise self.error(
                    f"depends on a result of '{op.name}', which is known only inside '{self.top.name}'; compute the offsets,"
                    " sizes and conditions of copies from constants, ids and loop variables"
                )
        frame = self.frame_of(owner)
        mapped = {v: self.value(v) for op in walk_post_order(owner) for v in op.operands if not _defined_in(owner, v)}
        new = owner.clone(ip=frame.cursor.ip)
        for op in walk_post_order(new):
            for n, operand in enumerate(op.operands):
                if operand in mapped:
                    op.operands[n] = mapped[operand]
        frame.mapping.update(zip(owner.results, new.results, strict=True))
        return new

    def frame_of(self, op: AnyOp) -> Frame:
        """The innermost frame for a block that contains `op`, so that its copy runs as often as `op`."""
        ancestors = [op.block, *(p.block for p in parents(op) if p.name != "builtin.module")]
        for frame in reversed(self.frames):
            if any(frame.original == block for block in ancestors if frame.original is not None):
                return frame
        return self.frames[0]

    def error(self, message: str) -> PassError:
        return PassError(message, self.culprit.op.location, self.culprit.source_op)


def carried(top: ir.Operation, externals: list[ExternalOp]) -> set[Any]:
    """The loop-carried arguments, except tokens, of scf.for loops around `externals` on which these depend."""
    results: set[Any] = set()
    visited: set[ir.Value] = set()
    path_ops = [op for s in externals for op in s.path]
    todo = [v for op in path_ops if op.name not in ("air.herd", "air.segment", "air.execute") for v in op.operands]
    while todo:
        value = todo.pop()
        if value in visited or is_token(value):
            continue
        visited.add(value)
        owner = value.owner.owner.operation if isinstance(value, ir.BlockArgument) else value.owner.operation
        if isinstance(value, ir.BlockArgument):
            passed = passed_for(value)
            if passed is not None and owner != top:
                todo.append(passed)
            if owner.name == "scf.for" and value.arg_number:
                results.add(value)
                todo += [owner.operands[value.arg_number + 2], _yielded(owner, value.arg_number - 1)]
        elif owner.name == "scf.for":
            todo += [*list(owner.operands)[:3], owner.regions[0].blocks[0].arguments[value.result_number + 1]]
        elif owner.name == "air.execute":
            inner = list(owner.regions[0].blocks[0].operations)[-1]
            todo.append(inner.operands[value.result_number - 1])
        elif is_pure(owner):
            todo += list(owner.operands)
    return results


def _yielded(loop: ir.Operation, number: int) -> Any:
    return list(loop.regions[0].blocks[0].operations)[-1].operands[number]


def _defined_in(op: ir.Operation, value: ir.Value) -> bool:
    """Whether `value` is defined by `op` or inside of it."""
    owner = value.owner.owner.operation if isinstance(value, ir.BlockArgument) else value.owner.operation
    return owner == op or any(p == op for p in parents(owner))
