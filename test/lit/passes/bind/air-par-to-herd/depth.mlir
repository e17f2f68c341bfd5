// RUN: allo-opt %s --air-par-to-herd | filecheck %s --check-prefix=ALL
// RUN: allo-opt %s --air-par-to-herd=depth=0 | filecheck %s --check-prefix=ALL
// RUN: allo-opt %s --air-par-to-herd=depth=1 | filecheck %s --check-prefix=ONE
// RUN: allo-opt %s --air-par-to-herd=depth=2 | filecheck %s --check-prefix=TWO
// RUN: allo-opt %s --air-par-to-herd=depth=-1 | filecheck %s --check-prefix=TWO
// RUN: allo-opt %s --air-par-to-herd=depth=3 | filecheck %s --check-prefix=NONE
// RUN: allo-opt %s --air-par-to-herd=depth=-1 --air-par-to-herd=depth=-1 | filecheck %s --check-prefix=TWO

// A loop inside a herd stays a loop; loops around a herd stay loops when the pass runs again.

// ALL-LABEL: func.func @nest
// ALL:       air.herd @herd_0 tile{{ *}}({{.*}}) in ({{.*}}=%c2{{.*}}, {{.*}}=%c1{{.*}})
// ALL:         scf.parallel
// ALL:           scf.parallel
// ALL-NOT:   air.herd

// ONE-LABEL: func.func @nest
// ONE:       scf.parallel
// ONE:         air.herd @herd_0 tile{{ *}}({{.*}}) in ({{.*}}=%c3{{.*}}, {{.*}}=%c1{{.*}})
// ONE:           scf.parallel
// ONE-NOT:   air.herd

// TWO-LABEL: func.func @nest
// TWO:       scf.parallel
// TWO:         scf.parallel
// TWO:           air.herd @herd_0 tile{{ *}}({{.*}}) in ({{.*}}=%c4{{.*}}, {{.*}}=%c1{{.*}})
// TWO-NOT:   air.herd

// NONE-NOT:  air.herd
func.func @nest(%a: memref<24xindex, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c3) step (%c1) {
      scf.parallel (%k) = (%c0) to (%c4) step (%c1) {
        %n = affine.apply affine_map<(d0, d1, d2) -> (d0 * 12 + d1 * 4 + d2)>(%i, %j, %k)
        memref.store %n, %a[%n] : memref<24xindex, 2>
      }
    }
  }
  return
}
