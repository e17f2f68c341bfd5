// RUN: allo-opt %s --air-split-l2-pieces 2>&1 | filecheck %s

// What one column of cores reads has no second memtile to come to: it stays, and the plan's word for it is told.

// CHECK: no-pairs.mlir:{{[0-9]+}}:1: remark: 'func.func' op has a plan for pairs of memtiles, but no operand that can be divided between two memtiles
// CHECK-NOT: allo.adjacent_memtile
// CHECK: air.channel.get @in
// CHECK-NOT: allo.adjacent_memtile
air.channel @in []
air.channel @one []
func.func @column(%a: memref<32x64xi32>) attributes {allo.plan = {family = "matmul", routes = [{operand = "b", memtiles = 2 : i64, channels = 2 : i64}], cores = array<i64: 2, 2>}} {
  air.launch () in () args(%x=%a) : memref<32x64xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<32x64xi32>)
    air.segment @s {
      %m = memref.alloc() : memref<32x64xi32, 1>
      air.channel.get @in[] (%m[] [] []) : (memref<32x64xi32, 1>)
      air.channel.put @one[] (%m[] [] []) : (memref<32x64xi32, 1>)
      %c1 = arith.constant 1 : index
      air.herd tile (%i, %j) in (%h=%c1, %w=%c1) {
        %l = memref.alloc() : memref<32x64xi32, 2>
        air.channel.get @one[] (%l[] [] []) : (memref<32x64xi32, 2>)
      }
    }
  }
  return
}
