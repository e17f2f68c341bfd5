// RUN: allo-opt --syntax=2026-03 %s --generalize-movement | filecheck %s
// RUN: allo-opt %s --generalize-movement --verify-each=execute
// RUN: allo-opt %s --pipeline=npu --stop-after=partition --verify-each=execute | filecheck %s --check-prefix=KERNEL

// A rotary embedding with a batch of one: all operations after the concatenation have its dimensions, so has the product beside
// it, and the slices are those of the tensor before the transposition. One kernel computes all.

#hsd = affine_map<(h, s, d) -> (h, s, d)>
#shd = affine_map<(h, s, d) -> (s, h, d)>
#sd = affine_map<(h, s, d) -> (s, d)>

// CHECK-LABEL: @rotary
// CHECK:         %[[X:.*]] = tensor.expand_shape %arg0 {{.*}} : tensor<16x4x8xf32> into tensor<16x4x2x4xf32>
// CHECK:         %[[DIRECT:.*]] = linalg.generic {{.*}}ins(%[[X]], %{{.*}} : tensor<16x4x2x4xf32>, tensor<16x2x4xf32>)
// CHECK:         tensor.extract_slice %arg0[0, 0, 0] [16, 4, 4] [1, 1, 1]
// CHECK:         tensor.extract_slice %arg0[0, 0, 4] [16, 4, 4] [1, 1, 1]
// CHECK:           linalg.index 2
// CHECK:         %[[SCALED:.*]] = linalg.generic {{.*}} : tensor<4x16x2x4xf32>, tensor<16x2x4xf32>)
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}}ins(%[[DIRECT]], %[[SCALED]] : tensor<4x16x2x4xf32>, tensor<4x16x2x4xf32>)
// CHECK:         %[[RESULT:.*]] = tensor.collapse_shape %[[SUM]] {{.*}} : tensor<4x16x2x4xf32> into tensor<4x16x8xf32>
// CHECK:         return %[[RESULT]]
// KERNEL:      func.func private @rotary_rows_0(
// KERNEL-NOT:  func.func private
// KERNEL:      func.func @rotary(
func.func @rotary(%x: tensor<16x4x8xf32>, %cos: tensor<16x8xf32>, %sin: tensor<16x8xf32>) -> tensor<4x16x8xf32> {
  %e = tensor.empty() : tensor<4x16x8xf32>
  %t = linalg.generic {indexing_maps = [#shd, #hsd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<16x4x8xf32>) outs(%e : tensor<4x16x8xf32>) {
  ^b(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> tensor<4x16x8xf32>
  %b = tensor.expand_shape %t [[0, 1], [2], [3]] output_shape [1, 4, 16, 8] : tensor<4x16x8xf32> into tensor<1x4x16x8xf32>
  %direct = linalg.generic {indexing_maps = [#shd, #sd, #hsd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %cos : tensor<16x4x8xf32>, tensor<16x8xf32>) outs(%e : tensor<4x16x8xf32>) {
  ^b(%i: f32, %c: f32, %o: f32):
    %m = arith.mulf %i, %c : f32
    linalg.yield %m : f32
  } -> tensor<4x16x8xf32>
  %low = tensor.extract_slice %b[0, 0, 0, 0] [1, 4, 16, 4] [1, 1, 1, 1] : tensor<1x4x16x8xf32> to tensor<4x16x4xf32>
  %l = tensor.expand_shape %low [[0, 1], [2], [3]] output_shape [1, 4, 16, 4] : tensor<4x16x4xf32> into tensor<1x4x16x4xf32>
  %high = tensor.extract_slice %b[0, 0, 0, 4] [1, 4, 16, 4] [1, 1, 1, 1] : tensor<1x4x16x8xf32> to tensor<4x16x4xf32>
  %f = tensor.empty() : tensor<4x16x4xf32>
  %n = linalg.generic {indexing_maps = [#hsd, #hsd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%high : tensor<4x16x4xf32>) outs(%f : tensor<4x16x4xf32>) {
  ^b(%i: f32, %o: f32):
    %m = arith.negf %i : f32
    linalg.yield %m : f32
  } -> tensor<4x16x4xf32>
  %h = tensor.expand_shape %n [[0, 1], [2], [3]] output_shape [1, 4, 16, 4] : tensor<4x16x4xf32> into tensor<1x4x16x4xf32>
  %c = tensor.concat dim(3) %h, %l : (tensor<1x4x16x4xf32>, tensor<1x4x16x4xf32>) -> tensor<1x4x16x8xf32>
  %r = tensor.collapse_shape %c [[0, 1], [2], [3]] : tensor<1x4x16x8xf32> into tensor<4x16x8xf32>
  %scaled = linalg.generic {indexing_maps = [#hsd, #sd, #hsd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r, %sin : tensor<4x16x8xf32>, tensor<16x8xf32>) outs(%e : tensor<4x16x8xf32>) {
  ^b(%i: f32, %s: f32, %o: f32):
    %m = arith.mulf %i, %s : f32
    linalg.yield %m : f32
  } -> tensor<4x16x8xf32>
  %y = linalg.generic {indexing_maps = [#hsd, #hsd, #hsd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%direct, %scaled : tensor<4x16x8xf32>, tensor<4x16x8xf32>) outs(%e : tensor<4x16x8xf32>) {
  ^b(%i: f32, %s: f32, %o: f32):
    %m = arith.addf %i, %s : f32
    linalg.yield %m : f32
  } -> tensor<4x16x8xf32>
  return %y : tensor<4x16x8xf32>
}

// A reduction reads the slice of a transposition, and rows of it are one run: they stay.
// CHECK-LABEL: @stays
// CHECK:         %[[T:.*]] = linalg.generic
// CHECK:         tensor.extract_slice %[[T]][0, 0, 4] [4, 16, 4] [1, 1, 1]
// CHECK:         tensor.extract_slice %[[T]][2, 0, 0] [2, 16, 8] [1, 1, 1]
func.func @stays(%x: tensor<16x4x8xf32>, %s: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<2x16x8xf32>) {
  %e = tensor.empty() : tensor<4x16x8xf32>
  %t = linalg.generic {indexing_maps = [#shd, #hsd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<16x4x8xf32>) outs(%e : tensor<4x16x8xf32>) {
  ^b(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> tensor<4x16x8xf32>
  %high = tensor.extract_slice %t[0, 0, 4] [4, 16, 4] [1, 1, 1] : tensor<4x16x8xf32> to tensor<4x16x4xf32>
  %sum = linalg.generic {indexing_maps = [#hsd, affine_map<(h, s, d) -> (h, s)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%high : tensor<4x16x4xf32>) outs(%s : tensor<4x16xf32>) {
  ^b(%i: f32, %o: f32):
    %m = arith.addf %i, %o : f32
    linalg.yield %m : f32
  } -> tensor<4x16xf32>
  %rows = tensor.extract_slice %t[2, 0, 0] [2, 16, 8] [1, 1, 1] : tensor<4x16x8xf32> to tensor<2x16x8xf32>
  %f = tensor.empty() : tensor<2x16x8xf32>
  %n = linalg.generic {indexing_maps = [#hsd, #hsd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%rows : tensor<2x16x8xf32>) outs(%f : tensor<2x16x8xf32>) {
  ^b(%i: f32, %o: f32):
    %m = arith.negf %i : f32
    linalg.yield %m : f32
  } -> tensor<2x16x8xf32>
  return %sum, %n : tensor<4x16xf32>, tensor<2x16x8xf32>
}

// Only the first half of the dimensions is rotated: the second concatenation has the dimensions of the first one, too, and each
// slice of a slice is one of the argument. One kernel computes all.
// CHECK-LABEL: @partial
// CHECK-DAG:     tensor.extract_slice %arg0[0, 0, 2] [16, 4, 2] [1, 1, 1]
// CHECK-DAG:     tensor.extract_slice %arg0[0, 0, 0] [16, 4, 2] [1, 1, 1]
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<4x16x2x2xf32>)
// CHECK:           linalg.index 2
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<4x16x2x2x2xf32>)
// CHECK:           linalg.index 2
// CHECK:         tensor.collapse_shape %{{.*}} : tensor<4x16x2x2x2xf32>
// KERNEL:      func.func private @partial_rows_0(
// KERNEL-NOT:  func.func private
// KERNEL:      func.func @partial(
func.func @partial(%x: tensor<16x4x8xf32>, %sin: tensor<16x4xf32>) -> tensor<4x16x8xf32> {
  %e = tensor.empty() : tensor<4x16x8xf32>
  %t = linalg.generic {indexing_maps = [#shd, #hsd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<16x4x8xf32>) outs(%e : tensor<4x16x8xf32>) {
  ^b(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> tensor<4x16x8xf32>
  %first = tensor.extract_slice %t[0, 0, 0] [4, 16, 4] [1, 1, 1] : tensor<4x16x8xf32> to tensor<4x16x4xf32>
  %rest = tensor.extract_slice %t[0, 0, 4] [4, 16, 4] [1, 1, 1] : tensor<4x16x8xf32> to tensor<4x16x4xf32>
  %low = tensor.extract_slice %first[0, 0, 0] [4, 16, 2] [1, 1, 1] : tensor<4x16x4xf32> to tensor<4x16x2xf32>
  %high = tensor.extract_slice %first[0, 0, 2] [4, 16, 2] [1, 1, 1] : tensor<4x16x4xf32> to tensor<4x16x2xf32>
  %r = tensor.concat dim(2) %high, %low : (tensor<4x16x2xf32>, tensor<4x16x2xf32>) -> tensor<4x16x4xf32>
  %f = tensor.empty() : tensor<4x16x4xf32>
  %scaled = linalg.generic {indexing_maps = [#hsd, #sd, #hsd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r, %sin : tensor<4x16x4xf32>, tensor<16x4xf32>) outs(%f : tensor<4x16x4xf32>) {
  ^b(%i: f32, %s: f32, %o: f32):
    %m = arith.mulf %i, %s : f32
    linalg.yield %m : f32
  } -> tensor<4x16x4xf32>
  %y = tensor.concat dim(2) %scaled, %rest : (tensor<4x16x4xf32>, tensor<4x16x4xf32>) -> tensor<4x16x8xf32>
  return %y : tensor<4x16x8xf32>
}
