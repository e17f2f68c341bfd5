// RUN: allo-opt %s --aie-localize-locks --aie-standard-lowering='tilecol=1 tilerow=1' --split-input-file | filecheck %s

// AIE1's streams have a function for each width, its cascade is 384 bits wide, an event has a function.
// CHECK: module attributes {llvm.target_triple = "aie"}
// CHECK: func.func @core_1_1()
// CHECK: call @llvm.aie.put.ms(%{{.*}}, %{{.*}}) : (i32, i32) -> ()
// CHECK: call @llvm.aie.put.wms(%{{.*}}, %{{.*}}) : (i32, i128) -> ()
// CHECK: call @llvm.aie.get.fss(%{{.*}}) : (i32) -> f32
// CHECK: %[[C:.*]] = call @llvm.aie.get.scd() : () -> i384
// CHECK: call @llvm.aie.put.mcd(%[[C]]) : (i384) -> ()
// CHECK: call @llvm.aie.event0() : () -> ()
// CHECK: call @llvm.aie.lock.release.reg(%{{.*}}, %{{.*}}) : (i32, i32) -> ()
aie.device(xcvc1902) {
  %t = aie.tile(1, 1)
  %l = aie.lock(%t, 3)
  aie.core(%t) {
    %c0 = arith.constant 0 : i32
    %w = arith.constant 32 : i128
    aie.put_stream(%c0 : i32, %c0 : i32)
    aie.put_stream(%c0 : i32, %w : i128)
    %f = aie.get_stream(%c0 : i32) : f32
    %s = aie.get_cascade() : i384
    aie.put_cascade(%s : i384)
    aie.event(0)
    aie.use_lock(%l, Release, 1)
    aie.end
  }
}

// -----

// A core elsewhere leaves only what is declared.
// CHECK: module attributes {llvm.target_triple = "aie2p"}
// CHECK: func.func private @llvm.aie2p.set.ctrl.reg(i32, i32)
// CHECK-NEXT: }
aie.device(npu2) {
  %t = aie.tile(1, 2)
  aie.core(%t) {
    aie.end
  }
}
