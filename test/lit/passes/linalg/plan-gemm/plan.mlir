// RUN: allo-opt %s --split-input-file --plan-gemm | filecheck %s
// RUN: allo-opt %s --split-input-file --plan-gemm=device=npu2_2col | filecheck %s --check-prefix=NPU2
// RUN: allo-opt %s --split-input-file --plan-gemm='herd-m=32 k-step=16 cores-m=2' | filecheck %s --check-prefix=FIXED
// RUN: allo-opt %s --split-input-file --plan-gemm='device=npu2 bfp16' | filecheck %s --check-prefix=BFP16
// RUN: allo-opt %s --split-input-file --plan-gemm='cols=1' | filecheck %s --check-prefix=COLUMN

// All sixteen cores of npu1, square tiles (two buffers for each operand), no padding, in two launches.
// CHECK-LABEL: func.func @bf16
// CHECK-SAME:  chosen = "herd 4x4, core tile 64x64, k step 64, micro-tile 4x4x8, L1 49152 bytes, panel of A in L2 for 2 tiles, B by pairs of memtiles; about {{.*}} cycles, bound by external memory ({{.*}} MB to and from external memory)
// CHECK-SAME:  core = array<i64: 64, 64, 64>, cores = array<i64: 4, 4>, descriptors = 5 : i64, family = "matmul", l1 = 49152 : i64, launch = array<i64: 256, 512, 1024>, launches = 2 : i64, micro = array<i64: 4, 4, 8>, moved = {{[0-9]+}} : i64, padded = array<i64: 512, 512, 1024>, piece = 128 : i64, routes = [{operand = "a", panel = 2 : i64, parts = 2 : i64}, {channels = 2 : i64, memtiles = 2 : i64, operand = "b"}]
// CHECK:       linalg.matmul ins(%arg0, %arg1 : tensor<512x1024xbf16>, tensor<1024x512xbf16>)
// Two columns: two rows of cores of four.
// NPU2-LABEL:  func.func @bf16
// NPU2-SAME:   chosen = "herd 2x4,
// NPU2-SAME:   micro = array<i64: 8, 4, 8>
// FIXED-LABEL: func.func @bf16
// FIXED-SAME:  core = array<i64: 32, 128, 16>, cores = array<i64: 2, 4>, {{.*}}, piece = 256 : i64}
// Eight columns, and block floating point's micro-tile.
// BFP16-LABEL: func.func @bf16
// BFP16-SAME:  cores = array<i64: 8, 4>
// BFP16-SAME:  micro = array<i64: 8, 8, 8>
// The four cores of a column, which share A: longer runs of B than for two rows of two.
// COLUMN-LABEL: func.func @bf16
// COLUMN-SAME:  cores = array<i64: 2, 2>
func.func @bf16(%a: tensor<512x1024xbf16>, %b: tensor<1024x512xbf16>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %c = linalg.matmul ins(%a, %b : tensor<512x1024xbf16>, tensor<1024x512xbf16>) outs(%init : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %c : tensor<512x512xf32>
}

// -----

// The smallest problem has one core and one micro-tile.
// CHECK-LABEL:  func.func @one
// CHECK-SAME:   core = array<i64: 4, 8, 8>, cores = array<i64: 1, 1>, descriptors = 3 : i64, family = "matmul", l1 = {{[0-9]+}} : i64, launch = array<i64: 4, 8, 8>, launches = 1 : i64, micro = array<i64: 4, 8, 8>, moved = {{[0-9]+}} : i64, padded = array<i64: 4, 8, 8>, piece = 8 : i64}
// NPU2-LABEL:   func.func @one
// NPU2-SAME:    padded = array<i64: 8, 8, 8>
// FIXED-LABEL:  func.func @one
// FIXED-SAME:   padded = array<i64: 64, 8, 16>
// BFP16-LABEL:  func.func @one
// COLUMN-LABEL: func.func @one
func.func @one(%a: tensor<1x1xi8>, %b: tensor<1x1xi8>) -> tensor<1x1xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x1xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x1xi32>) -> tensor<1x1xi32>
  %c = linalg.matmul ins(%a, %b : tensor<1x1xi8>, tensor<1x1xi8>) outs(%init : tensor<1x1xi32>) -> tensor<1x1xi32>
  return %c : tensor<1x1xi32>
}

// -----

// Few rows times a large matrix: all cores of eight columns lie along its columns, of which each takes its own.
// On npu1, quarters of the pieces of B come to pairs of memtiles, and quarters of the rows of A precede them on the same channels.
// CHECK-LABEL: func.func @thin
// CHECK-SAME:  routes = [{channels = 4 : i64, multiplexed = "b", operand = "a", rows = 4 : i64}, {channels = 4 : i64, memtiles = 2 : i64, operand = "b"}], spread = 4 : i64
// BFP16-LABEL: func.func @thin
// BFP16-SAME:  cores = array<i64: 1, 32>
// BFP16-SAME:  spread = 8 : i64
func.func @thin(%a: tensor<16x512xbf16>, %b: tensor<512x8192xbf16>) -> tensor<16x8192xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x8192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x8192xf32>) -> tensor<16x8192xf32>
  %c = linalg.matmul ins(%a, %b : tensor<16x512xbf16>, tensor<512x8192xbf16>) outs(%init : tensor<16x8192xf32>) -> tensor<16x8192xf32>
  return %c : tensor<16x8192xf32>
}
