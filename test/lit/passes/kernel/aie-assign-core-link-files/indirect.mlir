// RUN: allo-opt %s --aie-assign-core-link-files --verify-diagnostics

aie.device(npu2) {
  %t = aie.tile(0, 2)
  // expected-warning@below {{has link_with = "a.o", but no core calls @a}}
  func.func private @a() attributes {link_with = "a.o"}
  aie.core(%t) {
    %f = func.constant @a : () -> ()
    // expected-warning@below {{calls a function by a value, whose file is not found}}
    func.call_indirect %f() : () -> ()
    aie.end
  }
}
