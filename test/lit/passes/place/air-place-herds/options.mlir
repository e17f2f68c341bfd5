// RUN: not allo-opt %s --air-place-herds=num-rows=0 2>&1 | filecheck %s

// CHECK: option 'num-rows' is 0, expected at least 1
func.func @f() {
  return
}
