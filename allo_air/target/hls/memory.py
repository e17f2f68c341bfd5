"""Arrays as C++: their declarations, accesses, parts, copies, and what calls take."""

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


def notes(made: Function, op: AnyOp, name: str, rank: int, suffix: str = "") -> None:
    """The pragmas of an array, from the remarks that a schedule left at `op`."""
    if f"partition{suffix}" in op.attributes:
        for note in op.attributes[f"partition{suffix}"].value.split(";"):
            kind, dims, factor = note.split(":")
            chosen = [int(d) for d in dims.split(",")]
            for dim in range(1, rank + 1) if 0 in chosen else chosen:
                by = "partition" if kind == "Complete" else "partition_by"
                made.pragma(by, name=name, kind=_PARTS[kind], dim=dim, factor=factor)
    if f"stream{suffix}" in op.attributes:
        depth = op.attributes[f"stream{suffix}"].value.rpartition(":")[2]
        made.pragma("stream", name=name, depth=depth if int(depth) > 0 else 2)
    if f"memory{suffix}" in op.attributes:
        made.pragma("storage", name=name, storage=op.attributes[f"memory{suffix}"].value)


@writes("memref.alloc", "memref.alloca")
def _alloc(made: Function, op: AnyOp) -> None:
    value = op.results[0]
    name = str(op.attributes["name"].value) if "name" in op.attributes else ""
    if value in made.values:
        notes(made, op, made.array(value).name, len(value.type.shape))
        return
    shape = tuple(value.type.shape)
    made.values[value] = made.declare(made.named(name) if name else made.fresh(), _kind(op, value), shape)
    notes(made, op, made.array(value).name, len(shape))


def _kind(op: AnyOp, value: ir.Value) -> Kind:
    signed = "unsigned" not in op.attributes
    return kind_of(value.type, signed, int(op.attributes["fixed"].value) if "fixed" in op.attributes else 0)


@writes("memref.get_global")
def _global(made: Function, op: AnyOp) -> None:
    made.values[op.results[0]] = made.arrays[op.attributes["name"].value]


def _loaded(array: Array, at: Sequence[str]) -> str:
    text = array.at(at)
    return text if array.kind.sort != "fixed" else f"{text}.range({array.kind.bits - 1}, 0)"


@writes("affine.load", "memref.load")
def _load(made: Function, op: AnyOp) -> None:
    array = made.array(op.operands[0])
    made.define(op.results[0], _loaded(array, _subscripts(made, op, 1)), array.kind.raw())


@writes("affine.store", "memref.store")
def _store(made: Function, op: AnyOp) -> None:
    made.line(f"{_loaded(made.array(op.operands[1]), _subscripts(made, op, 2))} = {made.number(op.operands[0]).text};")


def _subscripts(made: Function, op: AnyOp, first: int) -> list[str]:
    operands = made.texts(list(op.operands)[first:])
    return results(op.attributes["map"].value, operands, frozenset(made.whole)) if op.name.startswith("affine") else operands


@writes("memref.dim")
def _dim(made: Function, op: AnyOp) -> None:
    size = made.array(op.operands[0]).shape[int(made.number(op.operands[1]).constant)]
    if size < 0:
        raise AlloAirError(f"target '{made.flavor.name}' cannot ask for a size that only the call says")
    made.values[op.results[0]] = Number(str(size), INDEX, size)


@writes("memref.subview")
def _subview(made: Function, op: AnyOp) -> None:
    source, operands = made.array(op.operands[0]), iter(made.texts(list(op.operands)[1:]))
    lists = [[int(n) for n in op.attributes[f"static_{name}"]] for name in ("offsets", "sizes", "strides")]
    offsets, sizes, steps = ([next(operands) if n == _DYNAMIC else str(n) for n in each] for each in lists)
    if not all(n.lstrip("-").isdigit() for n in (*sizes, *steps)):
        raise AlloAirError(f"target '{made.flavor.name}' takes parts of arrays whose sizes and steps are known")
    shape = list(op.results[0].type.shape)
    kept: list[int] = []
    numbers = [int(n) for n in sizes]
    for dim, size in enumerate(numbers):
        rest = numbers[dim + 1 :]
        if (
            len(kept) < len(shape)
            and size == shape[len(kept)]
            and (size != 1 or len(shape) - len(kept) > _ones_left(rest, shape, kept))
        ):
            kept.append(dim)
    made.values[op.results[0]] = source.part(offsets, numbers, [int(n) for n in steps], kept)


def _ones_left(rest: list[int], shape: list[int], kept: list[int]) -> int:
    """The number of the result's remaining sizes that the dimensions in `rest` can provide, in order."""
    wanted, at = shape[len(kept) :], 0
    for size in rest:
        if at < len(wanted) and size == wanted[at]:
            at += 1
    return at


@writes("memref.cast")
def _cast(made: Function, op: AnyOp) -> None:
    made.values[op.results[0]] = made.values[op.operands[0]]


@writes("memref.collapse_shape", "memref.expand_shape", "memref.reshape", "memref.reinterpret_cast")
def _reshape(made: Function, op: AnyOp) -> None:
    shape = tuple(op.results[0].type.shape)
    made.values[op.results[0]] = _reference(made, made.array(op.operands[0]), shape)


def _reference(made: Function, source: Array, shape: tuple[int, ...]) -> Array:
    """A name for elements of `source` that lie one behind the other, in another shape."""
    if not source.contiguous:
        held = made.declare(made.fresh(), source.kind, source.shape)
        copy(made, source, held)
        source = held
    name, sizes = made.fresh(), "".join(f"[{size}]" for size in shape)
    element, first = source.kind.text(made.flavor), source.at(["0"] * len(source.shape))
    made.line(f"{element} (&{name}){sizes} = *({element} (*){sizes}) &{first};")
    return Array.of(name, source.kind, shape)


@writes("memref.copy", "linalg.copy")
def _copy(made: Function, op: AnyOp) -> None:
    copy(made, made.array(op.operands[0]), made.array(op.operands[1]))


def copy(made: Function, source: Array, to: Array) -> None:
    """Loops that copy all elements."""
    for_each(made, source, lambda at: made.line(f"{to.at(at)} = {source.at(at)};"))


@writes("func.call")
def _call(made: Function, op: AnyOp) -> None:
    if callee_of(op) in made.declared:
        called(made, op, made.declared[callee_of(op)])
        return
    callee = made.signatures[callee_of(op)]
    given: list[str] = []
    back: list[tuple[Array, Array]] = []
    for number, (value, parameter) in enumerate(zip(op.operands, callee.arguments, strict=True)):
        kept: list[tuple[Array, Array]] = []
        given.append(_given(made, made.values[value], parameter, kept))
        back += kept if number in callee.written else []
    for result, to in zip(op.results, callee.results, strict=True):
        if isinstance(to, int):
            made.values[result] = made.values[op.operands[to]]
        else:
            given.append(_taken(made, op, result, to))
    text = f"{callee.name}({', '.join([*given, *(s.name for s in callee.streams)])});"
    if made.together is not None:
        made.together.append(text)
        made.late += back
        return
    made.line(text)
    for held, array in back:
        copy(made, held, array)


def _given(made: Function, value: Number | Array, parameter: Parameter, back: list[tuple[Array, Array]]) -> str:
    """An argument; parts of arrays are handed over by reference, or where they are scattered as a copy."""
    if isinstance(value, Number):
        return value.text
    assert parameter.shape is not None
    if value.is_whole and value.kind == parameter.kind:
        return value.name
    if value.contiguous and value.kind == parameter.kind and value.shape:
        return _reference(made, value, value.shape).name
    held = made.declare(made.fresh(), parameter.kind, value.shape)
    copy(made, value, held)
    back.append((held, value))
    return held.name


def _taken(made: Function, op: AnyOp, result: ir.Value, parameter: Parameter) -> str:
    """A place for a result of a call."""
    if parameter.shape is None:
        name = made.fresh()
        made.line(f"{parameter.kind.text(made.flavor)} {name};")
        made.values[result] = Number(name, parameter.kind)
        return f"&{name}"
    if result not in made.values:
        name = str(op.attributes["name"].value) if "name" in op.attributes else ""
        made.values[result] = made.declare(made.named(name) if name else made.fresh(), parameter.kind, parameter.shape)
        notes(made, op, made.array(result).name, len(parameter.shape))
    return made.array(result).name


@writes("func.return")
def _return(made: Function, op: AnyOp) -> None:
    signature = made.signature
    if made.together is not None:
        made.line("allo_hls::at_once({")
        for text in made.together:
            made.line(f"  [&] {{ {text} }},")
        made.line("});")
        for held, array in made.late:
            copy(made, held, array)
    for value, result in zip(op.operands, signature.results, strict=True):
        if not isinstance(result, Parameter) or not signature.copied.get(value, True):
            continue
        if result.shape is None:
            made.line(f"*{result.name} = {made.number(value).text};")
        else:
            copy(made, made.array(value), Array.of(result.name, result.kind, result.shape))
