// RUN: allo-opt %s --air-linalg-codegen=l1-tile-size=4,4,8 | filecheck %s
// RUN: allo-opt %s --air-linalg-codegen='l1-tile-size=4,4,4 l2-tile-size=8,8,8 l2-tile-permute=2,0,1 l1-promote-operands=0,1' | filecheck %s --check-prefix=L2
// RUN: allo-opt %s --air-linalg-codegen='l2-tile-size=8 l2-promote=false l1-promote=false herd-size=2,4' | filecheck %s --check-prefix=HERD
// RUN: allo-opt %s --air-linalg-codegen=input-filter=named | filecheck %s --check-prefix=NAMED

// The sums' loop is inside of that over the cores; tiles are whole buffers of L1.
// CHECK-LABEL: func.func @f
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%c0{{.*}}, %c0{{.*}}) to (%c16{{.*}}, %c16{{.*}}) step (%c4{{.*}}, %c4{{.*}}) {
// CHECK-NEXT: scf.for %[[K:.*]] = %c0{{.*}} to %c16{{.*}} step %c8
// CHECK-NEXT: %[[A:.*]] = memref.subview %arg0[%[[I]], %[[K]]] [4, 8] [1, 1]
// CHECK: %[[TA:.*]] = memref.alloc() : memref<4x8xi32, 2>
// CHECK-NEXT: memref.copy %[[A]], %[[TA]]
// CHECK: %[[TC:.*]] = memref.alloc() : memref<4x4xi32, 2>
// CHECK: linalg.matmul ins(%[[TA]], %{{.*}}) outs(%[[TC]]
// CHECK-NEXT: memref.copy %[[TC]],
// CHECK-COUNT-3: memref.dealloc

// L2-LABEL: func.func @f
// L2: scf.for %[[K:.*]] = %c0
// L2: scf.for %[[I:.*]] = %c0
// L2: scf.for %[[J:.*]] = %c0
// L2: memref.subview %arg0[%[[I]], %[[K]]] [8, 8] [1, 1]
// L2-COUNT-3: memref.alloc() : memref<8x8xi32, 1>
// L2: scf.parallel
// L2-COUNT-2: memref.alloc() : memref<4x4xi32, 2>
// L2-NOT: memref.alloc
// L2: linalg.matmul

// HERD-LABEL: func.func @f
// HERD: scf.for %{{.*}} = %c0{{.*}} to %c16{{.*}} step %c8
// HERD: scf.parallel {{.*}} to (%c8{{.*}}, %c16{{.*}}) step (%c4{{.*}}, %c4{{.*}}) {
// HERD-NOT: memref.alloc
// HERD: linalg.matmul

// The extent is the largest tile; the name is used up.
// NAMED-LABEL: func.func @f
// NAMED-NOT: scf.parallel
// NAMED-LABEL: func.func @named
// NAMED: scf.parallel {{.*}} to (%c16{{.*}}, %c16{{.*}}) step (%c16{{.*}}, %c16{{.*}}) {
// NAMED: linalg.matmul ins(
func.func @f(%a: memref<16x16xi32>, %b: memref<16x16xi32>, %c: memref<16x16xi32>) {
  linalg.matmul ins(%a, %b : memref<16x16xi32>, memref<16x16xi32>) outs(%c : memref<16x16xi32>)
  return
}
func.func @named(%a: memref<16x16xi32>, %b: memref<16x16xi32>, %c: memref<16x16xi32>) {
  linalg.matmul {__internal_linalg_transform__ = "named"} ins(%a, %b : memref<16x16xi32>, memref<16x16xi32>) outs(%c : memref<16x16xi32>)
  return
}
