// RUN: not allo-opt %s --aie-standard-lowering='device=there' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: allo-opt %s --aie-standard-lowering --verify-diagnostics

// NAME: expected 'aie.device' @there operation at toplevel
aie.device(npu2) @here {
  %t = aie.tile(1, 2)
  // expected-error@below {{has no name; give it a sym_name, or run aie-assign-buffer-addresses first}}
  %b = aie.buffer(%t) : memref<4xi32>
  aie.core(%t) {
    aie.end
  }
}
