// The place of the largest number of a long row is searched in parts of it, then among what they found.
// RUN: allo-opt %s --split-reductions --canonicalize | filecheck %s

// CHECK-LABEL: func.func @argmax
// CHECK:         tensor.pad %arg0
// CHECK:         } {allo.brought} : tensor<2x100003xf32> to tensor<2x100352xf32>
// CHECK:         %[[B:.*]] = tensor.expand_shape {{.*}} output_shape [2, 32, 3136]
// CHECK:         %[[P:.*]]:2 = linalg.generic {{.*}}["parallel", "reduction", "parallel"]} ins(%[[B]] : tensor<2x32x3136xf32>) outs(%{{.*}}, %{{.*}} : tensor<32x2xf32>, tensor<32x2xi32>)
// CHECK:         %[[R:.*]]:2 = linalg.generic {{.*}}["reduction", "parallel"]} ins(%[[P]]#0, %[[P]]#1 : tensor<32x2xf32>, tensor<32x2xi32>)
// CHECK:           %[[I:.*]] = linalg.index 0
// CHECK:           %[[C:.*]] = arith.index_cast %[[I]]
// CHECK:           arith.muli %[[C]], %{{.*}} : i32
// CHECK:           arith.addi
// CHECK:         return %[[R]]#1
#row = affine_map<(i, k) -> (i, k)>
#out = affine_map<(i, k) -> (i)>
func.func @argmax(%x: tensor<2x100003xf32>) -> tensor<2xi32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2xf32>
  %f = tensor.empty() : tensor<2xi32>
  %m = linalg.fill ins(%low : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %n = linalg.fill ins(%zero : i32) outs(%f : tensor<2xi32>) -> tensor<2xi32>
  %r:2 = linalg.generic {indexing_maps = [#row, #out, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x100003xf32>) outs(%m, %n : tensor<2xf32>, tensor<2xi32>) {
  ^bb0(%a: f32, %best: f32, %at: i32):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i32
    %g = arith.cmpf ogt, %a, %best : f32
    %b = arith.maximumf %a, %best : f32
    %w = arith.select %g, %c, %at : i32
    linalg.yield %b, %w : f32, i32
  } -> (tensor<2xf32>, tensor<2xi32>)
  return %r#1 : tensor<2xi32>
}

// Two results that are not a search stay as they are.
// CHECK-LABEL: func.func @two
// CHECK-NOT:     expand_shape
func.func @two(%x: tensor<2x131072xf32>, %m: tensor<2xf32>, %n: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %r:2 = linalg.generic {indexing_maps = [#row, #out, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x131072xf32>) outs(%m, %n : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%a: f32, %s: f32, %t: f32):
    %p = arith.addf %a, %s : f32
    %q = arith.maximumf %a, %t : f32
    linalg.yield %p, %q : f32, f32
  } -> (tensor<2xf32>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}
