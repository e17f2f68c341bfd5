"""Arrays in C++: declarations, accesses, parts, copies, and arguments of calls."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.core.names import callee_of
from allo_air.errors import AlloAirError
from allo_air.mlir import AnyOp, ir
from allo_air.target.hls.affine import results
from allo_air.target.hls.calls import called, for_each
from allo_air.target.hls.function import Function, writes
from allo_air.target.hls.signatures import Parameter
from allo_air.target.hls.types import INDEX, Kind, kind_of
from allo_air.target.hls.values import Array, Number

_DYNAMIC = ir.ShapedType.get_dynamic_size()
_PARTS = {"Complete": "complete", "Block": "block", "Cyclic": "cyclic"}


def array_pragmas(function: Function, op: AnyOp, name: str, rank: int, suffix: str = "") -> None:
    """The pragmas of an array, from the attributes that a schedule attached to `op`."""
    if f"partition{suffix}" in op.attributes:
        for note in op.attributes[f"partition{suffix}"].value.split(";"):
            kind, dims, factor = note.split(":")
            chosen = [int(d) for d in dims.split(",")]
            for dim in range(1, rank + 1) if 0 in chosen else chosen:
                by = "partition" if kind == "Complete" else "partition_by"
                function.pragma(by, name=name, kind=_PARTS[kind], dim=dim, factor=factor)
    if f"stream{suffix}" in op.attributes:
        depth = op.attributes[f"stream{suffix}"].value.rpartition(":")[2]
        function.pragma("stream", name=name, depth=depth if int(depth) > 0 else 2)
    if f"memory{suffix}" in op.attributes:
        function.pragma("storage", name=name, storage=op.attributes[f"memory{suffix}"].value)


@writes("memref.alloc", "memref.alloca")
def _alloc(function: Function, op: AnyOp) -> None:
    value = op.results[0]
    name = str(op.attributes["name"].value) if "name" in op.attributes else ""
    if value in function.values:
        array_pragmas(function, op, function.array(value).name, len(value.type.shape))
        return
    shape = tuple(value.type.shape)
    function.values[value] = function.declare(function.named(name) if name else function.fresh(), _kind(op, value), shape)
    array_pragmas(function, op, function.array(value).name, len(shape))


def _kind(op: AnyOp, value: ir.Value) -> Kind:
    signed = "unsigned" not in op.attributes
    return kind_of(value.type, signed, int(op.attributes["fixed"].value) if "fixed" in op.attributes else 0)


@writes("memref.get_global")
def _global(function: Function, op: AnyOp) -> None:
    function.values[op.results[0]] = function.arrays[op.attributes["name"].value]


def _loaded(array: Array, indices: Sequence[str]) -> str:
    text = array.at(indices)
    return text if array.kind.sort != "fixed" else f"{text}.range({array.kind.bits - 1}, 0)"


@writes("affine.load", "memref.load")
def _load(function: Function, op: AnyOp) -> None:
    array = function.array(op.operands[0])
    function.define(op.results[0], _loaded(array, _subscripts(function, op, 1)), array.kind.raw())


@writes("affine.store", "memref.store")
def _store(function: Function, op: AnyOp) -> None:
    function.line(
        f"{_loaded(function.array(op.operands[1]), _subscripts(function, op, 2))} = {function.number(op.operands[0]).text};"
    )


def _subscripts(function: Function, op: AnyOp, first: int) -> list[str]:
    operands = function.texts(list(op.operands)[first:])
    return (
        results(op.attributes["map"].value, operands, frozenset(function.non_negative))
        if op.name.startswith("affine")
        else operands
    )


@writes("memref.dim")
def _dim(function: Function, op: AnyOp) -> None:
    size = function.array(op.operands[0]).shape[int(function.number(op.operands[1]).constant)]
    if size < 0:
        raise AlloAirError(f"target '{function.flavor.name}' cannot ask for a size that only the call says")
    function.values[op.results[0]] = Number(str(size), INDEX, size)


@writes("memref.subview")
def _subview(function: Function, op: AnyOp) -> None:
    source, operands = function.array(op.operands[0]), iter(function.texts(list(op.operands)[1:]))
    lists = [[int(n) for n in op.attributes[f"static_{name}"]] for name in ("offsets", "sizes", "strides")]
    offsets, sizes, steps = ([next(operands) if n == _DYNAMIC else str(n) for n in each] for each in lists)
    if not all(n.lstrip("-").isdigit() for n in (*sizes, *steps)):
        raise AlloAirError(f"target '{function.flavor.name}' takes parts of arrays whose sizes and steps are known")
    shape = list(op.results[0].type.shape)
    shape_kept: list[int] = []
    numbers = [int(n) for n in sizes]
    for dim, size in enumerate(numbers):
        rest = numbers[dim + 1 :]
        if (
            len(shape_kept) < len(shape)
            and size == shape[len(shape_kept)]
            and (size != 1 or len(shape) - len(shape_kept) > _ones_left(rest, shape, shape_kept))
        ):
            shape_kept.append(dim)
    function.values[op.results[0]] = source.part(offsets, numbers, [int(n) for n in steps], shape_kept)


def _ones_left(rest: list[int], shape: list[int], shape_left: list[int]) -> int:
    """The number of the result's remaining sizes that the dimensions in `rest` can provide, in order."""
    dropped, dim = shape[len(shape_left) :], 0
    for size in rest:
        if dim < len(dropped) and size == dropped[dim]:
            dim += 1
    return dim


@writes("memref.cast")
def _cast(function: Function, op: AnyOp) -> None:
    function.values[op.results[0]] = function.values[op.operands[0]]


@writes("memref.collapse_shape", "memref.expand_shape", "memref.reshape", "memref.reinterpret_cast")
def _reshape(function: Function, op: AnyOp) -> None:
    shape = tuple(op.results[0].type.shape)
    function.values[op.results[0]] = _reference(function, function.array(op.operands[0]), shape)


def _reference(function: Function, source: Array, shape: tuple[int, ...]) -> Array:
    """A name for contiguous elements of `source` in another shape."""
    if not source.contiguous:
        copy_ = function.declare(function.fresh(), source.kind, source.shape)
        copy(function, source, copy_)
        source = copy_
    name, sizes = function.fresh(), "".join(f"[{size}]" for size in shape)
    element, first = source.kind.text(function.flavor), source.at(["0"] * len(source.shape))
    function.line(f"{element} (&{name}){sizes} = *({element} (*){sizes}) &{first};")
    return Array.of(name, source.kind, shape)


@writes("memref.copy", "linalg.copy")
def _copy(function: Function, op: AnyOp) -> None:
    copy(function, function.array(op.operands[0]), function.array(op.operands[1]))


def copy(function: Function, source: Array, to: Array) -> None:
    """Loops that copy all elements."""
    for_each(function, source, lambda indices: function.line(f"{to.at(indices)} = {source.at(indices)};"))


@writes("func.call")
def _call(function: Function, op: AnyOp) -> None:
    if callee_of(op) in function.declared:
        called(function, op, function.declared[callee_of(op)])
        return
    callee = function.signatures[callee_of(op)]
    values: list[str] = []
    back: list[tuple[Array, Array]] = []
    for number, (value, parameter) in enumerate(zip(op.operands, callee.arguments, strict=True)):
        copies: list[tuple[Array, Array]] = []
        values.append(_argument_text(function, function.values[value], parameter, copies))
        back += copies if number in callee.written else []
    for result, to in zip(op.results, callee.results, strict=True):
        if isinstance(to, int):
            function.values[result] = function.values[op.operands[to]]
        else:
            values.append(_result_place(function, op, result, to))
    text = f"{callee.name}({', '.join([*values, *(s.name for s in callee.streams)])});"
    if function.together is not None:
        function.together.append(text)
        function.late += back
        return
    function.line(text)
    for local, array in back:
        copy(function, local, array)


def _argument_text(function: Function, value: Number | Array, parameter: Parameter, back: list[tuple[Array, Array]]) -> str:
    """An argument; parts of arrays are passed by reference if they are contiguous, otherwise as a copy."""
    if isinstance(value, Number):
        return value.text
    assert parameter.shape is not None
    if value.is_whole and value.kind == parameter.kind:
        return value.name
    if value.contiguous and value.kind == parameter.kind and value.shape:
        return _reference(function, value, value.shape).name
    local = function.declare(function.fresh(), parameter.kind, value.shape)
    copy(function, value, local)
    back.append((local, value))
    return local.name


def _result_place(function: Function, op: AnyOp, result: ir.Value, parameter: Parameter) -> str:
    """A place for a result of a call."""
    if parameter.shape is None:
        name = function.fresh()
        function.line(f"{parameter.kind.text(function.flavor)} {name};")
        function.values[result] = Number(name, parameter.kind)
        return f"&{name}"
    if result not in function.values:
        name = str(op.attributes["name"].value) if "name" in op.attributes else ""
        function.values[result] = function.declare(
            function.named(name) if name else function.fresh(), parameter.kind, parameter.shape
        )
        array_pragmas(function, op, function.array(result).name, len(parameter.shape))
    return function.array(result).name


@writes("func.return")
def _return(function: Function, op: AnyOp) -> None:
    signature = function.signature
    if function.together is not None:
        function.line("allo_hls::at_once({")
        for text in function.together:
            function.line(f"  [&] {{ {text} }},")
        function.line("});")
        for local, array in function.late:
            copy(function, local, array)
    for value, result in zip(op.operands, signature.results, strict=True):
        if not isinstance(result, Parameter) or not signature.copied.get(value, True):
            continue
        if result.shape is None:
            function.line(f"*{result.name} = {function.number(value).text};")
        else:
            copy(function, function.array(value), Array.of(result.name, result.kind, result.shape))
