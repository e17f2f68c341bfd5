// RUN: allo-opt %s --allow-unregistered-dialect --air-collapse-herd=max-col-size=4 | filecheck %s

// The form of mlir-air: the new column's rows are a product of the old sizes, which canonicalize folds.

// CHECK-LABEL: func.func @square
// CHECK:       %[[C2:.*]] = arith.constant 2 : index
// CHECK:       %[[ONE:.*]] = arith.constant 1 : index
// CHECK:       %[[FIRST:.*]] = arith.muli %{{.*}}, %[[C2]] : index
// CHECK:       %[[ROWS:.*]] = arith.muli %[[FIRST]], %[[C2]] : index
// CHECK:       air.herd tile (%{{.*}}, %[[B:.*]]) in (%{{.*}}=%[[ONE]], %{{.*}}=%[[ROWS]])
// CHECK:         %[[Y:.*]] = arith.remsi %[[B]], %c2{{.*}} : index
// CHECK:         %[[X:.*]] = arith.divsi %[[B]], %c2{{.*}} : index
// CHECK:         "use"(%[[X]], %[[Y]])
func.func @square() {
  %c2 = arith.constant 2 : index
  air.herd tile (%x, %y) in (%sx=%c2, %sy=%c2) {
    "use"(%x, %y) : (index, index) -> ()
  }
  return
}
