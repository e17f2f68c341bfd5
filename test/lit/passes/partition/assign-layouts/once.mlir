// RUN: allo-opt --assign-layouts %s | filecheck %s
// RUN: allo-opt --assign-layouts --canonicalize --verify-each=execute %s

// What is moved in one way between several kernels is moved by one kernel, and a tensor that two kernels take in one layout once.

func.func private @k(%a: tensor<7x4xf32>) -> tensor<7x4xf32> attributes {allo.kernel} {
  return %a : tensor<7x4xf32>
}
func.func private @wide(%a: tensor<7x6xf32>) -> tensor<7x6xf32> attributes {allo.kernel} {
  return %a : tensor<7x6xf32>
}
// CHECK:      func.func private @[[WIDE:relayout_.*]](%{{.*}}: tensor<7x4xf32>) -> tensor<7x6xf32> attributes {allo.kernel}
// CHECK-NOT:  func.func private @relayout
// CHECK:      func.func @f
// CHECK:        %[[A:.*]] = call @k
// CHECK:        %[[P:.*]] = call @[[WIDE]](%[[A]])
// CHECK:        call @wide(%[[P]])
// CHECK:        %[[B:.*]] = call @k(%[[A]])
// CHECK:        %[[Q:.*]] = call @[[WIDE]](%[[B]])
// CHECK:        call @wide(%[[Q]])
// CHECK-NEXT:   call @wide(%[[P]])
func.func @f(%x: tensor<7x4xf32>) -> (tensor<7x6xf32>, tensor<7x6xf32>, tensor<7x6xf32>) {
  %z = arith.constant 0.0 : f32
  %a = call @k(%x) : (tensor<7x4xf32>) -> tensor<7x4xf32>
  %p = tensor.pad %a low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<7x4xf32> to tensor<7x6xf32>
  %c = call @wide(%p) : (tensor<7x6xf32>) -> tensor<7x6xf32>
  %b = call @k(%a) : (tensor<7x4xf32>) -> tensor<7x4xf32>
  %q = tensor.pad %b low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<7x4xf32> to tensor<7x6xf32>
  %d = call @wide(%q) : (tensor<7x6xf32>) -> tensor<7x6xf32>
  %r = tensor.pad %a low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<7x4xf32> to tensor<7x6xf32>
  %e = call @wide(%r) : (tensor<7x6xf32>) -> tensor<7x6xf32>
  return %c, %d, %e : tensor<7x6xf32>, tensor<7x6xf32>, tensor<7x6xf32>
}
