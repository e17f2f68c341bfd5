// RUN: not allo-opt %s --aie-objectFifo-unroll=peel-first-iteration=maybe 2>&1 | filecheck %s

// CHECK: peel-first-iteration
// CHECK-SAME: maybe
aie.device(npu1) {
}
