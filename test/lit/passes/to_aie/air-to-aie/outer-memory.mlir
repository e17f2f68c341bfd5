// RUN: allo-opt --syntax=2026-03 %s --air-to-aie="row-offset=2 col-offset=0 device=npu1" | filecheck %s

// Memory outside that the cores only name is a symbol of each core: nothing is read of it.

// CHECK-LABEL: aie.device(npu1) @p
// CHECK:         memref.global "public" @__air_herd_arg_1 : memref<16x32xi32>
// CHECK-NEXT:    %core_1_2 = aie.core(%tile_1_2) {
// CHECK:         ^bb1:
// CHECK-NEXT:      %[[G:.*]] = memref.get_global @__air_herd_arg_1 : memref<16x32xi32>
// CHECK-NEXT:      cf.br ^bb2
// CHECK:           memref.subview %[[G]][0, 0] [8, 8] [1, 1]
// CHECK:         memref.global "public" @__air_herd_arg : memref<16x32xi32>
// CHECK-NEXT:    %core_0_2 = aie.core(%tile_0_2) {
// CHECK:           memref.get_global @__air_herd_arg : memref<16x32xi32>
func.func @f(%a: memref<16x32xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @p tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%m=%a) : memref<16x32xi32> {
    %c0 = arith.constant 0 : index
    %b = memref.alloc() : memref<32xindex, 2>
    %v = memref.subview %m[0, 0] [8, 8] [1, 1] : memref<16x32xi32> to memref<8x8xi32, strided<[32, 1]>>
    %d = memref.dim %v, %c0 : memref<8x8xi32, strided<[32, 1]>>
    memref.store %d, %b[%c0] : memref<32xindex, 2>
    memref.dealloc %b : memref<32xindex, 2>
  }
  return
}
