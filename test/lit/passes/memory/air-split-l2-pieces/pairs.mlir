// RUN: allo-opt --syntax=2026-03 %s --air-split-l2-pieces --canonicalize --cse --split-input-file | filecheck %s

// Ping and pong pieces that cores of two columns read: both in halves, of which the second come over a channel of their own and
// are marked to be in a memtile beside the others'. What cores of one column read stays.

// CHECK:       air.channel @in [2, 1]
// CHECK:       air.channel @other []
// CHECK-LABEL: func.func @pieces
// CHECK:       scf.for %[[K:.*]] = %c0{{.*}} to %c32
// CHECK:         air.channel.put {{.*}}@in[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[%[[K]], %c0{{.*}}] [%c4{{.*}}, %c64{{.*}}]
// CHECK:         %[[H:.*]] = arith.addi %[[K]], %c4
// CHECK:         air.channel.put {{.*}}@in[%c1{{.*}}, %c0{{.*}}] (%{{.*}}[%[[H]], %c0{{.*}}] [%c4{{.*}}, %c64{{.*}}]
// CHECK:       air.segment
// CHECK:         %[[A:.*]] = memref.alloc() {allo.in_lockstep} : memref<4x64xi32, 1>
// CHECK:         %[[B:.*]] = memref.alloc() {allo.adjacent_memtile, allo.in_lockstep} : memref<4x64xi32, 1>
// CHECK:         %[[C:.*]] = memref.alloc() {allo.in_lockstep} : memref<4x64xi32, 1>
// CHECK:         %[[D:.*]] = memref.alloc() {allo.adjacent_memtile, allo.in_lockstep} : memref<4x64xi32, 1>
// CHECK:         memref.alloc() : memref<8x64xi32, 1>
// CHECK:         air.channel.get @in[%c0{{.*}}, %c0{{.*}}] (%[[A]][] [] [])
// CHECK-NEXT:    air.channel.get @in[%c1{{.*}}, %c0{{.*}}] (%[[B]][] [] [])
// CHECK-NEXT:    air.channel.put @rows[] (%[[A]][] [] [])
// CHECK-NEXT:    air.channel.put @rows[] (%[[B]][] [] [])
// CHECK:         air.channel.get @in[%c0{{.*}}, %c0{{.*}}] (%[[C]][] [] [])
// CHECK-NEXT:    air.channel.get @in[%c1{{.*}}, %c0{{.*}}] (%[[D]][] [] [])
air.channel @in []
air.channel @other []
air.channel @rows [1, 1] {broadcast_shape = [2, 1]}
air.channel @column [1, 1] {broadcast_shape = [1, 2]}
func.func @pieces(%a: memref<32x64xi32>, %b: memref<8x64xi32>) attributes {allo.plan = {family = "matmul", routes = [{operand = "b", memtiles = 2 : i64, channels = 2 : i64}], cores = array<i64: 2, 2>}} {
  air.launch () in () args(%x=%a, %y=%b) : memref<32x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    scf.for %k = %c0 to %c32 step %c8 {
      air.channel.put @in[] (%x[%k, %c0] [%c8, %c64] [%c64, %c1]) : (memref<32x64xi32>)
    }
    air.channel.put @other[] (%y[] [] []) : (memref<8x64xi32>)
    air.segment @s {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      %k4 = arith.constant 4 : index
      %k64 = arith.constant 64 : index
      %k128 = arith.constant 128 : index
      %m = memref.alloc() : memref<8x64xi32, 1>
      %n = memref.alloc() : memref<8x64xi32, 1>
      %o = memref.alloc() : memref<8x64xi32, 1>
      air.channel.get @other[] (%o[] [] []) : (memref<8x64xi32, 1>)
      air.channel.put @column[] (%o[] [] []) : (memref<8x64xi32, 1>)
      scf.for %i = %k0 to %k2 step %k1 {
        air.channel.get @in[] (%m[] [] []) : (memref<8x64xi32, 1>)
        air.channel.put @rows[] (%m[%k0, %k0, %k0] [%k4, %k2, %k64] [%k128, %k64, %k1]) : (memref<8x64xi32, 1>)
        air.channel.get @in[] (%n[] [] []) : (memref<8x64xi32, 1>)
        air.channel.put @rows[] (%n[%k0, %k0, %k0] [%k4, %k2, %k64] [%k128, %k64, %k1]) : (memref<8x64xi32, 1>)
      }
      memref.dealloc %m : memref<8x64xi32, 1>
      memref.dealloc %n : memref<8x64xi32, 1>
    }
  }
  return
}

// -----

// The parts of a panel go to the two memtiles by turns.

// CHECK:       air.channel @in [4, 1]
// CHECK-LABEL: func.func @panel
// CHECK:         air.channel.put @in[%c1{{.*}}, %c0{{.*}}] (%{{.*}}[%c0{{.*}}, %c0{{.*}}]
// CHECK-NEXT:    air.channel.put @in[%c3{{.*}}, %c0{{.*}}] (%{{.*}}[%c8{{.*}}, %c0{{.*}}]
// CHECK:         memref.alloc() {allo.in_lockstep} : memref<8x64xi32, 1>
// CHECK-NEXT:    memref.alloc() {allo.adjacent_memtile, allo.in_lockstep} : memref<8x64xi32, 1>
// CHECK:         air.channel.get @in[%c1{{.*}}, %c0{{.*}}]
// CHECK-NEXT:    air.channel.get @in[%c3{{.*}}, %c0{{.*}}]
air.channel @in [2, 1]
air.channel @rows [1, 1] {broadcast_shape = [2, 1]}
func.func @panel(%a: memref<16x64xi32>) attributes {allo.plan = {family = "matmul", routes = [{operand = "b", memtiles = 2 : i64, channels = 2 : i64}], cores = array<i64: 2, 2>}} {
  air.launch () in () args(%x=%a) : memref<16x64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    air.channel.put @in[%c0, %c0] (%x[%c0, %c0] [%c8, %c64] [%c64, %c1]) : (memref<16x64xi32>)
    air.channel.put @in[%c0, %c0] (%x[%c8, %c0] [%c8, %c64] [%c64, %c1]) : (memref<16x64xi32>)
    air.channel.put @in[%c1, %c0] (%x[%c0, %c0] [%c8, %c64] [%c64, %c1]) : (memref<16x64xi32>)
    air.channel.put @in[%c1, %c0] (%x[%c8, %c0] [%c8, %c64] [%c64, %c1]) : (memref<16x64xi32>)
    air.segment @s {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k3 = arith.constant 3 : index
      %m = memref.alloc() : memref<8x64xi32, 1>
      %n = memref.alloc() : memref<8x64xi32, 1>
      %o = memref.alloc() : memref<8x64xi32, 1>
      %p = memref.alloc() : memref<8x64xi32, 1>
      air.channel.get @in[%k0, %k0] (%m[] [] []) : (memref<8x64xi32, 1>)
      air.channel.get @in[%k0, %k0] (%n[] [] []) : (memref<8x64xi32, 1>)
      air.channel.get @in[%k1, %k0] (%o[] [] []) : (memref<8x64xi32, 1>)
      air.channel.get @in[%k1, %k0] (%p[] [] []) : (memref<8x64xi32, 1>)
      scf.for %i = %k0 to %k3 step %k1 {
        air.channel.put @rows[] (%m[] [] []) : (memref<8x64xi32, 1>)
        air.channel.put @rows[] (%n[] [] []) : (memref<8x64xi32, 1>)
        air.channel.put @rows[] (%o[] [] []) : (memref<8x64xi32, 1>)
        air.channel.put @rows[] (%p[] [] []) : (memref<8x64xi32, 1>)
      }
    }
  }
  return
}

// -----

// Parts that lie further apart than a descriptor's step reaches go to the two memtiles by halves where both ends of the channel
// move as many in a round, else by turns: the halves of one round would not be those of the other.

// CHECK-LABEL: func.func @far_apart
// CHECK:         air.channel.put @in[%c0{{.*}}, %c0{{.*}}]
// CHECK-NEXT:    air.channel.put @in[%c0{{.*}}, %c0{{.*}}]
// CHECK-NEXT:    air.channel.put @in[%c1{{.*}}, %c0{{.*}}]
// CHECK-NEXT:    air.channel.put @in[%c1{{.*}}, %c0{{.*}}]
// CHECK:         air.channel.get @in[%c0{{.*}}, %c0{{.*}}]
// CHECK-NEXT:    air.channel.get @in[%c0{{.*}}, %c0{{.*}}]
// CHECK-NEXT:    air.channel.get @in[%c1{{.*}}, %c0{{.*}}]
// CHECK-NEXT:    air.channel.get @in[%c1{{.*}}, %c0{{.*}}]
air.channel @in []
air.channel @rows [1, 1] {broadcast_shape = [2, 1]}
func.func @far_apart(%a: memref<64x1048576xi32>) attributes {allo.plan = {family = "matmul", routes = [{operand = "b", memtiles = 2 : i64, channels = 2 : i64}], cores = array<i64: 2, 2>}} {
  air.launch () in () args(%x=%a) : memref<64x1048576xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c24 = arith.constant 24 : index
    %c64 = arith.constant 64 : index
    %c1048576 = arith.constant 1048576 : index
    air.channel.put @in[] (%x[%c0, %c0] [%c8, %c64] [%c1048576, %c1]) : (memref<64x1048576xi32>)
    air.channel.put @in[] (%x[%c8, %c0] [%c8, %c64] [%c1048576, %c1]) : (memref<64x1048576xi32>)
    air.channel.put @in[] (%x[%c16, %c0] [%c8, %c64] [%c1048576, %c1]) : (memref<64x1048576xi32>)
    air.channel.put @in[] (%x[%c24, %c0] [%c8, %c64] [%c1048576, %c1]) : (memref<64x1048576xi32>)
    air.segment @s {
      %k = memref.alloc() : memref<8x64xi32, 1>
      %l = memref.alloc() : memref<8x64xi32, 1>
      %m = memref.alloc() : memref<8x64xi32, 1>
      %n = memref.alloc() : memref<8x64xi32, 1>
      air.channel.get @in[] (%k[] [] []) : (memref<8x64xi32, 1>)
      air.channel.get @in[] (%l[] [] []) : (memref<8x64xi32, 1>)
      air.channel.get @in[] (%m[] [] []) : (memref<8x64xi32, 1>)
      air.channel.get @in[] (%n[] [] []) : (memref<8x64xi32, 1>)
      air.channel.put @rows[] (%k[] [] []) : (memref<8x64xi32, 1>)
      air.channel.put @rows[] (%l[] [] []) : (memref<8x64xi32, 1>)
      air.channel.put @rows[] (%m[] [] []) : (memref<8x64xi32, 1>)
      air.channel.put @rows[] (%n[] [] []) : (memref<8x64xi32, 1>)
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @rounds_of_their_own
// CHECK:         air.channel.put @in[%c0{{.*}}, %c0{{.*}}]
// CHECK-NEXT:    air.channel.put @in[%c1{{.*}}, %c0{{.*}}]
// CHECK-NEXT:    air.channel.put @in[%c0{{.*}}, %c0{{.*}}]
// CHECK-NEXT:    air.channel.put @in[%c1{{.*}}, %c0{{.*}}]
// CHECK:         air.channel.get @in[%c0{{.*}}, %c0{{.*}}]
// CHECK-NEXT:    air.channel.get @in[%c1{{.*}}, %c0{{.*}}]
// CHECK-NEXT:    air.channel.get @in[%c0{{.*}}, %c0{{.*}}]
// CHECK-NEXT:    air.channel.get @in[%c1{{.*}}, %c0{{.*}}]
air.channel @in []
air.channel @rows [1, 1] {broadcast_shape = [2, 1]}
func.func @rounds_of_their_own(%a: memref<64x1048576xi32>) attributes {allo.plan = {family = "matmul", routes = [{operand = "b", memtiles = 2 : i64, channels = 2 : i64}], cores = array<i64: 2, 2>}} {
  air.launch () in () args(%x=%a) : memref<64x1048576xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c24 = arith.constant 24 : index
    %c64 = arith.constant 64 : index
    %c1048576 = arith.constant 1048576 : index
    scf.for %i = %c0 to %c2 step %c1 {
      air.channel.put @in[] (%x[%c0, %c0] [%c8, %c64] [%c1048576, %c1]) : (memref<64x1048576xi32>)
      air.channel.put @in[] (%x[%c8, %c0] [%c8, %c64] [%c1048576, %c1]) : (memref<64x1048576xi32>)
      air.channel.put @in[] (%x[%c16, %c0] [%c8, %c64] [%c1048576, %c1]) : (memref<64x1048576xi32>)
      air.channel.put @in[] (%x[%c24, %c0] [%c8, %c64] [%c1048576, %c1]) : (memref<64x1048576xi32>)
    }
    air.segment @s {
      %k = memref.alloc() : memref<8x64xi32, 1>
      %l = memref.alloc() : memref<8x64xi32, 1>
      %m = memref.alloc() : memref<8x64xi32, 1>
      %n = memref.alloc() : memref<8x64xi32, 1>
      %o = memref.alloc() : memref<8x64xi32, 1>
      %p = memref.alloc() : memref<8x64xi32, 1>
      %q = memref.alloc() : memref<8x64xi32, 1>
      %r = memref.alloc() : memref<8x64xi32, 1>
      air.channel.get @in[] (%k[] [] []) : (memref<8x64xi32, 1>)
      air.channel.get @in[] (%l[] [] []) : (memref<8x64xi32, 1>)
      air.channel.get @in[] (%m[] [] []) : (memref<8x64xi32, 1>)
      air.channel.get @in[] (%n[] [] []) : (memref<8x64xi32, 1>)
      air.channel.get @in[] (%o[] [] []) : (memref<8x64xi32, 1>)
      air.channel.get @in[] (%p[] [] []) : (memref<8x64xi32, 1>)
      air.channel.get @in[] (%q[] [] []) : (memref<8x64xi32, 1>)
      air.channel.get @in[] (%r[] [] []) : (memref<8x64xi32, 1>)
      air.channel.put @rows[] (%k[] [] []) : (memref<8x64xi32, 1>)
      air.channel.put @rows[] (%l[] [] []) : (memref<8x64xi32, 1>)
      air.channel.put @rows[] (%m[] [] []) : (memref<8x64xi32, 1>)
      air.channel.put @rows[] (%n[] [] []) : (memref<8x64xi32, 1>)
      air.channel.put @rows[] (%o[] [] []) : (memref<8x64xi32, 1>)
      air.channel.put @rows[] (%p[] [] []) : (memref<8x64xi32, 1>)
      air.channel.put @rows[] (%q[] [] []) : (memref<8x64xi32, 1>)
      air.channel.put @rows[] (%r[] [] []) : (memref<8x64xi32, 1>)
    }
  }
  return
}

// -----

// Pieces that one put fills in turns, and that are read along different dimensions, stay whole: the put would be halved along one.

// CHECK:       air.channel @in []
// CHECK-LABEL: func.func @along_both
// CHECK:         air.channel.put {{.*}}@in[] (%{{.*}}[%{{.*}}, %{{.*}}] [%c8{{.*}}, %c64{{.*}}]
// CHECK:         memref.alloc() : memref<8x64xi32, 1>
// CHECK-NEXT:    memref.alloc() : memref<8x64xi32, 1>
air.channel @in []
air.channel @rows [1, 1] {broadcast_shape = [2, 1]}
func.func @along_both(%a: memref<32x64xi32>) attributes {allo.plan = {family = "matmul", routes = [{operand = "b", memtiles = 2 : i64, channels = 2 : i64}], cores = array<i64: 2, 2>}} {
  air.launch () in () args(%x=%a) : memref<32x64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    scf.for %k = %c0 to %c32 step %c8 {
      air.channel.put @in[] (%x[%k, %c0] [%c8, %c64] [%c64, %c1]) : (memref<32x64xi32>)
    }
    air.segment @s {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      %k4 = arith.constant 4 : index
      %k8 = arith.constant 8 : index
      %k64 = arith.constant 64 : index
      %k128 = arith.constant 128 : index
      %m = memref.alloc() : memref<8x64xi32, 1>
      %n = memref.alloc() : memref<8x64xi32, 1>
      scf.for %i = %k0 to %k2 step %k1 {
        air.channel.get @in[] (%m[] [] []) : (memref<8x64xi32, 1>)
        air.channel.put @rows[] (%m[%k0, %k0, %k0] [%k4, %k2, %k64] [%k128, %k64, %k1]) : (memref<8x64xi32, 1>)
        air.channel.get @in[] (%n[] [] []) : (memref<8x64xi32, 1>)
        air.channel.put @rows[] (%n[%k0, %k0, %k0] [%k8, %k8, %k8] [%k8, %k64, %k1]) : (memref<8x64xi32, 1>)
      }
      memref.dealloc %m : memref<8x64xi32, 1>
      memref.dealloc %n : memref<8x64xi32, 1>
    }
  }
  return
}
