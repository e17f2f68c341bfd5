// Sizes that are given must keep the hardware's limits, and the message names the one that they break.
// RUN: not allo-opt %s --plan-gemm='herd-m=64 herd-n=64 k-step=512' 2>&1 | filecheck %s --check-prefix=L1
// RUN: not allo-opt %s --plan-gemm='herd-m=6' 2>&1 | filecheck %s --check-prefix=MICRO
// RUN: not allo-opt %s --plan-gemm='cores-m=5' 2>&1 | filecheck %s --check-prefix=CORES
// RUN: not allo-opt %s --plan-gemm='cols=5' 2>&1 | filecheck %s --check-prefix=COLS
// RUN: allo-opt %s --plan-gemm='device=npu1_2col cores-m=1 cores-n=4 herd-m=4 herd-n=4 k-step=8' | filecheck %s --check-prefix=FITS
// RUN: not allo-opt %s --plan-gemm='device=xcve2802' 2>&1 | filecheck %s --check-prefix=DEVICE
// RUN: not allo-opt %s --plan-gemm='device=npu1 bfp16=true' 2>&1 | filecheck %s --check-prefix=BLOCKS

// L1: error: 'linalg.matmul' op 4096 x 4096 x 4096 of bf16 cannot be planned: core tile 64 x 64, step 512 needs 278,528 bytes of a core's memory (L1), which has 64,512 beside the stack
// MICRO: herd-m=6 is not a multiple of 4, the size of the micro-tile
// CORES: cores-m=5 does not fit: npu1 has 4 columns of 4 cores; expected at most 4, or all 16
// COLS: is planned for 5 columns; npu1 has 4, and 0 means all
// FITS: core = array<i64: 4, 4, 8>
// BLOCKS: is planned in block floating point (bfp16), which the cores of npu1 do not have
// DEVICE: option 'device' is 'xcve2802', which no instruction stream drives; expected one of npu1, {{.*}}npu2
func.func @f(%a: tensor<4096x4096xbf16>, %b: tensor<4096x4096xbf16>) -> tensor<4096x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4096x4096xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %c = linalg.matmul ins(%a, %b : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) outs(%init : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %c : tensor<4096x4096xf32>
}
