"""The texts of a program's levels: most are never looked at, so that they are kept as bytecode, and written when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO

from allo_air import asm, dialects
from allo_air.asm.syntax import DEFAULT
from allo_air.mlir import ir, new_context


class Texts(Mapping[str, str]):
    """The text of the IR at each level, in order, of what is `held`: texts, or bytecode.

    `syntax` is the state of the peers' assembly in which the texts are, and in which bytecode is written.
    """

    def __init__(self, held: Mapping[str, str | bytes], syntax: str = DEFAULT) -> None:
        self._held, self._written, self.syntax = dict(held), dict[str, str](), syntax

    def __getitem__(self, level: str) -> str:
        result = self._written.get(level) or self._held[level]
        if isinstance(result, bytes):
            result = self._written[level] = _written(result, self.syntax)
        return result

    def spelled(self, syntax: str) -> Texts:
        """The same in another state of the assembly; what is bytecode stays that."""
        if syntax == self.syntax:
            return self
        return Texts({k: t if isinstance(t, bytes) else respelled(t, syntax) for k, t in self._held.items()}, syntax)

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    @property
    def held(self) -> Mapping[str, str | bytes]:
        """The levels as they are kept."""
        return self._held


def bytecode(module: ir.Operation) -> bytes:
    """`module` as `Texts` keeps it."""
    into = BytesIO()
    module.write_bytecode(into)
    return into.getvalue()


def module_of(code: bytes) -> ir.Operation:
    """The module that `bytecode` wrote, in the active context, with the dialects that it names; each name ends in a zero."""
    dialects.load(ir.Context.current, tuple(name for name in dialects.NAMES if name.encode() + b"\0" in code))
    return ir.Module.parse(code).operation


def respelled(text: str, syntax: str) -> str:
    """`text`, which has been verified, in state `syntax` of the peers' assembly."""
    if not any(f"{name}." in text for name in dialects.NAMES):
        return text
    with new_context(allow_unregistered=True):
        return asm.write(asm.read(text, verified=True), syntax=syntax)


def _written(code: bytes, syntax: str) -> str:
    with new_context():
        return asm.write(module_of(code), syntax=syntax)
