"""Removes names and source locations from a kernel's module, so that equal kernels have equal texts; and restores them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

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

    def put_on(self, module: ir.Operation) -> ir.Operation:
        """Restores the names and locations of the canonical `module`, in place; returns it.

        A module has few different locations and attributes, so each is translated once.
        """
        places, values = dict[Any, ir.Location](), dict[ir.Attribute, ir.Attribute | None]()

        def place_for(location: ir.Location) -> ir.Location:
            key = location.attr  # equal locations have different hashes
            if key not in places:
                text = _PLACES.sub(lambda place: self.places[int(place[1])], str(location))
                places[key] = ir.Module.parse(f"module {{}} {text}").operation.location
            return places[key]

        def value_for(value: ir.Attribute) -> ir.Attribute | None:
            if value not in values:
                text = str(value)
                new = _SYMBOLS.sub(lambda symbol: self.symbols[int(symbol[1])], text)
                values[value] = None if new == text else ir.Attribute.parse(new)
            return values[value]

        for op in walk_post_order(module):
            op.location = place_for(op.location)
            attributes = op.attributes
            for name in list(attributes):
                if (new := value_for(attributes[name])) is not None:
                    attributes[name] = new
            for argument in _arguments(op):
                argument.set_location(place_for(argument.location))
        return module


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
        for argument in _arguments(op):
            argument.set_location(line_for(argument.location))
    for nested in copy.regions[0].blocks[0].operations:
        if "sym_name" in nested.attributes and (name := sym_name_of(nested)) != skipped:
            new = _SYMBOL.format(len(symbols))
            ir.SymbolTable.replace_all_symbol_uses(name, new, copy)
            nested.attributes["sym_name"] = ir.StringAttr.get(new)
            symbols.append(name)
    return copy, Labels(tuple(symbols), tuple(places))


def _arguments(op: ir.Operation) -> list[ir.BlockArgument]:
    """The arguments of the blocks of `op`."""
    return [argument for region in op.regions for block in region for argument in block.arguments]


def text_of(module: ir.Operation) -> str:
    """The text of all of `module`."""
    return module.get_asm(enable_debug_info=True, large_elements_limit=None, print_generic_op_form=True)
