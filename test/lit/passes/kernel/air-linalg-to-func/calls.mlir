// RUN: allo-opt %s --air-linalg-to-func=link-with=mm.o | filecheck %s
// RUN: allo-opt %s --air-linalg-to-func=link-with=mm.o --air-linalg-to-func=link-with=other.o | filecheck %s

// One declaration for each function, in the order of the calls.

// CHECK:      func.func private @linalg_fill_bf16_view16x16x4x4xbf16as2(bf16, memref<16x16x4x4xbf16, 2>) attributes {link_with = "mm.o", llvm.emit_c_interface}
// CHECK-NEXT: func.func private @matmul_bf16(memref<4x4xbf16, 2>, memref<4x4xbf16, 2>, memref<4x4xf32, 2>) attributes {link_with = "mm.o", llvm.emit_c_interface}
// CHECK-NEXT: func.func private @linalg_add_view8xi32as2_view8xi32as2_view8xi32as2(
// CHECK-NEXT: func.func private @linalg_sub_view8xi32as2_view8xi32as2_view8xi32as2(
// CHECK-NEXT: func.func private @linalg_elementwise_add_viewsxi32_viewsxi32_viewsxi32(memref<?xi32>, memref<?xi32>, memref<?xi32>)
// CHECK-NEXT: func.func private @linalg_elementwise_mul_viewsxi32_viewsxi32_viewsxi32(
// CHECK-NOT:  func.func private

// CHECK-LABEL: func.func @named
// CHECK:       call @linalg_fill_bf16_view16x16x4x4xbf16as2(%{{.*}}, %arg0) : (bf16, memref<16x16x4x4xbf16, 2>) -> ()
// CHECK-NEXT:  call @linalg_fill_bf16_view16x16x4x4xbf16as2(%{{.*}}, %arg1) : (bf16, memref<16x16x4x4xbf16, 2>) -> ()
// CHECK-NEXT:  return
func.func @named(%a: memref<16x16x4x4xbf16, 2>, %b: memref<16x16x4x4xbf16, 2>) {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%a : memref<16x16x4x4xbf16, 2>)
  linalg.fill ins(%zero : bf16) outs(%b : memref<16x16x4x4xbf16, 2>)
  return
}

// The loop's herd is told where the function is.

// CHECK-LABEL: func.func @generic
// CHECK:       air.herd @h {{.*}}link_with = "mm.o"
// CHECK:         air.execute
// CHECK-NEXT:      func.call @matmul_bf16(%{{.*}}, %{{.*}}, %{{.*}}) : (memref<4x4xbf16, 2>, memref<4x4xbf16, 2>, memref<4x4xf32, 2>) -> ()
func.func @generic(%a: memref<4x4xbf16, 2>, %c: memref<4x4xf32, 2>) {
  %c1 = arith.constant 1 : index
  %t = air.herd @h async tile (%x, %y) in (%s=%c1, %u=%c1) args(%d=%a, %e=%c) : memref<4x4xbf16, 2>, memref<4x4xf32, 2> {
    %t0 = air.execute {
      linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], library_call = "matmul_bf16"} ins(%d, %d : memref<4x4xbf16, 2>, memref<4x4xbf16, 2>) outs(%e : memref<4x4xf32, 2>) {
      ^bb0(%in: bf16, %in2: bf16, %out: f32):
        %m = arith.mulf %in, %in2 : bf16
        %w = arith.extf %m : bf16 to f32
        %r = arith.addf %out, %w : f32
        linalg.yield %r : f32
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @elementwise
// CHECK-NEXT:  call @linalg_add_view8xi32as2
// CHECK-NEXT:  call @linalg_sub_view8xi32as2
// CHECK-NEXT:  call @linalg_elementwise_add_viewsxi32
// CHECK-NEXT:  call @linalg_elementwise_mul_viewsxi32
func.func @elementwise(%a: memref<8xi32, 2>, %b: memref<?xi32>) {
  linalg.add ins(%a, %a : memref<8xi32, 2>, memref<8xi32, 2>) outs(%a : memref<8xi32, 2>)
  linalg.sub ins(%a, %a : memref<8xi32, 2>, memref<8xi32, 2>) outs(%a : memref<8xi32, 2>)
  linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%b, %b : memref<?xi32>, memref<?xi32>) outs(%b : memref<?xi32>)
  linalg.elementwise kind=#linalg.elementwise_kind<mul> ins(%b, %b : memref<?xi32>, memref<?xi32>) outs(%b : memref<?xi32>)
  return
}

// Transfers and tensors are not the library's.

// CHECK-LABEL: func.func @stay
// CHECK:       linalg.copy
// CHECK:       linalg.fill
func.func @stay(%a: memref<8xi32>, %b: memref<8xi32, 1>, %t: tensor<8xi32>) -> tensor<8xi32> {
  %zero = arith.constant 0 : i32
  linalg.copy ins(%a : memref<8xi32>) outs(%b : memref<8xi32, 1>)
  %f = linalg.fill ins(%zero : i32) outs(%t : tensor<8xi32>) -> tensor<8xi32>
  return %f : tensor<8xi32>
}
