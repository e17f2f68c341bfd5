"""The text of a core's program as a module of its own, ready to be compiled or timed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from allo_air import dialects
from allo_air.core.diagnostics import error_at, translate
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named, walk_post_order
from allo_air.core_model.access import access_of
from allo_air.core_model.banks import Shares
from allo_air.errors import DiagnosticError
from allo_air.mlir import ir, new_context
from allo_air.sim.cores.places import Places
from allo_air.sim.cores.prepare import prepare
from allo_air.sim.cores.program import BASES, ENTRY
from allo_air.sim.cores.roots import root_of

_DIALECTS = {"aie", "arith", "builtin", "cf", "complex", "func", "index", "llvm", "math", "memref", "scf", "ub", "vector"}


class Refused(Exception):
    """The error for an operation that cannot be compiled, with its position in pre-order."""

    def __init__(self, place: int, error: DiagnosticError):
        self.place, self.error = place, error
        super().__init__(str(error))


@contextmanager
def prepared(text: str, family: bytes) -> Iterator[tuple[Any, Places]]:
    """The prepared module of a program in its own context, and the positions in `text`."""
    with new_context(for_kernel=True) as context:
        dialects.load(context, ("aie", "xllvm", "aievec"))
        module = ir.Module.parse(text)
        places = Places(module.operation)
        if family:
            yield ir.Module.parse(family), places
            return
        with refusing(places), ir.Location.unknown():
            prepare(module.operation)
        yield module, places


@contextmanager
def refusing(places: Places) -> Iterator[None]:
    """Converts errors of compilation to Refused, with the position of the operation."""
    try:
        yield
    except DiagnosticError as error:
        raise Refused(places.of(error.diagnostics[0].line), error) from None
    except ir.MLIRError as error:
        result = translate(error)
        line = next((d.line for d in result.diagnostics if d.line), 0)
        raise Refused(places.of(line), result) from None


def check_compilable(module: ir.Operation) -> None:
    """Raises DiagnosticError at the first operation of `module`, a prepared program, that has no lowering here."""
    for op in walk_post_order(module):
        if op.name.split(".")[0] not in _DIALECTS:
            raise no_lowering(op)


def no_lowering(op: ir.Operation) -> DiagnosticError:
    return error_at(op, "cannot be compiled for the host; lower it to arith, math, vector, memref, scf or cf operations")


def banks_of(module: ir.Operation, banks: tuple[Shares, ...]) -> Callable[[Any], Shares]:
    """The banks of the core's argument that a load or store accesses, none for any other memory."""
    entry = next(f for f in walk_named(module, "func.func") if sym_name_of(f) == ENTRY)
    arguments = list(entry.regions[0].blocks[0].arguments)[BASES : BASES + len(banks)]
    banks_of_argument = dict(zip(arguments, banks, strict=True)) if banks else {}

    def find(op: ir.Operation) -> Shares:
        access = access_of(op)
        root = None if access is None else root_of(access.memref)
        return () if root is None else banks_of_argument.get(root, ())

    return find
