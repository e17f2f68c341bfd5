// RUN: allo-opt %s --split-input-file --aie-objectfifo-liveness --verify-diagnostics

// One consumer makes what the other waits for.
aie.device(npu2) {
  %m = aie.tile(0, 1)
  %p = aie.tile(0, 2)
  %q = aie.tile(0, 3)
  // expected-error@below {{sends each object 2 times to 2 consumers, and one of these waits for another through '@h'; its smallest end holds 1 object, but at least 2 are needed so that the others can continue}}
  aie.objectfifo @w(%m, {%p, %q}, [2, 1, 1]) {repeat_count = 2 : i32} : !aie.objectfifo<memref<32xi32>>
  aie.objectfifo @h(%p, {%q}, 1 : i32) : !aie.objectfifo<memref<32xi32>>
  aie.core(%p) {
    aie.end
  }
  aie.core(%q) {
    aie.end
  }
}

// -----

// The way goes over a memtile, and the count is that of the FIFO that the broadcast is linked to.
aie.device(npu2) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %p = aie.tile(0, 2)
  %q = aie.tile(0, 3)
  aie.objectfifo @w0(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
  // expected-error@below {{sends each object 3 times to 2 consumers, and one of these waits for another through '@up', '@down'; its smallest end holds 2 objects, but at least 3 are needed}}
  aie.objectfifo @w(%m, {%p, %q}, 2 : i32) {repeat_count = 3 : i32} : !aie.objectfifo<memref<32xi32>>
  aie.objectfifo.link [@w0] -> [@w]([] [])
  aie.objectfifo @up(%p, {%m}, 1 : i32) : !aie.objectfifo<memref<32xi32>>
  aie.objectfifo @down(%m, {%q}, 1 : i32) : !aie.objectfifo<memref<32xi32>>
  aie.objectfifo.link [@up] -> [@down]([] [])
}
