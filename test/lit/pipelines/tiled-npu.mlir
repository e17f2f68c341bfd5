// Somebody's own tiles, without memory spaces, become a device and its sequence; a schedule makes such tiles of plain linalg.
// RUN: allo-opt %s --pipeline=tiled-npu{device=npu2} | filecheck %s
// RUN: allo-opt %S/../passes/linalg/apply-schedule/apply.mlir --pipeline=tiled-npu --schedule=%S/../passes/linalg/apply-schedule/Inputs/tile.mlir | filecheck %s --check-prefix=SCHEDULE
// RUN: allo-opt %s --pipeline=gemm-f32 --schedule=tile.mlir --print-pipeline | filecheck %s --check-prefix=PRINT
// RUN: not allo-opt %s --pipeline=air-npu --schedule=tile.mlir 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not allo-opt %s --cse --schedule=tile.mlir 2>&1 | filecheck %s --check-prefix=ALONE

// CHECK: aie.device(npu2)
// CHECK-COUNT-4: aie.core
// CHECK: aie.runtime_sequence @f(%arg0: memref<64xf32>, %arg1: memref<64xf32>)
// SCHEDULE-COUNT-4: aie.core
// SCHEDULE: aie.runtime_sequence
// PRINT: builtin.module(apply-schedule{script=tile.mlir},
// PRINT-NOT: plan-gemm
// NONE: pipeline 'air-npu' has no tiling that a schedule could take over
// ALONE: --schedule replaces the tiling of a named pipeline: name it, as in --pipeline=tiled-npu
func.func @f(%a: memref<64xf32>, %b: memref<64xf32>) {
  scf.forall (%i) in (4) {
    %o = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %v = memref.subview %a[%o] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
    %w = memref.subview %b[%o] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
    linalg.exp ins(%v : memref<16xf32, strided<[1], offset: ?>>) outs(%w : memref<16xf32, strided<[1], offset: ?>>)
  }
  return
}
