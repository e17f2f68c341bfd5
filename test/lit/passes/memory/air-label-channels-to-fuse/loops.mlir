// RUN: allo-opt %s --air-label-channels-to-fuse | filecheck %s

// A core gets two operands once and three in each iteration of a loop. Those of the loop share one channel, which a ring of
// descriptors repeats; an operand in front of it would take one descriptor for each iteration.

// CHECK:      air.channel @query [] {allo.fuse_group = 0 : i64}
// CHECK-NEXT: air.channel @mask [] {allo.fuse_group = 0 : i64}
// CHECK-NEXT: air.channel @key [] {allo.fuse_group = 1 : i64}
// CHECK-NEXT: air.channel @value [] {allo.fuse_group = 1 : i64}
// CHECK-NEXT: air.channel @numbers [] {allo.fuse_group = 1 : i64}
air.channel @query []
air.channel @mask []
air.channel @key []
air.channel @value []
air.channel @numbers []
func.func @shares() {
  air.launch () in () {
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %q = memref.alloc() : memref<8xi32, 1>
      %m = memref.alloc() : memref<8xi32, 1>
      %k = memref.alloc() : memref<4x8xi32, 1>
      %v = memref.alloc() : memref<4x8xi32, 1>
      %n = memref.alloc() : memref<4x8xi32, 1>
      air.channel.put @query[] (%q[] [] []) : (memref<8xi32, 1>)
      air.channel.put @mask[] (%m[] [] []) : (memref<8xi32, 1>)
      scf.for %i = %c0 to %c4 step %c1 {
        air.channel.put @key[] (%k[%i, %c0] [%c1, %c8] [%c8, %c1]) : (memref<4x8xi32, 1>)
        air.channel.put @value[] (%v[%i, %c0] [%c1, %c8] [%c8, %c1]) : (memref<4x8xi32, 1>)
        air.channel.put @numbers[] (%n[%i, %c0] [%c1, %c8] [%c8, %c1]) : (memref<4x8xi32, 1>)
      }
      air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) {
        %k0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %k4 = arith.constant 4 : index
        %a = memref.alloc() : memref<8xi32, 2>
        air.channel.get @query[] (%a[] [] []) : (memref<8xi32, 2>)
        air.channel.get @mask[] (%a[] [] []) : (memref<8xi32, 2>)
        scf.for %i = %k0 to %k4 step %k1 {
          air.channel.get @key[] (%a[] [] []) : (memref<8xi32, 2>)
          air.channel.get @value[] (%a[] [] []) : (memref<8xi32, 2>)
          air.channel.get @numbers[] (%a[] [] []) : (memref<8xi32, 2>)
        }
      }
    }
  }
  return
}
