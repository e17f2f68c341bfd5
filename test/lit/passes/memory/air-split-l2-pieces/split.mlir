// RUN: allo-opt --syntax=2026-03 %s --pass-pipeline='builtin.module(func.func(air-split-l2-pieces))' | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --pass-pipeline='builtin.module(func.func(air-split-l2-pieces,air-split-l2-pieces))' | filecheck %s

// Read three times along its rows: two halves of the rows, each with its own get, in one loop.
// CHECK-LABEL: func.func @columns
// CHECK:         %[[P0:.*]] = air.channel.put async @in[] (%{{.*}}[%c0, %c64] [%c4, %c32{{.*}}] [%c128, %c1])
// CHECK:         %[[AT:.*]] = arith.addi %c64, %c32
// CHECK:         air.channel.put async [%[[P0]]] @in[] (%{{.*}}[%c0, %[[AT]]] [%c4, %c32{{.*}}] [%c128, %c1])
// CHECK:         air.segment
// CHECK:           %[[T0:.*]], %[[M0:.*]] = air.execute -> (memref<4x32xi32, 1>)
// CHECK:           %[[T1:.*]], %[[M1:.*]] = air.execute -> (memref<4x32xi32, 1>)
// CHECK:           %[[G0:.*]] = air.channel.get async [%{{.*}}] @in[] (%[[M0]][] [] [])
// CHECK:           %[[G1:.*]] = air.channel.get async [%{{.*}}, %[[G0]]] @in[] (%[[M1]][] [] [])
// CHECK:           scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[LAST:.*]] = %[[G1]])
// CHECK:             %[[R0:.*]] = air.channel.put async [%[[LAST]]] @out[] (%[[M0]][%{{.*}}, %{{.*}}, %{{.*}}] [%c4{{.*}}, %c4{{.*}}, %c8{{.*}}] [%c8{{.*}}, %c32{{.*}}, %c1{{.*}}])
// CHECK:             %[[R1:.*]] = air.channel.put async [%[[R0]]] @out[] (%[[M1]][
// CHECK:             scf.yield %[[R1]]
// CHECK-COUNT-2:   memref.dealloc %{{.*}} : memref<4x32xi32, 1>
// CHECK-NOT:       memref.dealloc {{.*}}, 1>
air.channel @in []
air.channel @out []
func.func @columns(%a: memref<4x128xi32>)
    attributes {allo.plan = {family = "matmul", routes = [{operand = "a", panel = 3 : i64, parts = 2 : i64}]}} {
  %0 = air.launch async () in () args(%m=%a) : memref<4x128xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %1 = air.channel.put async @in[] (%m[%c0, %c64] [%c4, %c64] [%c128, %c1]) : (memref<4x128xi32>)
    %2 = air.segment @s async {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d3 = arith.constant 3 : index
      %d4 = arith.constant 4 : index
      %d8 = arith.constant 8 : index
      %d64 = arith.constant 64 : index
      %t, %l2 = air.execute -> (memref<4x64xi32, 1>) {
        %alloc = memref.alloc() : memref<4x64xi32, 1>
        air.execute_terminator %alloc : memref<4x64xi32, 1>
      }
      %g = air.channel.get async [%t] @in[] (%l2[] [] []) : (memref<4x64xi32, 1>)
      %p = air.channel.put async [%g] @out[] (%l2[%d0, %d0, %d0, %d0] [%d3, %d8, %d4, %d8] [%d0, %d8, %d64, %d1]) : (memref<4x64xi32, 1>)
      %f = air.execute [%p] {
        memref.dealloc %l2 : memref<4x64xi32, 1>
      }
      %h = air.herd @h async tile (%x, %y) in (%sx=%d1, %sy=%d1) {
        %e0 = arith.constant 0 : index
        %e1 = arith.constant 1 : index
        %e3 = arith.constant 3 : index
        %l1 = memref.alloc() : memref<8x4x8xi32, 2>
        scf.for %i = %e0 to %e3 step %e1 {
          air.channel.get @out[] (%l1[] [] []) : (memref<8x4x8xi32, 2>)
        }
        memref.dealloc %l1 : memref<8x4x8xi32, 2>
      }
    }
  }
  return
}

// Along its columns, by two puts of half the columns each, in a loop.
// CHECK-LABEL: func.func @rows
// CHECK:         air.channel.put @in_b[] (%{{.*}}[%c0, %c0] [%c8{{.*}}, %c32{{.*}}] [%c32{{.*}}, %c1{{.*}}])
// CHECK:         air.channel.put @in_b[] (%{{.*}}[%{{.*}}, %c0] [%c8{{.*}}, %c32{{.*}}] [%c32{{.*}}, %c1{{.*}}])
// CHECK:         air.segment
// CHECK-COUNT-2:   memref.alloc() : memref<8x32xi32, 1>
// CHECK-COUNT-2:   air.channel.get async {{.*}}@in_b[]
// CHECK:           scf.for {{.*}} iter_args
// CHECK-COUNT-2:     air.channel.put async {{.*}}@left[] (%{{.*}}[%{{.*}}, %c0{{.*}}] [%c8{{.*}}, %c16{{.*}}] [%c32{{.*}}, %c1{{.*}}])
// CHECK-COUNT-2:     air.channel.put async {{.*}}@right[] (%{{.*}}[%{{.*}}, %c16{{.*}}] [%c8{{.*}}, %c16{{.*}}] [%c32{{.*}}, %c1{{.*}}])
// CHECK:           }
air.channel @in_b []
air.channel @left []
air.channel @right []
func.func @rows(%b: memref<16x32xi32>)
    attributes {allo.plan = {family = "matmul", routes = [{operand = "a", panel = 3 : i64, parts = 2 : i64}]}} {
  air.launch () in () args(%m=%b) : memref<16x32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    air.channel.put @in_b[] (%m[%c0, %c0] [%c16, %c32] [%c32, %c1]) : (memref<16x32xi32>)
    air.segment @s {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d5 = arith.constant 5 : index
      %d16 = arith.constant 16 : index
      %d32 = arith.constant 32 : index
      %l2 = memref.alloc() : memref<16x32xi32, 1>
      %g = air.channel.get async @in_b[] (%l2[] [] []) : (memref<16x32xi32, 1>)
      %h = air.herd @h async tile (%x, %y) in (%sx=%d1, %sy=%d1) {
        %e0 = arith.constant 0 : index
        %e1 = arith.constant 1 : index
        %e5 = arith.constant 5 : index
        %p = memref.alloc() : memref<16x16xi32, 2>
        %q = memref.alloc() : memref<16x16xi32, 2>
        scf.for %i = %e0 to %e5 step %e1 {
          air.channel.get @left[] (%p[] [] []) : (memref<16x16xi32, 2>)
          air.channel.get @right[] (%q[] [] []) : (memref<16x16xi32, 2>)
        }
        memref.dealloc %p : memref<16x16xi32, 2>
        memref.dealloc %q : memref<16x16xi32, 2>
      }
      %r = scf.for %i = %d0 to %d5 step %d1 iter_args(%t = %g) -> (!air.async.token) {
        %p = air.channel.put async [%t] @left[] (%l2[%d0, %d0] [%d16, %d16] [%d32, %d1]) : (memref<16x32xi32, 1>)
        %q = air.channel.put async [%t] @right[] (%l2[%d0, %d16] [%d16, %d16] [%d32, %d1]) : (memref<16x32xi32, 1>)
        %w = air.wait_all async [%p, %q]
        scf.yield %w : !air.async.token
      }
      air.wait_all [%r]
      memref.dealloc %l2 : memref<16x32xi32, 1>
    }
  }
  return
}
