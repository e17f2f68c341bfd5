// RUN: allo-opt --plan-gemm="narrow-sums=true" %s | filecheck %s
// RUN: allo-opt --plan-gemm="narrow-sums=true" --expand-families %s | filecheck %s --check-prefix=TILED

// Sums of f32 that are cast to bf16 are kept as bf16: the body rounds them, and no other operation is left after it.
// CHECK: chosen = "{{.*}}sums rounded to 16 bits after each of {{[0-9]+}} steps
// CHECK-SAME: narrow
// TILED: linalg.generic
// TILED: ^bb0(%[[A:.*]]: bf16, %[[B:.*]]: bf16, %[[C:.*]]: bf16):
// TILED: arith.extf %[[C]] : bf16 to f32
// TILED: arith.mulf {{.*}} : f32
// TILED: arith.addf {{.*}} : f32
// TILED: arith.truncf {{.*}} : f32 to bf16
// TILED-NOT: arith.truncf
// TILED: linalg.unpack
#id = affine_map<(i, j) -> (i, j)>
func.func @cast(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %g = tensor.empty() : tensor<64x64xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<64x64xf32>) outs(%g : tensor<64x64xbf16>) {
  ^bb0(%x: f32, %u: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<64x64xbf16>
  return %r : tensor<64x64xbf16>
}
