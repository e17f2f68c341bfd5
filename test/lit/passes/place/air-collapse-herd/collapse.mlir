// RUN: allo-opt %s --allow-unregistered-dialect --air-collapse-herd=max-col-size=4 --canonicalize | filecheck %s --check-prefixes=CHECK,FOUR
// RUN: allo-opt %s --allow-unregistered-dialect --air-collapse-herd=max-col-size=4 --air-collapse-herd=max-col-size=4 --canonicalize | filecheck %s --check-prefixes=CHECK,FOUR
// RUN: allo-opt %s --allow-unregistered-dialect --air-collapse-herd --canonicalize | filecheck %s --check-prefixes=CHECK,ANY
// RUN: allo-opt %s --allow-unregistered-dialect --air-collapse-herd=max-col-size=3 --canonicalize | filecheck %s --check-prefix=THREE

// Columns follow one another in the new column; sizes inside keep their meaning.

// CHECK-LABEL: func.func @square
// THREE-LABEL: func.func @square
// THREE:       in (%{{.*}}=%c2{{.*}}, %{{.*}}=%c2{{.*}})
// CHECK:       air.herd @h async tile (%[[A:.*]], %[[B:.*]]) in (%{{.*}}=%c1{{.*}}, %{{.*}}=%c4{{.*}}) attributes {id = 3 : i32, link_with = "mm.o"}
// CHECK:         %[[TWO:.*]] = arith.constant 2 : index
// CHECK-NEXT:    %[[Y:.*]] = arith.remsi %[[B]], %[[TWO]] : index
// CHECK-NEXT:    %[[X:.*]] = arith.divsi %[[B]], %[[TWO]] : index
// CHECK:         "use"(%[[X]], %[[Y]], %c2{{.*}}) : (index, index, index) -> ()
func.func @square() {
  %c2 = arith.constant 2 : index
  %t = air.herd @h async tile (%x, %y) in (%sx=%c2, %sy=%c2) attributes {id = 3 : i32, link_with = "mm.o"} {
    "use"(%x, %y, %sy) : (index, index, index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @row
// CHECK:       air.herd tile (%[[A:.*]], %[[B:.*]]) in (%{{.*}}=%c1{{.*}}, %{{.*}}=%c4{{.*}})
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT:    "use"(%[[B]], %[[ZERO]])
func.func @row() {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  air.herd tile (%x, %y) in (%sx=%c4, %sy=%c1) {
    "use"(%x, %y) : (index, index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @large
// FOUR:        in (%{{.*}}=%c4{{.*}}, %{{.*}}=%c4{{.*}})
// FOUR-NEXT:     "use"
// ANY:         in (%{{.*}}=%c1{{.*}}, %{{.*}}=%c16{{.*}})
func.func @large() {
  %c4 = arith.constant 4 : index
  air.herd tile (%x, %y) in (%sx=%c4, %sy=%c4) {
    "use"(%x, %y) : (index, index) -> ()
  }
  return
}

// Phases of one group of cores keep their cores: both or none.

// CHECK-LABEL: func.func @phases
// CHECK:       air.herd @both {{.*}}=%c1{{.*}}, %{{.*}}=%c4
// CHECK:       air.herd @both {{.*}}=%c1{{.*}}, %{{.*}}=%c4
// CHECK:       air.herd @unlike {{.*}}=%c2{{.*}}, %{{.*}}=%c2
// CHECK:       air.herd @unlike {{.*}}=%c2{{.*}}, %{{.*}}=%c1
func.func @phases() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @both tile (%x, %y) in (%sx=%c2, %sy=%c2) {
  }
  air.herd @both tile (%x, %y) in (%sx=%c2, %sy=%c2) {
  }
  air.herd @unlike tile (%x, %y) in (%sx=%c2, %sy=%c2) {
  }
  air.herd @unlike tile (%x, %y) in (%sx=%c2, %sy=%c1) {
  }
  return
}

// What relies on the shape keeps it.

air.channel @east [2, 1] {channel_type = "cascade"}

// CHECK-LABEL: func.func @bound
// CHECK:       air.herd @column {{.*}}=%c1{{.*}}, %{{.*}}=%c2
// CHECK:       air.herd @placed {{.*}}=%c2{{.*}}, %{{.*}}=%c1
// CHECK:       air.herd @chain {{.*}}=%c2{{.*}}, %{{.*}}=%c1
// CHECK:       air.herd @marked {{.*}}=%c2{{.*}}, %{{.*}}=%c1
// CHECK:       air.herd @unknown {{.*}}=%arg
func.func @bound(%a: memref<8xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @column tile (%x, %y) in (%sx=%c1, %sy=%c2) {
  }
  air.herd @placed tile (%x, %y) in (%sx=%c2, %sy=%c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
  }
  air.herd @chain tile (%x, %y) in (%sx=%c2, %sy=%c1) {
    %l = memref.alloc() : memref<8xi32, 2>
    air.channel.put @east[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
  }
  air.herd @marked tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%m=%a) : memref<8xi32> {
    %l = memref.alloc() : memref<8xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %m[] [] []) {broadcast_pattern = affine_set<(d0, d1)[s0] : (s0 == 0)>} : (memref<8xi32, 2>, memref<8xi32>)
  }
  air.herd @unknown tile (%x, %y) in (%sx=%n, %sy=%c1) {
  }
  return
}
