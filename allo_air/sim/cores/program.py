"""The program of one core: a function of its buffers and locks. Equal cores have equal texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.functions import declare_function
from allo_air.core.names import sym_name_of
from allo_air.core.walking import defining_op, is_result_of, outer_of, outline_of, walk_named, walk_pre_order
from allo_air.dialects.declarations import ANYWHERE
from allo_air.mlir import AnyOp, ir
from allo_air.sim.cores.bodies import Body, cast_arguments, symbols
from allo_air.sim.report_types import NotSimulated

ENTRY = "core"
BASES = 3
"""Leading i32 arguments of the entry: the first site, region and kernel of this core in the device's tables."""

_CAPTURED = ("aie.buffer", "aie.lock")
_NOT_IN_CORES = ("aie.objectfifo.acquire", "aie.objectfifo.release", "aie.objectfifo.subview.access")


@dataclass(frozen=True)
class Program:
    """A core's program in generic form, without its position and its resources: module `text`.

    Function `core` takes BASES numbers, then `captures` (buffers and locks of the device, in order of their first use).
    `locations` has those of all operations of the module in pre-order.
    """

    text: str
    captures: tuple[ir.Value, ...]
    locations: tuple[ir.Location, ...]
    externals: tuple[Any, ...]
    """The calls of functions without a body, operations of `module`."""

    module: Any


def programs_without_positions(cores: Sequence[AnyOp], device: AnyOp, bodies: Mapping[str, Body]) -> list[Program]:
    """The programs of `cores` of `device`. Cores that only differ in buffers and locks, with equal locations, share one
    program.
    """
    program_of_body: dict[bytes, Program] = {}
    programs: list[Program] = []
    for core in cores:
        outline, outer = outline_of(core), outer_of(core)
        if outline is None or outer is None or not all(map(_is_of_device, outer)) or walk_named(core, *ANYWHERE):
            programs.append(program_of(core, device, bodies))
            continue
        if outline[0] not in program_of_body:
            program_of_body[outline[0]] = program_of(core, device, bodies)
        captures = tuple(value for value in outer if value.owner.name in _CAPTURED)
        programs.append(replace(program_of_body[outline[0]], captures=captures))
    return programs


def _is_of_device(value: ir.Value) -> bool:
    """Whether `value` is a tile, a buffer or a lock, and not a constant."""
    return is_result_of(value, *_CAPTURED, "aie.tile")


def program_of(core: Any, device: AnyOp, bodies: Mapping[str, Body] | None = None) -> Program:
    """The program of the `aie.core` operation `core` of `device`; `bodies` implement functions without a body.

    Raises NotSimulated for a core that can be simulated after a lowering of the design, DiagnosticError for one that is
    wrong.
    """
    if elf := core.elf_file:
        wrong = error_at(
            core,
            f"is already compiled to '{elf}'; the simulator runs cores from their MLIR body: give the design before that step",
        )
        raise NotSimulated(wrong.diagnostics)
    own = walk_pre_order(core.operation)
    if offending := next((op for op in own if op.name in _NOT_IN_CORES), None):
        wrong = error_at(
            offending,
            "is not lowered; run the pass that lowers objectFifos (aie-objectFifo-stateful-transform) before simulating",
        )
        raise NotSimulated(wrong.diagnostics)
    with core.operation.context, core.operation.location:
        module = ir.Module.create()
        captures = _function(core, own, module.body)
        externals = _symbols(module.body, device, bodies or {})
    text = module.operation.get_asm(print_generic_op_form=True, assume_verified=True)
    locations = tuple(op.location for op in walk_pre_order(module.operation))
    return Program(text, captures, locations, externals, module)


def _function(core: AnyOp, own: list[ir.Operation], body: ir.Block) -> tuple[Any, ...]:
    """Moves a copy of the core's region into function `core`; the device's values that it uses become arguments.

    `own` are the core's operations.
    """
    copy = core.operation.clone(ip=ir.InsertionPoint(body))
    if declared := [op for op in own if op.name in ANYWHERE]:
        for original, copied in zip(declared, walk_named(copy, *ANYWHERE), strict=True):
            copied.results[0].replace_all_uses_with(original.results[0])
            copied.erase()
    ops = walk_pre_order(copy)
    captures, constants, uses = _uses_of_device(ops)
    i32 = ir.IntegerType.get_signless(32)
    types = [i32] * BASES + [_without_space(v.type) for v in captures]
    with core.operation.location:
        bare = {"llvm.bareptr": ir.UnitAttr.get()}
        kind = ir.FunctionType.get(types, [])
        function = declare_function(ENTRY, kind, bare, is_private=False, ip=ir.InsertionPoint(body))
    for block in list(copy.regions[0].blocks):
        block.append_to(function.regions[0])
    entry = function.regions[0].blocks[0]
    arguments = [entry.add_argument(t, core.operation.location) for t in types]
    copies = [c.clone(ip=ir.InsertionPoint.at_block_begin(entry)) for c in constants]
    replaced = dict(zip(captures, arguments[BASES:], strict=True))
    replaced |= {c.results[0]: k.results[0] for c, k in zip(constants, copies, strict=True)}
    for op, i, value in uses:
        op.operands[i] = replaced[value]
    ends = [op for op in ops[1:] if op.name == "aie.end"]
    del ops
    copy.erase()
    for op in ends:
        ir.Operation.create("func.return", loc=op.location, ip=ir.InsertionPoint(op))
        op.erase()
    _flatten_spaces(function)
    return tuple(captures)


def _uses_of_device(ops: list[ir.Operation]) -> tuple[list[ir.Value], list[Any], list[tuple[Any, int, ir.Value]]]:
    """Buffers and locks of the device used in a core, operations of constants outside of it, and the uses of all of them.

    `ops` are the core's operations, the core itself first.
    """
    captures: dict[Any, None] = {}
    constants: dict[Any, Any] = {}
    uses: list[tuple[Any, int, ir.Value]] = []
    inside: set[Any] = {r for op in ops for r in op.results}
    inside |= {a for op in ops for region in op.regions for b in region.blocks for a in b.arguments}
    for op in ops[1:]:
        for i, value in enumerate(op.operands):
            if value in inside:
                continue
            uses.append((op, i, value))
            if value in captures or value in constants:
                continue
            owner = defining_op(value)
            name = "" if owner is None else owner.name
            if name == "aie.buffer":
                _refuse_packed(owner)
            if name in _CAPTURED:
                captures[value] = None
            elif name in ("arith.constant", "ub.poison"):  # folding hoists both out of the core, which is not isolated
                constants[value] = owner
            else:
                raise error_at(
                    op,
                    f"uses a value of {name or 'a block argument'} from outside; a core sees buffers, locks and constants",
                )
    return list(captures), list(constants.values()), uses


def _refuse_packed(buffer: AnyOp) -> None:
    element = buffer.results[0].type.element_type
    if isinstance(element, ir.IntegerType) and 1 < element.width < 8:
        raise error_at(buffer, f"holds {element}, which is narrower than a byte; a core that uses it is not simulated: use i8")


def _without_space(kind: ir.Type) -> Any:
    """`kind` without a memory space: all the array's memories are plain memory to the compiled code."""
    if isinstance(kind, ir.MemRefType) and kind.memory_space is not None:
        return ir.MemRefType.get(kind.shape, kind.element_type, kind.layout)
    if isinstance(kind, ir.FunctionType):
        return ir.FunctionType.get([_without_space(t) for t in kind.inputs], [_without_space(t) for t in kind.results])
    return kind


def _flatten_spaces(root: ir.Operation) -> None:
    """Takes the memory spaces off all types in `root`; a cast between spaces falls away later as a cast to the same type."""
    for op in walk_pre_order(root):
        values = [*op.results, *(a for region in op.regions for b in region.blocks for a in b.arguments)]
        for value in values:
            plain = _without_space(value.type)
            if plain != value.type:
                value.set_type(plain)
        for attribute in ("function_type", "type"):
            if attribute in op.attributes and isinstance(op.attributes[attribute], ir.TypeAttr):
                kind = op.attributes[attribute].value
                if (plain := _without_space(kind)) != kind:
                    op.attributes[attribute] = ir.TypeAttr.get(plain)
    for cast in walk_named(root, "memref.memory_space_cast"):
        cast.results[0].replace_all_uses_with(cast.operands[0])
        cast.erase()


def _symbols(body: ir.Block, device: AnyOp, bodies: Mapping[str, Body]) -> tuple[Any, ...]:
    """Copies functions and globals that the program names into `body`; returns the calls of functions without a body."""
    module = device.operation.parent
    symbols_of_device = symbols(device.block, *([module.regions[0].blocks[0]] if module is not None else []))
    here: dict[Any, Any] = {}
    used_names = {ENTRY}
    calls = []
    waiting = [(body.operations[0].operation, symbols_of_device)]
    while waiting:
        root, table = waiting.pop()
        for op in walk_pre_order(root):
            if op.name not in ("func.call", "memref.get_global"):
                continue
            key = "callee" if op.name == "func.call" else "name"
            result, home = _definition(op, op.attributes[key].value, table, bodies)
            external = op.name == "func.call" and not result.regions[0].blocks
            symbol = op.attributes[key].value if external else result
            if symbol not in here:
                copy = here[symbol] = result.clone(ip=ir.InsertionPoint(body))
                _name_apart(copy, used_names)
                _private(copy)
                _flatten_spaces(copy)
                waiting.append((copy, home))
            op.attributes[key] = ir.FlatSymbolRefAttr.get(sym_name_of(here[symbol]))
            if external:
                calls.append(op)
            elif home is not table:
                cast_arguments(op, here[symbol])
    return tuple(calls)


def _definition(op: ir.Operation, name: str, table: dict[str, AnyOp], bodies: Mapping[str, Body]) -> tuple[Any, dict[str, Any]]:
    """The definition of symbol `name`, and the symbols of its file. A function without a body is replaced by a kernel's
    body.
    """
    result = table.get(name)
    if result is None:
        raise error_at(op, f"names '{name}', which neither the device nor its module defines")
    if op.name == "memref.get_global" and "constant" not in result.attributes:
        raise error_at(op, f"uses '{name}', a global that can be written; use an aie.buffer, or make it constant")
    if op.name == "func.call" and not result.regions[0].blocks and name in bodies:
        return bodies[name].function, bodies[name].symbols
    return result, table


def _name_apart(copy: AnyOp, used_names: set[str]) -> None:
    """Renames a copied symbol to an unused name, since two files may define the same one. Functions without a body keep their
    names.
    """
    name = base_name = sym_name_of(copy)
    number = 0
    while name in used_names:
        number += 1
        name = f"{base_name}_{number}"
    if copy.name == "memref.global" or copy.regions[0].blocks:
        copy.attributes["sym_name"] = ir.StringAttr.get(name)
        used_names.add(name)


def _private(op: ir.Operation) -> None:
    op.attributes["sym_visibility"] = ir.StringAttr.get("private")
    for name in ("link_with", "llvm.emit_c_interface", "llvm.bareptr", "arg_attrs"):
        if name in op.attributes:
            del op.attributes[name]
