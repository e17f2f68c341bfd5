// RUN: allo-opt %s --pipeline='npu{device=npu1}' -o /dev/null 2>&1 | filecheck %s --allow-empty
// RUN: allo-opt %s --pipeline='npu{device=npu2}' -o /dev/null 2>&1 | filecheck %s --allow-empty

// The cores of an average pooling hold nothing that mlir-aie's tools refuse: constants of fused products are extended bf16.

// CHECK-NOT: warning
func.func @f(%x: tensor<1x34x34x16xbf16>) -> tensor<1x32x32x16xbf16> {
  %z = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<1x32x32x16xbf16>
  %w = tensor.empty() : tensor<3x3xbf16>
  %i = linalg.fill ins(%z : bf16) outs(%e : tensor<1x32x32x16xbf16>) -> tensor<1x32x32x16xbf16>
  %p = linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %w : tensor<1x34x34x16xbf16>, tensor<3x3xbf16>) outs(%i : tensor<1x32x32x16xbf16>) -> tensor<1x32x32x16xbf16>
  %c = arith.constant 9.0 : bf16
  %q = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%p : tensor<1x32x32x16xbf16>) outs(%e : tensor<1x32x32x16xbf16>) {
  ^bb0(%a: bf16, %b: bf16):
    %d = arith.divf %a, %c : bf16
    linalg.yield %d : bf16
  } -> tensor<1x32x32x16xbf16>
  return %q : tensor<1x32x32x16xbf16>
}