// RUN: allo-opt %s --allow-unregistered-dialect --air-collapse-herd='device=npu1' --canonicalize | filecheck %s
// RUN: allo-opt %s --allow-unregistered-dialect --air-collapse-herd='device=npu1_1col' --canonicalize | filecheck %s --check-prefix=ONE
// RUN: allo-opt %s --allow-unregistered-dialect --air-collapse-herd='device=npu1 cols=1' --canonicalize | filecheck %s --check-prefix=ONE

// A kernel of plan-tiles with nothing beside it keeps its columns, whose shims all carry, if the device has as many.

// ONE:   %[[C4:.*]] = arith.constant 4 : index
// ONE:   air.herd @h tile (%{{.*}}, %{{.*}}) in (%{{.*}}=%{{.*}}, %{{.*}}=%[[C4]])

// CHECK: %[[C2:.*]] = arith.constant 2 : index
// CHECK: air.herd @h tile (%{{.*}}, %{{.*}}) in (%{{.*}}=%[[C2]], %{{.*}}=%[[C2]])
func.func private @k() attributes {allo.kernel, allo.plan = {family = "tiles", launch = array<i64: 2, 2>, core = array<i64: 1, 1>}} {
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) {
    "use"(%x, %y) : (index, index) -> ()
  }
  return
}
