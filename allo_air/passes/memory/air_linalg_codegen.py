"""air-linalg-codegen."""

from collections.abc import Sequence
from dataclasses import dataclass

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.memrefs import total_bits
from allo_air.errors import OptionError, counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.structured import first_output, loop_extents, reductions
from allo_air.passes.memory._promotion import Promotion
from allo_air.passes.memory._tile_loops import tile

NAME = "__internal_linalg_transform__"
KINDS = ("linalg.matmul", "linalg.conv_2d_nchw_fchw", "linalg.generic")
L1, L2 = 2, 1


@dataclass(frozen=True)
class AirLinalgCodegen(Pass):
    """Tiles linalg operations on memrefs for L2, by scf.for, and for cores, by scf.parallel, and copies tiles to L2 and L1.

    It takes linalg.matmul, linalg.conv_2d_nchw_fchw and linalg.generic; tile sizes must divide. Without `l2-tile-size` there
    are no loops for L2, and nothing is copied there. Without `l1-tile-size` the first two loops of several iterations that do
    not reduce are divided by `herd-size`, and a matmul without either has tiles of 32 x 32 x 32. A transform script
    (`air-transform`) does more.

    Before (`air-linalg-codegen{l1-tile-size=16,16,32}`):

        linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)

    After:

        scf.parallel (%i, %j) = (%c0, %c0) to (%c64, %c64) step (%c16, %c16) {
          scf.for %k = %c0 to %c64 step %c32 {
            %ta = memref.alloc() : memref<16x32xf32, 2>
            memref.copy %a[%i, %k] ..., %ta
            ...
            linalg.matmul ins(%ta, %tb : ...) outs(%tc : ...)
            memref.copy %tc, %c[%i, %j] ...
          }
        }
    """

    name = "air-linalg-codegen"
    anchor = "func.func"
    works_on = KINDS
    herd_size: tuple[int, ...] = ()
    """Parts into which cores divide each of the first two parallel loops; by default 2 and 2."""
    l1_tile_size: tuple[int, ...] = ()
    """The tile of a core: a size for each loop, 0 for the whole loop."""
    l2_tile_size: tuple[int, ...] = ()
    """The tile in L2: a size for each loop, 0 for the whole loop."""
    l1_tile_permute: tuple[int, ...] = ()
    """The order of the loops over cores' tiles."""
    l2_tile_permute: tuple[int, ...] = ()
    """The order of the loops over tiles in L2."""
    l1_promote_operands: tuple[int, ...] = ()
    """The operands whose tiles are copied to L1; by default all."""
    l2_promote_operands: tuple[int, ...] = ()
    """The operands whose tiles are copied to L2; by default all."""
    l1_promote: bool = True
    """Copy tiles to L1."""
    l2_promote: bool = True
    """Copy tiles to L2."""
    l1_size: int = 32768
    """Largest total size of the tiles in L1, in bytes."""
    l2_size: int = 0
    """Largest total size of the tiles in L2, in bytes; 0 for no limit."""
    input_filter: str = ""
    """Take only operations with this `__internal_linalg_transform__`; by default all."""
    test_patterns: bool = False
    """Not supported: clean up subviews and copies only."""

    def run(self, op: AnyOp, /) -> None:
        if self.test_patterns:
            raise OptionError(f"pass '{self.name}': option 'test-patterns' is not implemented: use canonicalize and cse")
        for item in walk_named(op, *KINDS):
            label = item.attributes[NAME].value if NAME in item.attributes else ""
            if not self.input_filter or label == self.input_filter:
                self._generate(item)

    def _generate(self, op: ir.Operation) -> None:
        if len(op.results):
            raise error_at(
                op, "works on tensors, and only tiles of memrefs are copied to L2 and L1; run one-shot-bufferize first"
            )
        if self.l2_tile_size:
            op = tile(op, self.l2_tile_size, self.l2_tile_permute, parallel=False)
            if self.l2_promote:
                self._promote(op, L2, self.l2_promote_operands, self.l2_size)
        op = tile(op, self.l1_tile_size or self._sizes(op), self.l1_tile_permute, parallel=True)
        if self.l1_promote:
            self._promote(op, L1, self.l1_promote_operands, self.l1_size)
        if NAME in op.attributes:
            del op.attributes[NAME]

    def _sizes(self, op: ir.Operation) -> list[int]:
        """The default tile of a core."""
        if op.name == "linalg.matmul" and not self.herd_size:
            return [32, 32, 32]
        sizes = [0] * len(loop_extents(op))
        wide = [d for d, (e, r) in enumerate(zip(loop_extents(op), reductions(op), strict=True)) if e > 1 and not r]
        for loop, parts in zip(wide, self.herd_size or (2, 2), strict=False):
            extent = loop_extents(op)[loop]
            if parts < 1 or extent % parts:
                raise error_at(
                    op,
                    f"has {counted(extent, 'iteration')} in loop {loop}, which "
                    f"{counted(parts, 'core')} cannot share; set herd-size",
                )
            sizes[loop] = extent // parts
        return sizes

    def _promote(self, op: ir.Operation, space: int, operand_numbers: Sequence[int], limit: int) -> None:
        if any(n >= len(op.operands) for n in operand_numbers):
            raise error_at(
                op,
                f"has {counted(len(op.operands), 'operand')}, and operands {list(operand_numbers)} are to be "
                f"copied; count from 0",
            )
        inputs = first_output(op)
        promotion = Promotion(space, width=64)
        for number in operand_numbers or range(len(op.operands)):
            promotion.operand(op, number, inputs)
        total = sum(total_bits(p.buffer.type) or 0 for p in promotion.promoted) // 8
        if limit and total > limit:
            level = "l1" if space == L1 else "l2"
            raise error_at(
                op,
                f"has tiles of {counted(total, 'byte')}, and {level}-size is {limit}; give smaller tiles as {level}-tile-size",
            )
