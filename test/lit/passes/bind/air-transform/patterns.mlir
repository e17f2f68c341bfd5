// Patterns of PDL in a script name operations for transform.air's, too.
// RUN: allo-opt %s --air-transform=filename=%S/Inputs/patterns.mlir | filecheck %s
// RUN: allo-opt %s --air-transform=filename=%S/Inputs/nested-patterns.mlir | filecheck %s
// RUN: not allo-opt %s --air-transform=filename=%S/Inputs/no-pattern.mlir 2>&1 | filecheck %s --check-prefix=NONE

// CHECK: %[[L1:.*]] = memref.alloc()
// CHECK-NEXT: air.dma_memcpy_nd (%[[L1]][] [] [], %arg0[] [] [])
// CHECK-NEXT: air.dma_memcpy_nd (%arg1[] [] [], %[[L1]][] [] [])
// NONE: no-pattern.mlir:5:10: error: 'transform.pdl_match' op names @copies; no pdl.pattern of this name
func.func @copy(%from: memref<16xf32>, %to: memref<16xf32>) {
  %l1 = memref.alloc() : memref<16xf32, 2>
  memref.copy %from, %l1 : memref<16xf32> to memref<16xf32, 2>
  memref.copy %l1, %to : memref<16xf32, 2> to memref<16xf32>
  memref.dealloc %l1 : memref<16xf32, 2>
  return
}
