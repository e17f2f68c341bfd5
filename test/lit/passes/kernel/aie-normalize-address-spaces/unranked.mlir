// RUN: allo-opt %s --aie-normalize-address-spaces | filecheck %s

// Memrefs without a rank lose their space, too.
// CHECK: func.func private @k(memref<*xi32>)
// CHECK: memref.cast %b : memref<8xi32> to memref<*xi32>
// CHECK: call @k(%{{.*}}) : (memref<*xi32>) -> ()
module {
  aie.device(npu1) {
    %t = aie.tile(1, 3)
    %b = aie.buffer(%t) {sym_name = "b"} : memref<8xi32, 2>
    func.func private @k(memref<*xi32, 2>)
    %c = aie.core(%t) {
      %u = memref.cast %b : memref<8xi32, 2> to memref<*xi32, 2>
      func.call @k(%u) : (memref<*xi32, 2>) -> ()
      %e = memref.extract_aligned_pointer_as_index %b : memref<8xi32, 2> -> index
      aie.end
    }
  }
}
