// RUN: allo-opt --outline-families %s | filecheck %s

// Not grouped: a single group; rows that are not rows of one matrix; weights of several shapes are refused by concat itself.

// CHECK-NOT:  allo.kernel
// CHECK:      func.func @one
// CHECK:      tensor.concat
// CHECK:      func.func @several
// CHECK:      tensor.concat
module {
  func.func @one(%x: tensor<50x60xf32>, %w: tensor<60x32xf32>) -> tensor<20x32xf32> {
    %zero = arith.constant 0.0 : f32
    %x0 = tensor.extract_slice %x[0, 0] [20, 60] [1, 1] : tensor<50x60xf32> to tensor<20x60xf32>
    %e0 = tensor.empty() : tensor<20x32xf32>
    %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %m0 = linalg.matmul ins(%x0, %w : tensor<20x60xf32>, tensor<60x32xf32>) outs(%f0 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %r = tensor.concat dim(0) %m0 : (tensor<20x32xf32>) -> tensor<20x32xf32>
    return %r : tensor<20x32xf32>
  }
  func.func @several(%x: tensor<50x60xf32>, %y: tensor<50x60xf32>, %w: tensor<60x32xf32>) -> tensor<40x32xf32> {
    %zero = arith.constant 0.0 : f32
    %x0 = tensor.extract_slice %x[0, 0] [20, 60] [1, 1] : tensor<50x60xf32> to tensor<20x60xf32>
    %e0 = tensor.empty() : tensor<20x32xf32>
    %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %m0 = linalg.matmul ins(%x0, %w : tensor<20x60xf32>, tensor<60x32xf32>) outs(%f0 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %x1 = tensor.extract_slice %y[20, 0] [20, 60] [1, 1] : tensor<50x60xf32> to tensor<20x60xf32>
    %e1 = tensor.empty() : tensor<20x32xf32>
    %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %m1 = linalg.matmul ins(%x1, %w : tensor<20x60xf32>, tensor<60x32xf32>) outs(%f1 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %r = tensor.concat dim(0) %m0, %m1 : (tensor<20x32xf32>, tensor<20x32xf32>) -> tensor<40x32xf32>
    return %r : tensor<40x32xf32>
  }
}
