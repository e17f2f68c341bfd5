// RUN: allo-opt --pad-families %s | filecheck %s

// Blocks of 32 rows: the first ends after its group, whose last rows the second block writes again; arrays end with the last block.
// 60 elements along k become 64, the added ones are zero.

// CHECK:      func.func private @k(%[[X:.*]]: tensor<52x64xf32>, %[[W:.*]]: tensor<3x64x32xf32>) -> tensor<52x32xf32>
// CHECK:        tensor.extract_slice %[[X]][0, 0] [32, 64] [1, 1]
// CHECK:        tensor.extract_slice %[[W]][0, 0, 0] [1, 64, 32] [1, 1, 1]
// CHECK:        tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [32, 32] [1, 1]
// CHECK:        tensor.extract_slice %[[X]][20, 0] [32, 64] [1, 1]
// CHECK:        tensor.extract_slice %[[W]][2, 0, 0] [1, 64, 32] [1, 1, 1]
// CHECK:        tensor.insert_slice %{{.*}} into %{{.*}}[20, 0] [32, 32] [1, 1]
// CHECK:      func.func @main
// CHECK:        call @k(%{{.*}}, %{{.*}}) : (tensor<52x64xf32>, tensor<3x64x32xf32>) -> tensor<52x32xf32>
// CHECK-NEXT:   tensor.extract_slice %{{.*}}[0, 0] [50, 32] [1, 1]
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
