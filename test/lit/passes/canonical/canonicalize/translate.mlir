// RUN: allo-opt %s --canonicalize | filecheck %s

// From a rank to itself the address stays.
// CHECK-LABEL: func.func @home
// CHECK-NEXT: return %arg0
func.func @home(%m: memref<64xf32>, %r: index, %bases: memref<?xindex>) -> memref<64xf32> {
  %p = air.translate %m, %r, %r, %bases : memref<64xf32>, memref<?xindex>
  return %p : memref<64xf32>
}

// CHECK-LABEL: func.func @elsewhere
// CHECK: air.translate
func.func @elsewhere(%m: memref<64xf32>, %r: index, %s: index, %bases: memref<?xindex>) -> memref<64xf32> {
  %p = air.translate %m, %r, %s, %bases : memref<64xf32>, memref<?xindex>
  return %p : memref<64xf32>
}
