// RUN: not allo-opt %s --air-to-aie='logical-tiles=false device=npu1 use-lock-race-condition-fix=true use-lock-race-condition-fix-v2=true' 2>&1 | filecheck %s --check-prefix=FIXES
// RUN: not allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu3' 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 test-patterns=to-mlir' 2>&1 | filecheck %s --check-prefix=PATTERNS
// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=ipu row-offset=2 col-offset=0' | filecheck %s

// FIXES: options 'use-lock-race-condition-fix' and 'use-lock-race-condition-fix-v2' exclude each other; give one
// UNKNOWN: option 'device' is 'npu3', expected one of
// PATTERNS: option 'test-patterns' has 'to-mlir', expected one of: to-aie-mlir, lower-air-execute, lower-scf-tokens
// CHECK: aie.device(npu1) @segment_0
// CHECK: air.segment @segment_0
func.func @f() {
  air.segment {
  }
  return
}
