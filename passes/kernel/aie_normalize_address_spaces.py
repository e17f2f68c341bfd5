"""aie-normalize-address-spaces."""

from dataclasses import dataclass
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_pre_order
from allo_air.mlir import AnyOp, ir


@dataclass(frozen=True)
class AieNormalizeAddressSpaces(Pass):
    """Takes the memory space from all memrefs of a device: a core has one address space.

    Before:

        %buffer = aie.buffer(%tile_1_3) : memref<64xi32, 2>
        func.func private @work(memref<64xi32, 2>)

    After:

        %buffer = aie.buffer(%tile_1_3) : memref<64xi32>
        func.func private @work(memref<64xi32>)
    """

    name = "aie-normalize-address-spaces"
    anchor = "aie.device"

    def run(self, op: AnyOp, /) -> None:
        for inner in walk_pre_order(op):
            for result in inner.results:
                _normalize(result)
            for region in inner.regions:
                for block in region.blocks:
                    for argument in block.arguments:
                        _normalize(argument)
            for named in inner.attributes:
                name = named.name if hasattr(named, "name") else named
                changed = _attribute(inner.attributes[name])
                if changed is not None:
                    inner.attributes[name] = changed


def _normalize(value: Any) -> None:
    plain = _plain(value.type)
    if plain != value.type:
        value.set_type(plain)


def _attribute(attribute: ir.Attribute) -> ir.Attribute | None:
    """`attribute` with plain memrefs where it holds the type of a function or of a global; else None."""
    if not isinstance(attribute, ir.TypeAttr):
        return None
    held = attribute.value
    plain = _plain(held)
    return None if plain == held else ir.TypeAttr.get(plain)


def _plain(kind: ir.Type) -> ir.Type:
    if isinstance(kind, ir.FunctionType):
        return ir.FunctionType.get([_plain(t) for t in kind.inputs], [_plain(t) for t in kind.results])
    if not isinstance(kind, ir.MemRefType) or kind.memory_space is None:
        return kind
    return ir.MemRefType.get(kind.shape, kind.element_type, kind.layout)
