// RUN: allo-opt %s --air-to-aie='row-offset=3 col-offset=5 device=xcvc1902' | filecheck %s
// RUN: allo-opt %s --air-to-aie='row-offset=2 col-offset=0 device=npu1' | filecheck %s

// The name of an allocation, and the core's ids in its herd, name a buffer; others have numbers.

// CHECK-DAG: aie.buffer(%{{.*}}) {sym_name = "scratch_0_0"} : memref<10xi32, 2>
// CHECK-DAG: aie.buffer(%{{.*}}) {sym_name = "scratch_0_1"} : memref<10xi32, 2>
// CHECK-DAG: aie.buffer(%{{.*}}) {sym_name = "buf0"} : memref<4xi32, 2>
// CHECK-DAG: aie.buffer(%{{.*}}) {sym_name = "buf1"} : memref<4xi32, 2>
func.func @f() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c2) {
    %c0 = arith.constant 0 : index
    %v = arith.constant 3 : i32
    %l = memref.alloc() {sym_name = "scratch"} : memref<10xi32, 2>
    %m = memref.alloc() : memref<4xi32, 2>
    memref.store %v, %l[%c0] : memref<10xi32, 2>
    memref.store %v, %m[%c0] : memref<4xi32, 2>
    memref.dealloc %l : memref<10xi32, 2>
    memref.dealloc %m : memref<4xi32, 2>
  }
  return
}
