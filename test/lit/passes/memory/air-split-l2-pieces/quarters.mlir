// RUN: allo-opt --syntax=2026-03 %s --air-split-l2-pieces --canonicalize --cse --split-input-file | filecheck %s

// Cores of two columns read columns of their own of a piece, in front of which others ride: quarters of it come over four
// channels, those of the second half beside. The second core's stream has its channel there.

// CHECK-LABEL: func.func @columns
// CHECK:       scf.for %[[K:.*]] = %c0{{.*}} to %c64{{.*}} step %c16
// CHECK:         air.channel.put @in[%c0{{.*}}, %c0{{.*}}] (%{{.*}}allo.multiplexed
// CHECK:         air.channel.put @in[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[%[[K]], %c0{{.*}}] [%c4{{.*}}, %c32{{.*}}]
// CHECK:         air.channel.put @in[%c1{{.*}}, %c0{{.*}}] (%{{.*}}[%c4{{.*}}, %c32{{.*}}]
// CHECK:         air.channel.put @in[%c2{{.*}}, %c0{{.*}}] (%{{.*}}[%c4{{.*}}, %c32{{.*}}]
// CHECK:         air.channel.put @in[%c3{{.*}}, %c0{{.*}}] (%{{.*}}[%c4{{.*}}, %c32{{.*}}]
// CHECK:       air.segment
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4x32xi32, 1>
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() : memref<4x32xi32, 1>
// CHECK-NEXT:    %[[C:.*]] = memref.alloc() {allo.adjacent_memtile} : memref<4x32xi32, 1>
// CHECK-NEXT:    %[[D:.*]] = memref.alloc() {allo.adjacent_memtile} : memref<4x32xi32, 1>
// CHECK:         air.channel.get @in[%c0{{.*}}, %c0{{.*}}] (%[[A]][] [] [])
// CHECK-NEXT:    air.channel.get @in[%c1{{.*}}, %c0{{.*}}] (%[[B]][] [] [])
// CHECK-NEXT:    air.channel.get @in[%c2{{.*}}, %c0{{.*}}] (%[[C]][] [] [])
// CHECK-NEXT:    air.channel.get @in[%c3{{.*}}, %c0{{.*}}] (%[[D]][] [] [])
// CHECK:         air.channel.put @own[%c0{{.*}}, %c0{{.*}}] (%[[A]]{{.*}}]) : (memref
// CHECK:         air.channel.put @own[%c0{{.*}}, %c0{{.*}}] (%[[D]]{{.*}}]) : (memref
// CHECK:         air.channel.put @own[%c1{{.*}}, %c0{{.*}}] (%[[A]]{{.*}}]) {allo.from_adjacent_memtile} : (memref
// CHECK:         air.channel.put @own[%c1{{.*}}, %c0{{.*}}] (%[[D]]{{.*}}]) {allo.from_adjacent_memtile} : (memref
air.channel @in [4, 1]
air.channel @all [1, 1] {broadcast_shape = [2, 1]}
air.channel @own [2, 1]
func.func @columns(%a: memref<4x64xi32>, %b: memref<64x32xi32>)
    attributes {allo.plan = {family = "matmul", routes = [{operand = "a", multiplexed = "b", channels = 4 : i64, rows = 1 : i64}, {operand = "b", memtiles = 2 : i64, channels = 4 : i64}], spread = 4 : i64, cores = array<i64: 1, 2>}} {
  air.launch () in () args(%x=%a, %y=%b) : memref<4x64xi32>, memref<64x32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    scf.for %k = %c0 to %c64 step %c16 {
      air.channel.put @in[%c0, %c0] (%x[%c0, %k] [%c4, %c16] [%c64, %c1]) {allo.multiplexed = 4 : i64} : (memref<4x64xi32>)
      air.channel.put @in[%c0, %c0] (%y[%k, %c0] [%c16, %c32] [%c32, %c1]) : (memref<64x32xi32>)
    }
    air.segment @s {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      %k4 = arith.constant 4 : index
      %k16 = arith.constant 16 : index
      %k32 = arith.constant 32 : index
      %m = memref.alloc() : memref<4x16xi32, 1>
      %o = memref.alloc() : memref<16x32xi32, 1>
      scf.for %k = %k0 to %k4 step %k1 {
        air.channel.get @in[%k0, %k0] (%m[] [] []) {allo.multiplexed = 4 : i64} : (memref<4x16xi32, 1>)
        air.channel.get @in[%k0, %k0] (%o[] [] []) : (memref<16x32xi32, 1>)
        air.channel.put @all[] (%m[] [] []) : (memref<4x16xi32, 1>)
        air.channel.put @own[%k0, %k0] (%o[%k0, %k0] [%k16, %k16] [%k32, %k1]) : (memref<16x32xi32, 1>)
        air.channel.put @own[%k1, %k0] (%o[%k0, %k16] [%k16, %k16] [%k32, %k1]) : (memref<16x32xi32, 1>)
      }
      air.herd tile (%i, %j) in (%h=%k2, %w=%k1) {
        %e0 = arith.constant 0 : index
        %e1 = arith.constant 1 : index
        %e4 = arith.constant 4 : index
        %l = memref.alloc() : memref<4x16xi32, 2>
        %r = memref.alloc() : memref<16x16xi32, 2>
        scf.for %k = %e0 to %e4 step %e1 {
          air.channel.get @all[%i, %j] (%l[] [] []) : (memref<4x16xi32, 2>)
          air.channel.get @own[%i, %j] (%r[] [] []) : (memref<16x16xi32, 2>)
        }
      }
    }
  }
  return
}

// -----

// Cores on two columns of four: pieces that take turns come over four channels each, those of the second half beside, and what rides
// goes in front of the last quarters, into the first memtile.

// CHECK:       air.channel @in [8, 1]
// CHECK-LABEL: func.func @by_turns
// CHECK:         air.channel.put @in[%c3{{.*}}, %c0{{.*}}] (%{{.*}}allo.multiplexed
// CHECK:         air.channel.put @in[%c0{{.*}}, %c0{{.*}}] (%{{.*}} [%c4{{.*}}, %c32{{.*}}]
// CHECK:         air.channel.put @in[%c3{{.*}}, %c0{{.*}}] (%{{.*}} [%c4{{.*}}, %c32{{.*}}]
// CHECK:         air.channel.put @in[%c7{{.*}}, %c0{{.*}}] (%{{.*}}allo.multiplexed
// CHECK:         air.channel.put @in[%c4{{.*}}, %c0{{.*}}] (%{{.*}} [%c4{{.*}}, %c32{{.*}}]
// CHECK:         air.channel.put @in[%c7{{.*}}, %c0{{.*}}] (%{{.*}} [%c4{{.*}}, %c32{{.*}}]
// CHECK:       air.segment
// CHECK:         memref.alloc() : memref<4x16xi32, 1>
// CHECK-NEXT:    memref.alloc() : memref<4x16xi32, 1>
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() : memref<4x32xi32, 1>
// CHECK-NEXT:    memref.alloc() : memref<4x32xi32, 1>
// CHECK-NEXT:    memref.alloc() : memref<4x32xi32, 1>
// CHECK-NEXT:    %[[D:.*]] = memref.alloc() : memref<4x32xi32, 1>
// CHECK-NEXT:    %[[E:.*]] = memref.alloc() {allo.adjacent_memtile} : memref<4x32xi32, 1>
// CHECK:         air.channel.get @in[%c3{{.*}}, %c0{{.*}}] {{.*}} {allo.multiplexed
// CHECK:         air.channel.get @in[%c0{{.*}}, %c0{{.*}}] (%[[A]][] [] [])
// CHECK:         air.channel.get @in[%c3{{.*}}, %c0{{.*}}] (%[[D]][] [] [])
// CHECK:         air.channel.put @own[%c0{{.*}}, %c0{{.*}}] (%[[A]]{{.*}}]) : (memref
// CHECK:         air.channel.put @own[%c1{{.*}}, %c0{{.*}}] (%[[A]]{{.*}}]) {allo.from_adjacent_memtile} : (memref
// CHECK:         air.channel.get @in[%c7{{.*}}, %c0{{.*}}] {{.*}} {allo.into_adjacent_memtile, allo.multiplexed
// CHECK:         air.channel.get @in[%c4{{.*}}, %c0{{.*}}] (%[[E]][] [] [])
// CHECK:         air.channel.put @own[%c0{{.*}}, %c0{{.*}}] (%[[E]]{{.*}}]) : (memref
// CHECK:         air.channel.put @own[%c1{{.*}}, %c0{{.*}}] (%[[E]]{{.*}}]) {allo.from_adjacent_memtile} : (memref
air.channel @in [2, 1]
air.channel @all [1, 1] {broadcast_shape = [2, 1]}
air.channel @own [2, 1]
func.func @by_turns(%a: memref<4x64xi32>, %b: memref<64x32xi32>)
    attributes {allo.plan = {family = "matmul", routes = [{operand = "a", multiplexed = "b", channels = 2 : i64}, {operand = "b", memtiles = 2 : i64, channels = 8 : i64, alternating = 2 : i64}], spread = 2 : i64, cores = array<i64: 1, 2>}} {
  air.launch () in () args(%x=%a, %y=%b) : memref<4x64xi32>, memref<64x32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    scf.for %k = %c0 to %c64 step %c32 {
      %l = arith.addi %k, %c16 : index
      air.channel.put @in[%c0, %c0] (%x[%c0, %k] [%c4, %c16] [%c64, %c1]) {allo.multiplexed = 1 : i64} : (memref<4x64xi32>)
      air.channel.put @in[%c0, %c0] (%y[%k, %c0] [%c16, %c32] [%c32, %c1]) : (memref<64x32xi32>)
      air.channel.put @in[%c1, %c0] (%x[%c0, %l] [%c4, %c16] [%c64, %c1]) {allo.multiplexed = 1 : i64} : (memref<4x64xi32>)
      air.channel.put @in[%c1, %c0] (%y[%l, %c0] [%c16, %c32] [%c32, %c1]) : (memref<64x32xi32>)
    }
    air.segment @s {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      %k4 = arith.constant 4 : index
      %k16 = arith.constant 16 : index
      %k32 = arith.constant 32 : index
      %m = memref.alloc() : memref<4x16xi32, 1>
      %n = memref.alloc() : memref<4x16xi32, 1>
      %o = memref.alloc() : memref<16x32xi32, 1>
      %p = memref.alloc() : memref<16x32xi32, 1>
      scf.for %k = %k0 to %k4 step %k2 {
        air.channel.get @in[%k0, %k0] (%m[] [] []) {allo.multiplexed = 1 : i64} : (memref<4x16xi32, 1>)
        air.channel.get @in[%k0, %k0] (%o[] [] []) : (memref<16x32xi32, 1>)
        air.channel.put @all[] (%m[] [] []) : (memref<4x16xi32, 1>)
        air.channel.put @own[%k0, %k0] (%o[%k0, %k0] [%k16, %k16] [%k32, %k1]) : (memref<16x32xi32, 1>)
        air.channel.put @own[%k1, %k0] (%o[%k0, %k16] [%k16, %k16] [%k32, %k1]) : (memref<16x32xi32, 1>)
        air.channel.get @in[%k1, %k0] (%n[] [] []) {allo.multiplexed = 1 : i64} : (memref<4x16xi32, 1>)
        air.channel.get @in[%k1, %k0] (%p[] [] []) : (memref<16x32xi32, 1>)
        air.channel.put @all[] (%n[] [] []) : (memref<4x16xi32, 1>)
        air.channel.put @own[%k0, %k0] (%p[%k0, %k0] [%k16, %k16] [%k32, %k1]) : (memref<16x32xi32, 1>)
        air.channel.put @own[%k1, %k0] (%p[%k0, %k16] [%k16, %k16] [%k32, %k1]) : (memref<16x32xi32, 1>)
      }
      air.herd tile (%i, %j) in (%h=%k2, %w=%k1) {
        %e0 = arith.constant 0 : index
        %e1 = arith.constant 1 : index
        %e4 = arith.constant 4 : index
        %l = memref.alloc() : memref<4x16xi32, 2>
        %r = memref.alloc() : memref<16x16xi32, 2>
        scf.for %k = %e0 to %e4 step %e1 {
          air.channel.get @all[%i, %j] (%l[] [] []) : (memref<4x16xi32, 2>)
          air.channel.get @own[%i, %j] (%r[] [] []) : (memref<16x16xi32, 2>)
        }
      }
    }
  }
  return
}
