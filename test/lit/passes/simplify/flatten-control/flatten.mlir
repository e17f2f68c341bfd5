// Calls, loops and branches on tensors become one block.
// RUN: allo-opt %s --flatten-control | filecheck %s

// CHECK-NOT:   @twice
// CHECK-LABEL: func.func @calls(
// CHECK-NEXT:    [[A:%.*]] = arith.addf %arg0, %arg0
// CHECK-NEXT:    [[B:%.*]] = arith.addf [[A]], [[A]]
// CHECK-NEXT:    return [[B]]
func.func private @twice(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = arith.addf %x, %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

func.func @calls(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = call @twice(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %z = call @twice(%y) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @loop(
// CHECK-NEXT:    tensor.extract_slice %arg0[0, 0] [1, 8] [1, 1]
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    tensor.extract_slice %arg0[2, 0] [1, 8] [1, 1]
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    return
func.func @loop(%a: tensor<4x8xf32>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c2 iter_args(%y = %x) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %a[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
    %m = arith.mulf %y, %s : tensor<8xf32>
    scf.yield %m : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @branch(
// CHECK:         [[C:%.*]] = tensor.extract %arg1[]
// CHECK:         [[T:%.*]] = math.tanh %arg0
// CHECK:         [[S:%.*]] = tensor.splat [[C]] : tensor<8xi1>
// CHECK:         arith.select [[S]], [[T]], %arg0
func.func @branch(%x: tensor<8xf32>, %p: tensor<i1>) -> tensor<8xf32> {
  %c = tensor.extract %p[] : tensor<i1>
  %r = scf.if %c -> (tensor<8xf32>) {
    %t = math.tanh %x : tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  } else {
    scf.yield %x : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// What is inside of a body stays.
// CHECK-LABEL: func.func @body(
// CHECK:         linalg.map
// CHECK:           scf.if
func.func @body(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.map ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) (%a: f32, %o: f32) {
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf ogt, %a, %zero : f32
    %v = scf.if %c -> (f32) {
      scf.yield %a : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %v : f32
  }
  return %r : tensor<8xf32>
}

// CHECK-NOT:   ml_program.global private @scale
// CHECK-LABEL: func.func @globals(
// CHECK-NEXT:    [[C:%.*]] = arith.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    arith.mulf %arg0, [[C]]
ml_program.global private @scale(dense<2.0> : tensor<4xf32>) : tensor<4xf32>
func.func @globals(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = ml_program.global_load_const @scale : tensor<4xf32>
  %y = arith.mulf %x, %s : tensor<4xf32>
  return %y : tensor<4xf32>
}
