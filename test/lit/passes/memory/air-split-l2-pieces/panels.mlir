// RUN: allo-opt --syntax=2026-03 %s --pass-pipeline='builtin.module(func.func(air-split-l2-pieces),canonicalize,cse)' --split-input-file | filecheck %s

// Read three times along dimension 1: two halves on both sides, each sent in each round.
// CHECK-LABEL: func.func @panel
// CHECK:         air.channel.put @in[] (%{{.*}}[%c0, %c0] [%c4, %c32] [%c64, %c1])
// CHECK-NEXT:    air.channel.put @in[] (%{{.*}}[%c0, %c32] [%c4, %c32] [%c64, %c1])
// CHECK:         %[[M:.*]] = memref.alloc() : memref<4x32xi32, 1>
// CHECK-NEXT:    %[[N:.*]] = memref.alloc() : memref<4x32xi32, 1>
// CHECK-NEXT:    air.channel.get @in[] (%[[M]][] [] [])
// CHECK-NEXT:    air.channel.get @in[] (%[[N]][] [] [])
// CHECK-NEXT:    scf.for %{{.*}} = %c0{{.*}} to %c3{{.*}} step
// CHECK-NEXT:      air.channel.put @out[] (%[[M]][{{.*}}] [%c4{{.*}}, %c4{{.*}}, %c8{{.*}}] [%c8{{.*}}, %c32{{.*}}, %c1{{.*}}])
// CHECK-NEXT:      air.channel.put @out[] (%[[N]][{{.*}}] [%c4{{.*}}, %c4{{.*}}, %c8{{.*}}] [%c8{{.*}}, %c32{{.*}}, %c1{{.*}}])
// CHECK:         memref.dealloc %[[M]]
// CHECK-NEXT:    memref.dealloc %[[N]]
air.channel @in []
air.channel @out []
func.func @panel(%a: memref<4x64xi32>)
    attributes {allo.plan = {family = "matmul", routes = [{operand = "a", panel = 3 : i64, parts = 2 : i64}]}} {
  air.launch () in () args(%x=%a) : memref<4x64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    air.channel.put @in[] (%x[%c0, %c0] [%c4, %c64] [%c64, %c1]) : (memref<4x64xi32>)
    air.segment @s {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k3 = arith.constant 3 : index
      %k4 = arith.constant 4 : index
      %k8 = arith.constant 8 : index
      %k64 = arith.constant 64 : index
      %m = memref.alloc() : memref<4x64xi32, 1>
      air.channel.get @in[] (%m[] [] []) : (memref<4x64xi32, 1>)
      air.channel.put @out[] (%m[%k0, %k0, %k0, %k0] [%k3, %k8, %k4, %k8] [%k0, %k8, %k64, %k1]) : (memref<4x64xi32, 1>)
      memref.dealloc %m : memref<4x64xi32, 1>
    }
  }
  return
}

// -----

// Read once for each time it is filled.
// CHECK-LABEL: func.func @once
// CHECK:         air.channel.put @in[] (%{{.*}}[] [] [])
// CHECK-NOT:     memref<4x32xi32, 1>
air.channel @in []
air.channel @out []
func.func @once(%a: memref<4x64xi32>)
    attributes {allo.plan = {family = "matmul", routes = [{operand = "a", panel = 3 : i64, parts = 2 : i64}]}} {
  air.launch () in () args(%x=%a) : memref<4x64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    air.channel.put @in[] (%x[%c0, %c0] [%c4, %c64] [%c64, %c1]) : (memref<4x64xi32>)
    air.segment @s {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k3 = arith.constant 3 : index
      %k4 = arith.constant 4 : index
      %k8 = arith.constant 8 : index
      %k64 = arith.constant 64 : index
      %m = memref.alloc() : memref<4x64xi32, 1>
      air.channel.get @in[] (%m[] [] []) : (memref<4x64xi32, 1>)
      air.channel.put @out[] (%m[%k0, %k0, %k0] [%k8, %k4, %k8] [%k8, %k64, %k1]) : (memref<4x64xi32, 1>)
      memref.dealloc %m : memref<4x64xi32, 1>
    }
  }
  return
}

// -----

// Sent twice to the same channel, by two puts; a dimension of one element does not count.
// CHECK-LABEL: func.func @again
// CHECK:         %[[M:.*]] = memref.alloc() : memref<32x1x4xi32, 1>
// CHECK-NEXT:    %[[N:.*]] = memref.alloc() : memref<32x1x4xi32, 1>
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %c2{{.*}} step
// CHECK-NEXT:      air.channel.put @out[] (%[[M]][] [] [])
// CHECK-NEXT:      air.channel.put @out[] (%[[N]][] [] [])
// CHECK-NEXT:    }
// CHECK-NOT:     air.channel.put @out
air.channel @in []
air.channel @out []
func.func @again(%a: memref<64x8xi32>)
    attributes {allo.plan = {family = "matmul", routes = [{operand = "a", panel = 3 : i64, parts = 2 : i64}]}} {
  air.launch () in () args(%x=%a) : memref<64x8xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    air.channel.put @in[] (%x[%c0, %c4] [%c64, %c4] [%c8, %c1]) : (memref<64x8xi32>)
    air.segment @s {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k4 = arith.constant 4 : index
      %k8 = arith.constant 8 : index
      %k32 = arith.constant 32 : index
      %m = memref.alloc() : memref<64x1x4xi32, 1>
      air.channel.get @in[] (%m[] [] []) : (memref<64x1x4xi32, 1>)
      air.channel.put @out[] (%m[%k0, %k0, %k0] [%k8, %k8, %k4] [%k32, %k4, %k1]) : (memref<64x1x4xi32, 1>)
      air.channel.put @out[] (%m[%k0, %k0, %k0] [%k8, %k8, %k4] [%k32, %k4, %k1]) : (memref<64x1x4xi32, 1>)
      memref.dealloc %m : memref<64x1x4xi32, 1>
    }
  }
  return
}
