// RUN: allo-opt %s --aie-localize-locks --aie-standard-lowering --split-input-file | filecheck %s

// A core gets the constants that it takes from the device; declarations in a core count as the device's.
// CHECK-LABEL: module
// CHECK: memref.global "public" @inner
// CHECK: memref.global "public" @b
// CHECK: func.func @core_1_3()
// CHECK-DAG: %[[I:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[V:.*]] = arith.constant 7 : i32
// CHECK: memref.store %[[V]], %{{.*}}[%[[I]]]
// CHECK: call @llvm.aie2.release
// CHECK-NOT: aie.
// CHECK: return
aie.device(npu1) {
  %t = aie.tile(1, 3)
  %b = aie.buffer(%t) {sym_name = "b"} : memref<8xi32>
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i32
  %c = aie.core(%t) {
    %own = aie.buffer(%t) {sym_name = "inner"} : memref<8xi32>
    %l = aie.lock(%t, 2)
    memref.store %v, %b[%c0] : memref<8xi32>
    memref.store %v, %own[%c0] : memref<8xi32>
    aie.use_lock(%l, Release, 1)
    aie.end
  }
}

// -----

// Streams of AIE2 take the bits of 32-bit values; a function that the device declares itself stays the only one.
// CHECK-LABEL: module
// CHECK-NOT: @debug_i32(i32)
// CHECK: func.func private @llvm.aie2.event
// CHECK: func.func private @debug_i32(i32)
// CHECK-NOT: func.func private @debug_i32(i32)
// CHECK: func.func @core_1_3()
// CHECK: %[[GOT:.*]]:2 = call @llvm.aie2.get.ss() : () -> (i32, i32)
// CHECK: %[[X:.*]] = arith.bitcast %[[GOT]]#0 : i32 to f32
// CHECK: %[[Y:.*]] = arith.addf %[[X]], %[[X]]
// CHECK: %[[BITS:.*]] = arith.bitcast %[[Y]] : f32 to i32
// CHECK: call @llvm.aie2.put.ms(%[[BITS]], %{{.*}}) : (i32, i32) -> ()
// CHECK: call @debug_i32
aie.device(npu1) {
  %t = aie.tile(1, 3)
  func.func private @debug_i32(i32)
  aie.core(%t) {
    %z = arith.constant 0 : i32
    %x = aie.get_stream(%z : i32) : f32
    %y = arith.addf %x, %x : f32
    aie.put_stream(%z : i32, %y : f32)
    func.call @debug_i32(%z) : (i32) -> ()
    aie.end
  }
}
