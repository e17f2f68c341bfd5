// RUN: allo-opt %s --allow-unregistered-dialect --canonicalize | filecheck %s

// Hierarchies are affine scopes: ids, arguments and what is computed once are symbols, loop counters stay dimensions.

// CHECK: #[[MAP:.*]] = affine_map<()[s0] -> (s0 * 192)>
// CHECK: #[[BOTH:.*]] = affine_map<(d0)[s0, s1] -> (d0 + s0 + s1 * 4)>
// CHECK: #[[SET:.*]] = affine_set<()[s0, s1] : (s0 - 1 == 0, s1 >= 0)>
// CHECK-LABEL: func.func @f
// CHECK: air.herd tile (%[[X:.*]], %[[Y:.*]]) in
// CHECK:   %{{.*}} = affine.apply #[[MAP]]()[%[[X]]]
// CHECK:   affine.if #[[SET]]()[%[[X]], %[[Y]]] {
// CHECK:   scf.for %[[I:.*]] =
// CHECK:     affine.apply #[[BOTH]](%[[I]])[%{{.*}}, %[[Y]]]
func.func @f() {
  %c4 = arith.constant 4 : index
  air.herd tile (%x, %y) in (%sx=%c4, %sy=%c4) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %0 = affine.apply affine_map<(d0) -> (d0 * 192)>(%x)
    "use"(%0) : (index) -> ()
    affine.if affine_set<(d0, d1) : (d0 - 1 == 0, d1 >= 0)>(%x, %y) {
      "use"(%x) : (index) -> ()
    }
    %v = "test.value"() : () -> index
    "use"(%v) : (index) -> ()
    scf.for %i = %c0 to %c8 step %c1 {
      %1 = affine.apply affine_map<(d0, d1)[s0] -> (d0 + d1 * 4 + s0)>(%i, %y)[%v]
      "use"(%1) : (index) -> ()
    }
  }
  return
}
