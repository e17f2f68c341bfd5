"""The control flow of convolutions in a core: lines one by one, or three at a time.

Call the functions in a core's function. Their arguments are handles, a kernel and the number of lines, in any order, since
mlir-aie's order is not known. The role of a handle follows from its end and its position: the first consumers are the input
and the weights, the producer is the output. Weights may also be a buffer or an acquired object.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from allo_air.aie.building.errors import IronTypeError, IronValueError
from allo_air.aie.building.scope import require
from allo_air.aie.building.values import Memory
from allo_air.aie.iron.buffer import Buffer
from allo_air.aie.iron.controlflow import range_
from allo_air.aie.iron.dataflow import ObjectFifoHandle

_CHECK_AT = 5
"""The position of `check` among the parameters of kernels of three lines: after width, channels and window sizes."""


def row_at_a_time(*arguments: object, rows: object = None, params: Sequence[object] = (), weights: object = None) -> None:
    """For each line: kernel(line, weights, out, *params); weights may be left out."""
    _row_workers("row_at_a_time", arguments, rows, params, weights, 1)


def row_at_a_time_tiled(
    *arguments: object,
    rows: object = None,
    tiles: int = 1,
    params: Sequence[Any] | Callable[[Any], Sequence[Any]] = (),
    weights: object = None,
) -> None:
    """For each line, `tiles` calls, one for each part of the output channels; `params` may be a function of the part's
    number."""
    _row_workers("row_at_a_time_tiled", arguments, rows, params, weights, tiles)


def row_at_a_time_with_skip(
    *arguments: object, rows: object = None, params: Sequence[object] = (), weights: object = None, skip: Any = None
) -> None:
    """For each line: kernel(*lines, weights, out, skip, *params); `skip` defaults to the last consumer."""
    parts = _Parts.of("row_at_a_time_with_skip", arguments, rows)
    skip = skip if skip is not None else parts.consumers.pop()
    buffer, weights = parts.weights(weights)
    for _ in range_(parts.rows):
        lines = [c.acquire(1) for c in parts.consumers]
        out, added = parts.out.acquire(1), skip.acquire(1)
        parts.kernel(*lines, *weights, out, added, *params)
        for end in (*parts.consumers, parts.out, skip):
            end.release(1)
    if buffer is not None:
        buffer.release(1)


def sliding_3row(
    *arguments: object,
    rows: object = None,
    params: Sequence[Any] | Callable[[int], Sequence[Any]] = (),
    weights: object = None,
    check_at: int = _CHECK_AT,
) -> None:
    """For each line: kernel(above, line, below, weights, out, *params), with 0, 1 or 2 among `params` at `check_at`.

    It is 0 in the first line, which is passed as the line above, too; 2 in the last line; otherwise 1. `params` may be a
    function of that number that returns all parameters. The input's FIFO needs a depth of 3, better 4.
    """
    parts = _Parts.of("sliding_3row", arguments, rows)
    if isinstance(parts.rows, int) and parts.rows < 2:
        raise IronValueError(
            f"sliding_3row: rows is {parts.rows}, expected 2 or more: a first line and a last; row_at_a_time takes one line"
        )
    buffer, weights = parts.weights(weights)
    source = parts.source()

    def line(above: object, middle: object, below: object, check: int) -> None:
        out = parts.out.acquire(1)
        numbers = list(params(check)) if callable(params) else [*params[:check_at], check, *params[check_at:]]
        parts.kernel(above, middle, below, *weights, out, *numbers)
        parts.out.release(1)

    first = source.acquire(2)
    line(first[0], first[0], first[1], 0)
    for _ in range_(parts.rows - 2):
        above, middle, below = source.acquire(3)
        line(above, middle, below, 1)
        source.release(1)
    last = source.acquire(2)
    line(last[0], last[1], last[1], 2)
    source.release(2)
    if buffer is not None:
        buffer.release(1)


@dataclass
class _Parts:
    """The roles of a call's arguments."""

    who: str
    rows: Any
    kernel: Any = None
    out: Any = None
    consumers: list[Any] = field(default_factory=list)
    buffers: list[Any] = field(default_factory=list)

    @classmethod
    def of(cls, who: str, arguments: Sequence[object], rows: object) -> _Parts:
        require(who, "core")
        parts = cls(who, rows)
        for each in arguments:
            if isinstance(each, ObjectFifoHandle):
                if each.is_prod:
                    parts.out = each
                else:
                    parts.consumers.append(each)
            elif isinstance(each, Buffer | Memory):
                parts.buffers.append(each)
            elif callable(each):
                parts.kernel = each
            elif parts.rows is None:
                parts.rows = each
            else:
                raise IronTypeError(f"{who}: {each!r} is one argument too many; give the kernel's numbers as params=")
        for name in ("kernel", "out", "rows"):
            if getattr(parts, name) is None:
                raise IronTypeError(f"{who} wants a consumer, a producer, a kernel and the number of lines; there is no {name}")
        if not parts.consumers:
            raise IronTypeError(f"{who} wants a consumer, a producer, a kernel and the number of lines; there is no consumer")
        return parts

    def weights(self, weights: object) -> tuple[Any, list[Any]]:
        """The handle to release at the end, if any, and the weights: None, a buffer, or the handle's object."""
        if weights is None and self.buffers:
            weights = self.buffers[0]
        if weights is None and len(self.consumers) > 1:
            weights = self.consumers.pop()
        if isinstance(weights, ObjectFifoHandle):
            return weights, [weights.acquire(1)]
        return None, [] if weights is None else [weights]

    def source(self) -> Any:
        """The input: the only remaining consumer. IronTypeError if there are others."""
        if len(self.consumers) > 1:
            surplus = self.consumers[1].name
            raise IronTypeError(
                f"{self.who} takes one consumer for the lines and one for the weights; that of '{surplus}' is one too many"
            )
        return self.consumers[0]


def _row_workers(who: str, arguments: Sequence[object], rows: object, params: Any, weights: object, tiles: int) -> None:
    parts = _Parts.of(who, arguments, rows)
    buffer, weights = parts.weights(weights)
    source = parts.source()
    for _ in range_(parts.rows):
        line = source.acquire(1)
        for tile in range_(tiles) if tiles > 1 else range(1):
            out = parts.out.acquire(1)
            parts.kernel(line, *weights, out, *(params(tile) if callable(params) else params))
            parts.out.release(1)
        source.release(1)
    if buffer is not None:
        buffer.release(1)
