"""Chooses the unroll factors of a core's loops, so that each access refers to one buffer and each lock value is constant."""

from __future__ import annotations

from math import lcm
from typing import Any, Literal

from allo_air.core.walking import walk_named, walk_post_order
from allo_air.mlir import AnyOp
from allo_air.passes.objectfifo._copies import Copy, Unrolled, fold_lock_values, open_ends
from allo_air.passes.objectfifo._rotation import HINT
from allo_air.passes.objectfifo._trace import MAX_COPIES

Peel = Literal["auto", "true", "false"]


def strip(core: AnyOp) -> None:
    """Removes the unroll hints of the loops of `core`."""
    for loop in walk_named(core, "scf.for"):
        if HINT in loop.attributes:
            del loop.attributes[HINT]


def unroll(core: AnyOp, peel: Peel) -> None:
    """Unrolls the loops of `core` by their hints, folds constants, and removes the hints.

    If buffers or locks are still selected at run time, other ways are tried: outer loops unrolled too, the first iteration
    peeled, no unrolling.
    """
    if open_ends(core) != (0, 0):
        copy = Copy(core)
        core = copy.adopt(_Search(copy, peel).best)
        fold_lock_values(core)
    strip(core)


class _Search:
    """The plan with the fewest decisions at run time, and the resulting function."""

    def __init__(self, copy: Copy, peel: Peel):
        self.copy = copy
        hints = [_hint(loop) for loop in _loops(copy.function)]
        self.plan = [Unrolled(hint, peel == "true") if hint else Unrolled() for hint in hints]
        self.best = copy.unrolled(self.plan, _loops)
        self.left = open_ends(self.best)
        for i, (loop, hint) in enumerate(zip(_loops(copy.function), hints, strict=True)):
            if not hint:
                self._try(i, Unrolled(lcm(*(_hint(o) or 1 for o in walk_named(loop, "scf.for")))))
        for i, hint in enumerate(hints):
            if hint and peel == "auto":
                self._try(i, Unrolled(hint, peeled=True))
        for i, hint in enumerate(hints):
            if hint:
                self._try(i, Unrolled())

    def _try(self, index: int, unrolling: Unrolled) -> None:
        if self.left == (0, 0) or unrolling.factor > MAX_COPIES:
            return
        plan = [*self.plan[:index], unrolling, *self.plan[index + 1 :]]
        result = self.copy.unrolled(plan, _loops)
        if (open_count := open_ends(result)) < self.left:
            result, self.best, self.plan, self.left = self.best, result, plan, open_count
        result.erase()


def _hint(loop: AnyOp) -> int | None:
    """The unroll factor; None if the loop has no hint, or one above the limit."""
    if HINT not in loop.attributes or loop.attributes[HINT].value > MAX_COPIES:
        return None
    return int(loop.attributes[HINT].value)


def _loops(op: AnyOp) -> list[Any]:
    """The loops of `op` with hints and the loops around them, inner ones first."""
    loops = [o for o in walk_post_order(op) if o.name == "scf.for"]
    return [loop for loop in loops if any(_hint(inner) for inner in walk_named(loop, "scf.for"))]
