// RUN: allo-opt %s --split-input-file --verify-diagnostics --plan-gemm=element=bf16

func.func @empty(%a: tensor<0x13xbf16>, %b: tensor<13x5xbf16>, %init: f32) -> tensor<0x5xf32> {
  %empty = tensor.empty() : tensor<0x5xf32>
  %fill = linalg.fill ins(%init : f32) outs(%empty : tensor<0x5xf32>) -> tensor<0x5xf32>
  // expected-error@+1 {{has an empty operand}}
  %c = linalg.matmul ins(%a, %b : tensor<0x13xbf16>, tensor<13x5xbf16>) outs(%fill : tensor<0x5xf32>) -> tensor<0x5xf32>
  return %c : tensor<0x5xf32>
}

// -----

func.func @not_filled(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // expected-error@+1 {{adds to a result that is not a linalg.fill}}
  %d = linalg.matmul ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// -----

func.func @dynamic(%a: tensor<?x64xbf16>, %b: tensor<64x64xbf16>, %c: tensor<?x64xf32>) -> tensor<?x64xf32> {
  // expected-error@+1 {{needs tensors of static shape}}
  %d = linalg.matmul ins(%a, %b : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%c : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %d : tensor<?x64xf32>
}

// -----

func.func @other_type(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>) -> tensor<64x64xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  // expected-error@+1 {{has operands of i8, but the pipeline is for bf16}}
  %c = linalg.matmul ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>) outs(%init : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}

// -----

func.func @huge(%a: tensor<100000x100000xbf16>, %b: tensor<100000x100000xbf16>) -> tensor<100000x100000xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<100000x100000xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<100000x100000xf32>) -> tensor<100000x100000xf32>
  // expected-error@+1 {{cannot be run: A has 10,000,000,000 elements, 20,000,000,000 bytes; the 32-bit offsets of a runtime sequence reach 2,147,483,648 elements and 4,294,967,296 bytes}}
  %c = linalg.matmul ins(%a, %b : tensor<100000x100000xbf16>, tensor<100000x100000xbf16>) outs(%init : tensor<100000x100000xf32>) -> tensor<100000x100000xf32>
  return %c : tensor<100000x100000xf32>
}

// -----

func.func @long_result(%a: tensor<65552x64xbf16>, %b: tensor<64x16384xbf16>) -> tensor<65552x16384xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<65552x16384xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<65552x16384xf32>) -> tensor<65552x16384xf32>
  // expected-error@+1 {{the result has 1,074,003,968 elements, 4,296,015,872 bytes}}
  %c = linalg.matmul ins(%a, %b : tensor<65552x64xbf16>, tensor<64x16384xbf16>) outs(%init : tensor<65552x16384xf32>) -> tensor<65552x16384xf32>
  return %c : tensor<65552x16384xf32>
}
