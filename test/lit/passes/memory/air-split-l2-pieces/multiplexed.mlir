// RUN: allo-opt --syntax=2026-03 %s --air-split-l2-pieces --canonicalize --cse --split-input-file | filecheck %s

// Ping and pong pieces that ride on the first channel: half of each rides on the second one, at both ends in front of what that
// brings.

// CHECK-LABEL: func.func @halves
// CHECK:       scf.for %[[K:.*]] = %c0{{.*}} to %c32
// CHECK:         air.channel.put {{.*}}@in[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[%[[K]], %c0{{.*}}] [%c4{{.*}}, %c16{{.*}}] {{.*}}allo.multiplexed
// CHECK:         %[[H:.*]] = arith.addi %[[K]], %c4
// CHECK:         air.channel.put {{.*}}@in[%c1{{.*}}, %c0{{.*}}] (%{{.*}}[%[[H]], %c0{{.*}}] [%c4{{.*}}, %c16{{.*}}] {{.*}}allo.multiplexed
// CHECK:         air.channel.put @in[%c0{{.*}}memref<64x32xi32>
// CHECK:         air.channel.put @in[%c1{{.*}}memref<64x32xi32>
// CHECK:       air.segment
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4x16xi32, 1>
// CHECK:         %[[B:.*]] = memref.alloc() : memref<4x16xi32, 1>
// CHECK:         %[[C:.*]] = memref.alloc() : memref<4x16xi32, 1>
// CHECK:         %[[D:.*]] = memref.alloc() : memref<4x16xi32, 1>
// CHECK:         air.channel.get @in[%c0{{.*}}, %c0{{.*}}] (%[[A]][] [] [])
// CHECK-NEXT:    air.channel.get @in[%c1{{.*}}, %c0{{.*}}] (%[[B]][] [] [])
// CHECK-NEXT:    air.channel.get @in[%c0{{.*}}memref<32x8xi32, 1>
// CHECK-NEXT:    air.channel.get @in[%c1{{.*}}memref<32x8xi32, 1>
// CHECK-NEXT:    air.channel.put @all[] (%[[A]]
// CHECK-NEXT:    air.channel.put @all[] (%[[B]]
// CHECK:         air.channel.get @in[%c0{{.*}}, %c0{{.*}}] (%[[C]][] [] [])
// CHECK-NEXT:    air.channel.get @in[%c1{{.*}}, %c0{{.*}}] (%[[D]][] [] [])
air.channel @in [2, 1]
air.channel @all [1, 1] {broadcast_shape = [1, 2]}
air.channel @own [1, 2]
func.func @halves(%a: memref<64x32xi32>, %b: memref<32x16xi32>)
    attributes {allo.plan = {family = "matmul", cores = array<i64: 1, 8>, spread = 2 : i64, routes = [{operand = "a", multiplexed = "b", channels = 2 : i64}, {operand = "b", channels = 2 : i64}]}} {
  air.launch () in () args(%x=%a, %y=%b) : memref<64x32xi32>, memref<32x16xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    scf.for %k = %c0 to %c32 step %c8 {
      air.channel.put @in[%c0, %c0] (%y[%k, %c0] [%c8, %c16] [%c16, %c1]) {allo.multiplexed = 2 : i64} : (memref<32x16xi32>)
      air.channel.put @in[%c0, %c0] (%x[%c0, %k] [%c32, %c8] [%c32, %c1]) : (memref<64x32xi32>)
      air.channel.put @in[%c1, %c0] (%x[%c32, %k] [%c32, %c8] [%c32, %c1]) : (memref<64x32xi32>)
    }
    air.segment @s {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      %k4 = arith.constant 4 : index
      %k8 = arith.constant 8 : index
      %k16 = arith.constant 16 : index
      %k64 = arith.constant 64 : index
      %m = memref.alloc() : memref<8x16xi32, 1>
      %n = memref.alloc() : memref<8x16xi32, 1>
      %o = memref.alloc() : memref<32x8xi32, 1>
      %p = memref.alloc() : memref<32x8xi32, 1>
      scf.for %k = %k0 to %k4 step %k2 {
        air.channel.get @in[%k0, %k0] (%m[] [] []) {allo.multiplexed = 2 : i64} : (memref<8x16xi32, 1>)
        air.channel.get @in[%k0, %k0] (%o[] [] []) : (memref<32x8xi32, 1>)
        air.channel.get @in[%k1, %k0] (%p[] [] []) : (memref<32x8xi32, 1>)
        air.channel.put @all[] (%m[%k0, %k0, %k0, %k0] [%k2, %k4, %k4, %k4] [%k64, %k4, %k16, %k1]) : (memref<8x16xi32, 1>)
        air.channel.put @own[%k0, %k0] (%o[] [] []) : (memref<32x8xi32, 1>)
        air.channel.put @own[%k0, %k1] (%p[] [] []) : (memref<32x8xi32, 1>)
        air.channel.get @in[%k0, %k0] (%n[] [] []) {allo.multiplexed = 2 : i64} : (memref<8x16xi32, 1>)
        air.channel.get @in[%k0, %k0] (%o[] [] []) : (memref<32x8xi32, 1>)
        air.channel.get @in[%k1, %k0] (%p[] [] []) : (memref<32x8xi32, 1>)
        air.channel.put @all[] (%n[] [] []) : (memref<8x16xi32, 1>)
        air.channel.put @own[%k0, %k0] (%o[] [] []) : (memref<32x8xi32, 1>)
        air.channel.put @own[%k0, %k1] (%p[] [] []) : (memref<32x8xi32, 1>)
      }
      air.herd tile (%i, %j) in (%h=%k1, %w=%k2) {
        %e0 = arith.constant 0 : index
        %e1 = arith.constant 1 : index
        %e4 = arith.constant 4 : index
        %l = memref.alloc() : memref<8x16xi32, 2>
        %r = memref.alloc() : memref<32x8xi32, 2>
        scf.for %k = %e0 to %e4 step %e1 {
          air.channel.get @all[%i, %j] (%l[] [] []) : (memref<8x16xi32, 2>)
          air.channel.get @own[%i, %j] (%r[] [] []) : (memref<32x8xi32, 2>)
        }
      }
    }
  }
  return
}

// -----

// An odd number of rows stays on one channel.

// CHECK-LABEL: func.func @whole
// CHECK:       air.channel.put @in[%c0{{.*}}allo.multiplexed
// CHECK:       air.channel.get @in[%c0{{.*}}allo.multiplexed
// CHECK-NOT:   @in[%c1{{.*}}allo.multiplexed
air.channel @in [2, 1]
air.channel @all [1, 1] {broadcast_shape = [1, 2]}
air.channel @own [1, 2]
func.func @whole(%a: memref<2x64xi32>, %b: memref<15x4xi32>)
    attributes {allo.plan = {family = "matmul", cores = array<i64: 1, 8>, spread = 2 : i64, routes = [{operand = "a", multiplexed = "b", channels = 2 : i64}, {operand = "b", channels = 2 : i64}]}} {
  air.launch () in () args(%x=%a, %y=%b) : memref<2x64xi32>, memref<15x4xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    air.channel.put @in[%c0, %c0] (%y[] [] []) {allo.multiplexed = 2 : i64} : (memref<15x4xi32>)
    air.channel.put @in[%c0, %c0] (%x[] [] []) : (memref<2x64xi32>)
    air.channel.put @in[%c1, %c0] (%x[] [] []) : (memref<2x64xi32>)
    air.segment @s {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      %k4 = arith.constant 4 : index
      %k15 = arith.constant 15 : index
      %m = memref.alloc() : memref<15x4xi32, 1>
      %o = memref.alloc() : memref<2x64xi32, 1>
      %p = memref.alloc() : memref<2x64xi32, 1>
      air.channel.get @in[%k0, %k0] (%m[] [] []) {allo.multiplexed = 2 : i64} : (memref<15x4xi32, 1>)
      air.channel.get @in[%k0, %k0] (%o[] [] []) : (memref<2x64xi32, 1>)
      air.channel.get @in[%k1, %k0] (%p[] [] []) : (memref<2x64xi32, 1>)
      air.channel.put @all[] (%m[%k0, %k0, %k0] [%k1, %k15, %k4] [%k0, %k4, %k1]) : (memref<15x4xi32, 1>)
      air.channel.put @own[%k0, %k0] (%o[] [] []) : (memref<2x64xi32, 1>)
      air.channel.put @own[%k0, %k1] (%p[] [] []) : (memref<2x64xi32, 1>)
      air.herd tile (%i, %j) in (%h=%k1, %w=%k2) {
        %l = memref.alloc() : memref<15x4xi32, 2>
        %r = memref.alloc() : memref<2x64xi32, 2>
        air.channel.get @all[%i, %j] (%l[] [] []) : (memref<15x4xi32, 2>)
        air.channel.get @own[%i, %j] (%r[] [] []) : (memref<2x64xi32, 2>)
      }
    }
  }
  return
}

// -----

// In quarters: those that come over the channels of the second column are beside.

// CHECK-LABEL: func.func @quarters
// CHECK:         air.channel.put @in[%c0{{.*}}allo.multiplexed
// CHECK:         air.channel.put @in[%c1{{.*}}allo.multiplexed
// CHECK:         air.channel.put @in[%c2{{.*}}allo.multiplexed
// CHECK:         air.channel.put @in[%c3{{.*}}allo.multiplexed
// CHECK:         %[[A:.*]] = memref.alloc() : memref<2x16xi32, 1>
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() : memref<2x16xi32, 1>
// CHECK-NEXT:    %[[C:.*]] = memref.alloc() {allo.adjacent_memtile} : memref<2x16xi32, 1>
// CHECK-NEXT:    %[[D:.*]] = memref.alloc() {allo.adjacent_memtile} : memref<2x16xi32, 1>
// CHECK:         air.channel.get @in[%c0{{.*}}, %c0{{.*}}] (%[[A]][] [] [])
// CHECK-NEXT:    air.channel.get @in[%c1{{.*}}, %c0{{.*}}] (%[[B]][] [] [])
// CHECK-NEXT:    air.channel.get @in[%c2{{.*}}, %c0{{.*}}] (%[[C]][] [] [])
// CHECK-NEXT:    air.channel.get @in[%c3{{.*}}, %c0{{.*}}] (%[[D]][] [] [])
air.channel @in [4, 1]
air.channel @all [1, 1] {broadcast_shape = [1, 4]}
air.channel @own [1, 4]
func.func @quarters(%a: memref<128x32xi32>, %b: memref<32x16xi32>)
    attributes {allo.plan = {family = "matmul", cores = array<i64: 1, 8>, spread = 2 : i64, routes = [{operand = "a", multiplexed = "b", channels = 4 : i64}, {operand = "b", channels = 2 : i64}]}} {
  air.launch () in () args(%x=%a, %y=%b) : memref<128x32xi32>, memref<32x16xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    scf.for %k = %c0 to %c32 step %c8 {
      air.channel.put @in[%c0, %c0] (%y[%k, %c0] [%c8, %c16] [%c16, %c1]) {allo.multiplexed = 4 : i64} : (memref<32x16xi32>)
      air.channel.put @in[%c0, %c0] (%x[%c0, %k] [%c32, %c8] [%c32, %c1]) : (memref<128x32xi32>)
      air.channel.put @in[%c1, %c0] (%x[%c32, %k] [%c32, %c8] [%c32, %c1]) : (memref<128x32xi32>)
      air.channel.put @in[%c2, %c0] (%x[%c64, %k] [%c32, %c8] [%c32, %c1]) : (memref<128x32xi32>)
      air.channel.put @in[%c3, %c0] (%x[%c96, %k] [%c32, %c8] [%c32, %c1]) : (memref<128x32xi32>)
    }
    air.segment @s {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      %k3 = arith.constant 3 : index
      %k4 = arith.constant 4 : index
      %k8 = arith.constant 8 : index
      %k16 = arith.constant 16 : index
      %k32 = arith.constant 32 : index
      %m = memref.alloc() : memref<8x16xi32, 1>
      %n = memref.alloc() : memref<8x16xi32, 1>
      %o = memref.alloc() : memref<32x8xi32, 1>
      %p = memref.alloc() : memref<32x8xi32, 1>
      %q = memref.alloc() : memref<32x8xi32, 1>
      %s = memref.alloc() : memref<32x8xi32, 1>
      scf.for %k = %k0 to %k4 step %k2 {
        air.channel.get @in[%k0, %k0] (%m[] [] []) {allo.multiplexed = 4 : i64} : (memref<8x16xi32, 1>)
        air.channel.get @in[%k0, %k0] (%o[] [] []) : (memref<32x8xi32, 1>)
        air.channel.get @in[%k1, %k0] (%p[] [] []) : (memref<32x8xi32, 1>)
        air.channel.get @in[%k2, %k0] (%q[] [] []) : (memref<32x8xi32, 1>)
        air.channel.get @in[%k3, %k0] (%s[] [] []) : (memref<32x8xi32, 1>)
        air.channel.put @all[] (%m[%k0, %k0, %k0, %k0] [%k4, %k4, %k2, %k4] [%k32, %k4, %k16, %k1]) : (memref<8x16xi32, 1>)
        air.channel.put @own[%k0, %k0] (%o[] [] []) : (memref<32x8xi32, 1>)
        air.channel.put @own[%k0, %k1] (%p[] [] []) : (memref<32x8xi32, 1>)
        air.channel.put @own[%k0, %k2] (%q[] [] []) : (memref<32x8xi32, 1>)
        air.channel.put @own[%k0, %k3] (%s[] [] []) : (memref<32x8xi32, 1>)
        air.channel.get @in[%k0, %k0] (%n[] [] []) {allo.multiplexed = 4 : i64} : (memref<8x16xi32, 1>)
        air.channel.get @in[%k0, %k0] (%o[] [] []) : (memref<32x8xi32, 1>)
        air.channel.get @in[%k1, %k0] (%p[] [] []) : (memref<32x8xi32, 1>)
        air.channel.get @in[%k2, %k0] (%q[] [] []) : (memref<32x8xi32, 1>)
        air.channel.get @in[%k3, %k0] (%s[] [] []) : (memref<32x8xi32, 1>)
        air.channel.put @all[] (%n[] [] []) : (memref<8x16xi32, 1>)
        air.channel.put @own[%k0, %k0] (%o[] [] []) : (memref<32x8xi32, 1>)
        air.channel.put @own[%k0, %k1] (%p[] [] []) : (memref<32x8xi32, 1>)
        air.channel.put @own[%k0, %k2] (%q[] [] []) : (memref<32x8xi32, 1>)
        air.channel.put @own[%k0, %k3] (%s[] [] []) : (memref<32x8xi32, 1>)
      }
      air.herd tile (%i, %j) in (%h=%k1, %w=%k4) {
        %e0 = arith.constant 0 : index
        %e1 = arith.constant 1 : index
        %e4 = arith.constant 4 : index
        %l = memref.alloc() : memref<8x16xi32, 2>
        %r = memref.alloc() : memref<32x8xi32, 2>
        scf.for %k = %e0 to %e4 step %e1 {
          air.channel.get @all[%i, %j] (%l[] [] []) : (memref<8x16xi32, 2>)
          air.channel.get @own[%i, %j] (%r[] [] []) : (memref<32x8xi32, 2>)
        }
      }
    }
  }
  return
}

// -----

// Pieces that are read along their rows, in eight steps: each stays whole, and quarters of its rows come over four channels, in step,
// those over channels of the second column from the memtile beside.

// CHECK-LABEL: func.func @rows
// CHECK:         air.channel.put @in[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[%c0{{.*}}, %[[K:.*]]] [%c2{{.*}}, %c32{{.*}}] {{.*}}allo.multiplexed
// CHECK:         air.channel.put @in[%c1{{.*}}, %c0{{.*}}] (%{{.*}}[%c2{{.*}}, %[[K]]] [%c2{{.*}}, %c32{{.*}}] {{.*}}allo.multiplexed
// CHECK:         air.channel.put @in[%c2{{.*}}, %c0{{.*}}] (%{{.*}}[%c4{{.*}}, %[[K]]] [%c2{{.*}}, %c32{{.*}}] {{.*}}allo.multiplexed
// CHECK:         air.channel.put @in[%c3{{.*}}, %c0{{.*}}] (%{{.*}}[%c6{{.*}}, %[[K]]] [%c2{{.*}}, %c32{{.*}}] {{.*}}allo.multiplexed
// CHECK:         %[[A:.*]] = memref.alloc() {allo.in_lockstep} : memref<8x32xi32, 1>
// CHECK:         air.channel.get @in[%c0{{.*}}, %c0{{.*}}] (%[[A]][%c0{{.*}}, %c0{{.*}}] [%c2{{.*}}, %c32{{.*}}] [%c32{{.*}}, %c1{{.*}}]) {allo.multiplexed
// CHECK-NEXT:    air.channel.get @in[%c1{{.*}}, %c0{{.*}}] (%[[A]][%c2{{.*}}, %c0{{.*}}] [%c2{{.*}}, %c32{{.*}}] [%c32{{.*}}, %c1{{.*}}]) {allo.multiplexed
// CHECK-NEXT:    air.channel.get @in[%c2{{.*}}, %c0{{.*}}] (%[[A]][%c4{{.*}}, %c0{{.*}}] {{.*}}) {allo.into_adjacent_memtile, allo.multiplexed
// CHECK-NEXT:    air.channel.get @in[%c3{{.*}}, %c0{{.*}}] (%[[A]][%c6{{.*}}, %c0{{.*}}] {{.*}}) {allo.into_adjacent_memtile, allo.multiplexed
// CHECK:         air.channel.put @all[] (%[[A]][%c0{{.*}}, %c0{{.*}}, %c0{{.*}}] [%c8{{.*}}, %c8{{.*}}, %c4{{.*}}] [%c4{{.*}}, %c32{{.*}}, %c1{{.*}}])
air.channel @in [4, 1]
air.channel @all [1, 1] {broadcast_shape = [1, 4]}
air.channel @own [1, 4]
func.func @rows(%a: memref<128x128xi32>, %b: memref<8x128xi32>)
    attributes {allo.plan = {family = "matmul", cores = array<i64: 1, 8>, spread = 2 : i64, routes = [{operand = "a", multiplexed = "b", channels = 4 : i64, rows = 2 : i64}, {operand = "b", channels = 2 : i64}]}} {
  air.launch () in () args(%x=%a, %y=%b) : memref<128x128xi32>, memref<8x128xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    %c128 = arith.constant 128 : index
    scf.for %k = %c0 to %c128 step %c32 {
      air.channel.put @in[%c0, %c0] (%y[%c0, %k] [%c8, %c32] [%c128, %c1]) {allo.multiplexed = 4 : i64} : (memref<8x128xi32>)
      air.channel.put @in[%c0, %c0] (%x[%c0, %k] [%c32, %c32] [%c128, %c1]) : (memref<128x128xi32>)
      air.channel.put @in[%c1, %c0] (%x[%c32, %k] [%c32, %c32] [%c128, %c1]) : (memref<128x128xi32>)
      air.channel.put @in[%c2, %c0] (%x[%c64, %k] [%c32, %c32] [%c128, %c1]) : (memref<128x128xi32>)
      air.channel.put @in[%c3, %c0] (%x[%c96, %k] [%c32, %c32] [%c128, %c1]) : (memref<128x128xi32>)
    }
    air.segment @s {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      %k3 = arith.constant 3 : index
      %k4 = arith.constant 4 : index
      %k8 = arith.constant 8 : index
      %k32 = arith.constant 32 : index
      %m = memref.alloc() : memref<8x32xi32, 1>
      %o = memref.alloc() : memref<32x32xi32, 1>
      %p = memref.alloc() : memref<32x32xi32, 1>
      %q = memref.alloc() : memref<32x32xi32, 1>
      %s = memref.alloc() : memref<32x32xi32, 1>
      scf.for %k = %k0 to %k4 step %k1 {
        air.channel.get @in[%k0, %k0] (%m[] [] []) {allo.multiplexed = 4 : i64} : (memref<8x32xi32, 1>)
        air.channel.get @in[%k0, %k0] (%o[] [] []) : (memref<32x32xi32, 1>)
        air.channel.get @in[%k1, %k0] (%p[] [] []) : (memref<32x32xi32, 1>)
        air.channel.get @in[%k2, %k0] (%q[] [] []) : (memref<32x32xi32, 1>)
        air.channel.get @in[%k3, %k0] (%s[] [] []) : (memref<32x32xi32, 1>)
        air.channel.put @all[] (%m[%k0, %k0, %k0] [%k8, %k8, %k4] [%k4, %k32, %k1]) : (memref<8x32xi32, 1>)
        air.channel.put @own[%k0, %k0] (%o[%k0, %k0, %k0] [%k8, %k32, %k4] [%k4, %k32, %k1]) : (memref<32x32xi32, 1>)
        air.channel.put @own[%k0, %k1] (%p[%k0, %k0, %k0] [%k8, %k32, %k4] [%k4, %k32, %k1]) : (memref<32x32xi32, 1>)
        air.channel.put @own[%k0, %k2] (%q[%k0, %k0, %k0] [%k8, %k32, %k4] [%k4, %k32, %k1]) : (memref<32x32xi32, 1>)
        air.channel.put @own[%k0, %k3] (%s[%k0, %k0, %k0] [%k8, %k32, %k4] [%k4, %k32, %k1]) : (memref<32x32xi32, 1>)
      }
      air.herd tile (%i, %j) in (%h=%k1, %w=%k4) {
        %e0 = arith.constant 0 : index
        %e1 = arith.constant 1 : index
        %e32 = arith.constant 32 : index
        %l = memref.alloc() : memref<8x4xi32, 2>
        %r = memref.alloc() : memref<32x4xi32, 2>
        scf.for %k = %e0 to %e32 step %e1 {
          air.channel.get @all[%i, %j] (%l[] [] []) : (memref<8x4xi32, 2>)
          air.channel.get @own[%i, %j] (%r[] [] []) : (memref<32x4xi32, 2>)
        }
      }
    }
  }
  return
}

// -----

// Halves of rows, over the channels of one column.

// CHECK-LABEL: func.func @two_steps
// CHECK:         air.channel.get @in[%c0{{.*}}memref<8x16xi32, 1>
// CHECK-NEXT:    air.channel.get @in[%c1{{.*}}memref<8x16xi32, 1>
// CHECK-NOT:     allo.into_adjacent_memtile
air.channel @in [4, 1]
air.channel @all [1, 1] {broadcast_shape = [1, 4]}
air.channel @own [1, 4]
func.func @two_steps(%a: memref<128x128xi32>, %b: memref<8x128xi32>)
    attributes {allo.plan = {family = "matmul", cores = array<i64: 1, 8>, spread = 2 : i64, routes = [{operand = "a", multiplexed = "b", channels = 2 : i64}, {operand = "b", channels = 2 : i64}]}} {
  air.launch () in () args(%x=%a, %y=%b) : memref<128x128xi32>, memref<8x128xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    %c128 = arith.constant 128 : index
    scf.for %k = %c0 to %c128 step %c32 {
      air.channel.put @in[%c0, %c0] (%y[%c0, %k] [%c8, %c32] [%c128, %c1]) {allo.multiplexed = 2 : i64} : (memref<8x128xi32>)
      air.channel.put @in[%c0, %c0] (%x[%c0, %k] [%c32, %c32] [%c128, %c1]) : (memref<128x128xi32>)
      air.channel.put @in[%c1, %c0] (%x[%c32, %k] [%c32, %c32] [%c128, %c1]) : (memref<128x128xi32>)
      air.channel.put @in[%c2, %c0] (%x[%c64, %k] [%c32, %c32] [%c128, %c1]) : (memref<128x128xi32>)
      air.channel.put @in[%c3, %c0] (%x[%c96, %k] [%c32, %c32] [%c128, %c1]) : (memref<128x128xi32>)
    }
    air.segment @s {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      %k3 = arith.constant 3 : index
      %k4 = arith.constant 4 : index
      %k8 = arith.constant 8 : index
      %k32 = arith.constant 32 : index
      %m = memref.alloc() : memref<8x32xi32, 1>
      %o = memref.alloc() : memref<32x32xi32, 1>
      %p = memref.alloc() : memref<32x32xi32, 1>
      %q = memref.alloc() : memref<32x32xi32, 1>
      %s = memref.alloc() : memref<32x32xi32, 1>
      scf.for %k = %k0 to %k4 step %k1 {
        air.channel.get @in[%k0, %k0] (%m[] [] []) {allo.multiplexed = 2 : i64} : (memref<8x32xi32, 1>)
        air.channel.get @in[%k0, %k0] (%o[] [] []) : (memref<32x32xi32, 1>)
        air.channel.get @in[%k1, %k0] (%p[] [] []) : (memref<32x32xi32, 1>)
        air.channel.get @in[%k2, %k0] (%q[] [] []) : (memref<32x32xi32, 1>)
        air.channel.get @in[%k3, %k0] (%s[] [] []) : (memref<32x32xi32, 1>)
        air.channel.put @all[] (%m[%k0, %k0, %k0] [%k8, %k8, %k4] [%k4, %k32, %k1]) : (memref<8x32xi32, 1>)
        air.channel.put @own[%k0, %k0] (%o[%k0, %k0, %k0] [%k8, %k32, %k4] [%k4, %k32, %k1]) : (memref<32x32xi32, 1>)
        air.channel.put @own[%k0, %k1] (%p[%k0, %k0, %k0] [%k8, %k32, %k4] [%k4, %k32, %k1]) : (memref<32x32xi32, 1>)
        air.channel.put @own[%k0, %k2] (%q[%k0, %k0, %k0] [%k8, %k32, %k4] [%k4, %k32, %k1]) : (memref<32x32xi32, 1>)
        air.channel.put @own[%k0, %k3] (%s[%k0, %k0, %k0] [%k8, %k32, %k4] [%k4, %k32, %k1]) : (memref<32x32xi32, 1>)
      }
      air.herd tile (%i, %j) in (%h=%k1, %w=%k4) {
        %e0 = arith.constant 0 : index
        %e1 = arith.constant 1 : index
        %e8 = arith.constant 8 : index
        %l = memref.alloc() : memref<8x16xi32, 2>
        %r = memref.alloc() : memref<32x16xi32, 2>
        scf.for %k = %e0 to %e8 step %e1 {
          air.channel.get @all[%i, %j] (%l[] [] []) : (memref<8x16xi32, 2>)
          air.channel.get @own[%i, %j] (%r[] [] []) : (memref<32x16xi32, 2>)
        }
      }
    }
  }
  return
}

// -----

// Read step by step, a slice of something else after each: half of the steps read either half, and the slices ride as they do.

// CHECK-LABEL: func.func @steps
// CHECK:         air.channel.put @in[%c0{{.*}}, %c0{{.*}}] {{.*}}allo.multiplexed = 2
// CHECK:         air.channel.put @in[%c1{{.*}}, %c0{{.*}}] {{.*}}allo.multiplexed = 2
// CHECK:         air.channel.put @in[%c1{{.*}}allo.multiplexed = 1
// CHECK:       air.segment
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4x8xi32, 1>
// CHECK:         %[[B:.*]] = memref.alloc() : memref<4x8xi32, 1>
// CHECK:         air.channel.get @in[%c0{{.*}}, %c0{{.*}}] (%[[A]][] [] [])
// CHECK-NEXT:    air.channel.get @in[%c1{{.*}}, %c0{{.*}}] (%[[B]][] [] [])
// CHECK:         air.channel.put @all[] (%[[A]][%c0{{.*}}, %c0{{.*}}, %c0{{.*}}] [%c2{{.*}}, %c4{{.*}}, %c2{{.*}}] [%c2{{.*}}, %c8{{.*}}, %c1{{.*}}])
// CHECK:         air.channel.put @more[]
// CHECK:         air.channel.put @all[] (%[[A]][%c0{{.*}}, %c0{{.*}}, %c4{{.*}}] [%c2{{.*}}, %c4{{.*}}, %c2{{.*}}] [%c2{{.*}}, %c8{{.*}}, %c1{{.*}}])
// CHECK:         air.channel.put @more[]
// CHECK:         air.channel.put @all[] (%[[B]][%c0{{.*}}, %c0{{.*}}, %c0{{.*}}] [%c2{{.*}}, %c4{{.*}}, %c2{{.*}}] [%c2{{.*}}, %c8{{.*}}, %c1{{.*}}])
// CHECK:         air.channel.put @more[]
// CHECK:         air.channel.put @all[] (%[[B]][%c0{{.*}}, %c0{{.*}}, %c4{{.*}}] [%c2{{.*}}, %c4{{.*}}, %c2{{.*}}] [%c2{{.*}}, %c8{{.*}}, %c1{{.*}}])
air.channel @in [2, 1]
air.channel @all [1, 1] {broadcast_shape = [1, 2]}
air.channel @more [1, 1] {broadcast_shape = [1, 2]}
air.channel @own [1, 2]
func.func @steps(%a: memref<2x64xi32>, %b: memref<4x16xi32>, %c: memref<4xi32>)
    attributes {allo.plan = {family = "matmul", cores = array<i64: 1, 8>, spread = 2 : i64, routes = [{operand = "a", multiplexed = "b", channels = 2 : i64}, {operand = "b", channels = 2 : i64}]}} {
  air.launch () in () args(%x=%a, %y=%b, %z=%c) : memref<2x64xi32>, memref<4x16xi32>, memref<4xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    air.channel.put @in[%c0, %c0] (%y[] [] []) {allo.multiplexed = 2 : i64} : (memref<4x16xi32>)
    air.channel.put @in[%c1, %c0] (%z[] [] []) {allo.multiplexed = 1 : i64} : (memref<4xi32>)
    air.channel.put @in[%c0, %c0] (%x[] [] []) : (memref<2x64xi32>)
    air.channel.put @in[%c1, %c0] (%x[] [] []) : (memref<2x64xi32>)
    air.segment @s {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      %k3 = arith.constant 3 : index
      %k4 = arith.constant 4 : index
      %k8 = arith.constant 8 : index
      %k12 = arith.constant 12 : index
      %k16 = arith.constant 16 : index
      %m = memref.alloc() : memref<4x16xi32, 1>
      %n = memref.alloc() : memref<4xi32, 1>
      %o = memref.alloc() : memref<2x64xi32, 1>
      %p = memref.alloc() : memref<2x64xi32, 1>
      air.channel.get @in[%k0, %k0] (%m[] [] []) {allo.multiplexed = 2 : i64} : (memref<4x16xi32, 1>)
      air.channel.get @in[%k1, %k0] (%n[] [] []) {allo.multiplexed = 1 : i64} : (memref<4xi32, 1>)
      air.channel.get @in[%k0, %k0] (%o[] [] []) : (memref<2x64xi32, 1>)
      air.channel.get @in[%k1, %k0] (%p[] [] []) : (memref<2x64xi32, 1>)
      air.channel.put @all[] (%m[%k0, %k0, %k0] [%k2, %k4, %k2] [%k2, %k16, %k1]) : (memref<4x16xi32, 1>)
      air.channel.put @more[] (%n[%k0] [%k1] [%k1]) : (memref<4xi32, 1>)
      air.channel.put @all[] (%m[%k0, %k0, %k4] [%k2, %k4, %k2] [%k2, %k16, %k1]) : (memref<4x16xi32, 1>)
      air.channel.put @more[] (%n[%k1] [%k1] [%k1]) : (memref<4xi32, 1>)
      air.channel.put @all[] (%m[%k0, %k0, %k8] [%k2, %k4, %k2] [%k2, %k16, %k1]) : (memref<4x16xi32, 1>)
      air.channel.put @more[] (%n[%k2] [%k1] [%k1]) : (memref<4xi32, 1>)
      air.channel.put @all[] (%m[%k0, %k0, %k12] [%k2, %k4, %k2] [%k2, %k16, %k1]) : (memref<4x16xi32, 1>)
      air.channel.put @more[] (%n[%k3] [%k1] [%k1]) : (memref<4xi32, 1>)
      air.channel.put @own[%k0, %k0] (%o[] [] []) : (memref<2x64xi32, 1>)
      air.channel.put @own[%k0, %k1] (%p[] [] []) : (memref<2x64xi32, 1>)
      air.herd tile (%i, %j) in (%h=%k1, %w=%k2) {
        %e0 = arith.constant 0 : index
        %e1 = arith.constant 1 : index
        %e4 = arith.constant 4 : index
        %l = memref.alloc() : memref<4x4xi32, 2>
        %q = memref.alloc() : memref<1xi32, 2>
        %r = memref.alloc() : memref<2x64xi32, 2>
        scf.for %k = %e0 to %e4 step %e1 {
          air.channel.get @all[%i, %j] (%l[] [] []) : (memref<4x4xi32, 2>)
          air.channel.get @more[%i, %j] (%q[] [] []) : (memref<1xi32, 2>)
        }
        air.channel.get @own[%i, %j] (%r[] [] []) : (memref<2x64xi32, 2>)
      }
    }
  }
  return
}
