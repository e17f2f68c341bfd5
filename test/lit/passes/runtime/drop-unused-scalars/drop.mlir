// RUN: allo-opt %s --drop-unused-scalars | filecheck %s

// CHECK-LABEL: func.func @kernel(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: memref<8xf32> {tt.divisibility = 16 : i32}, %[[N:[a-z0-9]+]]: i32, %{{[a-z0-9]+}}: memref<8xf32>) {
// CHECK:         arith.index_cast %[[N]]
func.func @kernel(%a: memref<8xf32> {tt.divisibility = 16 : i32}, %used: i32, %x: i32, %unused: memref<8xf32>, %y: index) {
  %n = arith.index_cast %used : i32 to index
  %v = memref.load %a[%n] : memref<8xf32>
  memref.store %v, %a[%n] : memref<8xf32>
  return
}

// CHECK-LABEL: func.func private @declared(i32)
func.func private @declared(i32)

// CHECK-LABEL: func.func @called(%{{.*}}: i32)
func.func @called(%x: i32) {
  return
}

// CHECK-LABEL: func.func @caller() {
func.func @caller() {
  %c = arith.constant 1 : i32
  call @called(%c) : (i32) -> ()
  return
}
