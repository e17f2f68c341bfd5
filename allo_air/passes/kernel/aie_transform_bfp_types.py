"""aie-transform-bfp-types."""

import re
from dataclasses import dataclass

from allo_air.asm.blocks import BYTES
from allo_air.core.pass_ import Pass
from allo_air.mlir import AnyOp, ir
from allo_air.passes.kernel._retype import retype

_BLOCKS = {size: re.compile(rf"vector<((?:\d+x)*)1x{size}xui8>") for size in BYTES.values()}


@dataclass(frozen=True)
class AieTransformBfpTypes(Pass):
    """Replaces each block of block floating point by an integer of equal width, since operations that move blocks do not use
    their contents.

    Before:

        %b = aie.buffer(%tile_0_2) : memref<4x!aiex.bfp<"v8bfp16ebs8">>

    After:

        %b = aie.buffer(%tile_0_2) : memref<4xi72>
    """

    name = "aie-transform-bfp-types"
    anchor = "aie.device"

    def run(self, op: AnyOp, /) -> None:
        retype(op, _integers)


def _integers(kind: ir.Type) -> ir.Type:
    text = str(kind)
    if "xui8>" not in text:
        return kind
    for size, pattern in _BLOCKS.items():
        text = pattern.sub(rf"vector<\g<1>i{8 * size}>", text).replace(f"vector<i{8 * size}>", f"i{8 * size}")
    return ir.Type.parse(text)
