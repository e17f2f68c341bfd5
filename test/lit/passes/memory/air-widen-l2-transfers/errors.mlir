// RUN: not allo-opt %s --air-widen-l2-transfers='device=npu9' 2>&1 | filecheck %s

// CHECK: 'npu9'
// CHECK-SAME: npu1

func.func @nothing() {
  air.launch () in () {
    air.segment @s {
    }
  }
  return
}
