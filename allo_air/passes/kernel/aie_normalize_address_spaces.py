"""aie-normalize-address-spaces."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.mlir import AnyOp, ir
from allo_air.passes.kernel._retype import retype


@dataclass(frozen=True)
class AieNormalizeAddressSpaces(Pass):
    """Removes the memory space from all memrefs of a device, since a core has one address space.

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
        retype(op, _without_space)


def _without_space(kind: ir.Type) -> ir.Type:
    if isinstance(kind, ir.FunctionType):
        return ir.FunctionType.get([_without_space(t) for t in kind.inputs], [_without_space(t) for t in kind.results])
    if isinstance(kind, ir.UnrankedMemRefType):
        return ir.UnrankedMemRefType.get(kind.element_type, None)
    if not isinstance(kind, ir.MemRefType) or kind.memory_space is None:
        return kind
    return ir.MemRefType.get(kind.shape, kind.element_type, kind.layout)
