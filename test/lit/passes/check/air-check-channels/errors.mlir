// RUN: allo-opt %s --split-input-file --air-check-channels --verify-diagnostics

// One channel of the bundle is never put.
// expected-error@+1 {{'air.channel' op @c[1] has 0 puts of 0 bytes in all and 1 get of 256 bytes in all: 256 bytes never come; make the sizes of puts and gets, and the trip counts of the loops around them, agree}}
air.channel @c [2]
func.func @missing(%l2: memref<64xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.channel.put @c[%c0] (%l2[] [] []) : (memref<64xi32, 1>)
  air.herd tile (%x, %y) in (%sx=%c2, %sy=%c1) {
    %l1 = memref.alloc() : memref<64xi32, 2>
    // expected-note@+1 {{one end is here}}
    air.channel.get @c[%x] (%l1[] [] []) : (memref<64xi32, 2>)
  }
  return
}

// -----

// A loop around one end only.
// expected-error@+1 {{'air.channel' op @c[] has 4 puts of 128 bytes in all and 3 gets of 96 bytes in all: 32 bytes stay in the channel}}
air.channel @c []
func.func @loops(%l3: memref<8xi32>, %l2: memref<8xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-note@+1 {{one end is here}}
    air.channel.put @c[] (%l3[] [] []) : (memref<8xi32>)
  }
  scf.for %i = %c0 to %c3 step %c1 {
    // expected-note@+1 {{the other is here}}
    air.channel.get @c[] (%l2[] [] []) : (memref<8xi32, 1>)
  }
  return
}

// -----

// The last index inside is right, the first outside is not.
// expected-note@+1 {{the bundle}}
air.channel @c [2]
func.func @outside(%l3: memref<8xi32>, %l2: memref<8xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.parallel (%i) = (%c0) to (%c3) step (%c1) {
    // expected-error@+1 {{'air.channel.put' op uses channel [2] of @c, whose puts have [2] channels; enlarge the bundle, or correct the indices}}
    air.channel.put @c[%i] (%l3[] [] []) : (memref<8xi32>)
    air.channel.get @c[%c0] (%l2[] [] []) : (memref<8xi32, 1>)
    scf.reduce
  }
  return
}
