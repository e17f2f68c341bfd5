// RUN: allo-opt %s --split-input-file --plan-tiles | filecheck %s

// Rows of bf16 that are not whole words are made whole vectors where they are summed, too: a mask keeps out what is after them.
// So are columns of more rows than a DMA's field counts, of a number that nothing divides.

// CHECK-LABEL: func.func private @rows(%arg0: tensor<{{.*}}x1024xbf16>) -> tensor<{{.*}}xf32>
// CHECK:         linalg.index
// CHECK:         %[[C:.*]] = arith.cmpi slt, %{{.*}}, %c1001
// CHECK:         arith.select %[[C]], %{{.*}}, %{{.*}} : f32
func.func private @rows(%a: tensor<999x1001xbf16>) -> tensor<999xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<999xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<999xf32>) -> tensor<999xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<999x1001xbf16>) outs(%z : tensor<999xf32>) {
  ^bb0(%x: bf16, %o: f32):
    %w = arith.extf %x : bf16 to f32
    %y = arith.addf %w, %o : f32
    linalg.yield %y : f32
  } -> tensor<999xf32>
  return %r : tensor<999xf32>
}

// CHECK-LABEL: func.func @main
// CHECK:         tensor.insert_slice %arg0 into %{{.*}}[0, 0] [999, 1001] [1, 1]
func.func @main(%x: tensor<999x1001xbf16>) -> tensor<999xf32> {
  %r = call @rows(%x) : (tensor<999x1001xbf16>) -> tensor<999xf32>
  return %r : tensor<999xf32>
}

// -----

// CHECK-LABEL: func.func private @columns(%arg0: tensor<1040x
// CHECK:         arith.cmpi slt, %{{.*}}, %c1031
// CHECK:         arith.select
// CHECK:         linalg.generic
// CHECK:         arith.divf
func.func private @columns(%a: tensor<1031x24xf32>) -> tensor<1031x24xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24xf32>
  %f = tensor.empty() : tensor<1031x24xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<24xf32>) -> tensor<24xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%a : tensor<1031x24xf32>) outs(%z : tensor<24xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %s : tensor<1031x24xf32>, tensor<24xf32>) outs(%f : tensor<1031x24xf32>) {
  ^bb0(%x: f32, %n: f32, %o: f32):
    %y = arith.divf %x, %n : f32
    linalg.yield %y : f32
  } -> tensor<1031x24xf32>
  return %r : tensor<1031x24xf32>
}

// CHECK-LABEL: func.func @main
// CHECK:         tensor.insert_slice %arg0 into %{{.*}}[0, 0] [1031, 24] [1, 1] : tensor<1031x24xf32> into tensor<1040x24xf32>
func.func @main(%x: tensor<1031x24xf32>) -> tensor<1031x24xf32> {
  %r = call @columns(%x) : (tensor<1031x24xf32>) -> tensor<1031x24xf32>
  return %r : tensor<1031x24xf32>
}

// -----

// A padding of both dimensions of a plane is priced with a mask for each.
// CHECK-LABEL: func.func private @planes(
// CHECK-SAME:    allo.plan
func.func private @planes(%a: tensor<16x17x17xf32>) -> tensor<16x17x2x17x2xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %f = tensor.empty() : tensor<16x17x2x17x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(n, i, j) -> (n, i, j)>, affine_map<(n, i, j) -> (n)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%a : tensor<16x17x17xf32>) outs(%z : tensor<16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, i, k, j, l) -> (n, i, j)>, affine_map<(n, i, k, j, l) -> (n)>, affine_map<(n, i, k, j, l) -> (n, i, k, j, l)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%a, %s : tensor<16x17x17xf32>, tensor<16xf32>) outs(%f : tensor<16x17x2x17x2xf32>) {
  ^bb0(%x: f32, %n: f32, %o: f32):
    %y = arith.subf %x, %n : f32
    linalg.yield %y : f32
  } -> tensor<16x17x2x17x2xf32>
  return %r : tensor<16x17x2x17x2xf32>
}
func.func @main(%x: tensor<16x17x17xf32>) -> tensor<16x17x2x17x2xf32> {
  %r = call @planes(%x) : (tensor<16x17x17xf32>) -> tensor<16x17x2x17x2xf32>
  return %r : tensor<16x17x2x17x2xf32>
}
