// RUN: allo-opt --syntax=2026-03 %s --air-shrink-memref-sizes-by-access --verify-each=execute | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-dependency --air-shrink-memref-sizes-by-access --canonicalize --verify-each=execute | filecheck %s --check-prefix=ASYNC

// Each core has 16x16 of its own: transfers, subviews and vector transfers move there.

// CHECK:       air.herd @h
// CHECK:         %[[M:.*]] = memref.alloc() {shrinkage = true} : memref<16x16xi32, 2>
// CHECK:         %[[W:.*]] = memref.alloc() {shrinkage = true} : memref<16x16xi32, 2>
// CHECK:         air.channel.get @in{{.*}} (%[[M]][%c0{{.*}}, %c0{{.*}}] [%c16{{.*}}, %c16{{.*}}] [%c16{{.*}}, %c1{{.*}}]) : (memref<16x16xi32, 2>)
// CHECK:         memref.subview %[[M]][0, 0] [16, 16] [1, 1] : memref<16x16xi32, 2> to memref<16x16xi32, strided<[16, 1]>, 2>
// CHECK:         linalg.fill {{.*}} outs(%{{.*}} : memref<16x16xi32, strided<[16, 1]>, 2>)
// CHECK:         scf.for %[[K:.*]] =
// CHECK:           vector.transfer_read %[[M]][%[[K]], %c0{{.*}}]
// CHECK:           vector.transfer_write %{{.*}}, %[[W]][%[[K]], %c0{{.*}}]
// CHECK:         memref.dealloc %[[M]] : memref<16x16xi32, 2>
// ASYNC:         air.execute -> (memref<16x16xi32, 2>) {
// ASYNC:           memref.alloc() {shrinkage = true} : memref<16x16xi32, 2>
// ASYNC:         air.channel.get async {{.*}}[] [] []) {{.*}} : (memref<16x16xi32, 2>)

air.channel @in [2, 2]
air.channel @out [2, 2]
func.func @f(%a: memref<32x32xi32>, %b: memref<32x32xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%ln=%c1) args(%x=%a, %y=%b) : memref<32x32xi32>, memref<32x32xi32> {
    %c0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%d1, %d1) {
      %oi = arith.muli %i, %c16 : index
      %oj = arith.muli %j, %c16 : index
      air.channel.put @in[%i, %j] (%x[%oi, %oj] [%c16, %c16] [%c32, %d1]) : (memref<32x32xi32>)
      scf.reduce
    }
    scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%d1, %d1) {
      %oi = arith.muli %i, %c16 : index
      %oj = arith.muli %j, %c16 : index
      air.channel.get @out[%i, %j] (%y[%oi, %oj] [%c16, %c16] [%c32, %d1]) : (memref<32x32xi32>)
      scf.reduce
    }
    air.segment @s {
      %e2 = arith.constant 2 : index
      air.herd @h tile (%tx, %ty) in (%sx=%e2, %sy=%e2) {
        %f0 = arith.constant 0 : index
        %f1 = arith.constant 1 : index
        %f8 = arith.constant 8 : index
        %f16 = arith.constant 16 : index
        %f32 = arith.constant 32 : index
        %z = arith.constant 0 : i32
        %m = memref.alloc() : memref<32x32xi32, 2>
        %w = memref.alloc() : memref<32x32xi32, 2>
        %r = affine.apply affine_map<(d0) -> (d0 * 16)>(%tx)
        %c = affine.apply affine_map<(d0) -> (d0 * 16)>(%ty)
        air.channel.get @in[%tx, %ty] (%m[%r, %c] [%f16, %f16] [%f32, %f1]) : (memref<32x32xi32, 2>)
        %sm = memref.subview %m[%r, %c] [16, 16] [1, 1] : memref<32x32xi32, 2> to memref<16x16xi32, strided<[32, 1], offset: ?>, 2>
        %sw = memref.subview %w[%r, %c] [16, 16] [1, 1] : memref<32x32xi32, 2> to memref<16x16xi32, strided<[32, 1], offset: ?>, 2>
        linalg.fill ins(%z : i32) outs(%sw : memref<16x16xi32, strided<[32, 1], offset: ?>, 2>)
        scf.for %k = %f0 to %f16 step %f8 {
          %kr = arith.addi %k, %r : index
          %v = vector.transfer_read %m[%kr, %c], %z {in_bounds = [true, true]} : memref<32x32xi32, 2>, vector<8x16xi32>
          %v2 = arith.addi %v, %v : vector<8x16xi32>
          vector.transfer_write %v2, %w[%kr, %c] {in_bounds = [true, true]} : vector<8x16xi32>, memref<32x32xi32, 2>
        }
        air.channel.put @out[%tx, %ty] (%w[%r, %c] [%f16, %f16] [%f32, %f1]) : (memref<32x32xi32, 2>)
        memref.dealloc %m : memref<32x32xi32, 2>
        memref.dealloc %w : memref<32x32xi32, 2>
      }
    }
  }
  return
}
