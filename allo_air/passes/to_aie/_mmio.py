"""Lowers channels of type mmio: constants that an L1 buffer contains before its core starts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.names import channel_of, sym_name_of
from allo_air.core.walking import walk_named
from allo_air.dialects.air import L1, WaitAllOp
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.memory import is_in
from allo_air.passes.to_aie._bundles import Bundle, Key
from allo_air.passes.to_aie._interpret import TRANSFERS

if TYPE_CHECKING:
    from allo_air.dialects.air import ChannelPutOp


@dataclass
class Constants:
    """The put of each single channel of type mmio, and its value."""

    puts: dict[Key, tuple[Any, Any]]
    written: dict[Any, Key] = field(default_factory=dict)
    """For each buffer, the channel of its initial value."""
    used: set[Key] = field(default_factory=set)

    def write(self, op: ir.OpView, key: Key, buffer: ir.Value) -> None:
        """Makes the constant of channel `key` the initial value of `buffer`, the destination of the get `op`.

        Before:
            memref.global "private" @w : memref<8xi32> = dense<42>
            air.channel.put @c[] (%w[] [] []) : (memref<8xi32>)
            air.channel.get @c[] (%l1[] [] []) : (memref<8xi32, 2>)
        After:
            %buf0 = aie.buffer(%tile_0_2) {sym_name = "buf0"} : memref<8xi32, 2> = dense<42>
        """
        name = f"'@{key[0]}'{list(key[1])}"
        if not is_in(buffer.type, L1):
            raise error_at(op, f"gets from {name} of type mmio into {buffer.type}; constants are written into L1 buffers only")
        if key not in self.puts:
            raise error_at(op, f"gets from {name} of type mmio, which nothing is put into")
        put_op, value = self.puts[key]
        if any(len(v) for v in (op.dst_sizes, put_op.src_sizes)):
            raise error_at(op, f"moves part of a buffer over {name} of type mmio; a constant fills a whole buffer")
        if self.written.setdefault(buffer, key) != key:
            raise error_at(
                op,
                f"is the second source of a buffer that has the constant of '@{self.written[buffer][0]}' already; "
                "give each constant a buffer of its own",
            )
        kind = buffer.type
        if value.type.element_type != kind.element_type or prod(value.type.shape) != prod(kind.shape):
            raise error_at(
                op,
                f"gets {kind} over {name} of type mmio, and its constant is {value.type}; element type and number of elements "
                "of both must be equal",
            )
        self.used.add(key)
        buffer.owner.operation.attributes["initial_value"] = _shaped(value, kind)

    def finish(self) -> None:
        """Erases the puts; DiagnosticError for a put without a get."""
        for key, (put_op, _) in self.puts.items():
            if key not in self.used:
                raise error_at(put_op, f"puts into '@{key[0]}'{list(key[1])} of type mmio, which nothing gets from")
        for put_op in {id(put): put for put, _ in self.puts.values()}.values():
            op = put_op.operation
            if len(op.results):
                wait = WaitAllOp(deps=list(put_op.deps), token=True, loc=op.location, ip=ir.InsertionPoint(op))
                op.results[0].replace_all_uses_with(wait.token)
            op.erase()


def constants_of(module: AnyOp, bundles: Mapping[str, Bundle]) -> Constants:
    """The constants that `module` puts into channels of type mmio."""
    results: dict[Key, tuple[Any, Any]] = {}
    mmio = {name for name, bundle in bundles.items() if bundle.kind == "mmio"}
    for op in walk_named(module, *TRANSFERS) if mmio else ():
        name = channel_of(op)
        if name not in mmio or op.name != "air.channel.put":
            continue
        put_op, bundle = op.opview, bundles[name]
        indices = [constant_of(v) for v in put_op.indices]
        if any(i is None for i in indices):
            raise error_at(
                op, f"puts into '@{name}' of type mmio at indices that are not constant; write out the loop around it"
            )
        value = _value(module, put_op)
        key = bundle.key(put_op, [i for i in indices if i is not None], True)
        if key in results:
            raise error_at(op, f"is the second put into '@{name}'{list(key[1])} of type mmio; a constant is put once")
        results[key] = put_op, value
    return Constants(results)


def _value(module: AnyOp, put_op: ChannelPutOp) -> Any:
    """The dense constant that `put_op` sends."""
    root = root_of(put_op.src)
    if not isinstance(root, ir.OpResult) or root.owner.operation.name != "memref.get_global":
        raise error_at(
            put_op,
            f"puts {put_op.src.type} into a channel of type mmio: the put requires source memref defined by memref.get_global",
        )
    name = root.owner.operation.attributes["name"].value
    ops = [o for o in walk_named(module, "memref.global") if sym_name_of(o) == name]
    value = ops[0].attributes["initial_value"] if ops and "initial_value" in ops[0].attributes else None
    if not isinstance(value, ir.DenseElementsAttr):
        text = "has no value" if value is None or isinstance(value, ir.UnitAttr) else f"has the value {value}"
        raise error_at(
            put_op, f"puts memref.global '@{name}' into a channel of type mmio, which {text}; give it a dense initial value"
        )
    return value


def _shaped(value: ir.DenseFPElementsAttr | ir.DenseIntElementsAttr, kind: ir.MemRefType) -> Any:
    """`value` in the shape of `kind`."""
    shape = list(kind.shape)
    if list(value.type.shape) == shape:
        return value
    body = str(value)
    body = body[: body.rindex(" : ")]
    dims = "x".join(map(str, [*shape, kind.element_type]))
    if not value.is_splat and '"0x' not in body:
        numbers = re.findall(r"[^\s,\[\]]+", body[len("dense<") : -1])
        for size in reversed(shape[1:]):
            numbers = ["[" + ", ".join(numbers[n : n + size]) + "]" for n in range(0, len(numbers), size)]
        body = f"dense<[{', '.join(numbers)}]>"
    return ir.Attribute.parse(f"{body} : tensor<{dims}>", context=kind.context)
