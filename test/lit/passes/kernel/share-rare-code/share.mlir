// RUN: allo-opt %s --share-rare-code | filecheck %s

// The two branches differ only in a scalar from outside; constants are copied into the function.
// CHECK: func.func private @[[NAME:rare_[0-9a-f]+]](%{{.*}}: f32, %{{.*}}: memref<16xf32, 2> {llvm.align = 32 : i64}) attributes {no_inline} {
// CHECK-COUNT-8: memref.store
// CHECK: return
// CHECK-NOT: func.func
// CHECK: aie.core
// CHECK: scf.if
// CHECK-NEXT: func.call @[[NAME]](%{{.*}}, %[[OWN:.*]]) : (f32, memref<16xf32, 2>) -> ()
// CHECK: scf.if
// CHECK-NEXT: func.call @[[NAME]](%{{.*}}, %[[OWN]]) : (f32, memref<16xf32, 2>) -> ()
// The condition of the third branch is not marked as rare.
// CHECK: scf.if
// CHECK-NOT: func.call
// CHECK: aie.end
module {
  aie.device(npu1) {
    %tile = aie.tile(0, 2)
    %b = aie.buffer(%tile) : memref<16xf32, 2>
    %core = aie.core(%tile) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %bound = arith.constant 4.0 : f32
      %x = memref.load %b[%c0] : memref<16xf32, 2>
      %y = memref.load %b[%c1] : memref<16xf32, 2>
      %far = arith.cmpf ugt, %x, %bound {allo.rarely} : f32
      %begins = arith.cmpf ugt, %y, %bound : f32
      %either = arith.ori %far, %begins : i1
      scf.if %either {
        %0 = arith.addf %x, %bound : f32
        memref.store %0, %b[%c0] : memref<16xf32, 2>
        %1 = arith.addf %0, %bound : f32
        memref.store %1, %b[%c1] : memref<16xf32, 2>
        %2 = arith.addf %1, %bound : f32
        memref.store %2, %b[%c2] : memref<16xf32, 2>
        %3 = arith.addf %2, %bound : f32
        memref.store %3, %b[%c3] : memref<16xf32, 2>
        %4 = arith.addf %3, %bound : f32
        memref.store %4, %b[%c0] : memref<16xf32, 2>
        %5 = arith.addf %4, %bound : f32
        memref.store %5, %b[%c1] : memref<16xf32, 2>
        %6 = arith.addf %5, %bound : f32
        memref.store %6, %b[%c2] : memref<16xf32, 2>
        %7 = arith.addf %6, %bound : f32
        memref.store %7, %b[%c3] : memref<16xf32, 2>
      }
      scf.if %far {
        %0 = arith.addf %y, %bound : f32
        memref.store %0, %b[%c0] : memref<16xf32, 2>
        %1 = arith.addf %0, %bound : f32
        memref.store %1, %b[%c1] : memref<16xf32, 2>
        %2 = arith.addf %1, %bound : f32
        memref.store %2, %b[%c2] : memref<16xf32, 2>
        %3 = arith.addf %2, %bound : f32
        memref.store %3, %b[%c3] : memref<16xf32, 2>
        %4 = arith.addf %3, %bound : f32
        memref.store %4, %b[%c0] : memref<16xf32, 2>
        %5 = arith.addf %4, %bound : f32
        memref.store %5, %b[%c1] : memref<16xf32, 2>
        %6 = arith.addf %5, %bound : f32
        memref.store %6, %b[%c2] : memref<16xf32, 2>
        %7 = arith.addf %6, %bound : f32
        memref.store %7, %b[%c3] : memref<16xf32, 2>
      }
      scf.if %begins {
        %0 = arith.addf %y, %bound : f32
        memref.store %0, %b[%c0] : memref<16xf32, 2>
        %1 = arith.addf %0, %bound : f32
        memref.store %1, %b[%c1] : memref<16xf32, 2>
        %2 = arith.addf %1, %bound : f32
        memref.store %2, %b[%c2] : memref<16xf32, 2>
        %3 = arith.addf %2, %bound : f32
        memref.store %3, %b[%c3] : memref<16xf32, 2>
        %4 = arith.addf %3, %bound : f32
        memref.store %4, %b[%c0] : memref<16xf32, 2>
        %5 = arith.addf %4, %bound : f32
        memref.store %5, %b[%c1] : memref<16xf32, 2>
        %6 = arith.addf %5, %bound : f32
        memref.store %6, %b[%c2] : memref<16xf32, 2>
        %7 = arith.addf %6, %bound : f32
        memref.store %7, %b[%c3] : memref<16xf32, 2>
      }
      aie.end
    }
  }
}
