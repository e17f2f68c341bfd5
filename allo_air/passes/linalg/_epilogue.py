"""Elementwise operations on the result of a matrix multiplication, which each core applies to its tile in L1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allo_air.core.functions import new_function
from allo_air.core.names import function_type_of, set_function_type, sym_name_of
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, func, ir
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes._ir.generic import generic
from allo_air.passes.linalg._elementwise import Operand, is_argument, operands
from allo_air.passes.linalg._epilogue_multiplexing import Multiplexing, multiplex_operands
from allo_air.passes.linalg._indexing import loops_of
from allo_air.passes.linalg._operand_slices import copy_in_slices
from allo_air.passes.linalg._operand_tiles import L1, Tile, alloc, copy_separately, merge_micro_tiles, unflat
from allo_air.passes.linalg._retype import retype
from allo_air.passes.linalg._tile_parts import Part

_ALL = Part()


def lift(function: ir.Operation, epilogue: list[AnyOp]) -> AnyOp:
    """Moves `epilogue` from `function` to a new function on scalars and returns that; `function` then returns the matmul's
    result.

    The new function's arguments are an element of the result and one of each of `operands(epilogue)`.
    """
    first, last = epilogue[0], epilogue[-1]
    epilogue_operands = operands(epilogue)
    results = [r for op in epilogue for r in op.results]
    matmul = next(v for v in list(first.operands)[:-1] if not is_argument(v) and v not in results)
    element_types = [v.type.element_type for v in (matmul, *(o.value for o in epilogue_operands))]
    with function.context, ir.InsertionPoint(function), first.location:
        name, result = "allo_epilogue_" + sym_name_of(function), last.results[0].type.element_type
        scalar, block = new_function(name, element_types, [result], is_private=False)
        with ir.InsertionPoint(block):
            value, *scalars = block.arguments
            values = {matmul: value}
            for op in epilogue:
                values[op.results[0]] = _clone(op, values, dict(zip(epilogue_operands, scalars, strict=True)))
            func.ReturnOp([values[last.results[0]]])
    last.results[0].replace_all_uses_with(matmul)
    for op in reversed(epilogue):
        op.erase()
    set_function_type(function)
    return scalar


def lower(
    function: ir.Operation,
    scalar: AnyOp,
    epilogue_operands: list[Operand],
    matrix: tuple[int, int],
    multiplexing: Multiplexing | None,
    sliced_along: int | None,
) -> None:
    """Applies the scalar function to the packed tile, between the loop over k and the unpack; erases the function.

    Before that, the tiles of `epilogue_operands` are copied to L1: in transfers of their own; between the steps along k of A or
    B (`multiplexing`); or in slices, if all cores lie along dimension `sliced_along` of the result. `matrix` are the loops of
    the result's rows and columns. With epilogue operands, the tile has three dimensions: blocks of rows, blocks of columns,
    elements of a micro-tile.
    """
    [unpack] = walk_named(function, "linalg.unpack")
    slices = (
        copy_in_slices(unpack, epilogue_operands, matrix, sliced_along)
        if sliced_along is not None and epilogue_operands
        else []
    )
    tile = unpack.operands[0]
    element = function_type_of(scalar).results[0]
    kind = ir.RankedTensorType.get(tile.type.shape, element)
    with ir.InsertionPoint(unpack), unpack.location:
        view, target = (merge_micro_tiles(tile) if epilogue_operands else tile), None
        if kind != tile.type:
            target = alloc(kind.shape, element, L1)
            target = merge_micro_tiles(target) if epilogue_operands else target

        def compute(tiles: list[Tile], target_value: ir.Value, part: Part = _ALL) -> Any:
            return _generic(scalar, part.of(view) if target is not None else None, tiles, target_value)

        into = view if target is None else target
        if slices:
            result = compute(slices, into)
        elif multiplexing is not None and epilogue_operands:
            result = multiplex_operands(unpack, epilogue_operands, matrix, into, compute, multiplexing)
        else:
            result = copy_separately(unpack, epilogue_operands, matrix, into, compute)
        unpack.operands[0] = unflat(result, kind) if epilogue_operands else result
    scalar.erase()
    if kind != tile.type:
        retype(unpack, element)
        set_function_type(function)


def _generic(scalar: Any, tile: ir.OpResult | None, tiles: list[Tile], target_value: ir.Value) -> Any:
    """The scalar function on each element of `tile` (if None: of `target_value`) and of `tiles`; returns the new value of
    `target_value`.
    """
    [block] = scalar.regions[0].blocks
    [*body, end] = [o.operation for o in block.operations]
    rank = len(target_value.type.shape)
    identity = ir.AffineMap.get_identity(rank)
    inputs = [] if tile is None else [tile]
    maps = [*([identity] * len(inputs)), *(t.map for t in tiles), identity]

    def computed(values: list[ir.Value]) -> list[Any]:
        *first, last = values
        mapping: dict[Any, Any] = dict(zip(block.arguments, first if inputs else [last, *first], strict=True))
        for op in body:
            _copy(op, mapping)
        return [mapping.get(end.operands[0], end.operands[0])]

    return generic([*inputs, *(t.value for t in tiles)], [target_value], maps, ["parallel"] * rank, computed).results[0]


def _clone(op: Any, values: dict[Any, Any], scalars: Mapping[Operand, ir.Value]) -> Any:
    """The value that the body of `op` yields, computed at the insertion point.

    `values` are the scalars for results of the matmul and of the epilogue, `scalars` those for other operands.
    """
    [block] = op.regions[0].blocks
    mapping = {}
    for argument, value, indexing in zip(
        list(block.arguments)[:-1], list(op.operands)[:-1], indexing_maps(op)[:-1], strict=True
    ):
        mapping[argument] = scalars[Operand(value, loops_of(indexing) or ())] if is_argument(value) else values[value]
    [*body, end] = [o.operation for o in block.operations]
    for inner in body:
        for operand in inner.operands:
            if operand not in mapping:
                _copy(operand.owner, mapping)  # a constant from outside
        _copy(inner, mapping)
    result = end.operands[0]
    if result not in mapping:
        _copy(result.owner, mapping)
    return mapping[result]


def _copy(op: AnyOp, mapping: dict[Any, Any]) -> None:
    new = op.clone()
    for number, operand in enumerate(op.operands):
        new.operands[number] = mapping[operand]
    mapping.update(zip(op.results, new.results, strict=True))
