// RUN: allo-opt --pad-families --expand-families %s | filecheck %s

// One kernel for a block of 32 rows, called for each on parts of the caller's arrays.

// CHECK:      func.func private @k_block_0(%{{.*}}: tensor<32x64xf32>, %{{.*}}: tensor<64x32xf32>) -> tensor<32x32xf32>
// CHECK-SAME:   family = "matmul"
// CHECK-SAME:   moved = 14336 : i64
// CHECK:      func.func @main
// CHECK:        %[[A:.*]] = call @k_block_0
// CHECK-NEXT:   %[[R:.*]] = tensor.insert_slice %[[A]] into %{{.*}}[0, 0] [32, 32] [1, 1]
// CHECK:        %[[B:.*]] = call @k_block_0
// CHECK-NEXT:   tensor.insert_slice %[[B]] into %[[R]][20, 0] [32, 32] [1, 1]
module {
  func.func private @k(%x: tensor<50x60xf32>, %w: tensor<3x60x32xf32>) -> tensor<50x32xf32> attributes {allo.kernel, allo.plan = {cores = array<i64: 2, 1>, core = array<i64: 16, 32, 64>, family = "grouped", launches = 2 : i64, micro = array<i64: 4, 4, 8>, moved = 28672 : i64, padded = array<i64: 32, 32, 64>, piece = 64 : i64}} {
    %zero = arith.constant 0.0 : f32
    %x0 = tensor.extract_slice %x[0, 0] [20, 60] [1, 1] : tensor<50x60xf32> to tensor<20x60xf32>
    %w0 = tensor.extract_slice %w[0, 0, 0] [1, 60, 32] [1, 1, 1] : tensor<3x60x32xf32> to tensor<60x32xf32>
    %e0 = tensor.empty() : tensor<20x32xf32>
    %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %m0 = linalg.matmul ins(%x0, %w0 : tensor<20x60xf32>, tensor<60x32xf32>) outs(%f0 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %x1 = tensor.extract_slice %x[20, 0] [30, 60] [1, 1] : tensor<50x60xf32> to tensor<30x60xf32>
    %w1 = tensor.extract_slice %w[2, 0, 0] [1, 60, 32] [1, 1, 1] : tensor<3x60x32xf32> to tensor<60x32xf32>
    %e1 = tensor.empty() : tensor<30x32xf32>
    %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<30x32xf32>) -> tensor<30x32xf32>
    %m1 = linalg.matmul ins(%x1, %w1 : tensor<30x60xf32>, tensor<60x32xf32>) outs(%f1 : tensor<30x32xf32>) -> tensor<30x32xf32>
    %r = tensor.concat dim(0) %m0, %m1 : (tensor<20x32xf32>, tensor<30x32xf32>) -> tensor<50x32xf32>
    return %r : tensor<50x32xf32>
  }
  func.func @main(%x: tensor<50x60xf32>, %w: tensor<3x60x32xf32>) -> tensor<50x32xf32> {
    %r = call @k(%x, %w) : (tensor<50x60xf32>, tensor<3x60x32xf32>) -> tensor<50x32xf32>
    return %r : tensor<50x32xf32>
  }
}
