// RUN: air-opt %s | FileCheck %s
// CHECK: air.herd
func.func @f() {
  return
}
