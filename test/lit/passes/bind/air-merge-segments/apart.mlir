// RUN: allo-opt %s --air-merge-segments | filecheck %s

// Tokens between them, or several instances: they stay.

// CHECK-LABEL: @tokens
// CHECK-COUNT-2: air.segment
// CHECK-LABEL: @instances
// CHECK-COUNT-2: air.segment
func.func @tokens() {
  air.launch () in () {
    %t = air.segment @s async {
    }
    %u = air.segment @r async [%t] {
    }
    air.wait_all [%u]
  }
  return
}

func.func @instances() {
  air.launch () in () {
    %c2 = arith.constant 2 : index
    air.segment @q unroll (%i) in (%n=%c2) {
    }
    air.segment @p {
    }
  }
  return
}
