"""Decides which cores of a kernel run the same program: a kernel is compiled once for all cores whose numbers lead to the same
decisions.

A compilation uses its core's numbers only in two places: `evaluate` (compile-time values) and subscripts of streams. Each use
is recorded as a question with its answer: a value, or which of the streams used so far is selected. A question depends on the
answers to all earlier ones, so the questions form a tree whose leaves are programs. A core whose numbers lead to a leaf runs
the leaf's program, on its own streams.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from allo_air.errors import AlloAirError
from allo_air.frontend.source import Source
from allo_air.frontend.state import Module, State
from allo_air.frontend.static import is_static, value_of
from allo_air.frontend.streams import select
from allo_air.frontend.values import KnownInt, Pid, StreamValue, Variable

_RUNTIME_VALUE = Variable(None, None)  # type: ignore[arg-type]
Names = dict[str, int]
"""The streams used so far, numbered in order of appearance."""


@dataclass(frozen=True)
class Question:
    """A recorded question: an expression, the names in it, and the array of streams if it is a subscript of one."""

    node: ast.AST
    names: dict[str, Any]
    source: Source
    owner: StreamValue | None = None

    def answer(self, pid: Sequence[int], chosen: Names) -> Hashable:
        """The answer for core `pid`. Raises AlloAirError or TypeError if it cannot be compared."""
        names = {name: _for_core(value, pid) for name, value in self.names.items()}
        hooks = {"get_pid": lambda state, node, target: numbers_of(pid)}
        state = State(Module(None, _RUNTIME_VALUE), self.source, "core", [names], hooks=hooks)  # type: ignore[arg-type]
        if self.owner is not None:
            return _numbered(select(state, self.owner, self.node), chosen)
        return _key(value_of(state, self.node))


@dataclass
class Decisions:
    """The questions of one compilation and their answers. `open` are expressions that are not decided yet."""

    questions: list[tuple[Question, Hashable]] = field(default_factory=list)
    chosen: Names = field(default_factory=dict)
    open: set[ast.AST] = field(default_factory=set)
    comparable: bool = True
    """Whether all answers could be recorded."""

    def value(self, state: State, node: ast.AST, value: object) -> Any:
        """Records the value of `node` if it depends on the core's numbers."""
        if isinstance(node, ast.Constant):
            return value
        names = _names(state, node)
        if not any(map(_numbers_in, names.values())) and not _calls_get_pid(state, node):
            return value
        if node in self.open and isinstance(node, (ast.Call, ast.Name)) and _numbers_in(value):
            return value
        try:
            self.questions.append((Question(node, names, state.source), _key(value)))
        except TypeError:
            self.comparable = False
        return _recorded(value)

    def streams(self, state: State, owner: StreamValue, node: ast.AST, stream: StreamValue) -> None:
        """Records which streams were chosen."""
        self.questions.append((Question(node, _names(state, node), state.source, owner), _numbered(stream, self.chosen)))


class Kinds:
    """The programs of a kernel, as a tree of answers."""

    def __init__(self) -> None:
        self.root: _Fork | _Leaf | None = None
        self.comparable = True

    def find(self, pid: Sequence[int]) -> tuple[Any, dict[str, str]] | None:
        """The program of a core that decides like `pid`, and a map from that core's streams to those of `pid`."""
        chosen: Names = {}
        fork = self.root if self.comparable else None
        while isinstance(fork, _Fork):
            try:
                fork = fork.branches.get(fork.question.answer(pid, chosen))
            except (AlloAirError, TypeError):
                return None
        return None if fork is None else (fork.program, dict(zip(fork.streams, chosen, strict=True)))

    def keep(self, pid: Sequence[int], decisions: Decisions, program: object) -> None:
        """Stores the program for `pid`. If its recorded answers do not lead to it again, this kernel's programs are not
        shared.
        """
        entry = _Leaf(program, list(decisions.chosen))
        self.comparable &= decisions.comparable
        link: tuple[_Fork, Hashable] | None = None
        for question, answer in decisions.questions:
            fork = self.root if link is None else link[0].branches.get(link[1])
            if not isinstance(fork, _Fork):
                fork = _Fork(question)
                self._set(link, fork)
            link = fork, answer
        self._set(link, entry)
        result = self.find(pid)
        self.comparable &= result is not None and result[0] is entry.program

    def _set(self, link: tuple[_Fork, Hashable] | None, to: _Fork | _Leaf) -> None:
        if link is None:
            self.root = to
        else:
            link[0].branches[link[1]] = to


@dataclass
class _Fork:
    question: Question
    branches: dict[Hashable, _Fork | _Leaf] = field(default_factory=dict)


@dataclass
class _Leaf:
    program: Any
    streams: list[str]


def numbers_of(pid: Sequence[int]) -> Any:
    """The result of `get_pid` on a core."""
    numbers = tuple(Pid.of(number, axis) for axis, number in enumerate(pid))
    return numbers if len(numbers) > 1 else numbers[0]


def _numbered(stream_value: StreamValue, chosen: Names) -> Hashable:
    many = stream_value if isinstance(stream_value, tuple) else (stream_value,)
    return tuple(chosen.setdefault(stream.symbol, len(chosen)) for stream in many)


def _names(state: State, node: ast.AST) -> dict[str, Any]:
    """The values of the names in an expression."""
    names: dict[str, Any] = {}
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            try:
                value = state.find(inner.id)
            except KeyError:
                continue
            names[inner.id] = value if is_static(value) else _RUNTIME_VALUE
    return names


def _calls_get_pid(state: State, node: ast.AST) -> bool:
    """Whether an expression calls `get_pid` itself."""
    calls = (n for n in ast.walk(node) if isinstance(n, ast.Call))
    return any(getattr(value_of(state, n.func), "kernel_hook", "") == "get_pid" for n in calls)


def _numbers_in(value: object) -> bool:
    return isinstance(value, Pid) or (isinstance(value, (tuple, list)) and any(map(_numbers_in, value)))


def _for_core(value: Any, pid: Sequence[int]) -> Any:
    """A value with the numbers of core `pid` instead of those that it was compiled for."""
    if isinstance(value, Pid):
        return Pid.of(pid[value.axis], value.axis)
    return type(value)(_for_core(v, pid) for v in value) if _numbers_in(value) else value


def _recorded(value: Any) -> Any:
    """A copy of a value in which the core's numbers are fixed and no longer recorded."""
    if isinstance(value, Pid):
        return KnownInt(value)
    return type(value)(map(_recorded, value)) if _numbers_in(value) else value


def _key(value: Any) -> Hashable:
    """A comparable key of a value, with its type; TypeError if it has no fixed value."""
    if isinstance(value, (tuple, list)):
        return (type(value), *map(_key, value))
    if hasattr(value, "tobytes"):
        return (type(value), str(value.dtype), value.shape, value.tobytes())
    kind = KnownInt if isinstance(value, Pid) else type(value)
    hash(value)
    return (kind, repr(value) if isinstance(value, float) else value)
