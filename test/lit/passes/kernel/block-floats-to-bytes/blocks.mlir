// RUN: allo-opt %s --block-floats-to-bytes | filecheck %s

// Innermost offsets, sizes and outer strides count bytes; a single block has any stride. Functions and views get bytes.
// CHECK: func.func private @f(memref<8x36xui8, strided<[36, 1]>, 2>)
// CHECK: func.func @g(%{{.*}}: memref<64x144xui8>, %{{.*}}: memref<*xui8>, %{{.*}}: index, %{{.*}}: memref<4xi32>)
// CHECK: %[[AT:.*]] = affine.apply #map()[%[[X:.*]]]
// CHECK: air.dma_memcpy_nd (%[[L:.*]][0, 0] [8, 36] [36, 1], %{{.*}}[%{{.*}}, %[[AT]]] [8, 36] [144, 1])
// CHECK: air.dma_memcpy_nd (%[[L]][0, 0] [8, 9] [36, 1], %{{.*}}[0, 54] [8, 9] [144, 1]) : (memref<9x36xui8, 2>, memref<64x144xui8>)
// CHECK: air.dma_memcpy_nd (%[[L]][0, 0] [8, 36] [36, 1], %{{.*}}[0, 0] [8, 27] [144, 1]) {pad_after = array<i32: 0, 9>, pad_before = array<i32: 0, 0>}
// CHECK: air.channel.put @c[] (%[[L]][0, 0] [2, 36] [36, 1]) {pad_after = array<i32: 0, 9>, pad_before = array<i32: 0, 0>}
// CHECK: memref.subview %[[L]][0, 0] [8, 36] [1, 1] : memref<9x36xui8, 2> to memref<8x36xui8, strided<[36, 1]>, 2>
// CHECK: memref.alloc() : memref<17xui8, 2>
air.channel @c []
func.func private @f(memref<8x4x!aiex.bfp<"v8bfp16ebs8">, strided<[4, 1]>, 2>)
func.func @g(%a: memref<64x16x!aiex.bfp<"v8bfp16ebs8">>, %e: memref<*x!aiex.bfp<"v16bfp16ebs16">>, %i: index, %n: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%b = %a, %j = %i) : memref<64x16x!aiex.bfp<"v8bfp16ebs8">>, index {
    %l = memref.alloc() : memref<9x4x!aiex.bfp<"v8bfp16ebs8">, 2>
    air.dma_memcpy_nd (%l[0, 0] [8, 4] [4, 1], %b[%j, %x] [8, 4] [16, 1]) : (memref<9x4x!aiex.bfp<"v8bfp16ebs8">, 2>, memref<64x16x!aiex.bfp<"v8bfp16ebs8">>)
    air.dma_memcpy_nd (%l[0, 0] [8, 1] [4, 1], %b[0, 3] [8, 1] [16, 2]) : (memref<9x4x!aiex.bfp<"v8bfp16ebs8">, 2>, memref<64x16x!aiex.bfp<"v8bfp16ebs8">>)
    air.dma_memcpy_nd (%l[0, 0] [8, 4] [4, 1], %b[0, 0] [8, 3] [16, 1]) {pad_after = array<i32: 0, 1>, pad_before = array<i32: 0, 0>} : (memref<9x4x!aiex.bfp<"v8bfp16ebs8">, 2>, memref<64x16x!aiex.bfp<"v8bfp16ebs8">>)
    air.channel.put @c[] (%l[0, 0] [2, 4] [4, 1]) {pad_after = array<i32: 0, 1>, pad_before = array<i32: 0, 0>} : (memref<9x4x!aiex.bfp<"v8bfp16ebs8">, 2>)
    %v = memref.subview %l[0, 0] [8, 4] [1, 1] : memref<9x4x!aiex.bfp<"v8bfp16ebs8">, 2> to memref<8x4x!aiex.bfp<"v8bfp16ebs8">, strided<[4, 1]>, 2>
    func.call @f(%v) : (memref<8x4x!aiex.bfp<"v8bfp16ebs8">, strided<[4, 1]>, 2>) -> ()
    %z = memref.alloc() : memref<!aiex.bfp<"v16bfp16ebs16">, 2>
    memref.dealloc %l : memref<9x4x!aiex.bfp<"v8bfp16ebs8">, 2>
  }
  return
}
