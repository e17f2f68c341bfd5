"""How the code of cores is priced: as Peano compiles it, unless the call says otherwise."""

import pytest

import allo_air

COPY = """
func.func @f(%a: memref<64xbf16>, %b: memref<64xbf16>) {
  %one = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%p=%one, %q=%one) args(%s=%a, %d=%b) : memref<64xbf16>, memref<64xbf16> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %z = arith.constant 0.0 : bf16
    %m = memref.alloc() : memref<64xbf16, 2>
    air.dma_memcpy_nd (%m[] [] [], %s[] [] []) : (memref<64xbf16, 2>, memref<64xbf16>)
    scf.for %i = %c0 to %c64 step %c16 {
      %v = vector.transfer_read %m[%i], %z {in_bounds = [true]} : memref<64xbf16, 2>, vector<16xbf16>
      %t = math.tanh %v : vector<16xbf16>
      vector.transfer_write %t, %m[%i] {in_bounds = [true]} : vector<16xbf16>, memref<64xbf16, 2>
    }
    air.dma_memcpy_nd (%d[] [] [], %m[] [] []) : (memref<64xbf16>, memref<64xbf16, 2>)
    memref.dealloc %m : memref<64xbf16, 2>
  }
  return
}"""


@pytest.mark.parametrize("code", ["kept", "improved"])
def test_air_npu(code: str) -> None:
    program = allo_air.compile(COPY, pipeline="air-npu", device="npu2", cache=False, core_code=code)
    report = program.estimate()
    assert report.run.code == "compiled"
    scheduled, compiled = report.core_code
    assert 0 < scheduled <= compiled
    bound = program.estimate(code="scheduled")
    assert (bound.run.code, bound.core_code) == ("scheduled", (scheduled, compiled))
    assert ("math.tanh" in program.text()) == (code == "kept")  # an instruction of npu2
    assert report.microseconds == pytest.approx(report.cycles / 1800 + 45)
    assert f"{compiled:,} cycles of work in a core; scheduled by hand at best {scheduled:,}" in " ".join(str(report).split())
