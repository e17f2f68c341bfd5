// RUN: allo-opt %s --allow-unregistered-dialect --split-input-file --air-to-aie='test-patterns=lower-air-execute' | filecheck %s --check-prefix=EXECUTE
// RUN: allo-opt %s --allow-unregistered-dialect --split-input-file --air-to-aie='test-patterns=lower-scf-tokens' | filecheck %s --check-prefix=TOKENS
// RUN: allo-opt %s --allow-unregistered-dialect --split-input-file --air-to-aie='test-patterns=alloc-l1-buffers' | filecheck %s --check-prefix=BUFFERS
// RUN: allo-opt %s --allow-unregistered-dialect --split-input-file --air-to-aie='test-patterns=lower-air-execute,specialize-affine-if' | filecheck %s --check-prefix=ARMS

// The body stands between a wait for what the execute waited for, and one that is its token.
// EXECUTE-LABEL: func.func @execute
// EXECUTE: %[[A:.*]] = memref.alloc()
// EXECUTE-NEXT: %[[T:.*]] = air.wait_all async
// EXECUTE-NEXT: air.wait_all [%[[T]]]
// EXECUTE-NEXT: memref.dealloc %[[A]]
// EXECUTE-NEXT: %[[U:.*]] = air.wait_all async
// EXECUTE-NEXT: air.wait_all [%[[U]]]
func.func @execute() {
  %t, %m = air.execute -> (memref<8xi32, 2>) {
    %a = memref.alloc() : memref<8xi32, 2>
    air.execute_terminator %a : memref<8xi32, 2>
  }
  %u = air.execute [%t] {
    memref.dealloc %m : memref<8xi32, 2>
  }
  air.wait_all [%u]
  return
}

// -----

// Numbers stay among what the loop carries.
// TOKENS-LABEL: func.func @carried
// TOKENS: %[[T:.*]] = air.wait_all async
// TOKENS: %[[R:.*]] = scf.for {{.*}} iter_args(%[[N:.*]] = %{{.*}}) -> (i32) {
// TOKENS: %[[W:.*]] = air.wait_all async [%[[T]]]
// TOKENS: %[[S:.*]] = arith.addi %[[N]]
// TOKENS: air.wait_all [%[[W]]]
// TOKENS-NEXT: scf.yield %[[S]] : i32
// TOKENS: %[[E:.*]] = air.wait_all async
// TOKENS-NEXT: air.wait_all [%[[E]]]
// TOKENS-NEXT: return %[[R]]
func.func @carried() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = arith.constant 3 : i32
  %t = air.wait_all async
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %t, %y = %n) -> (!air.async.token, i32) {
    %w = air.wait_all async [%x]
    %s = arith.addi %y, %n : i32
    scf.yield %w, %s : !air.async.token, i32
  }
  air.wait_all [%r#0]
  return %r#1 : i32
}

// -----

// BUFFERS: %[[B:.*]] = aie.buffer(%{{.*}}) {sym_name = "buf0"} : memref<4xi32, 2>
// BUFFERS: aie.core
// BUFFERS-NOT: memref.alloc
// BUFFERS: memref.store %{{.*}}, %[[B]]
// BUFFERS-NOT: memref.dealloc
aie.device(npu1) {
  %tile = aie.tile(0, 2)
  %core = aie.core(%tile) {
    %c0 = arith.constant 0 : index
    %n = arith.constant 3 : i32
    %a = memref.alloc() : memref<4xi32, 2>
    memref.store %n, %a[%c0] : memref<4xi32, 2>
    memref.dealloc %a : memref<4xi32, 2>
    aie.end
  }
}

// -----

#first = affine_set<()[s0] : (s0 == 0)>
#late = affine_set<()[s0, s1] : (s0 - 1 >= 0, s1 >= 0)>
// Arms that constants choose stand instead of the conditions; the others stay.
// ARMS-LABEL: func.func @arms
// ARMS-NOT: "first"
// ARMS: "late"
// ARMS: affine.if
func.func @arms(%n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  affine.if #first()[%c2] {
    "test.use"() {a = "first"} : () -> ()
  }
  affine.if #late()[%c2, %c0] {
    "test.use"() {a = "late"} : () -> ()
  } else {
    "test.use"() {a = "first"} : () -> ()
  }
  affine.if #first()[%n] {
    "test.use"() {a = "unknown"} : () -> ()
  }
  return
}
