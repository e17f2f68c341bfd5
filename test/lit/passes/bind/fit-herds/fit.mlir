// RUN: allo-opt %s --split-input-file --fit-herds | filecheck %s
// RUN: allo-opt %s --split-input-file --fit-herds=cols=2 | filecheck %s --check-prefix=TWO
// RUN: not allo-opt %s --split-input-file --fit-herds=device=npu9 2>&1 | filecheck %s --check-prefix=DEVICE

// DEVICE: option 'device' is 'npu9'

// Each of the 4 x 2 cores, as many as there are channels for what they write, has 8 iterations in a row.

// CHECK-LABEL: @line
// CHECK:         scf.parallel (%[[X:.*]], %[[Y:.*]]) = (%{{.*}}, %{{.*}}) to (%c4{{.*}}, %c2{{.*}})
// CHECK:           scf.for %[[T:.*]] = %c0{{.*}} to %c8{{.*}} step
// CHECK:             affine.apply #{{.*}}(%[[X]], %[[Y]], %[[T]])
// TWO-LABEL: @line
// TWO:         scf.parallel {{.*}} to (%c2{{.*}}, %c2{{.*}})
// TWO:           scf.for {{.*}} to %c16
func.func @line(%a: memref<128xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  scf.parallel (%i) = (%c0) to (%c128) step (%c2) {
    memref.store %v, %a[%i] : memref<128xi32>
  }
  return
}

// -----

// Nothing divides 61 iterations: 56, 4 and one are left.

// CHECK-LABEL: @prime
// CHECK:         scf.parallel {{.*}} to (%c4{{.*}}, %c2{{.*}})
// CHECK:           scf.for
// CHECK:         scf.parallel
func.func @prime(%a: memref<61xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c61 = arith.constant 61 : index
  scf.parallel (%i) = (%c0) to (%c61) step (%c1) {
    memref.store %v, %a[%i] : memref<61xi32>
  }
  return
}

// -----

// What fits stays: eight cores write, for which there are eight channels, and all read what the cores of a row share.

// CHECK-LABEL: @fits
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}) = (%c0, %c0) to (%c4, %c2) step (%c1, %c1)
// CHECK-NOT:     scf.for
// TWO-LABEL: @fits
// TWO:         scf.parallel {{.*}} to (%c2{{.*}}, %c2{{.*}})
func.func @fits(%a: memref<2xi32>, %b: memref<4x2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c2) step (%c1, %c1) {
    %v = memref.load %a[%j] : memref<2xi32>
    %w = memref.subview %b[%i, %j] [1, 1] [1, 1] : memref<4x2xi32> to memref<1x1xi32, strided<[2, 1], offset: ?>>
    linalg.fill ins(%v : i32) outs(%w : memref<1x1xi32, strided<[2, 1], offset: ?>>)
  }
  return
}

// -----

// Reductions, channels and shared buffers need all iterations at once.

// CHECK-LABEL: @stays
// CHECK:         scf.parallel {{.*}} to (%c64)
// CHECK-NOT:     scf.for
// CHECK:         scf.parallel {{.*}} to (%c64)
air.channel @c [64]
func.func @stays(%l1: memref<64xi32, 2>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    memref.store %v, %l1[%i] : memref<64xi32, 2>
  }
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %m = memref.alloc() : memref<4xi32, 2>
    air.channel.get @c[%i] (%m[] [] []) : (memref<4xi32, 2>)
  }
  return
}

// -----

// Rows of one view, columns of another, and tiles of a third come to a core over three channels, of which it has two: the herd
// goes along one dimension.

// CHECK-LABEL: @three
// CHECK:         scf.parallel {{.*}} to (%c2{{.*}}, %c1{{.*}}) step
// CHECK:           scf.for {{.*}} to %c2
func.func @three(%a: memref<2xi32>, %b: memref<2xi32>, %c: memref<2x2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) {
    %x = memref.load %a[%i] : memref<2xi32>
    %y = memref.load %b[%j] : memref<2xi32>
    %z = memref.load %c[%i, %j] : memref<2x2xi32>
    %s = arith.addi %x, %y : i32
    %t = arith.addi %s, %z : i32
    memref.store %t, %c[%i, %j] : memref<2x2xi32>
  }
  return
}
