// RUN: allo-opt --syntax=2026-03 %s --split-input-file --air-par-to-herd | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --split-input-file --air-par-to-herd=first-dim=1 | filecheck %s --check-prefix=SOUTH

// Values travel from west to east along dimension 0, from high to low ids (north to south) along dimension 1.

// CHECK-DAG:   #[[BACK:.*]] = affine_map<(d0) -> (d0 - 1)>
// CHECK-DAG:   #[[FIRST:.*]] = affine_set<()[s0, s1] : (s0 == 0, s1 == 0)>
// CHECK-DAG:   #[[LAST:.*]] = affine_set<()[s0, s1] : (s0 - 3 == 0, s1 == 0)>
// CHECK:       air.channel @cascade_0{{ *}}[3, 1] {channel_type = "cascade"}
// CHECK-LABEL: func.func @sum
// CHECK:       %[[INIT:.*]] = memref.alloc
// CHECK:       air.herd @herd_0 tile{{ *}}(%[[X:.*]], %[[Y:.*]]) in (%{{.*}}=%c4{{.*}}, %{{.*}}=%c1{{.*}}) args(%[[I:.*]]=%[[INIT]]) : memref<8xf32, 2> {
// CHECK:         %[[MINE:.*]] = memref.alloc
// CHECK:         affine.if #[[FIRST]]()[%[[X]], %[[Y]]] {
// CHECK:           air.channel.put @cascade_0{{ *}}[%[[X]], %[[Y]]]{{ *}}(%[[MINE]][] [] [])
// CHECK:         } else {
// CHECK:           %[[OTHER:.*]] = memref.alloc
// CHECK:           %[[FROM:.*]] = affine.apply #[[BACK]](%[[X]])
// CHECK:           air.channel.get @cascade_0{{ *}}[%[[FROM]], %[[Y]]]{{ *}}(%[[OTHER]][] [] [])
// CHECK:           affine.if #[[LAST]]()[%[[X]], %[[Y]]] {
// CHECK:             linalg.add ins(%[[OTHER]], %[[MINE]] : {{.*}}) outs(%[[OTHER]] : {{.*}})
// CHECK:             linalg.add ins(%[[I]], %[[OTHER]] : {{.*}}) outs(%[[I]] : {{.*}})
// CHECK:           } else {
// CHECK:             linalg.add ins(%[[OTHER]], %[[MINE]] : {{.*}}) outs(%[[OTHER]] : {{.*}})
// CHECK:             air.channel.put @cascade_0{{ *}}[%[[X]], %[[Y]]]{{ *}}(%[[OTHER]][] [] [])
// CHECK:           memref.dealloc %[[OTHER]]
// CHECK:       memref.copy %[[INIT]], %{{.*}}

// SOUTH-DAG:   #[[BACK:.*]] = affine_map<(d0) -> (d0 - 1)>
// SOUTH-DAG:   #[[FIRST:.*]] = affine_set<()[s0, s1] : (s1 - 3 == 0, s0 == 0)>
// SOUTH-DAG:   #[[LAST:.*]] = affine_set<()[s0, s1] : (s1 == 0, s0 == 0)>
// SOUTH:       air.channel @cascade_0{{ *}}[1, 3] {channel_type = "cascade"}
// SOUTH:       air.herd @herd_0 tile{{ *}}(%[[X:.*]], %[[Y:.*]]) in (%{{.*}}=%c1{{.*}}, %{{.*}}=%c4{{.*}})
// SOUTH:         affine.if #[[FIRST]]()[%[[X]], %[[Y]]] {
// SOUTH:           %[[TO:.*]] = affine.apply #[[BACK]](%[[Y]])
// SOUTH:           air.channel.put @cascade_0{{ *}}[%[[X]], %[[TO]]]
// SOUTH:           air.channel.get @cascade_0{{ *}}[%[[X]], %[[Y]]]
// SOUTH:           affine.if #[[LAST]]()[%[[X]], %[[Y]]] {
func.func @sum(%o: memref<8xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %init = memref.alloc() : memref<8xf32, 2>
  %r = scf.parallel (%i) = (%c0) to (%c8) step (%c2) init (%init) -> memref<8xf32, 2> {
    %p = memref.alloc() : memref<8xf32, 2>
    linalg.fill ins(%one : f32) outs(%p : memref<8xf32, 2>)
    scf.reduce (%p : memref<8xf32, 2>) {
    ^bb0(%l: memref<8xf32, 2>, %m: memref<8xf32, 2>):
      linalg.add ins(%l, %m : memref<8xf32, 2>, memref<8xf32, 2>) outs(%l : memref<8xf32, 2>)
      scf.reduce.return %l : memref<8xf32, 2>
    }
  }
  memref.copy %r, %o : memref<8xf32, 2> to memref<8xf32, 1>
  memref.dealloc %init : memref<8xf32, 2>
  return
}

// -----

// Two cores need no middle; a result in another buffer is copied to where the reduction starts from.

// CHECK:       air.channel @cascade_0{{ *}}[1, 1] {channel_type = "cascade"}
// CHECK-LABEL: func.func @pair
// CHECK:       air.herd @herd_0 tile{{ *}}({{.*}}) in ({{.*}}) args(%[[P:.*]]=%{{.*}}, %[[I:.*]]=%{{.*}}) : memref<i8, 2>, memref<i8, 2> {
// CHECK:         affine.if
// CHECK:           air.channel.put @cascade_0
// CHECK:         } else {
// CHECK:           %[[O:.*]] = memref.alloc
// CHECK:           air.channel.get @cascade_0
// CHECK-NOT:       affine.if
// CHECK:           linalg.max ins(%[[O]], %[[P]] : {{.*}}) outs(%[[P]] : {{.*}})
// CHECK:           linalg.max ins(%[[I]], %[[P]] : {{.*}}) outs(%[[P]] : {{.*}})
// CHECK:           memref.copy %[[P]], %[[I]]
func.func @pair(%p: memref<i8, 2>, %init: memref<i8, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c1) step (%c1, %c1) init (%init) -> memref<i8, 2> {
    scf.reduce (%p : memref<i8, 2>) {
    ^bb0(%l: memref<i8, 2>, %m: memref<i8, 2>):
      linalg.max ins(%l, %m : memref<i8, 2>, memref<i8, 2>) outs(%m : memref<i8, 2>)
      scf.reduce.return %m : memref<i8, 2>
    }
  }
  return
}

// -----

// One core combines its value with the start; no core leaves the start as it is.

// CHECK-LABEL: func.func @few
// CHECK-NOT:   air.channel
// CHECK:       air.herd @herd_0 {{.*}} args(%[[P:.*]]=%{{.*}}, %[[I:.*]]=%{{.*}}) : memref<8xf32, 2>, memref<8xf32, 2> {
// CHECK:         linalg.add ins(%[[I]], %[[P]] : {{.*}}) outs(%[[I]] : {{.*}})
// CHECK-NOT:   air.herd
func.func @few(%p: memref<8xf32, 2>, %init: memref<8xf32, 2>) -> (memref<8xf32, 2>, memref<8xf32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%init) -> memref<8xf32, 2> {
    scf.reduce (%p : memref<8xf32, 2>) {
    ^bb0(%l: memref<8xf32, 2>, %m: memref<8xf32, 2>):
      linalg.add ins(%l, %m : memref<8xf32, 2>, memref<8xf32, 2>) outs(%l : memref<8xf32, 2>)
      scf.reduce.return %l : memref<8xf32, 2>
    }
  }
  %s = scf.parallel (%i) = (%c1) to (%c1) step (%c1) init (%r) -> memref<8xf32, 2> {
    scf.reduce (%p : memref<8xf32, 2>) {
    ^bb0(%l: memref<8xf32, 2>, %m: memref<8xf32, 2>):
      scf.reduce.return %l : memref<8xf32, 2>
    }
  }
  return %r, %s : memref<8xf32, 2>, memref<8xf32, 2>
}
