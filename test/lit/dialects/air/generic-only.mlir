// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// Operations that have the generic form only.

func.func @memcpy(%a: memref<4xi32>, %b: memref<4xi32>, %c: i64) {
  "airrt.memcpy_nd"(%a, %b, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c) : (memref<4xi32>, memref<4xi32>, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> ()
  return
}

// CHECK: "airrt.memcpy_nd"(%arg0, %arg1, %arg2,

// GENERIC: "airrt.memcpy_nd"(
