// RUN: allo-opt %s --air-to-aie='device=npu1 row-offset=2 col-offset=0' | filecheck %s

// A herd of three columns does not fit in half of the device: each instance has all of it.
// CHECK: aie.device(npu1) @seg_0_0
// CHECK: aie.device(npu1) @seg_1_0
func.func @f() {
  air.launch () in () {
    %c2 = arith.constant 2 : index
    air.segment @seg unroll (%x) in (%sx = %c2) {
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      air.herd @h tile (%p, %q) in (%sp=%c3, %sq=%c1) {
        %l = memref.alloc() : memref<64xi32, 2>
        memref.dealloc %l : memref<64xi32, 2>
      }
    }
  }
  return
}
