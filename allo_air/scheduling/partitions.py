"""Shows partitions of tensors as layouts in their types: the memory of each element, and its position there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from allo_air.core.names import callee_of, set_function_type, sym_name_of
from allo_air.mlir import AnyOp, func, ir
from allo_air.scheduling.buffers import attach_text, named

if TYPE_CHECKING:
    from collections.abc import Sequence

PARTITION = "partition"


def with_layouts(module: ir.Module) -> Any:
    """The module with a layout on each partitioned tensor, also in functions that receive or return it; `module` itself if
    there is none.

    Before: `%alloc = memref.alloc() {partition = "Cyclic:2:4"} : memref<8x8xi32>`
    After:  `%alloc = memref.alloc() {...} : memref<8x8xi32, affine_map<(d0, d1) -> (0, d1 mod 4, d0, d1 floordiv 4)>>`
    """
    if PARTITION not in str(module):
        return module
    result = ir.Module.parse(str(module))
    functions = _functions(result)
    for value, text in list(_partitioned(functions)):
        for same in _corresponding(value, functions):
            kind = ir.MemRefType(same.type)
            layout = _layout(text, kind.shape)
            same.set_type(ir.MemRefType.get(kind.shape, kind.element_type, layout, kind.memory_space))
    for op in functions.values():
        set_function_type(op)
    try:
        result.operation.verify()
    except ir.MLIRError:  # views of tensors have other layouts, which are incompatible with these
        return module
    return result


def corresponding_tensors(value: object, module: ir.Module) -> list[tuple[str, str]]:
    """The names of a tensor in other functions, each with the function."""
    functions = _functions(module)
    rest = _corresponding(value, functions)[1:]
    return [(f, n) for f, op in functions.items() for n, v in named(op).items() if v in rest]


def copy_partitions(module: ir.Module) -> None:
    """Copies the partition of a tensor to all functions that receive or return it."""
    functions = _functions(module)
    for value, text in list(_partitioned(functions)):
        for same in _corresponding(value, functions):
            if isinstance(same, ir.BlockArgument) or same.owner.operation.name in ("memref.alloc", "func.call"):
                attach_text(same, PARTITION, text)


def _functions(module: ir.Module) -> dict[str, Any]:
    return {op.name.value: op for op in module.body.operations if isinstance(op, func.FuncOp) and not op.is_external}


def _partitioned(functions: dict[str, AnyOp]) -> Iterator[tuple[Any, str]]:
    """The partitioned tensors, with their partitions."""
    from allo_air.core.walking import walk_pre_order

    for function in functions.values():
        [block] = function.regions[0].blocks
        for number, argument in enumerate(block.arguments):
            if (name := f"{PARTITION}.{number}") in function.attributes:
                yield argument, function.attributes[name].value
        for op in walk_pre_order(function.operation):
            if PARTITION in op.attributes and op.results:
                yield op.results[0], op.attributes[PARTITION].value


def _corresponding(value: object, functions: dict[str, ir.Value]) -> list[Any]:
    """A tensor, and the corresponding tensors in functions that receive it or from which it comes."""
    result, open_ = [value], [value]
    while open_:
        for neighbour in _neighbours(open_.pop(), functions):
            if neighbour not in result:
                result.append(neighbour)
                open_.append(neighbour)
    return result


def _neighbours(value: Any, functions: dict[str, Any]) -> Iterator[Any]:
    for use in value.uses:
        op: AnyOp = use.owner.operation
        if op.name == "func.call":
            yield _block(functions, op).arguments[use.operand_number]
        if op.name == "func.return":
            for call in _calls(op.parent, functions):
                yield call.results[use.operand_number]
    if isinstance(value, ir.BlockArgument):
        if value.owner.owner.operation.name == "func.func":
            for call in _calls(value.owner.owner.operation, functions):
                yield call.operands[value.arg_number]
    elif value.owner.operation.name == "func.call":
        [*_, last] = _block(functions, value.owner.operation).operations
        yield last.operands[value.result_number]


def _block(functions: dict[str, ir.OpView], call: AnyOp) -> Any:
    [block] = functions[callee_of(call)].regions[0].blocks
    return block


def _calls(function: AnyOp, functions: dict[str, ir.OpView]) -> list[AnyOp]:
    from allo_air.core.walking import walk_named

    name = sym_name_of(function)
    return [c for f in functions.values() for c in walk_named(f.operation, "func.call") if callee_of(c) == name]


def _layout(text: str, shape: Sequence[int]) -> Any:
    """The layout map from (d0, d1, ...) to the memory of an element (a number for each dimension), followed by its position
    there.
    """
    banks: list[Any] = [ir.AffineConstantExpr.get(0)] * len(shape)
    places: list[Any] = [ir.AffineDimExpr.get(d) for d in range(len(shape))]
    for part in text.split(";"):
        kind, dims, factor = part.split(":")
        chosen = [int(d) for d in dims.split(",")]
        for dim in range(len(shape)) if 0 in chosen else [d - 1 for d in chosen]:
            index, count = ir.AffineDimExpr.get(dim), int(factor)
            if kind == "Complete":
                banks[dim], places[dim] = index, ir.AffineConstantExpr.get(0)
            elif kind == "Cyclic":
                banks[dim], places[dim] = ir.AffineExpr.get_mod(index, count), ir.AffineExpr.get_floor_div(index, count)
            else:
                size = -(-shape[dim] // count)
                banks[dim], places[dim] = ir.AffineExpr.get_floor_div(index, size), ir.AffineExpr.get_mod(index, size)
    return ir.AffineMapAttr.get(ir.AffineMap.get(len(shape), 0, [*banks, *places]))
