// RUN: allo-opt %s --aie-spread-buffers --verify-diagnostics

// Which memory a buffer lies in is known only of a tile that has a place.

aie.device(npu1) {
  %t = aie.logical_tile<CoreTile>(?, ?)
  %a = aie.buffer(%t) {sym_name = "a"} : memref<64xi32>
  %b = aie.buffer(%t) {sym_name = "b"} : memref<64xi32>
  // expected-error@+1 {{is on a tile that is not placed; give its column and row, or run aie-place-tiles first}}
  aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c64 step %c1 {
      %x = memref.load %a[%i] : memref<64xi32>
      memref.store %x, %b[%i] : memref<64xi32>
    }
    aie.end
  }
}
