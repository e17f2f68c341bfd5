// RUN: allo-opt %s --split-input-file --verify-diagnostics

// Errors of each stage are reported at their line: our reader, MLIR's parser, MLIR's verifier, our rules.

module {
  // expected-error @+1 {{custom op 'air.unknown' is unknown}}
  air.unknown
}

// -----

aie.device(npu1) {
  // expected-error @+1 {{expected}}
  %t = aie.tile(0, x)
}

// -----

aie.device(npu1) {
  %t = aie.tile(0, 2)
  aie.flow(%t,
           DMA : 0,
           // expected-error @+1 {{'Foo' is not a wire bundle}}
           %t, Foo : 0)
}

// -----

aie.device(npu1) { %t = aie.tile(0, 2)
  // expected-error @+1 {{use of undeclared SSA value name}}
  %l = aie.lock(%t, 0) aie.use_lock(%q, Acquire, 1)
}

// -----

func.func @f(%c: index) {
  air.herd tile (%x) in (%sx=%c) {
    // expected-error @+1 {{use of undeclared SSA value name}}
    %0 = arith.addi %x, %d : index
  }
  return
}

// -----

func.func @f(%c: index) {
  air.herd tile (%x) in (%sx=%c) {
    // expected-error @+1 {{using value defined outside the region}}
    %0 = arith.addi %x, %c : index
  }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{attribute 'id' occurs more than once}}
  air.wait_all {id = 1 : i32, id = 2 : i32}
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected ']'}}
  air.wait_all [%a)
  return
}
