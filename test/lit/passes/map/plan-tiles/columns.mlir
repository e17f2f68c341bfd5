// RUN: allo-opt --split-input-file --plan-tiles %s | filecheck %s

// A kernel among others takes the columns that cost it less than loading a configuration: a short one the half that both could
// have, a long one all. What one core computes as a whole takes one.

// CHECK:     func.func private @short
// CHECK-SAME:  allo.columns = {chosen = "1 of 4: about {{.*}} cycles{{.*}}, where loading another configuration takes 6.54e+05", count = 1 : i64, of = 4 : i64}
// CHECK:     func.func private @long
// CHECK-NOT:   allo.columns
// CHECK:     func.func private @core
// CHECK-SAME:  allo.columns = {chosen = "1 of 4: one core computes all of it", count = 1 : i64, of = 4 : i64}
#map = affine_map<(d0) -> (d0)>
#all = affine_map<(d0) -> ()>
func.func private @short(%a: tensor<4096xf32>) -> tensor<4096xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<4096xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%a : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  return %r : tensor<4096xf32>
}
func.func private @long(%a: tensor<16777216xf32>) -> tensor<16777216xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<16777216xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%a : tensor<16777216xf32>) outs(%e : tensor<16777216xf32>) {
  ^bb0(%x: f32, %y: f32):
    %e1 = math.exp %x : f32
    %s = math.tanh %e1 : f32
    linalg.yield %s : f32
  } -> tensor<16777216xf32>
  return %r : tensor<16777216xf32>
}
func.func private @core(%a: tensor<13xf32>) -> tensor<f32> attributes {allo.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [#map, #all], iterator_types = ["reduction"]}
      ins(%a : tensor<13xf32>) outs(%f : tensor<f32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
func.func @main(%a: tensor<4096xf32>, %b: tensor<16777216xf32>, %c: tensor<13xf32>)
    -> (tensor<4096xf32>, tensor<16777216xf32>, tensor<f32>) {
  %0 = call @short(%a) : (tensor<4096xf32>) -> tensor<4096xf32>
  %1 = call @long(%b) : (tensor<16777216xf32>) -> tensor<16777216xf32>
  %2 = call @core(%c) : (tensor<13xf32>) -> tensor<f32>
  return %0, %1, %2 : tensor<4096xf32>, tensor<16777216xf32>, tensor<f32>
}

// -----

// Between kernels that have the whole array nobody shares with it: it takes as many columns as it would alone.
// CHECK:     func.func private @between
// CHECK-NOT:   allo.columns
// CHECK-SAME:  herd 4x4
func.func private @first(%a: tensor<16384xf32>) -> tensor<16384xf32> attributes {allo.kernel, allo.plan = {family = "tiles", chosen = "all"}} {
  return %a : tensor<16384xf32>
}
func.func private @between(%a: tensor<16384xf32>) -> tensor<16384xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<16384xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<16384xf32>) outs(%e : tensor<16384xf32>) {
  ^bb0(%x: f32, %y: f32):
    %e1 = math.exp %x : f32
    %s = math.tanh %e1 : f32
    linalg.yield %s : f32
  } -> tensor<16384xf32>
  return %r : tensor<16384xf32>
}
func.func @main(%a: tensor<16384xf32>) -> tensor<16384xf32> {
  %0 = call @first(%a) : (tensor<16384xf32>) -> tensor<16384xf32>
  %1 = call @between(%0) : (tensor<16384xf32>) -> tensor<16384xf32>
  %2 = call @first(%1) : (tensor<16384xf32>) -> tensor<16384xf32>
  return %2 : tensor<16384xf32>
}
