// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-loop-merging="loop-merge-levels=0,2"
// RUN: not allo-opt %s --split-input-file --air-loop-merging 2>&1 | filecheck %s

// CHECK: loop-merge-levels
func.func @apart() {
  // expected-error@below {{loop-merge-levels=0,2 does not name adjacent ones; give consecutive depths from 0 to 2}}
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      affine.for %k = 0 to 2 {
      }
    }
  } {affine_opt_label = "nest"}
  return
}
