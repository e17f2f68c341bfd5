// RUN: not allo-opt %s --load=%S/Inputs/tile_additions.mlir --tile-additions 2>&1 | filecheck %s

// CHECK: tile_additions.mlir:5:{{[0-9]+}}: error: only ops implementing TilingInterface are supported
// CHECK-NEXT: transform.structured.tile_using_for %found
// CHECK: failing-script.mlir:11:{{[0-9]+}}: note: target op
// CHECK-NEXT: arith.addi
// CHECK: note: transform script '@tile_additions' failed
// CHECK: note: pass 'tile-additions' failed (pass 1 of 1)

func.func @f(%a: i32) -> i32 {
  %b = arith.addi %a, %a : i32
  return %b : i32
}
