// RUN: allo-opt --assign-layouts %s | filecheck %s

// A function that calls no kernel stays as it is, and so does one that works on memrefs.

// CHECK-NOT: host_buffers
// CHECK-NOT: relayout
func.func @alone(%x: tensor<4xf32>) -> tensor<8xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0] high[4] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<4xf32> to tensor<8xf32>
  return %p : tensor<8xf32>
}
func.func private @m(%a: memref<4xf32>) attributes {allo.kernel} {
  return
}
func.func @on_memrefs(%x: memref<4xf32>) {
  call @m(%x) : (memref<4xf32>) -> ()
  return
}
