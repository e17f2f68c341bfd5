// Reads and writes of buffers become values, in program order; results are the arguments' new contents.
// RUN: allo-opt %s --raise-to-tensors | filecheck %s

// A destination that is only written is no argument of the new function.
// CHECK-LABEL: func.func @matmul(
// CHECK-SAME:    %arg0: tensor<8x4xf32>, %arg1: tensor<4x6xf32>) -> tensor<8x6xf32>
// CHECK-SAME:    gives = [{into = 2 : i64, place = 2 : i64, type = tensor<8x6xf32>, view = array<i64: 8, 6>}]
// CHECK-SAME:    holds = [{argument = 0 : i64, view = array<i64: 8, 4>}, {argument = 1 : i64, view = array<i64: 4, 6>}]
// CHECK-SAME:    takes = [memref<8x4xf32>, memref<4x6xf32>, memref<8x6xf32>]
// CHECK:         [[Z:%.*]] = linalg.fill
// CHECK:         [[M:%.*]] = linalg.matmul ins(%arg0, %arg1 : {{.*}}) outs([[Z]] : tensor<8x6xf32>)
// CHECK:         return [[M]]
func.func @matmul(%a: memref<8x4xf32>, %b: memref<4x6xf32>, %c: memref<8x6xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%c : memref<8x6xf32>)
  linalg.matmul ins(%a, %b : memref<8x4xf32>, memref<4x6xf32>) outs(%c : memref<8x6xf32>)
  return
}

// CHECK-LABEL: func.func @in_place(
// CHECK-SAME:    %arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-SAME:    {into = 0 : i64, place = 2
// CHECK-SAME:    {into = 1 : i64, place = 3
// CHECK:         [[A:%.*]] = linalg.add ins(%arg0, %arg1
// CHECK:         [[B:%.*]] = linalg.mul ins([[A]], %arg1
// CHECK:         [[C:%.*]] = linalg.sub ins([[B]], [[A]]
// CHECK:         return [[C]], [[B]]
func.func @in_place(%a: memref<8xf32>, %b: memref<8xf32>) {
  linalg.add ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.mul ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  linalg.sub ins(%b, %a : memref<8xf32>, memref<8xf32>) outs(%a : memref<8xf32>)
  return
}

// A part is a slice; writing it keeps the rest of its buffer.
// CHECK-LABEL: func.func @parts(
// CHECK:         [[S:%.*]] = tensor.extract_slice %arg0[0, 4] [8, 4] [1, 1]
// CHECK:         [[E:%.*]] = linalg.exp ins([[S]]
// CHECK:         [[C:%.*]] = tensor.collapse_shape [[E]]
// CHECK:         [[I:%.*]] = tensor.insert_slice [[C]] into %arg1[0] [32] [1]
// CHECK:         return [[I]]
func.func @parts(%a: memref<8x8xf32>, %c: memref<64xf32>) {
  %s = memref.subview %a[0, 4] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1], offset: 4>>
  %l = memref.subview %c[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
  %d = memref.expand_shape %l [[0, 1]] output_shape [8, 4] : memref<32xf32, strided<[1]>> into memref<8x4xf32>
  linalg.exp ins(%s : memref<8x4xf32, strided<[8, 1], offset: 4>>) outs(%d : memref<8x4xf32>)
  return
}

// CHECK-NOT:   @square
// CHECK-LABEL: func.func @calls(
// CHECK-SAME:    %arg0: tensor<8xf32>) -> tensor<8xf32>
// CHECK:         [[A:%.*]] = linalg.square ins(%arg0
// CHECK:         [[B:%.*]] = linalg.square ins([[A]]
// CHECK:         return [[B]]
func.func private @square(%a: memref<8xf32>, %b: memref<8xf32>) {
  linalg.square ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  return
}

func.func @calls(%a: memref<8xf32>, %b: memref<8xf32>) {
  %t = memref.alloc() : memref<8xf32>
  call @square(%a, %t) : (memref<8xf32>, memref<8xf32>) -> ()
  call @square(%t, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.dealloc %t : memref<8xf32>
  return
}

// CHECK-LABEL: func.func @loop(
// CHECK-COUNT-3: linalg.add
// CHECK-NOT:     linalg.add
func.func @loop(%a: memref<8xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    linalg.add ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  }
  return
}

// CHECK-NOT:   memref.global
// CHECK-LABEL: func.func @global(
// CHECK:         arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
memref.global "private" constant @w : memref<2xf32> = dense<[1.0, 2.0]>
func.func @global(%a: memref<2xf32>, %b: memref<2xf32>) {
  %w = memref.get_global @w : memref<2xf32>
  linalg.add ins(%a, %w : memref<2xf32>, memref<2xf32>) outs(%b : memref<2xf32>)
  return
}

// CHECK-LABEL: func.func @nest(
// CHECK-SAME:    %arg0: tensor<8x4xf32>) -> tensor<4x8xf32>
// CHECK:         linalg.generic
// CHECK-SAME:    iterator_types = ["parallel", "parallel"]
func.func @nest(%a: memref<8x4xf32>, %b: memref<4x8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 4 {
      %x = affine.load %a[%i, %j] : memref<8x4xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %b[%j, %i] : memref<4x8xf32>
    }
  }
  return
}

// A result that is a buffer is a new array.
// CHECK-LABEL: func.func @tensors(
// CHECK-SAME:    %arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-SAME:    gives = [{place = 1 : i64, type = tensor<8xf32>, view = array<i64: 8>}, {into = 1 : i64, place = 2
func.func @tensors(%a: memref<8xf32>, %b: memref<8xf32>) -> memref<8xf32> {
  %t = bufferization.to_tensor %a restrict : memref<8xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %r in restrict writable %b : (tensor<8xf32>, memref<8xf32>) -> ()
  %n = memref.alloc() : memref<8xf32>
  linalg.log ins(%a : memref<8xf32>) outs(%n : memref<8xf32>)
  return %n : memref<8xf32>
}

// A value that a loop carries, and loops of scf, become those of affine.
// CHECK-LABEL: func.func @carried(
// CHECK-SAME:    %arg0: tensor<8x4xf32>) -> tensor<8xf32>
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
func.func @carried(%a: memref<8x4xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c8 step %c1 {
    %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%s = %z) -> (f32) {
      %x = memref.load %a[%i, %k] : memref<8x4xf32>
      %t = arith.addf %s, %x : f32
      scf.yield %t : f32
    }
    memref.store %r, %b[%i] : memref<8xf32>
  }
  return
}

// Both branches are computed.
// CHECK-LABEL: func.func @branches(
// CHECK-SAME:    %arg0: tensor<1xi1>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32>
// CHECK:         [[C:%.*]] = tensor.extract %arg0
// CHECK:         [[E:%.*]] = linalg.exp ins(%arg1
// CHECK:         [[S:%.*]] = tensor.splat [[C]]
// CHECK:         [[R:%.*]] = arith.select [[S]], [[E]], %arg2
// CHECK:         return [[R]]
func.func @branches(%c: memref<1xi1>, %a: memref<8xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %c[%c0] : memref<1xi1>
  scf.if %v {
    linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  }
  return
}

// CHECK-LABEL: func.func @transposed(
// CHECK:         [[T:%.*]] = linalg.generic
// CHECK:         linalg.exp ins([[T]] : tensor<4x8xf32>)
func.func @transposed(%a: memref<8x4xf32>, %b: memref<4x8xf32>) {
  %t = memref.transpose %a (i, j) -> (j, i) : memref<8x4xf32> to memref<4x8xf32, strided<[1, 4]>>
  linalg.exp ins(%t : memref<4x8xf32, strided<[1, 4]>>) outs(%b : memref<4x8xf32>)
  return
}
