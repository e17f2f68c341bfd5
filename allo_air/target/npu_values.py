"""Numbers of runtime sequences that are known only at run time: scalars bound to values, operands as attributes, BD pools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.core.calls import NUMBERS
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at, given_name
from allo_air.dialects._places import paired, size_stride_pairs
from allo_air.dialects.declarations import device_of
from allo_air.dialects.operands import SEGMENTS, operands_of
from allo_air.errors import AlloAirError, UnknownNameError
from allo_air.mlir import AnyOp, arith, ir
from allo_air.target.npu_numbers import number_of, represented

if TYPE_CHECKING:
    from allo_air.dialects._aie_dma import DMABDOp
    from allo_air.dialects._aie_tiles import RuntimeSequenceOp

_DYNAMIC = -(2**63)
_SUFFIX = "_operand"
VALUED = (
    "aie.dma_bd", "aiex.dma_configure_task", "aiex.dma_configure_task_for", "aiex.npu.write32", "aiex.npu.maskwrite32",
    "aiex.npu.address_patch", "aiex.npu.sync", "aiex.npu.push_queue", "aiex.npu.rtp_write", "aiex.set_lock",
)  # fmt: skip
"""Operations with attributes that a run-time value may replace."""
POOL = ("aiex.dma_bd_pool_pop", "aiex.dma_bd_pool_push")
GUARDS = ("aiex.npu.assert_bd_field", "aiex.npu.assert_bd_divisible")

Values = Mapping[str, Any]
"""Scalars by name, without `%`, or by the number of the argument."""


def is_scalar(argument: ir.Value) -> bool:
    """Whether an argument of a sequence or function is a number, not a buffer or tensor."""
    return isinstance(argument.type, ir.IntegerType | ir.IndexType | ir.FloatType)


def scalars(sequence: RuntimeSequenceOp) -> list[tuple[str, Any]]:
    """The scalar arguments of a sequence with their names: the file's, or the number of the argument."""
    return scalars_of(sequence.body.blocks[0])


def scalars_of(block: ir.Block) -> list[tuple[str, Any]]:
    """The arguments of a block that are numbers, with their names."""
    return [(_name(a), a) for a in block.arguments if is_scalar(a)]


def _name(argument: ir.BlockArgument) -> str:
    return given_name(argument.location, "argument").removeprefix("%") or str(argument.arg_number)


def buffers_of(sequence: Any) -> dict[Any, tuple[int, int]]:
    """The buffers among the arguments of a sequence, each with its number among them and its first byte, 0."""
    buffers = [a for a in sequence.body.blocks[0].arguments if not is_scalar(a)]
    return {argument: (number, 0) for number, argument in enumerate(buffers)}


def split(sequence: RuntimeSequenceOp, arguments: Sequence[object], values: Values) -> tuple[list[Any], dict[str, Any]]:
    """The buffers among `arguments`, which are in the order of the arguments that `values` does not name, and the values with
    the remaining scalars.
    """
    rest, buffers, result = list(arguments), [], dict(NUMBERS.checked("values", values))
    for number, argument in enumerate(sequence.body.blocks[0].arguments):
        if not rest:
            break
        if not is_scalar(argument):
            buffers.append(rest.pop(0))
        elif not {_name(argument), str(number)} & set(result) and number_of(rest[0]) is not None:
            result[str(number)] = rest.pop(0)
    return buffers + rest, result


def bind(sequence: RuntimeSequenceOp, values: Values) -> None:
    """Replaces scalar arguments by numbers and erases them; AlloAirError for missing ones.

    Before (n = 4):

        aie.runtime_sequence @seq(%a : memref<64xi32>, %n : i64) { ... "use"(%n) }

    After:

        aie.runtime_sequence @seq(%a : memref<64xi32>) { %c4 = arith.constant 4 : i64 ... "use"(%c4) }
    """
    scalar_arguments = scalars(sequence)
    results = by_place(f"@{sequence.sym_name}", scalar_arguments, values)
    missing = [f"{n} : {a.type}" for n, a in scalar_arguments if a.arg_number not in results and len(list(a.uses))]
    if missing:
        raise AlloAirError(
            f"@{sequence.sym_name} takes {', '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not given;"
            f" give each run its numbers: allo_air.simulate(..., values={{'{missing[0].split()[0]}': ...}})"
        )
    for _, argument in reversed(scalar_arguments):
        replace_argument(argument, results.get(argument.arg_number))


def by_place(owner: str, arguments: Sequence[tuple[str, Any]], values: Values) -> dict[int, Any]:
    """The values by the number of the argument; UnknownNameError for a name that is not among `arguments` of `owner`."""
    results: dict[int, Any] = {}
    for key, value in values.items():
        name = key.removeprefix("%")
        matches = [a.arg_number for n, a in arguments if name in (n, str(a.arg_number))]
        if not matches:
            there = ", ".join(f"{n} : {a.type}" for n, a in arguments) or "none"
            raise UnknownNameError("scalar argument", name, [n for n, _ in arguments], f"{owner} has {there}")
        results[matches[0]] = value
    return results


def replace_argument(argument: ir.BlockArgument, value: object) -> None:
    """Replaces a block's scalar argument by a constant and erases the argument; raises AlloAirError if its type cannot
    represent the number. An unused argument needs no value.
    """
    block, is_used = argument.owner, len(list(argument.uses)) > 0
    if value is not None or is_used:
        name = _name(argument)
        with ir.InsertionPoint.at_block_begin(block), argument.location:
            number = represented(f"argument {name}" if name.isdigit() else name, argument.type, value)
            if is_used:
                argument.replace_all_uses_with(arith.constant(argument.type, number))
    block.erase_argument(argument.arg_number)


def inner_of(block: ir.Block) -> Iterator[Any]:
    """The operations of a block and of the regions in it, in order, as operations."""
    for view in block.operations:
        yield view.operation
        for region in view.operation.regions:
            for inner in region.blocks:
                yield from inner_of(inner)


def is_static_sequence(sequence: AnyOp) -> bool:
    """Whether no operand of a sequence is a constant that an attribute can represent, and no BD comes from a pool."""
    for block in sequence.operation.regions[0].blocks:
        for op in inner_of(block):
            if op.name in POOL or op.name in GUARDS or (op.name in VALUED and any(True for _ in _constants(op))):
                return False
    return True


def fold_constants(sequence: AnyOp, *, final: bool = True) -> None:
    """Converts constant operands of a sequence's operations to attributes; constant guards are checked and erased.

    With `final`, which needs a sequence without loops, BD pools assign numbers: the lowest free one of the tile.
    """
    free: dict[tuple[int, int], list[int]] = {}
    for block in sequence.operation.regions[0].blocks:
        for op in list(inner_of(block)):
            if op.name in GUARDS:
                _check(op)
            elif final and op.name in POOL:
                _pool(sequence, op, free)
            elif op.name in VALUED:
                _fold(op)


def _constants(op: AnyOp) -> Iterator[tuple[str, int]]:
    for name, argument in operands_of(op).items():
        for value in argument:
            if name.endswith((_SUFFIX, "_operands")) and (number := constant_of(value)) is not None:
                yield name, number


def _fold(op: AnyOp) -> None:
    """Moves constant operands of `op` into attributes. The operation is created again, since operands cannot be dropped."""
    if not any(True for _ in _constants(op)):
        return
    view, fields = op.opview, operands_of(op)
    attributes = {key: op.attributes[key] for key in op.attributes if key != SEGMENTS}
    lists: dict[str, list[Any]] = {}
    for name, argument in fields.items():
        lists[name] = list(argument)
        if not name.endswith(_SUFFIX) or not argument or (number := constant_of(argument[0])) is None:
            continue
        kind = type(view).DECL.attrs[name.removesuffix(_SUFFIX)].kind
        attributes[name.removesuffix(_SUFFIX)] = kind.attribute(number & 0xFFFFFFFF if kind.name.startswith("u") else number)
        lists[name] = []
    if op.name == "aie.dma_bd":
        _fold_lists(view, attributes, lists)
    if SEGMENTS in op.attributes:
        attributes[SEGMENTS] = ir.DenseI32ArrayAttr.get([len(value) for value in lists.values()])
    flat = [value for argument in lists.values() for value in argument]
    new = ir.Operation.create(
        op.name,
        [r.type for r in op.results],
        flat,
        attributes,
        regions=len(op.regions),
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    for old, item in zip(op.regions, new.regions, strict=True):
        for block in list(old.blocks):
            block.append_to(item)
    for result, new_result in zip(op.results, new.results, strict=True):
        result.replace_all_uses_with(new_result)
    op.erase()


def _fold_lists(view: DMABDOp, attributes: dict[str, object], operands: dict[str, list[ir.Value]]) -> None:
    """Moves constant sizes and strides of a BD into its dimensions attribute."""
    if view.dimensions is None:
        return
    columns = [list(column) for column in zip(*size_stride_pairs(view.dimensions), strict=True)]
    for column, name in zip(columns, ("size_operands", "stride_operands"), strict=True):
        values = iter(operands[name])
        operands[name] = []
        for i, number in enumerate(column):
            if number == _DYNAMIC:
                value = next(values)
                if (constant := constant_of(value)) is None:
                    operands[name].append(value)
                else:
                    column[i] = constant
    attributes["dimensions"] = paired(zip(*columns, strict=True), "bd_dim_layout_array")


def _check(op: AnyOp) -> None:
    """Checks a guard with a constant condition and erases it."""
    number = constant_of(op.operands[0])
    if number is None:
        return
    attributes = op.attributes
    if op.name == GUARDS[0]:
        most = attributes["max"].value
        if not 0 <= number <= most:
            raise error_at(op, f"value {number} does not fit the field of a BD, [0:{most}]")
    elif number % (divisor := attributes["divisor"].value) and not (number == 1 and "allow_unit" in attributes):
        raise error_at(op, f"value {number} is not a multiple of {divisor}")
    op.erase()


def _pool(sequence: AnyOp, op: AnyOp, free: dict[tuple[int, int], list[int]]) -> None:
    place = op.attributes["column"].value, op.attributes["row"].value
    if place not in free:
        around = op
        while around.name != "aie.device":
            around = around.parent.operation
        free[place] = list(range(device_of(around).tile(*place).bds))
    numbers = free[place]
    if op.name == POOL[0]:
        if not numbers:
            raise error_at(op, f"takes a BD, and all of tile {place} are in use; free one first (aiex.dma_bd_pool_push)")
        with ir.InsertionPoint(op), op.location:
            op.results[0].replace_all_uses_with(arith.constant(op.results[0].type, numbers.pop(0)))
    else:
        number = constant_of(op.operands[0])
        if number is None or number in numbers:
            raise error_at(op, f"frees BD {number}, which is not in use" if number is not None else "frees an unknown BD")
        numbers.append(number)
        numbers.sort()
    op.erase()
