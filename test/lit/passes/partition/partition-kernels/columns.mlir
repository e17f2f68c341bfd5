// Sums along columns are a kernel of their own where a memtile does not hold as many of them as two cores' vectors have lanes: runs
// of a few elements take external memory a multiple of their time. Others stay together with what reads their sums, in parts
// where a core does not hold a vector of columns.
// RUN: allo-opt %s --partition-kernels | filecheck %s

// CHECK-LABEL: func.func private @long_rows_0(%arg0: tensor<4096x1024xf32>) -> tensor<1024xf32>
// CHECK-LABEL: func.func private @long_rows_1(%arg0: tensor<4096x1024xf32>, %arg1: tensor<1024xf32>) -> tensor<4096x1024xf32>
// CHECK-LABEL: func.func private @middle_rows_0(%arg0: tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
// CHECK-LABEL: func.func private @short_rows_0(%arg0: tensor<64x16384xf32>) -> tensor<64x16384xf32>
func.func @long(%a: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024xf32>
  %f = tensor.empty() : tensor<4096x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%a : tensor<4096x1024xf32>) outs(%z : tensor<1024xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<1024xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %s : tensor<4096x1024xf32>, tensor<1024xf32>) outs(%f : tensor<4096x1024xf32>) {
  ^bb0(%x: f32, %n: f32, %o: f32):
    %y = arith.divf %x, %n : f32
    linalg.yield %y : f32
  } -> tensor<4096x1024xf32>
  return %r : tensor<4096x1024xf32>
}

func.func @middle(%a: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024xf32>
  %f = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%a : tensor<1024x1024xf32>) outs(%z : tensor<1024xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<1024xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %s : tensor<1024x1024xf32>, tensor<1024xf32>) outs(%f : tensor<1024x1024xf32>) {
  ^bb0(%x: f32, %n: f32, %o: f32):
    %y = arith.divf %x, %n : f32
    linalg.yield %y : f32
  } -> tensor<1024x1024xf32>
  return %r : tensor<1024x1024xf32>
}

func.func @short(%a: tensor<64x16384xf32>) -> tensor<64x16384xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16384xf32>
  %f = tensor.empty() : tensor<64x16384xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16384xf32>) -> tensor<16384xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%a : tensor<64x16384xf32>) outs(%z : tensor<16384xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<16384xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %s : tensor<64x16384xf32>, tensor<16384xf32>) outs(%f : tensor<64x16384xf32>) {
  ^bb0(%x: f32, %n: f32, %o: f32):
    %y = arith.divf %x, %n : f32
    linalg.yield %y : f32
  } -> tensor<64x16384xf32>
  return %r : tensor<64x16384xf32>
}
