// RUN: allo-opt %s --air-to-std=fewest-waits=true | filecheck %s

// What stays in the function gets the values of operations that go.
// CHECK-LABEL: func.func @yields
// CHECK: %[[A:.*]] = memref.alloc() : memref<8xi32>
// CHECK: return %[[A]] : memref<8xi32>
func.func @yields() -> memref<8xi32> {
  %t, %m = air.execute -> (memref<8xi32>) {
    %a = memref.alloc() : memref<8xi32>
    air.execute_terminator %a : memref<8xi32>
  }
  air.wait_all [%t]
  return %m : memref<8xi32>
}
