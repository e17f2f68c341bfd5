// RUN: allo-opt --assign-layouts %s | filecheck %s
// RUN: allo-opt --assign-layouts --symbol-dce --canonicalize --verify-each=execute %s

// What pads an argument and cuts a result is the caller's; constants are padded here. An argument in two layouts is two buffers,
// one result returned twice one buffer; what is only an argument or a constant needs no buffer.

// CHECK:      func.func @f(%[[X:.*]]: tensor<8x8xf32>, %[[SAME:.*]]: tensor<35xf32>) -> (tensor<8x16xf32>, tensor<35xf32>)
// CHECK-SAME:   gives = [{place = 2 : i64, type = tensor<7x13xf32>, view = array<i64: 7, 13>},
// CHECK-SAME:     {place = 3 : i64, type = tensor<7x5xf32>, view = array<i64: 35>},
// CHECK-SAME:     {place = 2 : i64, type = tensor<1x6x2xf32>, view = array<i64: 6, 2>},
// CHECK-SAME:     {argument = 1 : i64, type = tensor<3xi8>},
// CHECK-SAME:     {constant = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, type = tensor<2xf32>}]
// CHECK-SAME:   holds = [{argument = 0 : i64, view = array<i64: 7, 5>}, {argument = 0 : i64, view = array<i64: 35>}]
// CHECK-SAME:   takes = [tensor<7x5xf32>, tensor<3xi8>]
// CHECK:        %[[W:.*]] = arith.constant dense<"0x0000803F0000803F00000000{{0*}}0000803F0000803F0{{.*}}"> : tensor<8x16xf32>
// CHECK:        call @k(%[[X]], %[[W]])
// CHECK:        call @flat(%[[SAME]])
func.func private @k(%a: tensor<8x8xf32>, %b: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<8x16xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %c : tensor<8x16xf32>
}
func.func private @flat(%a: tensor<35xf32>) -> tensor<35xf32> attributes {allo.kernel} {
  %r = linalg.add ins(%a, %a : tensor<35xf32>, tensor<35xf32>) outs(%a : tensor<35xf32>) -> tensor<35xf32>
  return %r : tensor<35xf32>
}
func.func @f(%x: tensor<7x5xf32>, %n: tensor<3xi8>)
    -> (tensor<7x13xf32>, tensor<7x5xf32>, tensor<1x6x2xf32>, tensor<3xi8>, tensor<2xf32>) {
  %z = arith.constant 0.0 : f32
  %u = arith.constant dense<1.0> : tensor<2x5xf32>
  %v = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %t = tensor.collapse_shape %u [[0, 1]] : tensor<2x5xf32> into tensor<10xf32>
  %s = tensor.expand_shape %t [[0, 1]] output_shape [5, 2] : tensor<10xf32> into tensor<5x2xf32>
  %a = tensor.pad %x low[0, 0] high[1, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<7x5xf32> to tensor<8x8xf32>
  %w = tensor.pad %s low[0, 0] high[3, 14] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<5x2xf32> to tensor<8x16xf32>
  %c = call @k(%a, %w) : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %d = tensor.extract_slice %c[0, 0] [7, 13] [1, 1] : tensor<8x16xf32> to tensor<7x13xf32>
  %g = tensor.extract_slice %d[0, 0] [6, 2] [1, 1] : tensor<7x13xf32> to tensor<6x2xf32>
  %h = tensor.expand_shape %g [[0, 1], [2]] output_shape [1, 6, 2] : tensor<6x2xf32> into tensor<1x6x2xf32>
  %l = tensor.collapse_shape %x [[0, 1]] : tensor<7x5xf32> into tensor<35xf32>
  %m = call @flat(%l) : (tensor<35xf32>) -> tensor<35xf32>
  %o = tensor.expand_shape %m [[0, 1]] output_shape [7, 5] : tensor<35xf32> into tensor<7x5xf32>
  return %d, %o, %h, %n, %v : tensor<7x13xf32>, tensor<7x5xf32>, tensor<1x6x2xf32>, tensor<3xi8>, tensor<2xf32>
}
