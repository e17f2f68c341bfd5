// Launches cut no loop whose index a body uses: all of them run the same code.
// RUN: allo-opt %s --plan-tiles | filecheck %s

// CHECK-LABEL: func.func private @upper(%arg0: tensor<{{[0-9x]+}}x64xf32>)
// CHECK-SAME: launch = array<i64: {{[0-9, ]+}}, {{0|64}}>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func private @upper(%x: tensor<600x64xf32>) -> tensor<600x64xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<600x64xf32>
  %half = arith.constant 32 : index
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<600x64xf32>) outs(%e : tensor<600x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %j = linalg.index 1 : index
    %first = arith.cmpi slt, %j, %half : index
    %n = arith.negf %a : f32
    %s = arith.select %first, %a, %n : f32
    linalg.yield %s : f32
  } -> tensor<600x64xf32>
  return %r : tensor<600x64xf32>
}
func.func @main(%x: tensor<600x64xf32>) -> tensor<600x64xf32> {
  %0 = call @upper(%x) : (tensor<600x64xf32>) -> tensor<600x64xf32>
  return %0 : tensor<600x64xf32>
}

// Cores alone do not cut 31 rows of 511 into tiles that they have room for: the kernel takes the places as operands.

// CHECK-LABEL: func.func private @below(
// CHECK-SAME:    %arg1: tensor<{{[0-9]+x[0-9]+}}xi32>, %arg2: tensor<511xi32>)
// CHECK-NOT:     linalg.index
// CHECK:         arith.cmpi ugt
// CHECK-LABEL: func.func @calls(
// CHECK:         [[I:%.*]] = arith.constant dense<[0, 1, 2,
// CHECK:         call @below(%{{.*}}, %{{.*}}, %{{.*}})
#in = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
#ij = affine_map<(d0, d1) -> (d0, d1)>
func.func private @below(%x: tensor<31x511x4xbf16>) -> tensor<31x511xbf16> attributes {allo.kernel} {
  %low = arith.constant 0xFF80 : bf16
  %e = tensor.empty() : tensor<31x511xbf16>
  %f = linalg.fill ins(%low : bf16) outs(%e : tensor<31x511xbf16>) -> tensor<31x511xbf16>
  %m = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<31x511x4xbf16>) outs(%f : tensor<31x511xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %t = arith.maximumf %a, %o : bf16
    linalg.yield %t : bf16
  } -> tensor<31x511xbf16>
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<31x511xbf16>) outs(%e : tensor<31x511xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %zero = arith.constant 0.0 : bf16
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ugt, %j, %i : index
    %s = arith.select %c, %a, %zero : bf16
    linalg.yield %s : bf16
  } -> tensor<31x511xbf16>
  return %r : tensor<31x511xbf16>
}
func.func @calls(%x: tensor<31x511x4xbf16>) -> tensor<31x511xbf16> {
  %r = call @below(%x) : (tensor<31x511x4xbf16>) -> tensor<31x511xbf16>
  return %r : tensor<31x511xbf16>
}
