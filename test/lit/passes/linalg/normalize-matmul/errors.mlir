// RUN: allo-opt %s --split-input-file --verify-diagnostics --normalize-matmul

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @computed_bias(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %bias = linalg.exp ins(%x : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error@+1 {{its operand 1 is neither the result nor an argument of the function}}
  %d = linalg.add ins(%c, %bias : tensor<8x8xf32>, tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
func.func @transposed_bias(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %bias: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error@+1 {{operand 1 has the map (d0, d1) -> (d1, d0); it must have an element for each row (m) of the result, for each column (n), or for both}}
  %d = linalg.generic {indexing_maps = [#id, #swap, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %bias : tensor<8x8xf32>, tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

// -----

func.func @two_whole(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %empty = tensor.empty() : tensor<8x8xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%x : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error@+1 {{tensor<8x8xf32> is the second tensor of the result's size, and a core has room for one}}
  %d = linalg.mul ins(%c, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
func.func @transposed_result(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error@+1 {{it is not elementwise on its result}}
  %d = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

// -----

func.func @exponential(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error@+1 {{'linalg.softmax' op cannot be fused}}
  %d = linalg.softmax dimension(1) ins(%c : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

// -----

func.func @beside(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  // expected-error@+1 {{'linalg.exp' op is in the function of a matrix multiplication but not in its epilogue}}
  %e = linalg.exp ins(%a : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%e, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// -----

#a = affine_map<(m, n, k) -> (k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @broadcast(%a: tensor<8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error@+1 {{has loop 0 in one operand alone; a contraction has each loop in two of three, or in all}}
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// -----

// expected-error@+1 {{has no matrix multiplication that the GEMM pipelines know}}
func.func @nothing(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}

// -----

func.func @second(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error@+1 {{is the second matrix multiplication of its function, of 2}}
  %d = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

// -----

// A batch after the rows of an operand of less than 32 bits.
#ak = affine_map<(b, m, n, k) -> (m, k, b)>
#bk = affine_map<(b, m, n, k) -> (b, k, n)>
#cn = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @batch_inside(%a: tensor<8x4x2xbf16>, %b: tensor<2x4x8xbf16>) -> tensor<2x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  // expected-error@+1 {{has a batch for the innermost dimension of an operand; expected rows, columns or sums}}
  %c = linalg.generic {indexing_maps = [#ak, #bk, #cn], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<8x4x2xbf16>, tensor<2x4x8xbf16>) outs(%init : tensor<2x8x8xf32>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %p = arith.extf %x : bf16 to f32
    %q = arith.extf %y : bf16 to f32
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x8x8xf32>
  return %c : tensor<2x8x8xf32>
}

// -----

// Sums over two loops that do not lie side by side.
#ahd = affine_map<(m, n, h, d) -> (h, m, d)>
#bhd = affine_map<(m, n, h, d) -> (h, d, n)>
#cmn = affine_map<(m, n, h, d) -> (m, n)>
func.func @two_sums(%a: tensor<2x8x4xf32>, %b: tensor<2x4x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error@+1 {{adds up along 2 loops that are not one in memory; expected one}}
  %c = linalg.generic {indexing_maps = [#ahd, #bhd, #cmn], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%a, %b : tensor<2x8x4xf32>, tensor<2x4x8xf32>) outs(%init : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}
