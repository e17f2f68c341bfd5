// RUN: allo-opt %s --simplify-linalg | filecheck %s

// A number that is taken from a tensor is a tensor without dimensions; what is computed of it, too.
// CHECK-LABEL: func.func @scaled
// CHECK: %[[S:.*]] = tensor.extract_slice %arg1[1] [1] [1] : tensor<3xf32> to tensor<f32>
// CHECK: linalg.generic {{.*}} ins(%[[S]] : tensor<f32>)
// CHECK: math.exp
// CHECK: ins(%arg0, %{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<f32>, tensor<f32>)
func.func @scaled(%x: tensor<4x8xf32>, %t: tensor<3xf32>) -> tensor<4x8xf32> {
  %c = arith.constant 1 : index
  %s = tensor.extract %t[%c] : tensor<3xf32>
  %q = math.exp %s : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<4x8xf32>, f32) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %m, %q : f32
    linalg.yield %n : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// What is filled, padded, put together or inserted with such a number takes it so.
// CHECK-LABEL: func.func @made
// CHECK-NOT: tensor.extract %
// CHECK-NOT: tensor.pad
// CHECK-NOT: tensor.from_elements
// CHECK-NOT: tensor.insert %
// CHECK: return
func.func @made(%x: tensor<4x8xf32>, %t: tensor<3xf32>) -> (tensor<5x8xf32>, tensor<2xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0 : index
  %c = arith.constant 1 : index
  %s = tensor.extract %t[%zero] : tensor<3xf32>
  %u = tensor.extract %t[%c] : tensor<3xf32>
  %w = arith.addf %s, %u : f32
  %p = tensor.pad %x low[1, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %w : f32
  } : tensor<4x8xf32> to tensor<5x8xf32>
  %i = tensor.insert %u into %p[%c, %c] : tensor<5x8xf32>
  %f = tensor.from_elements %s, %w : tensor<2xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %g = linalg.fill ins(%w : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %i, %f, %g : tensor<5x8xf32>, tensor<2xf32>, tensor<4x8xf32>
}

// A place that a tensor tells is looked up where it is used.
// CHECK-LABEL: func.func @place
// CHECK: linalg.generic
// CHECK: tensor.extract %arg0
// CHECK: return
func.func @place(%x: tensor<8xf32>, %t: tensor<3xi32>) -> tensor<4xf32> {
  %c = arith.constant 1 : index
  %s = tensor.extract %t[%c] : tensor<3xi32>
  %seven = arith.constant 7 : i32
  %n = arith.andi %s, %seven : i32
  %i = arith.index_cast %n : i32 to index
  %v = tensor.extract %x[%i] : tensor<8xf32>
  %r = tensor.splat %v : tensor<4xf32>
  return %r : tensor<4xf32>
}

// Constants of one number are not a data: operations begin with a fill, and take an element as a number.
// CHECK-LABEL: func.func @one_number
// CHECK-NOT: dense<
// CHECK: linalg.fill
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @one_number(%x: tensor<8x4xf32>, %i: tensor<4xi32>) -> tensor<4xf32> {
  %ones = arith.constant dense<1.0> : tensor<4xf32>
  %twos = arith.constant dense<2.0> : tensor<9xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%x, %i : tensor<8x4xf32>, tensor<4xi32>) outs(%ones : tensor<4xf32>) {
  ^bb0(%a: f32, %b: i32, %o: f32):
    %p = arith.index_cast %b : i32 to index
    %t = tensor.extract %twos[%p] : tensor<9xf32>
    %m = arith.mulf %a, %t : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
