// RUN: allo-opt %s --air-dependency | filecheck %s

// Everything is asynchronous and nothing waits yet: what meets is ordered. A buffer that is filled whole meets its rows.
// CHECK: %[[G:.*]] = air.channel.get async [%{{.*}}] @in[]
// CHECK: air.channel.put async [%[[G]]] @row[%c0{{.*}}]
// CHECK: air.channel.put async [%[[G]]{{.*}}] @row[%c1{{.*}}]
air.channel @in []
air.channel @row [2]
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %t, %m = air.execute -> (memref<2x8xi32, 1>) {
    %a = memref.alloc() : memref<2x8xi32, 1>
    air.execute_terminator %a : memref<2x8xi32, 1>
  }
  %0 = air.channel.get async @in[] (%m[] [] []) : (memref<2x8xi32, 1>)
  %1 = air.channel.put async @row[%c0] (%m[%c0, %c0] [%c1, %c8] [%c8, %c1]) : (memref<2x8xi32, 1>)
  %2 = air.channel.put async @row[%c1] (%m[%c1, %c0] [%c1, %c8] [%c8, %c1]) : (memref<2x8xi32, 1>)
  return
}
