// RUN: allo-opt %s --assign-layouts --cse | filecheck %s

// Two longer buffers of one size have each memory of their own, which CSE does not make one: the second, which has fewer rows of
// its own, would be in front of the first one's rows. One tensor is longer once.

func.func private @more(%x: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<8x16xf32>
  %r = linalg.exp ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
func.func private @k(%x: tensor<7x16xf32>) -> tensor<7x16xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<7x16xf32>
  %r = linalg.tanh ins(%x : tensor<7x16xf32>) outs(%e : tensor<7x16xf32>) -> tensor<7x16xf32>
  return %r : tensor<7x16xf32>
}
func.func private @l(%x: tensor<6x16xf32>) -> tensor<6x16xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<6x16xf32>
  %r = linalg.tanh ins(%x : tensor<6x16xf32>) outs(%e : tensor<6x16xf32>) -> tensor<6x16xf32>
  return %r : tensor<6x16xf32>
}

// CHECK-LABEL: func.func @f(
// CHECK:        %[[ONE:.*]] = bufferization.alloc_tensor() : tensor<128xf32>
// CHECK:        tensor.insert_slice %{{.*}} into %[[ONE]][0] [112] [1]
// CHECK-NOT:    tensor.insert_slice
// CHECK:        call @more
// CHECK:        %[[TWO:.*]] = bufferization.alloc_tensor() : tensor<128xf32>
// CHECK:        tensor.insert_slice %{{.*}} into %[[TWO]][0] [96] [1]
func.func @f(%x: tensor<7x16xf32>) -> tensor<6x16xf32> {
  %a = call @k(%x) : (tensor<7x16xf32>) -> tensor<7x16xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %l = tensor.insert_slice %a into %e[0, 0] [7, 16] [1, 1] : tensor<7x16xf32> into tensor<8x16xf32>
  %b = call @more(%l) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %m = tensor.insert_slice %a into %e[0, 0] [7, 16] [1, 1] : tensor<7x16xf32> into tensor<8x16xf32>
  %n = call @more(%m) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = tensor.extract_slice %b[0, 0] [6, 16] [1, 1] : tensor<8x16xf32> to tensor<6x16xf32>
  %c = call @l(%s) : (tensor<6x16xf32>) -> tensor<6x16xf32>
  %o = tensor.insert_slice %c into %e[0, 0] [6, 16] [1, 1] : tensor<6x16xf32> into tensor<8x16xf32>
  %d = call @more(%o) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %t = tensor.extract_slice %d[0, 0] [6, 16] [1, 1] : tensor<8x16xf32> to tensor<6x16xf32>
  return %t : tensor<6x16xf32>
}
