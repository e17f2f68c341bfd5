// What the object file has no function for stays; generic operations and contractions may have MLIR's placeholder.
// RUN: allo-opt %s --air-linalg-to-func="link-with=mm.o functions=linalg_fill_f32_view4x4xf32as2,op_has_no_registered_library_name" | filecheck %s

// CHECK-DAG: func.func private @linalg_fill_f32_view4x4xf32as2(f32, memref<4x4xf32, 2>) attributes {link_with = "mm.o"
// CHECK-DAG: func.func private @op_has_no_registered_library_name(memref<4x4xf32, 2>, memref<4x4xf32, 2>, memref<4x4xf32, 2>)
// CHECK-LABEL: func.func @f
// CHECK: call @linalg_fill_f32_view4x4xf32as2
// CHECK: call @op_has_no_registered_library_name
// CHECK: linalg.add
func.func @f(%a: memref<4x4xf32, 2>, %b: memref<4x4xf32, 2>, %c: memref<4x4xf32, 2>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<4x4xf32, 2>)
  linalg.matmul ins(%a, %b : memref<4x4xf32, 2>, memref<4x4xf32, 2>) outs(%c : memref<4x4xf32, 2>)
  linalg.add ins(%c, %a : memref<4x4xf32, 2>, memref<4x4xf32, 2>) outs(%c : memref<4x4xf32, 2>)
  return
}
