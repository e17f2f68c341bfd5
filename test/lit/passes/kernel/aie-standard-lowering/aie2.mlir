// RUN: allo-opt %s --aie-localize-locks --aie-standard-lowering='tilecol=1 tilerow=3' | filecheck %s
// RUN: allo-opt %s --aie-localize-locks --aie-standard-lowering | filecheck %s --check-prefix=ALL

// One core: its function, the globals of all buffers, the initial value only of its own tile's; functions come along.
// CHECK: module attributes {llvm.target_triple = "aie2"}
// CHECK-NEXT: memref.global "public" @d : memref<4xi32>{{$}}
// CHECK-NEXT: memref.global "public" @b : memref<64xi32> = dense<3>
// CHECK-NEXT: func.func private @debug_i32(i32)
// CHECK: func.func private @llvm.aie2.get.ss() -> (i32, i32)
// CHECK: func.func private @llvm.aie2.release(i32, i32)
// CHECK: func.func private @kernel(%[[L:.*]]: index
// CHECK-NEXT: %[[K:.*]] = arith.index_cast %[[L]] : index to i32
// CHECK-NEXT: %[[Z:.*]] = arith.constant 0 : i32
// CHECK-NEXT: call @llvm.aie2.acquire(%[[K]], %[[Z]]) : (i32, i32) -> ()
// CHECK: func.func @core_1_3() {
// CHECK: %[[T:.*]] = arith.index_cast %c50 : index to i32
// CHECK: %[[GE:.*]] = arith.constant -1 : i32
// CHECK: call @llvm.aie2.acquire(%[[T]], %[[GE]])
// CHECK: %[[B:.*]] = memref.get_global @b : memref<64xi32>
// CHECK: memref.assume_alignment %[[B]], 32 : memref<64xi32>
// CHECK: memref.store %{{.*}}, %[[B]][%{{.*}}] : memref<64xi32>
// CHECK: call @kernel(%c35,
// CHECK: call @llvm.aie2.put.ms(%{{.*}}, %{{.*}}) : (i32, i32) -> ()
// CHECK: %[[G:.*]]:2 = call @llvm.aie2.get.ss() : () -> (i32, i32)
// CHECK: call @debug_i32(%[[G]]#0)
// CHECK: %[[C:.*]] = call @llvm.aie2.scd.read.vec(%{{.*}}) : (i32) -> vector<16xi32>
// CHECK: %[[H:.*]] = vector.bitcast %[[C]] : vector<16xi32> to vector<32xbf16>
// CHECK: %[[I:.*]] = vector.bitcast %[[H]] : vector<32xbf16> to vector<16xi32>
// CHECK: call @llvm.aie2.mcd.write.vec(%[[I]], %{{.*}})
// CHECK: call @llvm.aie2.event(%{{.*}}) : (i32) -> ()
// CHECK: %[[N:.*]] = arith.subi %{{.*}}, %[[G]]#0 : i32
// CHECK: call @llvm.aie2.acquire(%{{.*}}, %[[N]])
// CHECK: call @llvm.aie2.release(%{{.*}}, %{{.*}})
// CHECK: return
// CHECK-NOT: aie.
// CHECK-NOT: core_1_4

// ALL-DAG: memref.global "public" @d : memref<4xi32> = dense<7>
// ALL-DAG: func.func @core_1_4() {
// ALL-DAG: func.func @core_1_3() {
aie.device(xcve2802) {
  %t = aie.tile(1, 3)
  %u = aie.tile(1, 4)
  %b = aie.buffer(%t) {sym_name = "b"} : memref<64xi32> = dense<3>
  %d = aie.buffer(%u) {sym_name = "d"} : memref<4xi32> = dense<7>
  %l = aie.lock(%t, 2)
  %m = aie.lock(%u, 3)
  func.func private @kernel(%lock: index, %x : memref<64xi32>) {
    aie.use_lock(%lock, Acquire, 0)
    return
  }
  %mem = aie.mem(%t) {
    aie.end
  }
  aie.core(%t) {
    %i = arith.constant 3 : index
    %v = arith.constant 3 : i32
    aie.use_lock(%l, AcquireGreaterEqual, 1)
    memref.store %v, %b[%i] : memref<64xi32>
    func.call @kernel(%m, %b) : (index, memref<64xi32>) -> ()
    %c0 = arith.constant 0 : i32
    aie.put_stream(%c0 : i32, %v : i32)
    %g = aie.get_stream(%c0 : i32) : i32
    aie.debug(%g : i32)
    %s = aie.get_cascade() : vector<32xbf16>
    aie.put_cascade(%s : vector<32xbf16>)
    aie.event(1)
    aie.use_lock(%l, AcquireGreaterEqual, %g)
    aie.use_lock(%l, Release, 1)
    aie.end
  }
  aie.core(%u) {
    aie.end
  }
}
