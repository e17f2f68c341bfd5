"""Buffers with a shadow of each element's writer and readers; views; races, uninitialized reads and use-after-free."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from allo_air.access.dims import row_major, span
from allo_air.errors import counted
from allo_air.interp.element_numbers import ElementNumbers
from allo_air.interp.errors import OutOfBounds, PoisonRead, Race, UseAfterFree
from allo_air.interp.scheduler import Agent


class Buffer:
    """One allocation.

    `data` is flat. For each element, `writer` has the stamp of its last write (0: never written), and `readers` has the index,
    in `sets`, of the set of stamps that have read it since. If races are allowed, `racy` marks elements with unordered writes.
    `copies` are the copies of other cores, by ids; `origin` is the buffer of which this is a copy.
    """

    def __init__(self, data: Any, step: Any, what: str) -> None:
        self.data, self.step, self.what = data, step, what
        self.writer, self.readers = ElementNumbers(data.size), ElementNumbers(data.size)
        self.sets: list[frozenset[int]] = [frozenset()]
        self.numbers: dict[frozenset[int], int] = {frozenset(): 0}
        self.freed: int = 0
        self.racy: Any = None
        self.copies: dict[tuple[int, ...], Buffer] = {}
        self.origin: Buffer = self

    def number(self, stamps: frozenset[int]) -> int:
        """The number of a set of stamps."""
        number = self.numbers.get(stamps)
        if number is None:
            number = self.numbers[stamps] = len(self.sets)
            self.sets.append(stamps)
        return number


@dataclass(frozen=True, eq=False)
class View:
    """The value of a memref: a buffer with offset, sizes and strides in elements."""

    buffer: Buffer
    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]

    @cached_property
    def size(self) -> int:
        return prod(self.sizes)

    @cached_property
    def is_whole(self) -> bool:
        """Whether the view is the whole buffer, in order."""
        return not self.offset and self.size == self.buffer.data.size and self.strides == row_major(self.sizes)

    def over(self, flat: np.ndarray) -> np.ndarray:
        """The elements of the view in `flat`, an array with one entry for each element of the buffer, without a copy."""
        width = flat.itemsize
        try:  # several times faster
            return np.ndarray(self.sizes, flat.dtype, flat, self.offset * width, tuple([s * width for s in self.strides]))
        except ValueError:  # out of bounds, which is an error only if an element is accessed
            return as_strided(flat[self.offset :], self.sizes, tuple(s * width for s in self.strides))

    @property
    def array(self) -> Any:
        """The elements, without a copy and without a check."""
        return self.over(self.buffer.data)

    def span(self) -> tuple[int, int]:
        """The lowest and highest element touched."""
        return span(zip(self.sizes, self.strides, strict=True), self.offset)

    def overlaps(self, other: View) -> bool:
        """Whether the two views share an element, or an element of copies on different cores."""
        if self.buffer.origin is not other.buffer.origin or not self.size or not other.size:
            return False
        (low, high), (lower, higher) = self.span(), other.span()
        if high < lower or higher < low:
            return False
        marks = np.zeros(self.buffer.data.size, np.bool_)
        self.over(marks)[...] = True
        return bool(other.over(marks).any())


def whole_view(buffer: Buffer, sizes: tuple[int, ...]) -> View:
    """The view of a buffer as a row-major array."""
    return View(buffer, 0, sizes, row_major(sizes))


def of_core(view: View, point: tuple[int, ...]) -> View:
    """The view of the copy of a buffer that the core with ids `point` has; the first core has the buffer itself."""
    if not any(point):
        return view
    copies = view.buffer.copies
    if point not in copies:
        copies[point] = Buffer(view.buffer.data.copy(), view.buffer.step, view.buffer.what)
        copies[point].origin = view.buffer
    return View(copies[point], view.offset, view.sizes, view.strides)


def check_bounds(step: Any, view: View) -> None:
    """Raises OutOfBounds when `view` leaves its buffer."""
    if view.size:
        low, high = view.span()
        if low < 0 or high >= view.buffer.data.size:
            raise OutOfBounds(
                step.op,
                f"touches elements {low} to {high} of a buffer of {counted(view.buffer.data.size, 'element')}",
                (view.buffer.step.op, f"is where the buffer comes from: {view.buffer.what}"),
            )


def reads(agent: Agent, step: Any, view: View, only: np.ndarray | None = None) -> None:
    """Records that `step` reads `view` (where `only`, an array of its shape, is true)."""
    if not view.size:
        return
    buffer = view.buffer
    _check_alive(agent, step, buffer)
    history = agent.machine.scheduler.history
    writers = buffer.writer.numbers(view, only)
    if not len(writers):
        return
    if writers[0] == 0:
        _note_poison(agent, step, view, only)
    if buffer.racy is not None:
        _fill_with_garbage(agent, view)
    _raise_race(agent, step, history.unordered(agent.clock, writers), "reads", "writes", buffer)
    stamp = history.stamp(agent.clock, step)
    for number in buffer.readers.numbers(view, only):
        seen = buffer.sets[number]
        if stamp in seen:
            continue
        live = frozenset(s for s in seen if not agent.clock.knows(history.stamps[s][0]))
        new = buffer.number(live | {stamp})
        buffer.readers.replace(view, only, number, new)


def writes(agent: Agent, step: Any, view: View, only: np.ndarray | None = None) -> None:
    """Records that `step` writes `view` (where `only` is true)."""
    if not view.size:
        return
    buffer = view.buffer
    _check_alive(agent, step, buffer)
    history = agent.machine.scheduler.history
    writers = buffer.writer.numbers(view, only)
    if agent.machine.allow.races:
        _mark_racy(agent, buffer, view, only, writers)
    _raise_race(agent, step, history.unordered(agent.clock, writers), "writes", "writes", buffer)
    for number in buffer.readers.numbers(view, only):
        _raise_race(agent, step, history.unordered(agent.clock, buffer.sets[number]), "writes", "reads", buffer)
    stamp = history.stamp(agent.clock, step)
    buffer.writer.set(view, only, stamp)
    buffer.readers.set(view, only, 0)


def free(agent: Agent, step: Any, view: View) -> None:
    """Records a deallocation; every access must be over."""
    buffer = view.buffer
    _check_alive(agent, step, buffer)
    history = agent.machine.scheduler.history
    stamps = [*buffer.writer.all_numbers(), *(s for n in buffer.readers.all_numbers() for s in buffer.sets[n])]
    unordered = history.unordered(agent.clock, stamps)
    if unordered is not None and not agent.machine.allow.races:
        raise UseAfterFree(
            step.op,
            f"frees {buffer.what} while another operation may still use it: no token, channel or program order keeps them"
            " apart; make it depend on the other's token",
            (unordered.op, "is the other one"),
        )
    buffer.freed = history.stamp(agent.clock, step)


def _check_alive(agent: Agent, step: Any, buffer: Buffer) -> None:
    if not buffer.freed or agent.machine.allow.races:
        return
    event, freer = agent.machine.scheduler.history.stamps[buffer.freed]
    when = "after" if agent.clock.knows(event) else "without order to"
    raise UseAfterFree(step.op, f"uses {buffer.what} {when} its deallocation", (freer.op, "frees it"))


def _note_poison(agent: Agent, step: Any, view: View, only: np.ndarray | slice | None) -> None:
    """Stores the error until the end of the run, since a later write without order to the read explains more."""
    poison = ~view.buffer.writer.are_set(view)
    where = [int(i) for i in np.argwhere(poison if only is None else poison & only)[0]]
    element = f"element {where} of {view.buffer.what}" if where else view.buffer.what
    message = f"reads {element}, which nothing has written"
    agent.machine.poisoned.append(PoisonRead(step.op, message, (view.buffer.step.op, "is where the buffer comes from")))


def _fill_with_garbage(agent: Agent, view: View) -> None:
    """Fills elements with unordered writes with garbage."""
    racy = view.over(view.buffer.racy)
    if racy.any():
        view.array[racy] = agent.machine.garbage.array(int(racy.sum()), view.buffer.data.dtype)


def _mark_racy(agent: Agent, buffer: Buffer, view: View, only: Any, stamps: tuple[int, ...]) -> None:
    """Records the elements that the steps of `stamps`, unordered with the agent, have written before."""
    history = agent.machine.scheduler.history
    late = [s for s in stamps if history.unordered(agent.clock, (s,)) is not None]
    if not late:
        return
    if buffer.racy is None:
        buffer.racy = np.zeros(buffer.data.size, np.bool_)
    met = np.isin(view.over(buffer.writer.each), late)
    view.over(buffer.racy)[...] |= met if only is None else met & only


def _raise_race(agent: Agent, step: Any, unordered: Any | None, action: str, other_action: str, buffer: Buffer) -> None:
    if unordered is not None and not agent.machine.allow.races:
        raise Race(
            step.op,
            f"{action} {buffer.what} while another operation {other_action} the same element: no token, channel or program"
            " order keeps them apart; make one depend on the other's token",
            (unordered.op, "is the other one"),
        )
