// What is taken from computed places, or put there, is a linalg.generic; tensors of indices hold integers.
// RUN: allo-opt %s --simplify-linalg | filecheck %s

// CHECK-LABEL: func.func @slice(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<i32>) outs(%{{.*}} : tensor<4x6xf32>)
// CHECK:           tensor.extract %arg0
func.func @slice(%x: tensor<9x6xf32>, %p: tensor<i32>) -> tensor<4x6xf32> {
  %n = tensor.extract %p[] : tensor<i32>
  %i = arith.index_cast %n : i32 to index
  %y = tensor.extract_slice %x[%i, 0] [4, 6] [1, 1] : tensor<9x6xf32> to tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @update(
// CHECK:         linalg.generic {{.*}} ins(%arg0, %{{.*}} : tensor<9x6xf32>, tensor<i32>) outs(%{{.*}} : tensor<9x6xf32>)
// CHECK:           arith.cmpi ult
// CHECK:           tensor.extract %arg1
// CHECK:           arith.select
func.func @update(%x: tensor<9x6xf32>, %new: tensor<1x6xf32>, %p: tensor<i32>) -> tensor<9x6xf32> {
  %n = tensor.extract %p[] : tensor<i32>
  %i = arith.index_cast %n : i32 to index
  %y = tensor.insert_slice %new into %x[%i, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<9x6xf32>
  return %y : tensor<9x6xf32>
}

// CHECK-LABEL: func.func @gather(
// CHECK:         linalg.generic {{.*}} ins(%arg1 : tensor<7xi32>) outs(%{{.*}} : tensor<7x6xf32>)
// CHECK:           arith.index_cast
// CHECK:           tensor.extract %arg0
func.func @gather(%x: tensor<9x6xf32>, %n: tensor<7xi32>) -> tensor<7x6xf32> {
  %c = tensor.expand_shape %n [[0, 1]] output_shape [7, 1] : tensor<7xi32> into tensor<7x1xi32>
  %i = arith.index_cast %c : tensor<7x1xi32> to tensor<7x1xindex>
  %y = tensor.gather %x[%i] gather_dims([0]) : (tensor<9x6xf32>, tensor<7x1xindex>) -> tensor<7x6xf32>
  return %y : tensor<7x6xf32>
}

// CHECK-LABEL: func.func @scatter(
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME:      outs(%arg1 : tensor<8x16xf32>)
func.func @scatter(%new: tensor<3x1x16xf32>, %x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %i = arith.constant dense<[[1], [6], [3]]> : tensor<3x1xindex>
  %y = tensor.scatter %new into %x[%i] scatter_dims([0]) unique
      : (tensor<3x1x16xf32>, tensor<8x16xf32>, tensor<3x1xindex>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @generate(
// CHECK-NOT:     tensor.generate
// CHECK:         linalg.generic {{.*}} ins(%arg0 : tensor<4x6xf32>) outs(%{{.*}} : tensor<6x4xf32>)
func.func @generate(%x: tensor<4x6xf32>) -> tensor<6x4xf32> {
  %y = tensor.generate {
  ^bb0(%i: index, %j: index):
    %a = tensor.extract %x[%j, %i] : tensor<4x6xf32>
    %b = math.exp %a : f32
    tensor.yield %b : f32
  } : tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// CHECK-LABEL: func.func @reshape(
// CHECK:         tensor.collapse_shape %arg0
// CHECK:         tensor.expand_shape
// CHECK:         arith.bitcast
func.func @reshape(%x: tensor<4x6xf32>) -> tensor<3x8xi32> {
  %s = arith.constant dense<[3, 8]> : tensor<2xindex>
  %y = tensor.reshape %x(%s) : (tensor<4x6xf32>, tensor<2xindex>) -> tensor<3x8xf32>
  %z = tensor.bitcast %y : tensor<3x8xf32> to tensor<3x8xi32>
  return %z : tensor<3x8xi32>
}

// What a destination holds is not taken where nothing reads it.
// CHECK-LABEL: func.func @unread(
// CHECK:         [[E:%.*]] = tensor.empty()
// CHECK:         linalg.generic {{.*}} ins(%arg0 : tensor<4x6xf32>) outs([[E]] : tensor<4x6xf32>)
func.func @unread(%x: tensor<4x6xf32>, %into: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %y = linalg.exp ins(%x : tensor<4x6xf32>) outs(%into : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// Bits are multiplied and added up as bytes.
// CHECK-LABEL: func.func @bits(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x6xi8>, tensor<6x5xi8>)
// CHECK:           arith.andi
// CHECK:           arith.ori
func.func @bits(%x: tensor<4x6xi1>, %y: tensor<6x5xi1>, %z: tensor<4x5xi1>) -> tensor<4x5xi1> {
  %r = linalg.matmul ins(%x, %y : tensor<4x6xi1>, tensor<6x5xi1>) outs(%z : tensor<4x5xi1>) -> tensor<4x5xi1>
  return %r : tensor<4x5xi1>
}
