"""legalize-contractions."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.mlir import AnyOp
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.kernel._plain_contractions import make_plain
from allo_air.passes.kernel._unsigned_contractions import make_unsigned


@dataclass(frozen=True)
class LegalizeContractions(Pass):
    """Rewrites vector.contract in forms that mlir-aie lowers to MAC instructions: with plain maps, and signs that the core has.

    Contractions of transposed matrices get the maps of a plain matrix multiplication, (m, k), (k, n), (m, n). The matrix is
    transposed separately, before the extension to the accumulator's type, when it has the fewest bits: by a vector.transpose if
    the device has an instruction for that (sources.md#vector-kernels), else by a vector.shuffle. mlir-aie turns plain
    contractions of extended operands into MAC instructions (docs/sources.md#core-kernels).

    For i16, mlir-aie emits only unsigned contractions on AIE2p. Signed ones become unsigned ones there, and the loop over k
    carries their error as a second accumulator, which is subtracted after the loop. Run the pass before `block-contractions`.

    Before:

        %e = arith.extf %b : vector<4x8xbf16> to vector<4x8xf32>
        %r = vector.contract {indexing_maps = [(m, n, k) -> (m, k), (m, n, k) -> (n, k), (m, n, k) -> (m, n)], ...} %a, %e, %c

        %p = scf.for ... iter_args(%acc = %d) -> (vector<8x8xi32>) {
          %x = arith.extsi %f : vector<8x2xi16> to vector<8x2xi32>
          %y = arith.extsi %g : vector<2x8xi16> to vector<2x8xi32>
          %n = vector.contract {...} %x, %y, %acc
          scf.yield %n : vector<8x8xi32>
        }

    After:

        %t = vector.transpose %b, [1, 0] : vector<4x8xbf16> to vector<8x4xbf16>
        %e = arith.extf %t : vector<8x4xbf16> to vector<8x4xf32>
        %r = vector.contract {indexing_maps = [(m, n, k) -> (m, k), (m, n, k) -> (k, n), (m, n, k) -> (m, n)], ...} %a, %e, %c

        %s:2 = scf.for ... iter_args(%acc = %d, %off = %zero) -> (vector<8x8xi32>, vector<8x8xi32>) {
          %x = arith.extui %f : vector<8x2xi16> to vector<8x2xi32>
          %y = arith.extui %g : vector<2x8xi16> to vector<2x8xi32>
          %n = vector.contract {...} %x, %y, %acc
          %o = vector.contract {...} %sign_bits_of_x, %y, %off
          %q = vector.contract {...} %x, %sign_bits_of_y, %o
          scf.yield %n, %q
        }
        %p = %s#0 - 2 * %s#1, as vectors of one dimension
    """

    name = "legalize-contractions"
    works_on = ("vector.contract",)

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""

    def run(self, op: AnyOp, /) -> None:
        arch = device_option(self.name, self.device).arch
        make_plain(op, arch)
        make_unsigned(op, arch)
