// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// Operations that have the generic form only.

func.func @translate(%m: memref<1024xf32>, %from: index, %to: index, %bases: memref<?xindex>) -> memref<1024xf32> {
  %0 = "air.translate"(%m, %from, %to, %bases) : (memref<1024xf32>, index, index, memref<?xindex>) -> memref<1024xf32>
  return %0 : memref<1024xf32>
}
func.func @memcpy(%a: memref<4xi32>, %b: memref<4xi32>, %c: i64) {
  "airrt.memcpy_nd"(%a, %b, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c) : (memref<4xi32>, memref<4xi32>, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> ()
  return
}

// CHECK: %0 = "air.translate"(%arg0, %arg1, %arg2, %arg3) : (memref<1024xf32>, index, index, memref<?xindex>) -> memref<1024xf32>
// CHECK: "airrt.memcpy_nd"(%arg0, %arg1, %arg2,

// GENERIC: "air.translate"(
// GENERIC: "airrt.memcpy_nd"(
