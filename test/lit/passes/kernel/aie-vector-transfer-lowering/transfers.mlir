// RUN: allo-opt %s --aie-vector-transfer-lowering | filecheck %s
// RUN: allo-opt %s --aie-vector-transfer-lowering=max-transfer-rank=2 | filecheck %s --check-prefix=TWO
// RUN: not allo-opt %s --aie-vector-transfer-lowering=max-transfer-rank=-1 2>&1 | filecheck %s --check-prefix=RANK

// Transfers of rank 1 become loads and stores, constants stay in the core; rank 2 by the option.
// CHECK: aie.core
// CHECK-NEXT: arith.constant 3 : index
// CHECK: vector.load %{{.*}}[%{{.*}}] : memref<64xi32>, vector<16xi32>
// CHECK: vector.store
// CHECK: vector.transfer_read %{{.*}} : memref<4x16xi32>, vector<4x16xi32>
// TWO: vector.load %{{.*}} : memref<4x16xi32>, vector<4x16xi32>
// RANK: option 'max-transfer-rank' is -1, expected 0 or more
aie.device(npu2) {
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<64xi32>
  %d = aie.buffer(%t) : memref<4x16xi32>
  func.func private @use(vector<4x16xi32>)
  aie.core(%t) {
    %i = arith.constant 3 : index
    %p = arith.constant 0 : i32
    %x = vector.transfer_read %b[%i], %p {in_bounds = [true]} : memref<64xi32>, vector<16xi32>
    vector.transfer_write %x, %b[%i] {in_bounds = [true]} : vector<16xi32>, memref<64xi32>
    %c0 = arith.constant 0 : index
    %y = vector.transfer_read %d[%c0, %c0], %p {in_bounds = [true, true]} : memref<4x16xi32>, vector<4x16xi32>
    func.call @use(%y) : (vector<4x16xi32>) -> ()
    aie.end
  }
}
