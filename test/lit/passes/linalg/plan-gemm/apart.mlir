// RUN: allo-opt %s --plan-gemm=strict=false | filecheck %s

// A bias shares a channel with B, and each step along k then takes a descriptor: of a long k only small tiles are left, which would
// read A and B a hundred times. The product alone and a kernel that adds the bias take less, with a configuration more.
// CHECK: func.func private @long(
// CHECK-SAME: tensor<256x16384xbf16>
// CHECK-SAME: allo.partition = "apart: with its epilogue it takes {{.*}} cycles, as two kernels {{[^"]*}}"
// CHECK-SAME: allo.plan
// CHECK-NOT: linalg.generic
// CHECK: func.func private @long_after(
// CHECK: linalg.generic
// CHECK: func.func private @short(
// CHECK-SAME: allo.plan
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK: func.func @main(
// CHECK: call @long(
// CHECK: call @long_after(
// CHECK: call @short(
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
module {
  func.func private @long(%a: tensor<256x16384xbf16>, %b: tensor<16384x256xbf16>, %bias: tensor<256xf32>) -> tensor<256x256xf32> attributes {allo.kernel} {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<256x256xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x256xf32>) -> tensor<256x256xf32>
    %c = linalg.matmul ins(%a, %b : tensor<256x16384xbf16>, tensor<16384x256xbf16>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
    %r = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%c, %bias : tensor<256x256xf32>, tensor<256xf32>) outs(%empty : tensor<256x256xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    } -> tensor<256x256xf32>
    return %r : tensor<256x256xf32>
  }
  func.func private @short(%a: tensor<256x256xbf16>, %b: tensor<256x256xbf16>, %bias: tensor<256xf32>) -> tensor<256x256xf32> attributes {allo.kernel} {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<256x256xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x256xf32>) -> tensor<256x256xf32>
    %c = linalg.matmul ins(%a, %b : tensor<256x256xbf16>, tensor<256x256xbf16>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
    %r = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%c, %bias : tensor<256x256xf32>, tensor<256xf32>) outs(%empty : tensor<256x256xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    } -> tensor<256x256xf32>
    return %r : tensor<256x256xf32>
  }
  func.func @main(%a: tensor<256x16384xbf16>, %b: tensor<16384x256xbf16>, %c: tensor<256x256xbf16>, %d: tensor<256x256xbf16>, %bias: tensor<256xf32>) -> (tensor<256x256xf32>, tensor<256x256xf32>) {
    %x = call @long(%a, %b, %bias) : (tensor<256x16384xbf16>, tensor<16384x256xbf16>, tensor<256xf32>) -> tensor<256x256xf32>
    %y = call @short(%c, %d, %bias) : (tensor<256x256xbf16>, tensor<256x256xbf16>, tensor<256xf32>) -> tensor<256x256xf32>
    return %x, %y : tensor<256x256xf32>, tensor<256x256xf32>
  }
}
