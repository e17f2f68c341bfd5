// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' | filecheck %s

// A loop whose rounds only data decide stays, with what it does in `air.execute` and in buffers of the herd.

// CHECK: %[[ROW:.*]] = aie.buffer(%{{.*}}) {{.*}} : memref<8xi32, 2>
// CHECK: aie.core(%tile_0_2) {
// CHECK: %[[END:.*]] = scf.while (%[[N:.*]] = %{{.*}}) : (i32) -> i32 {
// CHECK-NEXT: %[[GO:.*]] = arith.cmpi slt, %[[N]], %{{.*}} : i32
// CHECK-NEXT: scf.condition(%[[GO]]) %[[N]] : i32
// CHECK: ^bb0(%[[AT:.*]]: i32):
// CHECK-NEXT: %[[V:.*]] = memref.load %[[ROW]][%{{.*}}] : memref<8xi32, 2>
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[AT]], %[[V]] : i32
// CHECK-NEXT: scf.yield %[[SUM]] : i32
// CHECK: memref.store %[[END]], %[[ROW]]
// CHECK-NOT: air.
// CHECK: aie.end
func.func @f() {
  %c1 = arith.constant 1 : index
  air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) {
    %k0 = arith.constant 0 : index
    %row = memref.alloc() : memref<8xi32, 2>
    %one = arith.constant 1 : i32
    memref.store %one, %row[%k0] : memref<8xi32, 2>
    %begin = memref.load %row[%k0] : memref<8xi32, 2>
    %most = arith.constant 9 : i32
    %end = scf.while (%x = %begin) : (i32) -> i32 {
      %go = arith.cmpi slt, %x, %most : i32
      scf.condition(%go) %x : i32
    } do {
    ^bb0(%x: i32):
      %token, %v = air.execute -> (i32) {
        %w = memref.load %row[%k0] : memref<8xi32, 2>
        air.execute_terminator %w : i32
      }
      %sum = arith.addi %x, %v : i32
      scf.yield %sum : i32
    }
    memref.store %end, %row[%k0] : memref<8xi32, 2>
  }
  return
}
