// RUN: allo-opt %s --apply-schedule=script=%S/Inputs/tile.mlir | filecheck %s
// RUN: not allo-opt %s --apply-schedule=script=%S/Inputs/wrong.mlir 2>&1 | filecheck %s --check-prefix=WRONG
// RUN: not allo-opt %s --apply-schedule=script=%S/Inputs/unknown.mlir 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not allo-opt %s --apply-schedule=script=%S/Inputs/empty.mlir 2>&1 | filecheck %s --check-prefix=EMPTY
// RUN: not allo-opt %s --apply-schedule=script=%S/Inputs/absent.mlir 2>&1 | filecheck %s --check-prefix=ABSENT
// RUN: not allo-opt %s --apply-schedule 2>&1 | filecheck %s --check-prefix=NONE

// CHECK: scf.forall (%{{.*}}) in (4)
// CHECK:   linalg.add {{.*}} tensor<16xf32>
// WRONG: wrong.mlir:4:{{.*}}: error:
// UNKNOWN: unknown.mlir:3:{{.*}}: error: custom op 'transform.structured.metch' is unknown
// EMPTY: empty.mlir: expected transform.named_sequence @__transform_main to begin with; sequences here: none
// ABSENT: cannot read '{{.*}}absent.mlir'
// NONE: option 'script' is needed: a transform script, as a path or as text
func.func @f(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %c = tensor.empty() : tensor<64xf32>
  %0 = linalg.add ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%c : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
