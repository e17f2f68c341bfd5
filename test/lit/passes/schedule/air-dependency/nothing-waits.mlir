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

// So it is inside of hierarchies, which are asynchronous as well.
// CHECK-LABEL: func.func @nested
// CHECK: air.launch async
// CHECK: air.segment @s async
// CHECK: %[[T:.*]], %[[B:.*]] = air.execute -> (memref<8xi32, 1>)
// CHECK: %[[G:.*]] = air.channel.get async [%[[T]]] @in[] (%[[B]]
// CHECK: %[[P:.*]] = air.channel.put async [%[[G]]] @row[%{{.*}}] (%[[B]]
// CHECK: air.execute [%[[P]]] {
// CHECK-NEXT: memref.dealloc %[[B]]
func.func @nested() {
  %0 = air.launch async () in () {
    %1 = air.segment @s async {
      %c0 = arith.constant 0 : index
      %t, %m = air.execute -> (memref<8xi32, 1>) {
        %a = memref.alloc() : memref<8xi32, 1>
        air.execute_terminator %a : memref<8xi32, 1>
      }
      %2 = air.channel.get async @in[] (%m[] [] []) : (memref<8xi32, 1>)
      %3 = air.channel.put async @row[%c0] (%m[] [] []) : (memref<8xi32, 1>)
      %4 = air.execute {
        memref.dealloc %m : memref<8xi32, 1>
      }
    }
  }
  return
}
