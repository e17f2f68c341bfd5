// RUN: allo-opt %s --outline-families | filecheck %s

// The products take operands rounded to bf16: these are rounded once, in front of the kernel, for queries and keys from one tensor.

// CHECK-LABEL: func.func private @attention_attention
// CHECK-SAME: (%{{.*}}: tensor<32x16xbf16>, %{{.*}}: tensor<32x16xbf16>) -> tensor<32x16xf32>
// CHECK-LABEL: func.func @attention
// CHECK: %[[V:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<32x16xf32>)
// CHECK: arith.truncf
// CHECK: %[[X:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<32x16xf32>)
// CHECK: arith.truncf
// CHECK: call @attention_attention{{.*}}(%[[X]], %[[V]])

#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
func.func @attention(%x: tensor<32x16xf32>, %v: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.5 : f32
  %qe = tensor.empty() : tensor<32x16xbf16>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<32x16xf32>) outs(%qe : tensor<32x16xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %m = arith.mulf %a, %scale : f32
    %t = arith.truncf %m : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<32x16xbf16>
  %ke = tensor.empty() : tensor<16x32xbf16>
  %k = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<32x16xf32>) outs(%ke : tensor<16x32xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<16x32xbf16>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<32x16xf32>) outs(%qe : tensor<32x16xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<32x16xbf16>
  %se = tensor.empty() : tensor<32x32xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<32x32xf32>) -> tensor<32x32xf32>
  %s = linalg.matmul ins(%q, %k : tensor<32x16xbf16>, tensor<16x32xbf16>) outs(%sf : tensor<32x32xf32>) -> tensor<32x32xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<32x32xf32>) outs(%se : tensor<32x32xf32>) -> tensor<32x32xf32>
  %pe = tensor.empty() : tensor<32x32xbf16>
  %pb = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<32x32xf32>) outs(%pe : tensor<32x32xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<32x32xbf16>
  %oe = tensor.empty() : tensor<32x16xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<32x16xf32>) -> tensor<32x16xf32>
  %out = linalg.matmul ins(%pb, %w : tensor<32x32xbf16>, tensor<32x16xbf16>) outs(%of : tensor<32x16xf32>) -> tensor<32x16xf32>
  return %out : tensor<32x16xf32>
}
