// RUN: allo-opt --outline-families %s | filecheck %s
// RUN: allo-opt --outline-families=device=npu2 %s | filecheck %s

// Two groups of rows, each with a weight of its own (the second one has no rows), are a kernel with a plan for a block of rows.

// CHECK:      func.func private @main_grouped_0(%{{.*}}: tensor<50x60xf32>, %{{.*}}: tensor<3x60x32xf32>) -> tensor<50x32xf32>
// CHECK-SAME:   allo.kernel
// CHECK-SAME:   allo.partition = "groups of rows, each with a weight of its own"
// CHECK-SAME:   allo.plan = {chosen = "{{[0-9]+}} calls for blocks of {{[0-9]+}} rows, about {{[^"]*}}"
// CHECK-SAME:   family = "grouped"
// CHECK-COUNT-2: linalg.matmul
// CHECK:      func.func @main
// CHECK-NEXT:   %[[R:.*]] = call @main_grouped_0
// CHECK-NEXT:   return %[[R]]
module {
  func.func @main(%x: tensor<50x60xf32>, %w: tensor<3x60x32xf32>) -> tensor<50x32xf32> {
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
}
