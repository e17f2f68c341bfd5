// RUN: allo-opt %s --air-label-channels-to-fuse | filecheck %s
// RUN: allo-opt %s --air-label-channels-to-fuse=memtile-s2mm=7 | filecheck %s --check-prefix=ROOM

// Three operands of a loop come to the cores over one channel, so that their buffers are in one memtile. That has not enough
// channels for them and for the results of four cores: the operands come to the memtile over one channel, too.

// ROOM: air.channel @keys []{{$}}
// ROOM: air.channel @masks []{{$}}

// CHECK:      air.channel @key [] {allo.fuse_group = 0 : i64}
// CHECK-NEXT: air.channel @value [] {allo.fuse_group = 0 : i64}
// CHECK-NEXT: air.channel @mask [] {allo.fuse_group = 0 : i64}
// CHECK:      air.channel @keys [] {allo.fuse_group = 1 : i64}
// CHECK-NEXT: air.channel @values [] {allo.fuse_group = 1 : i64}
// CHECK-NEXT: air.channel @masks [] {allo.fuse_group = 1 : i64}
air.channel @query []
air.channel @key []
air.channel @value []
air.channel @mask []
air.channel @keys []
air.channel @values []
air.channel @masks []
air.channel @results [1, 4]
func.func @shares(%host: memref<4x8xi32>) {
  air.launch () in () args(%ext=%host) : memref<4x8xi32> {
    %h0 = arith.constant 0 : index
    %h1 = arith.constant 1 : index
    %h4 = arith.constant 4 : index
    %h8 = arith.constant 8 : index
    scf.for %i = %h0 to %h4 step %h1 {
      air.channel.put @keys[] (%ext[%i, %h0] [%h1, %h8] [%h8, %h1]) : (memref<4x8xi32>)
    }
    scf.for %i = %h0 to %h4 step %h1 {
      air.channel.put @values[] (%ext[%i, %h0] [%h1, %h8] [%h8, %h1]) : (memref<4x8xi32>)
    }
    scf.for %i = %h0 to %h4 step %h1 {
      air.channel.put @masks[] (%ext[%i, %h0] [%h1, %h8] [%h8, %h1]) : (memref<4x8xi32>)
    }
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %q = memref.alloc() : memref<8xi32, 1>
      %k = memref.alloc() : memref<8xi32, 1>
      %v = memref.alloc() : memref<8xi32, 1>
      %m = memref.alloc() : memref<8xi32, 1>
      air.channel.put @query[] (%q[] [] []) : (memref<8xi32, 1>)
      scf.for %i = %c0 to %c4 step %c1 {
        air.channel.get @keys[] (%k[] [] []) : (memref<8xi32, 1>)
        air.channel.put @key[] (%k[] [] []) : (memref<8xi32, 1>)
        air.channel.get @values[] (%v[] [] []) : (memref<8xi32, 1>)
        air.channel.put @value[] (%v[] [] []) : (memref<8xi32, 1>)
        air.channel.get @masks[] (%m[] [] []) : (memref<8xi32, 1>)
        air.channel.put @mask[] (%m[] [] []) : (memref<8xi32, 1>)
      }
      %r = memref.alloc() : memref<4x8xi32, 1>
      scf.parallel (%row) = (%c0) to (%c4) step (%c1) {
        air.channel.get @results[%c0, %row] (%r[%row, %c0] [%c1, %c8] [%c8, %c1]) : (memref<4x8xi32, 1>)
        scf.reduce
      }
      air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c4) {
        %k0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %k4 = arith.constant 4 : index
        %a = memref.alloc() : memref<8xi32, 2>
        air.channel.get @query[] (%a[] [] []) : (memref<8xi32, 2>)
        scf.for %i = %k0 to %k4 step %k1 {
          air.channel.get @key[] (%a[] [] []) : (memref<8xi32, 2>)
          air.channel.get @value[] (%a[] [] []) : (memref<8xi32, 2>)
          air.channel.get @mask[] (%a[] [] []) : (memref<8xi32, 2>)
        }
        air.channel.put @results[%x, %y] (%a[] [] []) : (memref<8xi32, 2>)
      }
    }
  }
  return
}
