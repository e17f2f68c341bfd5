"""The text of a device while it is written: values get names, lines their place in the program."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from allo_air.aie.iron.errors import IronRuntimeError, user_place

_WRITER: ContextVar[Writer | None] = ContextVar("allo_air_iron_writer", default=None)


class Writer:
    """Lines of a device; `functions` are the declarations, by name, that cores call."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.functions: dict[str, str] = {}
        self.kernels: dict[str, object] = {}  # what stands for external functions on the simulator
        self.where = ""  # "core" or "sequence" while one is written
        self.constants: list[dict[str, str]] = [{}]
        self.started: object = None  # what the sequence has started; `tasks` knows it
        self._names = 0
        self._depth = 1

    @property
    def depth(self) -> int:
        """How many regions are open, and one."""
        return self._depth

    def fresh(self) -> str:
        """A value's name that nothing else has."""
        self._names += 1
        return f"%v{self._names}"

    def op(self, text: str, result: str = "") -> str:
        """Writes an operation with the program's line as its location; `result` names its value."""
        self.at(user_place(), f"{result} = {text}" if result else text)
        return result

    def at(self, place: tuple[str, int], text: str) -> None:
        """Writes an operation of the program's file and line `place`."""
        self.line(f"{text} loc({json.dumps(place[0])}:{place[1]}:0)" if place[0] else text)

    def line(self, text: str) -> None:
        """Writes a line as it is."""
        self.lines.append("  " * self._depth + text)

    def constant(self, value: str, kind: str) -> str:
        """A constant, once in each region."""
        key = f"{value} : {kind}"
        for known in self.constants:
            if key in known:
                return known[key]
        self.constants[-1][key] = self.op(f"arith.constant {key}", self.fresh())
        return self.constants[-1][key]

    @contextmanager
    def region(self, head: str, tail: str = "}") -> Iterator[None]:
        """Writes `head`, and what is written inside, and `tail`."""
        self.line(head)
        self._depth += 1
        self.constants.append({})
        yield
        self.constants.pop()
        self._depth -= 1
        file, line = user_place()
        self.line(f"{tail} loc({json.dumps(file)}:{line}:0)" if file and tail == "}" else tail)

    def apart(self, head: str, body: Callable[[], None]) -> str:
        """The text of a region that stands by itself in the device, such as a function."""
        before = self.lines, self._depth, self.constants
        self.lines, self._depth, self.constants = [], 1, [{}]
        with self.region(head):
            body()
        text = "\n".join(self.lines)
        self.lines, self._depth, self.constants = before
        return text.strip()


def writer(who: str, where: str) -> Writer:
    """The writer, which must be in a core or in the sequence, as `where` says."""
    found = _WRITER.get()
    if found is None or found.where != where:
        place = "a core's function" if where == "core" else "the runtime's sequence function"
        raise IronRuntimeError(f"{who} outside of {place}")
    return found


def any_writer(who: str) -> Writer:
    """The writer, in a core or in the sequence."""
    found = _WRITER.get()
    if found is None:
        raise IronRuntimeError(f"{who} outside of a core's function and of the runtime's sequence")
    return found


@contextmanager
def writing(made: Writer) -> Iterator[Writer]:
    """While it is open, `made` is the writer."""
    token = _WRITER.set(made)
    try:
        yield made
    finally:
        _WRITER.reset(token)


@contextmanager
def inside(made: Writer, where: str) -> Iterator[None]:
    """While it is open, a core or the sequence is written."""
    before, made.where = made.where, where
    yield
    made.where = before
