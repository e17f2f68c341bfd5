"""Finds core programs of a device that differ only in constants, so that they are compiled once.

Such programs are a family. The compiled program takes the constants as arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from allo_air import dialects
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at, position
from allo_air.core.names import sym_name_of
from allo_air.core.walking import body_of, defining_op, skeleton_of, structure_of, walk_pre_order
from allo_air.device import Coordinate
from allo_air.errors import DiagnosticError
from allo_air.mlir import arith, ir, new_context, vector
from allo_air.sim.cores.bodies import Body
from allo_air.sim.cores.places import Places
from allo_air.sim.cores.prepare import prepare
from allo_air.sim.cores.program import ENTRY, Program, programs_without_positions

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import CoreOp

FREE = (
    *(
        f"arith.{name}"
        for name in ("addi", "subi", "cmpi", "minsi", "maxsi", "minui", "maxui", "select", "andi", "ori", "xori")
    ),
    *(f"arith.{name}" for name in ("index_cast", "index_castui", "extsi", "extui", "trunci")),
    "vector.broadcast",
)
"""Operations whose time does not depend on their operands; bounds of loops and divisors are handled elsewhere."""

_ALIKE = 0.05
"""Share of lines that may differ between programs that are compared; equal constants may be merged in some of them."""


@dataclass(frozen=True)
class Member:
    """A program as a member of a family: the family's text and bytecode, and the constants that this member passes to it.

    `places` maps the position of an operation in the family's text, in pre-order, to its position in the member's own text.
    """

    text: str
    code: bytes
    numbers: tuple[int, ...]
    places: dict[int, int]


class OfCore(NamedTuple):
    """A core, its tile, its program, and the member of a family that stands for the program (often the family's only one)."""

    op: Any
    tile: Coordinate
    program: Program
    member: Member


def programs_of(device: Any, bodies: Mapping[str, Body]) -> list[OfCore]:
    """The programs of all cores of `device`; programs that differ only in numbers belong to one family."""
    cores = [op for op in device.block.operations if op.operation.name == "aie.core"]
    results = [
        (op, tile_of(op), program) for op, program in zip(cores, programs_without_positions(cores, device, bodies), strict=True)
    ]
    shared = families(tuple(dict.fromkeys(program.text for _, _, program in results)))
    return [OfCore(*core, shared.get(core[2].text) or Member(core[2].text, b"", (), {})) for core in results]


def location_in(program: Program, member: Member, place: int) -> Any:
    """The location of the operation of `program` at position `place` of the family's text."""
    return program.locations[member.places.get(place, place)]


def tile_of(core: CoreOp) -> Coordinate:
    """The tile of `core`."""
    tile = core.tile.owner.opview
    if tile.operation.name != "aie.tile":
        raise error_at(core, f"is on a {tile.operation.name}; place tiles before simulating")
    return tile.col, tile.row


@dataclass(frozen=True)
class _Prepared:
    """The module of `text`, its entry, the positions of operations in `text`, and `numbers` as from `skeleton_of`."""

    text: str
    module: Any
    entry: Any
    places: Places
    numbers: list[tuple[int, int, int]]


@lru_cache(maxsize=16)
def families(texts: tuple[str, ...]) -> dict[str, Member]:
    """The members of families with more than one member, by text. The `texts` are all different."""
    members_of: dict[str, Member] = {}
    candidates = _candidates(texts)
    if not candidates:
        return members_of
    with new_context(for_kernel=True) as context, ir.Location.unknown():
        dialects.load(context, ("aie", "xllvm", "aievec"))
        groups: dict[Any, list[_Prepared]] = {}
        for text in candidates:
            try:
                module = ir.Module.parse(text)
                places = Places(module.operation)
                prepare(module.operation)
            except (DiagnosticError, ir.MLIRError):
                continue  # the error is reported when the program is compiled alone
            entry, *rest = sorted(body_of(module.operation), key=lambda op: sym_name_of(op) != ENTRY)
            _splats_to_broadcasts(entry)
            if (skeleton := skeleton_of(entry, FREE)) is None:
                return members_of
            key = skeleton[0], *(structure_of(op) for op in rest)
            groups.setdefault(key, []).append(_Prepared(text, module, entry, places, skeleton[1]))
        for members in groups.values():
            if len(members) > 1:
                members_of |= _family(members)
    return members_of


def _candidates(texts: tuple[str, ...]) -> list[str]:
    """Texts with about as many lines as another text; other texts cannot belong to a family."""
    lines = {text: text.count("\n") for text in texts}
    return [t for t in texts if any(abs(lines[t] - n) <= _ALIKE * n for text, n in lines.items() if text != t)]


def _family(members: list[_Prepared]) -> dict[str, Member]:
    """The members of a family, by their texts. The first one's module becomes the family's: constants become arguments."""
    ops = [walk_pre_order(member.entry) for member in members]
    places = [_positions(member, inside) for member, inside in zip(members, ops, strict=True)]
    arguments: dict[Any, Any] = {}
    first, block = members[0], members[0].entry.regions[0].blocks[0]
    changes = []
    for uses in zip(*(member.numbers for member in members), strict=True):
        if len({number for _, _, number in uses}) == 1:
            continue
        values = [inside[index].operands[operand] for (index, operand, _), inside in zip(uses, ops, strict=True)]
        key = tuple(map(_number, values)), values[0].type
        if key not in arguments:
            arguments[key] = block.add_argument(values[0].type, first.entry.location)
        changes.append((ops[0][uses[0][0]], uses[0][1], arguments[key]))
    for op, operand, argument in changes:
        op.operands[operand] = argument
    _broadcasts_to_splats(first.entry)
    kinds = ir.FunctionType.get([a.type for a in block.arguments], [])
    first.entry.attributes["function_type"] = ir.TypeAttr.get(kinds)
    code = BytesIO()
    first.module.operation.write_bytecode(code)
    constants = [values for values, _ in arguments]  # empty if the members differ only in the order of their constants
    return {
        member.text: Member(
            first.text, code.getvalue(), tuple(values[index] for values in constants), dict(zip(places[0], own, strict=True))
        )
        for index, (member, own) in enumerate(zip(members, places, strict=True))
    }


def _splats_to_broadcasts(entry: ir.Operation) -> None:
    """Replaces constant splat vectors by vector.broadcast of a scalar constant, which can become an argument."""
    numbers: dict[Any, ir.Value] = {}
    for op in walk_pre_order(entry):
        for place, value in enumerate(op.operands if op.name in FREE else ()):
            if not isinstance(value.type, ir.VectorType) or (number := _splat(value)) is None:
                continue
            if number not in numbers:
                with ir.InsertionPoint.at_block_begin(entry.regions[0].blocks[0]), entry.location:
                    numbers[number] = arith.constant(number.type, number)
            with ir.InsertionPoint(op), op.location:
                op.operands[place] = vector.broadcast(value.type, numbers[number])
            if not list(value.uses):
                value.owner.erase()


def _broadcasts_to_splats(entry: ir.Operation) -> None:
    """Replaces vector.broadcast of a scalar that stayed constant by a constant vector again."""
    for op in walk_pre_order(entry):
        if op.name != "vector.broadcast" or constant_of(op.operands[0]) is None:
            continue
        kind, number = op.results[0].type, op.operands[0].owner.attributes["value"]
        with ir.InsertionPoint(op), op.location:
            op.results[0].replace_all_uses_with(arith.constant(kind, ir.DenseElementsAttr.get_splat(kind, number)))
        op.erase()


def _splat(value: ir.Value) -> Any:
    """The integer attribute that all elements of a constant vector have; None for other values."""
    result = defining_op(value, "arith.constant")
    if result is None:
        return None
    elements = result.attributes["value"]
    whole = isinstance(elements, ir.DenseIntElementsAttr) and elements.is_splat
    return elements.get_splat_value() if whole else None


def _number(value: ir.Value) -> int:
    """The constant `value` as the word that is passed to a function."""
    number = constant_of(value) or 0
    return number if isinstance(value.type, ir.IndexType) else number & ((1 << ir.IntegerType(value.type).width) - 1)


def _positions(member: _Prepared, ops: list[ir.Operation]) -> list[int]:
    """The positions of a prepared program's operations in its text, without constants, which differ between programs."""
    return [member.places.of(position(op.location)[1]) for op in ops if op.name != "arith.constant"]
