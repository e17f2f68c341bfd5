// RUN: allo-opt --outline-families %s | filecheck %s

// Two layers without anything between them but a unary operation: the first one is grouped, the second one's products stay.
// Products of rows with the matrix that has these rows, and operations that depend on the row's number, are not grouped.

// CHECK:      func.func private @layers_grouped_0
// CHECK-NOT:  func.func private
// CHECK:      func.func @layers
// CHECK:      call @layers_grouped_0
// CHECK:      linalg.matmul
// CHECK:      linalg.matmul
// CHECK:      func.func @itself
// CHECK-NOT:  call
// CHECK:      func.func @numbers
// CHECK-NOT:  call
// CHECK:      return
#same = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @layers(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %v: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
    %x0 = tensor.extract_slice %x[0, 0] [8, 16] [1, 1] : tensor<16x16xf32> to tensor<8x16xf32>
    %m0 = linalg.matmul ins(%x0, %w : tensor<8x16xf32>, tensor<16x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
    %g0 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%m0 : tensor<8x16xf32>)
        outs(%e : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %n = arith.maximumf %in, %zero : f32
      linalg.yield %n : f32
    } -> tensor<8x16xf32>
    %n0 = linalg.matmul ins(%g0, %v : tensor<8x16xf32>, tensor<16x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
    %x1 = tensor.extract_slice %x[8, 0] [8, 16] [1, 1] : tensor<16x16xf32> to tensor<8x16xf32>
    %m1 = linalg.matmul ins(%x1, %w : tensor<8x16xf32>, tensor<16x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
    %g1 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%m1 : tensor<8x16xf32>)
        outs(%e : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %n = arith.maximumf %in, %zero : f32
      linalg.yield %n : f32
    } -> tensor<8x16xf32>
    %n1 = linalg.matmul ins(%g1, %v : tensor<8x16xf32>, tensor<16x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
    %r = tensor.concat dim(0) %n0, %n1 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
    return %r : tensor<16x16xf32>
  }
  func.func @itself(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %v: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
    %x0 = tensor.extract_slice %x[0, 0] [8, 16] [1, 1] : tensor<16x16xf32> to tensor<8x16xf32>
    %m0 = linalg.matmul ins(%x0, %x : tensor<8x16xf32>, tensor<16x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
    %g0 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%m0 : tensor<8x16xf32>)
        outs(%e : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %n = arith.maximumf %in, %zero : f32
      linalg.yield %n : f32
    } -> tensor<8x16xf32>
    %x1 = tensor.extract_slice %x[8, 0] [8, 16] [1, 1] : tensor<16x16xf32> to tensor<8x16xf32>
    %m1 = linalg.matmul ins(%x1, %x : tensor<8x16xf32>, tensor<16x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
    %g1 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%m1 : tensor<8x16xf32>)
        outs(%e : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %n = arith.maximumf %in, %zero : f32
      linalg.yield %n : f32
    } -> tensor<8x16xf32>
    %r = tensor.concat dim(0) %g0, %g1 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
    return %r : tensor<16x16xf32>
  }
  func.func @numbers(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %v: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
    %x0 = tensor.extract_slice %x[0, 0] [8, 16] [1, 1] : tensor<16x16xf32> to tensor<8x16xf32>
    %m0 = linalg.matmul ins(%x0, %w : tensor<8x16xf32>, tensor<16x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
    %g0 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%m0 : tensor<8x16xf32>)
        outs(%e : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %i = linalg.index 0 : index
      %k = arith.index_cast %i : index to i32
      %c = arith.sitofp %k : i32 to f32
      %n = arith.addf %in, %c : f32
      linalg.yield %n : f32
    } -> tensor<8x16xf32>
    %n0 = linalg.matmul ins(%g0, %v : tensor<8x16xf32>, tensor<16x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
    %x1 = tensor.extract_slice %x[8, 0] [8, 16] [1, 1] : tensor<16x16xf32> to tensor<8x16xf32>
    %m1 = linalg.matmul ins(%x1, %w : tensor<8x16xf32>, tensor<16x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
    %g1 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%m1 : tensor<8x16xf32>)
        outs(%e : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %i = linalg.index 0 : index
      %k = arith.index_cast %i : index to i32
      %c = arith.sitofp %k : i32 to f32
      %n = arith.addf %in, %c : f32
      linalg.yield %n : f32
    } -> tensor<8x16xf32>
    %n1 = linalg.matmul ins(%g1, %v : tensor<8x16xf32>, tensor<16x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
    %r = tensor.concat dim(0) %n0, %n1 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
    return %r : tensor<16x16xf32>
  }
}
