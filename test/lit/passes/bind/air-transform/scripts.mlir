// RUN: allo-opt %s --air-transform=filename=%S/Inputs/generalize.mlir --verify-each=execute | filecheck %s
// RUN: allo-opt %s --air-transform=filename=%S/Inputs/nested.mlir | filecheck %s
// RUN: allo-opt %s --air-transform=filename=%S/Inputs/old.mlir | filecheck %s
// RUN: allo-opt %s --air-transform=filename=%S/Inputs/empty.mlir | filecheck %s --check-prefix=SAME
// RUN: not allo-opt %s --air-transform=filename=%S/Inputs/failing.mlir 2>&1 | filecheck %s --check-prefix=FAIL
// RUN: not allo-opt %s --air-transform=filename=%S/Inputs/none.mlir 2>&1 | filecheck %s --check-prefix=NONE
// RUN: allo-opt %s --transform=%S/Inputs/generalize.mlir | filecheck %s
// RUN: not allo-opt %s --air-transform 2>&1 | filecheck %s --check-prefix=NAME

// CHECK: linalg.generic
// SAME: linalg.add
// FAIL: error:
// NONE: cannot read transform script '{{.*}}none.mlir'
// NAME: option 'filename' is needed
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%c : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
