// RUN: allo-opt %s --air-dependency-schedule-opt > %t.alias
// RUN: allo-opt %s --air-hoist-dma-in-accum-pattern --air-broadcast-detection > %t.pair
// RUN: diff %t.alias %t.pair
// RUN: allo-opt %s --pass-pipeline='builtin.module(air-dependency-schedule-opt,canonicalize)' | filecheck %s

// CHECK:      air.dma_memcpy_nd (%[[ACC:.*]][] [] [], %{{.*}}[] [] []) {broadcast_pattern
// CHECK-NEXT: scf.for
// CHECK-NEXT:   air.dma_memcpy_nd {{.*}} {broadcast_pattern
// CHECK-NEXT:   linalg.add
// CHECK-NEXT: }
// CHECK-NEXT: air.dma_memcpy_nd (%{{.*}}[] [] [], %[[ACC]][] [] []) : (memref<16xi32, 1>, memref<16xi32, 2>)
func.func @f(%c: memref<16xi32, 1>, %all: memref<64xi32, 1>) {
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%m=%c, %n=%all) : memref<16xi32, 1>, memref<64xi32, 1> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %acc = memref.alloc() : memref<16xi32, 2>
    %b = memref.alloc() : memref<16xi32, 2>
    scf.for %k = %c0 to %c64 step %c16 {
      air.dma_memcpy_nd (%acc[] [] [], %m[] [] []) : (memref<16xi32, 2>, memref<16xi32, 1>)
      air.dma_memcpy_nd (%b[] [] [], %n[%k] [%c16] [%c1]) : (memref<16xi32, 2>, memref<64xi32, 1>)
      linalg.add ins(%acc, %b : memref<16xi32, 2>, memref<16xi32, 2>) outs(%acc : memref<16xi32, 2>)
      air.dma_memcpy_nd (%m[] [] [], %acc[] [] []) : (memref<16xi32, 1>, memref<16xi32, 2>)
    }
  }
  return
}
