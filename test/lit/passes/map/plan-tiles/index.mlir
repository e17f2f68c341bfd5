// Launches cut no loop whose index a body uses: all of them run the same code.
// RUN: allo-opt %s --plan-tiles | filecheck %s

// CHECK-LABEL: func.func private @upper(%arg0: tensor<600x64xf32>)
// CHECK-SAME: launch = array<i64: {{[0-9]+}}, 64>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func private @upper(%x: tensor<600x64xf32>) -> tensor<600x64xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<600x64xf32>
  %half = arith.constant 32 : index
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<600x64xf32>) outs(%e : tensor<600x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %j = linalg.index 1 : index
    %first = arith.cmpi slt, %j, %half : index
    %n = arith.negf %a : f32
    %s = arith.select %first, %a, %n : f32
    linalg.yield %s : f32
  } -> tensor<600x64xf32>
  return %r : tensor<600x64xf32>
}
func.func @main(%x: tensor<600x64xf32>) -> tensor<600x64xf32> {
  %0 = call @upper(%x) : (tensor<600x64xf32>) -> tensor<600x64xf32>
  return %0 : tensor<600x64xf32>
}
