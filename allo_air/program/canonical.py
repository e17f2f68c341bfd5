"""Removes names and source locations from a kernel's module, so that equal kernels have equal texts; and restores them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_post_order
from allo_air.mlir import ir

FILE = "__kernel__"
"""The file name of locations in a canonical module. Each line number stands for one original location."""

_LABELS = b"labels:"
_SYMBOL = "__kernel{}__"
_PLACES, _SYMBOLS = re.compile(rf'"{FILE}":(\d+):0'), re.compile(_SYMBOL.format(r"(\d+)"))


@dataclass(frozen=True)
class Labels:
    """The parts that are removed from a canonical module: the names of symbols, and locations as MLIR prints them in `loc()`,
    by number.
    """

    symbols: tuple[str, ...]
    places: tuple[str, ...]

    def prefix_to(self, code: bytes) -> bytes:
        """The labels as bytes in front of the bytecode of a canonical module, for `labelled`."""
        labels = json.dumps([self.symbols, self.places]).encode()
        return _LABELS + len(labels).to_bytes(8, "little") + labels + code

    def put_on(self, text: str) -> ir.Operation:
        """The canonical module with text `text` (`text_of`), its names and locations restored."""
        text = _PLACES.sub(lambda place: self.places[int(place[1])], text)
        return ir.Module.parse(_SYMBOLS.sub(lambda symbol: self.symbols[int(symbol[1])], text)).operation


def labelled(code: bytes) -> tuple[bytes, Labels | None]:
    """Splits `code` into the module's bytecode and the labels in front of it, if any."""
    if not code.startswith(_LABELS):
        return code, None
    start = len(_LABELS) + 8
    end = start + int.from_bytes(code[len(_LABELS) : start], "little")
    symbols, places = json.loads(code[start:end])
    return code[end:], Labels(tuple(symbols), tuple(places))


def canonical(module: ir.Operation, skipped: str) -> tuple[ir.Operation, Labels] | None:
    """A copy of `module` without symbol names (except `skipped`) and without locations, and its labels.

    None for a module that has such generated names itself.
    """
    text = text_of(module)
    if FILE in text or _SYMBOLS.search(text):
        return None
    copy = module.clone().operation
    symbols, places = list[str](), dict[str, int]()

    def line_for(location: ir.Location) -> ir.Location:
        text = str(location).removeprefix("loc(").removesuffix(")")
        return ir.Location.file(FILE, places.setdefault(text, len(places)), 0, context=module.context)

    for op in walk_post_order(copy):
        op.location = line_for(op.location)
        for argument in (a for region in op.regions for block in region for a in block.arguments):
            argument.set_location(line_for(argument.location))
    for nested in copy.regions[0].blocks[0].operations:
        if "sym_name" in nested.attributes and (name := sym_name_of(nested)) != skipped:
            new = _SYMBOL.format(len(symbols))
            ir.SymbolTable.replace_all_symbol_uses(name, new, copy)
            nested.attributes["sym_name"] = ir.StringAttr.get(new)
            symbols.append(name)
    return copy, Labels(tuple(symbols), tuple(places))


def text_of(module: ir.Operation) -> str:
    """The text of all of `module`."""
    return module.get_asm(enable_debug_info=True, large_elements_limit=None, print_generic_op_form=True)
