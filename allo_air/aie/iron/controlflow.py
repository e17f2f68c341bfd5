"""`range_`: loops of cores and of the sequence, which carry values with `iter_args`; `yield_` says what goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from allo_air.aie.iron.errors import IronRuntimeError, IronTypeError
from allo_air.aie.iron.tasks import Task
from allo_air.aie.iron.values import Scalar, cast
from allo_air.aie.iron.writing import any_writer

__all__ = ["range_", "yield_"]


def range_(start: Any, stop: Any = None, step: Any = None, *, iter_args: Sequence[Any] | None = None) -> Iterator[Any]:
    """`for i in range_(n)`: one `scf.for`; bounds are integers or values.

    `for i, x, result in range_(n, iter_args=[init])` carries a value, or lists of several; the body ends with `yield_(next)`.
    """
    writer = any_writer("range_ stands")
    low, high = (0, start) if stop is None else (start, stop)
    bounds = [cast(b, "index").name for b in (low, high, 1 if step is None else step)]
    carried = [_carried(v) for v in iter_args or ()]
    variable, loop = writer.fresh(), f"scf.for {{}} = {bounds[0]} to {bounds[1]} step {bounds[2]}"
    if not carried:
        with writer.region(f"{loop.format(variable)} {{"):
            yield Scalar(variable, "index")
        return
    name, args = writer.fresh(), [writer.fresh() for _ in carried]
    pairs = ", ".join(f"{a} = {c.name}" for a, c in zip(args, carried, strict=True))
    types = ", ".join(c.kind for c in carried)
    inside = [_as(c, a) for c, a in zip(carried, args, strict=True)]
    after = [_as(c, f"{name}#{i}") for i, c in enumerate(carried)]
    head = f"{name}:{len(carried)} = {loop.format(variable)} iter_args({pairs}) -> ({types}) {{"
    with writer.region(head):
        one = len(carried) == 1
        yield Scalar(variable, "index"), inside[0] if one else inside, after[0] if one else after
        if "scf.yield" not in writer.lines[-1]:
            raise IronRuntimeError("a loop with iter_args ends with yield_ of what goes on; there is none")


def yield_(*values: Any) -> None:
    """Ends the body of a loop with `iter_args`: these are the values of its next turn."""
    given = values[0] if len(values) == 1 and isinstance(values[0], list | tuple) else values
    found = [_carried(v) for v in given]
    writer = any_writer("yield_ stands")
    if found:
        writer.op(f"scf.yield {', '.join(v.name for v in found)} : {', '.join(v.kind for v in found)}")


def _carried(given: Any) -> Scalar | Task:
    if isinstance(given, Task):
        given.ended = True  # by whom it is carried to
        return given
    if isinstance(given, Scalar):
        return given
    if isinstance(given, int | float) or hasattr(given, "item"):
        number = given.item() if hasattr(given, "item") else given
        return cast(number, "f32" if isinstance(number, float) else "i32")
    raise IronTypeError(f"range_: iter_args has {type(given).__name__}, wanted a value, a number or a Task")


def _as(given: Scalar | Task, name: str) -> Scalar | Task:
    return Task(name, given.waits) if isinstance(given, Task) else Scalar(name, given.kind)
