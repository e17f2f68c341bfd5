// RUN: allo-opt %s --air-return-elimination | filecheck %s

// The callee's allocation is its argument; a function that nobody calls keeps its name.
// CHECK-LABEL: func.func private @twice_out(
// CHECK-SAME: %[[A:.*]]: memref<8xf32>, %[[B:.*]]: memref<8xf32>) {
// CHECK-NOT: memref.alloc
// CHECK: linalg.add ins(%[[A]], %[[A]] : {{.*}}) outs(%[[B]]
// CHECK-NEXT: return
func.func private @twice(%a: memref<8xf32>) -> memref<8xf32> {
  %b = memref.alloc() : memref<8xf32>
  linalg.add ins(%a, %a : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  return %b : memref<8xf32>
}

// CHECK: func.func private @declared_out(memref<8xf32>, memref<4xi32>, memref<8xf32>)
func.func private @declared(memref<8xf32>) -> (memref<4xi32>, memref<8xf32>)

// What is returned twice, or is an argument, is copied.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:.*]]: memref<8xf32>, %[[R0:.*]]: memref<8xf32>, %[[R1:.*]]: memref<4xi32>, %[[R2:.*]]: memref<8xf32>, %[[R3:.*]]: memref<8xf32>) {
// CHECK: call @twice_out(%[[X]], %[[R0]]) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK: %[[T:.*]] = memref.alloc() : memref<8xf32>
// CHECK: call @declared_out(%[[R0]], %[[R1]], %[[T]])
// CHECK: memref.copy %[[R0]], %[[R2]]
// CHECK: memref.copy %[[X]], %[[R3]]
// CHECK-NEXT: return
func.func @forward(%x: memref<8xf32>) -> (memref<8xf32>, memref<4xi32>, memref<8xf32>, memref<8xf32>) {
  %0 = call @twice(%x) : (memref<8xf32>) -> memref<8xf32>
  %1:2 = call @declared(%0) : (memref<8xf32>) -> (memref<4xi32>, memref<8xf32>)
  return %0, %1#0, %0, %x : memref<8xf32>, memref<4xi32>, memref<8xf32>, memref<8xf32>
}
