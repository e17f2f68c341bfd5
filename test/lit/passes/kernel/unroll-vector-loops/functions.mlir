// RUN: allo-opt %s '--unroll-vector-loops=most=4 operations=8' | filecheck %s

// A function that a core calls is unrolled, too, and one that no core calls is not.
// CHECK-LABEL: func.func private @called
// CHECK-COUNT-4: vector.transfer_write
// CHECK: return
// CHECK-LABEL: func.func private @other
// CHECK-COUNT-1: vector.transfer_write
// CHECK-NOT: vector.transfer_write
// CHECK: return
module {
  aie.device(npu1) {
    %tile = aie.tile(0, 2)
    %b = aie.buffer(%tile) : memref<64xf32, 2>
    func.func private @called(%m: memref<64xf32, 2>) {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant dense<0.0> : vector<16xf32>
      scf.for %i = %c0 to %c64 step %c16 {
        vector.transfer_write %zero, %m[%i] {in_bounds = [true]} : vector<16xf32>, memref<64xf32, 2>
      }
      return
    }
    func.func private @other(%m: memref<64xf32, 2>) {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant dense<0.0> : vector<16xf32>
      scf.for %i = %c0 to %c64 step %c16 {
        vector.transfer_write %zero, %m[%i] {in_bounds = [true]} : vector<16xf32>, memref<64xf32, 2>
      }
      return
    }
    %core = aie.core(%tile) {
      func.call @called(%b) : (memref<64xf32, 2>) -> ()
      aie.end
    }
  }
}
