// RUN: allo-opt %s --split-input-file --air-check-channels | filecheck %s

// A put of all that several gets take, in a loop of constant bounds: bytes count, not transfers.
// CHECK-LABEL: func.func @stream
air.channel @in []
func.func @stream(%l3: memref<4x8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  air.channel.put @in[] (%l3[] [] []) : (memref<4x8xi32>)
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %z = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %l1 = memref.alloc() : memref<8xi32, 2>
    scf.for %i = %z to %four step %one {
      air.channel.get @in[] (%l1[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// -----

// A broadcast: each put serves two cores; the gets name their core, also along the dimension of size 1.
// CHECK-LABEL: func.func @broadcast
#row = affine_set<()[s0, s1] : (s0 - 1 == 0, s1 >= 0)>
air.channel @row0 [1, 1] {broadcast_shape = [1, 2]}
air.channel @row1 [1, 1] {broadcast_shape = [1, 2]}
func.func @broadcast(%l2: memref<8xi32, 1>) {
  %c2 = arith.constant 2 : index
  air.channel.put @row0[] (%l2[] [] []) : (memref<8xi32, 1>)
  air.channel.put @row1[] (%l2[] [] []) : (memref<8xi32, 1>)
  air.herd tile (%x, %y) in (%sx=%c2, %sy=%c2) {
    %l1 = memref.alloc() : memref<8xi32, 2>
    affine.if #row()[%x, %y] {
      air.channel.get @row1[%x, %y] (%l1[] [] []) : (memref<8xi32, 2>)
    } else {
      air.channel.get @row0[%x, %y] (%l1[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// -----

// The iterations of a launch all do the same; what is outside counts once.
// CHECK-LABEL: func.func @launches
air.channel @c []
func.func @launches(%l3: memref<4x8xi32>) {
  %c2 = arith.constant 2 : index
  air.channel.put @c[] (%l3[] [] []) : (memref<4x8xi32>)
  air.launch (%i, %j) in (%si=%c2, %sj=%c2) args(%m=%l3) : memref<4x8xi32> {
    air.segment @s {
      %l2 = memref.alloc() : memref<8xi32, 1>
      air.channel.get @c[] (%l2[] [] []) : (memref<8xi32, 1>)
    }
  }
  return
}
