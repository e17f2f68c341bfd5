// RUN: allo-opt %s --assign-layouts=device=npu2 | filecheck %s
// RUN: allo-opt %s --assign-layouts=device=npu2 --verify-each=execute | filecheck %s
// RUN: allo-opt %s --assign-layouts="device=npu2 cols=1" --verify-each=execute | filecheck %s

// One kernel of streams turns, pads and packs what is between two kernels, with rows that two blocks hold. It reads zeros from a
// constant. Equal movements share it.

#turned = affine_map<(h, w, c, k) -> (h, c, w, k)>
#windows = affine_map<(h, c, r, w, k) -> (h + r, w, 8 * c + k)>
#same = affine_map<(h, w, c, k) -> (h, w, c, k)>
#block = affine_map<(h, c, r, w, k) -> (h, c, r, w, k)>

// CHECK-LABEL: func.func private @relayout_0(%arg0: tensor<64x2x64x8xf32>, %arg1: tensor<{{[0-9]+}}xf32>) -> tensor<64x2x3x66x8xf32>
// CHECK-SAME:    family = "move"
// CHECK:         linalg.generic
// CHECK:         tensor.pad %{{.*}} low[1, 1, 0] high[1, 1, 0]
// CHECK:         linalg.generic
// CHECK-NOT:   @relayout_1
// CHECK-LABEL: func.func @f
// CHECK:         %[[A:.*]] = call @k
// CHECK:         %[[P:.*]] = call @relayout_0(%[[A]], %{{.*}})
// CHECK:         call @last(%[[P]])
// CHECK-LABEL: func.func @g
// CHECK:         call @relayout_0
func.func private @k(%x: tensor<64x2x64x8xf32>) -> tensor<64x2x64x8xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<64x2x64x8xf32>
  %r = linalg.exp ins(%x : tensor<64x2x64x8xf32>) outs(%e : tensor<64x2x64x8xf32>) -> tensor<64x2x64x8xf32>
  return %r : tensor<64x2x64x8xf32>
}

func.func private @last(%x: tensor<64x2x3x66x8xf32>) -> tensor<64x2x3x66x8xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<64x2x3x66x8xf32>
  %r = linalg.exp ins(%x : tensor<64x2x3x66x8xf32>) outs(%e : tensor<64x2x3x66x8xf32>) -> tensor<64x2x3x66x8xf32>
  return %r : tensor<64x2x3x66x8xf32>
}

func.func @f(%x: tensor<64x2x64x8xf32>) -> tensor<64x2x3x66x8xf32> {
  %zero = arith.constant 0.0 : f32
  %a = call @k(%x) : (tensor<64x2x64x8xf32>) -> tensor<64x2x64x8xf32>
  %e = tensor.empty() : tensor<64x64x2x8xf32>
  %t = linalg.generic {indexing_maps = [#turned, #same], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a : tensor<64x2x64x8xf32>) outs(%e : tensor<64x64x2x8xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<64x64x2x8xf32>
  %c = tensor.collapse_shape %t [[0], [1], [2, 3]] : tensor<64x64x2x8xf32> into tensor<64x64x16xf32>
  %p = tensor.pad %c low[1, 1, 0] high[1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<64x64x16xf32> to tensor<66x66x16xf32>
  %b = tensor.empty() : tensor<64x2x3x66x8xf32>
  %w = linalg.generic {indexing_maps = [#windows, #block], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<66x66x16xf32>) outs(%b : tensor<64x2x3x66x8xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<64x2x3x66x8xf32>
  %r = call @last(%w) : (tensor<64x2x3x66x8xf32>) -> tensor<64x2x3x66x8xf32>
  return %r : tensor<64x2x3x66x8xf32>
}

func.func @g(%x: tensor<64x2x64x8xf32>) -> tensor<64x2x3x66x8xf32> {
  %zero = arith.constant 0.0 : f32
  %a = call @k(%x) : (tensor<64x2x64x8xf32>) -> tensor<64x2x64x8xf32>
  %e = tensor.empty() : tensor<64x64x2x8xf32>
  %t = linalg.generic {indexing_maps = [#turned, #same], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a : tensor<64x2x64x8xf32>) outs(%e : tensor<64x64x2x8xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<64x64x2x8xf32>
  %c = tensor.collapse_shape %t [[0], [1], [2, 3]] : tensor<64x64x2x8xf32> into tensor<64x64x16xf32>
  %p = tensor.pad %c low[1, 1, 0] high[1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<64x64x16xf32> to tensor<66x66x16xf32>
  %b = tensor.empty() : tensor<64x2x3x66x8xf32>
  %w = linalg.generic {indexing_maps = [#windows, #block], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<66x66x16xf32>) outs(%b : tensor<64x2x3x66x8xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<64x2x3x66x8xf32>
  %r = call @last(%w) : (tensor<64x2x3x66x8xf32>) -> tensor<64x2x3x66x8xf32>
  return %r : tensor<64x2x3x66x8xf32>
}
