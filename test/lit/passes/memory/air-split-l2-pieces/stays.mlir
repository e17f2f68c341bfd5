// RUN: allo-opt %s --pass-pipeline='builtin.module(func.func(air-split-l2-pieces))' | filecheck %s

// Read once for each time it is filled: there is nothing to gain.
// CHECK-LABEL: func.func @once
// CHECK:         memref.alloc() : memref<4x64xi32, 1>
// CHECK-COUNT-1: air.channel.get @once_in
// CHECK-NOT:     air.channel.get
air.channel @once_in []
air.channel @once_out []
func.func @once(%a: memref<4x64xi32>)
    attributes {allo.plan = {family = "matmul", routes = [{operand = "a", panel = 3 : i64, parts = 2 : i64}]}} {
  air.launch () in () args(%m=%a) : memref<4x64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    air.channel.put @once_in[] (%m[%c0, %c0] [%c4, %c64] [%c64, %c1]) : (memref<4x64xi32>)
    air.segment @s {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d4 = arith.constant 4 : index
      %d64 = arith.constant 64 : index
      %l2 = memref.alloc() : memref<4x64xi32, 1>
      air.channel.get @once_in[] (%l2[] [] []) : (memref<4x64xi32, 1>)
      air.channel.put @once_out[] (%l2[%d0, %d0] [%d4, %d64] [%d64, %d1]) : (memref<4x64xi32, 1>)
      memref.dealloc %l2 : memref<4x64xi32, 1>
    }
  }
  return
}

// Read diagonally: no part of it is read before the others.
// CHECK-LABEL: func.func @diagonal
// CHECK:         memref.alloc() : memref<8x8xi32, 1>
// CHECK-NOT:     memref.alloc
air.channel @diagonal_in []
air.channel @diagonal_out []
func.func @diagonal(%a: memref<8x8xi32>)
    attributes {allo.plan = {family = "matmul", routes = [{operand = "a", panel = 3 : i64, parts = 2 : i64}]}} {
  air.launch () in () args(%m=%a) : memref<8x8xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    air.channel.put @diagonal_in[] (%m[%c0, %c0] [%c8, %c8] [%c8, %c1]) : (memref<8x8xi32>)
    air.segment @s {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d3 = arith.constant 3 : index
      %d8 = arith.constant 8 : index
      %d9 = arith.constant 9 : index
      %l2 = memref.alloc() : memref<8x8xi32, 1>
      air.channel.get @diagonal_in[] (%l2[] [] []) : (memref<8x8xi32, 1>)
      air.channel.put @diagonal_out[] (%l2[%d0, %d0, %d0] [%d3, %d8, %d1] [%d0, %d9, %d1]) : (memref<8x8xi32, 1>)
      memref.dealloc %l2 : memref<8x8xi32, 1>
    }
  }
  return
}

// Filled by two gets, and by a put of another shape.
// CHECK-LABEL: func.func @two_gets
// CHECK:         memref.alloc() : memref<4x8xi32, 1>
// CHECK:         memref.alloc() : memref<2x16xi32, 1>
// CHECK-NOT:     memref.alloc
air.channel @two_in []
air.channel @two_out []
air.channel @flat_in []
air.channel @flat_out []
func.func @two_gets(%a: memref<4x8xi32>)
    attributes {allo.plan = {family = "matmul", routes = [{operand = "a", panel = 3 : i64, parts = 2 : i64}]}} {
  air.launch () in () args(%m=%a) : memref<4x8xi32> {
    air.channel.put @two_in[] (%m[] [] []) : (memref<4x8xi32>)
    air.channel.put @two_in[] (%m[] [] []) : (memref<4x8xi32>)
    air.channel.put @flat_in[] (%m[] [] []) : (memref<4x8xi32>)
    air.segment @s {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d2 = arith.constant 2 : index
      %d4 = arith.constant 4 : index
      %d8 = arith.constant 8 : index
      %d16 = arith.constant 16 : index
      %l2 = memref.alloc() : memref<4x8xi32, 1>
      air.channel.get @two_in[] (%l2[] [] []) : (memref<4x8xi32, 1>)
      air.channel.get @two_in[] (%l2[] [] []) : (memref<4x8xi32, 1>)
      air.channel.put @two_out[] (%l2[%d0, %d0, %d0] [%d2, %d4, %d8] [%d0, %d8, %d1]) : (memref<4x8xi32, 1>)
      memref.dealloc %l2 : memref<4x8xi32, 1>
      %other = memref.alloc() : memref<2x16xi32, 1>
      air.channel.get @flat_in[] (%other[] [] []) : (memref<2x16xi32, 1>)
      air.channel.put @flat_out[] (%other[%d0, %d0, %d0] [%d4, %d2, %d16] [%d0, %d16, %d1]) : (memref<2x16xi32, 1>)
      memref.dealloc %other : memref<2x16xi32, 1>
    }
  }
  return
}
