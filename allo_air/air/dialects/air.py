"""Launches, segments, herds, channels and DMA copies, as MLIR-AIR's programs build them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any

from allo_air.air import ir as air_ir
from allo_air.air._mlir_libs._air import AsyncTokenType
from allo_air.air.arguments import check_body, check_keywords, explained
from allo_air.air.compiler.util import run_transform  # noqa: F401
from allo_air.air.dialects._operations import operations
from allo_air.air.dialects._values import as_attribute, as_buffer, as_indices, as_value, as_values, with_literals
from allo_air.air.extras import types as T  # noqa: F401
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import translate
from allo_air.core.walking import walk_named
from allo_air.dialects import air as _air
from allo_air.errors import AlloAirError
from allo_air.mlir import AnyOp, arith, cext, func, ir, memref  # noqa: F401

CallOp, FuncOp, call = func.CallOp, func.FuncOp, func.call
alloc, dealloc = memref.alloc, memref.dealloc
AllocOp, DeallocOp = memref.AllocOp, memref.DeallocOp


class MemorySpace(IntEnum):
    """Memory spaces of memrefs: external memory, memtiles, cores."""

    L3 = 0
    L2 = 1
    L1 = 2


def module_builder(function: Callable[..., object]) -> Callable[..., air_ir.Module]:
    """Makes `function` build the body of a module, which the call returns, verified."""

    @wraps(function)
    def build(*args: object, **kwargs: object) -> air_ir.Module:
        with air_ir.Context(), ir.Location.unknown():
            module = air_ir.Module.create()
            with ir.InsertionPoint(module.body), _users_lines():
                function(*args, **kwargs)
            for op in walk_named(module.operation, *_TERMINATED):
                _terminate(op)
            _verified(module)
            return module

    return build


def _users_lines() -> Any:
    """Gives operations the places in the user's program that build them."""
    for place in (Path(__file__).parents[2], Path(ir.__file__).parent):
        cext.globals.register_traceback_file_exclusion(str(place))
    return ir.loc_tracebacks(max_depth=1)


def _verified(module: air_ir.Module) -> None:
    from allo_air.air.affine_scope import hold_affine
    from allo_air.dialects import check

    hold_affine(module)
    try:
        module.operation.verify()
    except ir.MLIRError as error:
        raise translate(error) from None
    check(module.operation)


def async_token() -> Any:
    """The type of tokens."""
    return AsyncTokenType()


def _attributes(op: AnyOp, attributes: Any) -> Any:
    for name, value in (attributes or {}).items():
        op.operation.attributes[name] = as_attribute(value)
    return op


def _hierarchy(kind: type[Any]) -> Callable[..., Any]:
    """The class of a hierarchy with the constructor that programs know; its body gets ids, sizes and operands.

    Programs that fill the body by an insertion point at its end add the terminator themselves.
    """

    def make(
        name: str | None = None,
        sizes: Sequence[object] | None = None,
        async_token: object = None,
        async_dependencies: Sequence[object] | None = None,
        operands: Sequence[object] | None = None,
        attributes: object = None,
        link_with: str | None = None,
        loc: object = None,
        ip: ir.InsertionPoint | None = None,
    ) -> Any:
        with ip or ir.InsertionPoint.current:
            fields: dict[str, Any] = {"sym_name": name} if name else {}
            if link_with:
                fields["link_with"] = link_with
            extents = as_indices(sizes, "sizes")
            for number, extent in enumerate(map(constant_of, extents)):
                if extent is not None and extent < 1:
                    raise AlloAirError(f"sizes[{number}] of {kind.OPERATION_NAME} is {extent}, expected a positive number")
            result = kind.build(
                extents,
                as_values(operands),
                deps=as_values(async_dependencies),
                token=async_token is not None,
                loc=loc,
                **fields,
            )
            result.block.operations[0].operation.erase()
            return _attributes(result, attributes)

    make.__name__ = make.__qualname__ = kind.__name__.removesuffix("Op")
    make.__doc__ = f"Builds `{kind.OPERATION_NAME}` with an empty body."
    return explained(make)


_HIERARCHIES = (_air.RankOp, _air.LaunchOp, _air.SegmentOp, _air.HerdOp)
_TERMINATED = {kind.OPERATION_NAME: kind.terminator for kind in _HIERARCHIES}
Rank, Launch, Segment, Herd = map(_hierarchy, _HIERARCHIES)


def _terminate(op: AnyOp) -> None:
    """Adds the terminator of a hierarchy if it is missing."""
    [block] = op.operation.regions[0].blocks
    name = _TERMINATED[op.operation.name]
    if not len(block.operations) or block.operations[-1].operation.name != name:
        ir.Operation.create(name, ip=ir.InsertionPoint(block), loc=op.operation.location)


def _decorator(make: Callable[..., Any], doc: str) -> Callable[..., Any]:
    def decorate(*args: object, **kwargs: object) -> Any:
        if len(args) == 1 and not kwargs and callable(args[0]):  # without parentheses
            return decorate()(args[0])

        def fill(body: Callable[..., Any]) -> Any:
            op = make(*args, **kwargs)
            count = len(op.sizes)
            parts = {"ids": count, "sizes": count, "operands": len(op.block.arguments) - 2 * count}
            check_body(body, op.operation.name, parts)
            with ir.InsertionPoint(op.block):
                body(*op.block.arguments)
            _terminate(op)
            return op

        return fill

    decorate.__doc__ = doc
    return decorate


rank = _decorator(Rank, "`@rank(name=, sizes=, operands=)`: the function below builds the body.")
launch = _decorator(
    Launch, "`@launch(name=, sizes=, operands=)`: the function below builds the body, called with ids, sizes, operands."
)
segment = _decorator(Segment, "`@segment(name=, sizes=, operands=)`: the function below builds the body.")
herd = _decorator(
    Herd, "`@herd(name=, sizes=, operands=, link_with=)`: the function below builds the body, called with ids, sizes, operands."
)


@explained
def Channel(
    name: str,
    size: Sequence[int] | None = None,
    broadcast_shape: Sequence[int] | None = None,
    channel_type: str | None = None,
    buffer_resources: int | None = None,
    attributes: object = None,
    loc: object = None,
    ip: object = None,
) -> Any:
    """A bundle of `size` channels; with `broadcast_shape` one put serves all gets along the dimensions in which they differ.

    `buffer_resources` is how many buffers a receiver has, `channel_type` "npu_dma_stream" (default), "npu_dma_packet", ...
    """
    sizes = [1, 1] if size is None else [int(n) for n in size]
    kind = (channel_type or "dma_stream").removeprefix("npu_")
    result = _attributes(_air.ChannelOp(sym_name=name, size=sizes, channel_type=kind, loc=loc, ip=ip), attributes)
    if buffer_resources is not None:
        result.operation.attributes["buffer_resources"] = as_attribute(buffer_resources)
    if broadcast_shape is not None:
        i64 = ir.IntegerType.get_signless(64)
        result.operation.attributes["broadcast_shape"] = ir.ArrayAttr.get([ir.IntegerAttr.get(i64, n) for n in broadcast_shape])
    return result


def _transfer(kind: type[Any], buffer: str) -> Callable[..., Any]:
    def make(
        name: str,
        memref: object = None,
        indices: Sequence[object] | None = None,
        offsets: Sequence[object] | None = None,
        sizes: Sequence[object] | None = None,
        strides: Sequence[object] | None = None,
        async_token: object = None,
        async_dependencies: Sequence[object] | None = None,
        attributes: object = None,
        pad_before: Sequence[int] | None = None,
        pad_after: Sequence[int] | None = None,
        dest: object = None,
        loc: object = None,
        ip: ir.InsertionPoint | None = None,
        **source: object,
    ) -> Any:
        check_keywords(make.__name__, source, [*(n for n in signature(make).parameters if n != "source"), buffer])
        memref = source.get(buffer, memref)
        with ip or ir.InsertionPoint.current:
            lists = {"offsets": offsets, "sizes": sizes, "strides": strides}
            fields = {f"{buffer}_{k}": as_indices(v, k) for k, v in lists.items()} | {buffer: as_buffer(memref, "memref")}
            fields |= {k: list(v) for k, v in (("pad_before", pad_before), ("pad_after", pad_after)) if v is not None}
            if dest is not None:
                fields["dest"] = as_value(dest)
            deps, token = as_values(async_dependencies), async_token is not None
            result = kind(chan_name=name, indices=as_indices(indices, "indices"), deps=deps, token=token, loc=loc, **fields)
            return _attributes(with_literals(result, lists.values()), attributes)

    make.__name__ = make.__qualname__ = kind.__name__.removesuffix("Op")
    return explained(make)


ChannelGet, ChannelPut = _transfer(_air.ChannelGetOp, "dst"), _transfer(_air.ChannelPutOp, "src")


@explained
def dma_memcpy_nd(
    dst: object,
    src: object,
    dst_offsets: Sequence[object] | None = None,
    dst_sizes: Sequence[object] | None = None,
    dst_strides: Sequence[object] | None = None,
    src_offsets: Sequence[object] | None = None,
    src_sizes: Sequence[object] | None = None,
    src_strides: Sequence[object] | None = None,
    async_token: object = None,
    async_dependencies: Sequence[object] | None = None,
    attributes: object = None,
    pad_before: Sequence[int] | None = None,
    pad_after: Sequence[int] | None = None,
    loc: object = None,
    ip: ir.InsertionPoint | None = None,
) -> Any:
    """Copies `src` to `dst`; lists count elements, numbers in them become constants, empty ones take the whole buffer."""
    lists = {
        "dst_offsets": dst_offsets, "dst_sizes": dst_sizes, "dst_strides": dst_strides,
        "src_offsets": src_offsets, "src_sizes": src_sizes, "src_strides": src_strides,
    }  # fmt: skip
    padding = {k: list(v) for k, v in (("pad_before", pad_before), ("pad_after", pad_after)) if v is not None}
    with ip or ir.InsertionPoint.current:
        op = _air.DmaMemcpyNdOp(
            dst=as_buffer(dst, "dst"),
            src=as_buffer(src, "src"),
            deps=as_values(async_dependencies),
            token=async_token is not None,
            loc=loc,
            **{k: as_indices(v, k) for k, v in lists.items()},
            **padding,
        )
        return _attributes(with_literals(op, lists.values()), attributes)


DmaMemcpyNd = dma_memcpy_nd


@explained
def wait_all(
    async_token: object = None,
    async_dependencies: Sequence[object] | None = None,
    loc: object = None,
    ip: ir.InsertionPoint | None = None,
) -> Any:
    """Waits for tokens, or joins them into one."""
    with ip or ir.InsertionPoint.current:
        return _air.WaitAllOp(deps=as_values(async_dependencies), token=async_token is not None, loc=loc)


@explained
def external_func(
    name: str,
    inputs: Sequence[object],
    outputs: Sequence[object] | None = None,
    visibility: str = "private",
    link_with: str | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> Any:
    """Declares a function that an object file defines; numpy types become MLIR's."""
    from allo_air.air.backend.xrt_runner import type_mapper

    def typed(kind: object) -> Any:
        return kind if isinstance(kind, ir.Type) else type_mapper(kind)

    kind = ir.FunctionType.get([typed(k) for k in inputs], [typed(k) for k in outputs or ()])
    op = func.FuncOp(name, kind, visibility=visibility, loc=loc, ip=ip)
    op.attributes["llvm.emit_c_interface"] = ir.UnitAttr.get()
    if link_with:
        op.attributes["link_with"] = ir.StringAttr.get(link_with)
    return op


def pyint_to_index(number: object) -> Any:
    """A number as an index constant; a value is left as it is."""
    return as_value(number)


def pyints_to_indices(numbers: Sequence[object]) -> list[Any]:
    """The same for a list."""
    return as_values(numbers)


def _names() -> list[str]:
    """The names that `from air.dialects.air import *` imports: those of this module, those of `air.ir`, and modules and
    functions.
    """
    for name, item in {**{n: getattr(ir, n) for n in air_ir.__all__}, **operations()}.items():
        globals().setdefault(name, item)
    globals().update({n: getattr(air_ir, n) for n in ("Context", "Module", "Type")})
    own = {"Path", "cext", "Any", "AnyOp", "Callable", "IntEnum", "Sequence", "air_ir", "annotations", "operations", "wraps"}
    own |= {"as_attribute", "as_buffer", "as_indices", "as_value", "as_values", "with_literals"}
    own |= {"check_body", "check_keywords", "explained", "signature"}
    return sorted(n for n in globals() if not n.startswith("_") and n not in own)


__all__ = _names()
