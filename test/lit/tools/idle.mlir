// A pass that is run on IR of another level changes nothing, as in mlir-opt; a line on standard error says why.
// RUN: allo-opt %s --aie-assign-lock-ids --cse -o %t.out 2> %t.err && filecheck %s --check-prefix=SAID < %t.err && filecheck %s < %t.out
// RUN: allo-opt %s --pass-pipeline='builtin.module(air-par-to-herd,func.func(air-renumber-dma))' 2>&1 >/dev/null | filecheck %s --check-prefix=BOTH
// RUN: allo-opt %s --pipeline=air-bind 2>&1 >/dev/null | filecheck %s --check-prefix=NONE --allow-empty
// RUN: allo-opt %s --aie-assign-lock-ids --verify-diagnostics 2>&1 | filecheck %s --check-prefix=NONE --allow-empty
// RUN: allo-opt %s --air-to-aie='test-patterns=specialize-affine-if' 2>&1 >/dev/null | filecheck %s --check-prefix=NONE --allow-empty
// RUN: allo-opt %s --air-to-aie 2>&1 >/dev/null | filecheck %s --check-prefix=WHOLE

// WHOLE: remark: pass 'air-to-aie' found nothing to work on
// SAID: remark: pass 'aie-assign-lock-ids' found nothing to work on: it works on aie.*, and the module has arith.*
// BOTH: remark: pass 'air-par-to-herd' found nothing to work on: it works on scf.parallel or scf.forall or affine.parallel, and
// BOTH: remark: pass 'air-renumber-dma' found nothing to work on: it works on air.*, and the module has arith.*
// NONE-NOT: remark
// CHECK: func.func @f
// CHECK-NEXT: arith.addf
func.func @f(%a: f32) -> f32 {
  %0 = arith.addf %a, %a : f32
  return %0 : f32
}
