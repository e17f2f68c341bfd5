// RUN: allo-opt %s --split-input-file --outline-moves | filecheck %s

// The rows of the argument, and what is in front of, after, and beside them, over four streams, which start sooner than eight; the numbers are read from a row.

// CHECK-LABEL: func.func private @padded_moves_0(
// CHECK-SAME:    %{{.*}}: tensor<128x128xf32>, %{{.*}}: tensor<{{[0-9]+}}xf32>) -> tensor<130x136xf32>
// CHECK-SAME:    allo.plan = {chosen = "4 streams
// CHECK-SAME:    family = "move", routes = [{operand = "0", walks = [array<i64: 0, {{.*}}>, array<i64: 2, {{.*}}>
// CHECK:         tensor.pad
// CHECK-LABEL: func.func @padded(
// CHECK:         %[[ROW:.*]] = arith.constant dense<1.500000e+00>
// CHECK:         call @padded_moves_0(%arg0, %[[ROW]])
func.func @padded(%x: tensor<128x128xf32>) -> tensor<130x136xf32> {
  %c = arith.constant 1.5 : f32
  %p = tensor.pad %x low[1, 8] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<128x128xf32> to tensor<130x136xf32>
  return %p : tensor<130x136xf32>
}

// -----

// Slices of a concatenation: boxes are cut, and those outside go. Both functions make the same, and are one kernel.

// CHECK-LABEL: func.func private @rolled_moves_0(
// CHECK-SAME:    walks =
// CHECK:         tensor.concat
// CHECK-LABEL: func.func @rolled(
// CHECK-NOT:     tensor.extract_slice
// CHECK:         call @rolled_moves_0(%arg0)
// CHECK:         call @rolled_moves_0(%arg1)
func.func @rolled(%x: tensor<96x128xi16>, %y: tensor<96x128xi16>) -> (tensor<95x128xi16>, tensor<95x128xi16>) {
  %a = tensor.extract_slice %x[90, 0] [6, 128] [1, 1] : tensor<96x128xi16> to tensor<6x128xi16>
  %b = tensor.extract_slice %x[0, 0] [90, 128] [1, 1] : tensor<96x128xi16> to tensor<90x128xi16>
  %r = tensor.concat dim(0) %a, %b : (tensor<6x128xi16>, tensor<90x128xi16>) -> tensor<96x128xi16>
  %s = tensor.extract_slice %r[1, 0] [95, 128] [1, 1] : tensor<96x128xi16> to tensor<95x128xi16>
  %c = tensor.extract_slice %y[90, 0] [6, 128] [1, 1] : tensor<96x128xi16> to tensor<6x128xi16>
  %d = tensor.extract_slice %y[0, 0] [90, 128] [1, 1] : tensor<96x128xi16> to tensor<90x128xi16>
  %u = tensor.concat dim(0) %c, %d : (tensor<6x128xi16>, tensor<90x128xi16>) -> tensor<96x128xi16>
  %v = tensor.extract_slice %u[1, 0] [95, 128] [1, 1] : tensor<96x128xi16> to tensor<95x128xi16>
  return %s, %v : tensor<95x128xi16>, tensor<95x128xi16>
}

// -----

// Every other row; a tensor inside of what another was made of.

// CHECK-LABEL: func.func @steps(
// CHECK:         call @steps_moves_0(%arg0)
func.func @steps(%x: tensor<64x1024xf32>) -> tensor<32x1024xf32> {
  %s = tensor.extract_slice %x[1, 0] [32, 1024] [2, 1] : tensor<64x1024xf32> to tensor<32x1024xf32>
  return %s : tensor<32x1024xf32>
}

// -----

// CHECK-LABEL: func.func @inside(
// CHECK:         call @inside_moves_0(%arg1, %arg0)
func.func @inside(%x: tensor<64x64xf32>, %y: tensor<256x64xf32>) -> tensor<256x64xf32> {
  %s = tensor.insert_slice %x into %y[17, 0] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<256x64xf32>
  return %s : tensor<256x64xf32>
}

// -----

// What is used in two ways is erased once.

// CHECK-LABEL: func.func @twice(
// CHECK:         %[[ROW:.*]] = arith.constant dense<1>
// CHECK-NEXT:    %[[R:.*]] = call @twice_moves_0(%arg0, %[[ROW]])
// CHECK-NEXT:    return %[[R]]
func.func @twice(%x: tensor<64x64xi32>) -> tensor<195x64xi32> {
  %c = arith.constant 1 : i32
  %s = tensor.extract_slice %x[3, 0] [61, 64] [1, 1] : tensor<64x64xi32> to tensor<61x64xi32>
  %p = tensor.pad %s low[5, 0] high[7, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : i32
  } : tensor<61x64xi32> to tensor<73x64xi32>
  %r = tensor.concat dim(0) %p, %s, %s : (tensor<73x64xi32>, tensor<61x64xi32>, tensor<61x64xi32>) -> tensor<195x64xi32>
  return %r : tensor<195x64xi32>
}

// -----

// Boxes of detection heads beside other work: no core has room for a column of 3840 elements, padded, five times.

// CHECK-LABEL: func.func @columns(
// CHECK:         linalg.exp
// CHECK:         call @columns_moves_0(
func.func @columns(%x: tensor<3072x4xf32>, %y: tensor<768x4xf32>) -> tensor<3840x4xf32> {
  %e = tensor.empty() : tensor<3072x4xf32>
  %x1 = linalg.exp ins(%x : tensor<3072x4xf32>) outs(%e : tensor<3072x4xf32>) -> tensor<3072x4xf32>
  %c = tensor.concat dim(0) %x1, %y : (tensor<3072x4xf32>, tensor<768x4xf32>) -> tensor<3840x4xf32>
  return %c : tensor<3840x4xf32>
}
