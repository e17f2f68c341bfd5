"""The texts of a program's levels. They are stored as bytecode and printed on demand, since most are never read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import count

from allo_air import asm, dialects
from allo_air.asm.syntax import DEFAULT
from allo_air.core.contexts import reused_context
from allo_air.core.names import sym_name_of
from allo_air.core.resources import first_blob
from allo_air.mlir import ir, new_context
from allo_air.program.canonical import labelled
from allo_air.program.detached import MARK, without_data


class Texts(Mapping[str, str]):
    """The IR at each level, in order, stored as text or bytecode.

    `syntax` is the version of the peers' assembly of the texts; bytecode is printed in it, too.
    """

    def __init__(self, texts: Mapping[str, str | bytes], syntax: str = DEFAULT) -> None:
        self._held, self._written, self.syntax = dict(texts), dict[str, str](), syntax

    def __getitem__(self, level: str) -> str:
        result = self._written.get(level) or self._held[level]
        if isinstance(result, bytes):
            result = self._written[level] = _printed(result, self.syntax)
        return result

    def spelled(self, syntax: str) -> Texts:
        """The same texts in another version of the assembly. Bytecode stays bytecode."""
        if syntax == self.syntax:
            return self
        return Texts({k: t if isinstance(t, bytes) else respelled(t, syntax) for k, t in self._held.items()}, syntax)

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    @property
    def stored(self) -> Mapping[str, str | bytes]:
        """The levels as they are stored."""
        return self._held


LARGE = 1 << 26
"""Bytes of constants above which levels omit their data, since each level would repeat it; the program has it once."""


def bytecode(module: ir.Operation) -> bytes:
    """`module` as bytecode."""
    stream = BytesIO()
    module.write_bytecode(stream)
    return stream.getvalue()


def level_bytecode(module: ir.Operation, limit: int | None = None) -> bytes:
    """`module` as bytecode for `Texts`, without the data of constants if these have more than `limit` bytes, else `LARGE`."""
    with without_data(module, LARGE if limit is None else limit):
        return bytecode(module)


def module_of(code: bytes) -> ir.Operation:
    """The module of `bytecode`, in the active context, with the dialects that the bytecode names. Each name ends with a zero
    byte.
    """
    dialects.load(ir.Context.current, tuple(name for name in dialects.NAMES if name.encode() + b"\0" in code))
    if not code.startswith(_BUNDLE):
        return ir.Module.parse(code).operation
    first, *parts = [_part_text(part) for part in _bundled(code)]
    join(first, parts)
    return first


def _part_text(code: bytes) -> ir.Operation:
    code, labels = labelled(code)
    module = ir.Module.parse(code).operation
    return module if labels is None else labels.put_on(module)


_BUNDLE = b"modules:"


def bundle(codes: list[bytes]) -> bytes:
    """Bytecode of several modules, which `module_of` merges: the first one declares functions that the others define."""
    return _BUNDLE + b"".join(len(code).to_bytes(8, "little") + code for code in codes)


CALLER = "caller of a kernel"
"""Name of the function that calls the kernel of a part; `join` leaves it out."""


def _bundled(code: bytes) -> list[bytes]:
    codes, place = list[bytes](), len(_BUNDLE)
    while place < len(code):
        end = place + 8 + int.from_bytes(code[place : place + 8], "little")
        codes.append(code[place + 8 : end])
        place = end
    return codes


def join(main: ir.Operation, parts: list[ir.Operation]) -> None:
    """Merges modules into `main`. Functions replace their declarations; other operations are put first, devices before others.

    A global with the name of one in `main` is a copy of it and dropped. Other symbols with used names get a number.
    """
    block = main.regions[0].blocks[0]
    names = {name: o.operation for o in block.operations if (name := _name(o.operation))}
    front = next((o.operation for o in block.operations if o.operation.name == "func.func"), None)
    numbers = dict[str, Iterator[int]]()
    for part in parts:
        ops = [o.operation for o in part.regions[0].blocks[0].operations]
        own = {_name(op) for op in ops}  # names of later operations of the part are not free, either
        for op in ops:
            name = _name(op)
            if name == CALLER or (name in names and op.name == "memref.global"):
                continue
            if name in names and op.name != "func.func":
                stem = name.rstrip("0123456789").removesuffix("_")
                fresh = (f"{stem}_{n}" for n in numbers.setdefault(stem, count()))
                new = next(n for n in fresh if n not in names and n not in own)
                ir.SymbolTable.replace_all_symbol_uses(name, new, part)
                op.attributes["sym_name"] = ir.StringAttr.get(new)
                name = new
            op.detach_from_parent()
            if op.name == "func.func" and name in names:
                ir.InsertionPoint(names[name]).insert(op)
                front = op if front == names[name] else front
                names[name].erase()
            elif op.name == "aie.device" or front is None:  # as air-to-aie places them
                ir.InsertionPoint.at_block_begin(block).insert(op)
            else:
                ir.InsertionPoint(front).insert(op)
            if name:
                names[name] = op


def _name(op: ir.Operation) -> str:
    return sym_name_of(op) if "sym_name" in op.attributes else ""


def respelled(text: str, syntax: str) -> str:
    """The verified text `text` in version `syntax` of the peers' assembly."""
    if not any(f"{name}." in text for name in dialects.NAMES):
        return text
    with new_context(allow_unregistered=True):
        return asm.write(asm.read(text, verified=True), syntax=syntax)


def context_for(code: bytes) -> ir.Context:
    """A context for `module_of(code)`: a new one if `code` names resources, which MLIR makes unique within a context."""
    parts = _bundled(code) if code.startswith(_BUNDLE) else [code]
    has_resources = MARK.encode() in code or any(first_blob(labelled(part)[0]) is not None for part in parts)
    return new_context() if has_resources else reused_context(code)


def _printed(code: bytes, syntax: str) -> str:
    with context_for(code):
        return asm.write(module_of(code), syntax=syntax)
